// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The oldest entries of a mask, several at once (hw::AgeOrder::oldest_n): of every entry in the mask those of it
/// that came before are counted. Combinational, beside a heddle_age_matrix.
module heddle_age_first_n #(
  /// Entries, 1 to 64.
  parameter int unsigned Entries = 24,
  localparam int unsigned CountWidth = $clog2(Entries + 1)
) (
  /// first_o of the matrix.
  input  logic [Entries*Entries-1:0] first_i,
  /// Who may be taken: present ones.
  input  logic [Entries-1:0] request_i,
  /// How many at most.
  input  logic [CountWidth-1:0] count_i,
  /// The count_i oldest of request_i; all of it when there are no more.
  output logic [Entries-1:0] select_o
);

  /// Bit i * Entries + j: entry j came before entry i.
  logic [Entries*Entries-1:0] older;
  for (genvar i = 0; i < Entries; i++) begin : gen_row
    for (genvar j = 0; j < Entries; j++) begin : gen_pair
      assign older[i*Entries+j] = (j < i) ? first_i[j*Entries+i] : (j != i) && !first_i[i*Entries+j];
    end
  end

  for (genvar i = 0; i < Entries; i++) begin : gen_entry
    logic [CountWidth-1:0] rank;
    heddle_population_count #(
      .Inputs(Entries)
    ) i_count (
      .bits_i (older[i*Entries+:Entries] & request_i),
      .count_o(rank)
    );
    assign select_o[i] = request_i[i] & (rank < count_i);
  end

  if (Entries < 1 || Entries > 64) begin : gen_illegal
    $error("heddle_age_first_n: expected Entries from 1 to 64");
  end

`ifndef SYNTHESIS
  always_comb SelectIsRequested_A: assert final ((select_o & ~request_i) == '0);
`endif

endmodule
