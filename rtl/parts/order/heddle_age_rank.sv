// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// How many entries came before one (hw::AgeOrder::rank, a rank port of a matrix): the row of the entry in a
/// heddle_age_matrix, and its set bits counted. Combinational.
module heddle_age_rank #(
  /// Entries, 1 to 64.
  parameter int unsigned Entries = 24,
  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1,
  localparam int unsigned CountWidth = $clog2(Entries + 1)
) (
  /// first_o of the matrix.
  input  logic [Entries*Entries-1:0] first_i,
  /// Who counts: present_o of the matrix.
  input  logic [Entries-1:0] present_i,
  /// Whose rank, one that is present.
  input  logic [IdxWidth-1:0] index_i,
  output logic [CountWidth-1:0] rank_o
);

  /// Bit i * Entries + j: entry j came before entry i. Not in waves of Verilator's, as it is first_i written out.
  /* verilator tracing_off */
  logic [Entries*Entries-1:0] older;
  /* verilator tracing_on */
  for (genvar i = 0; i < Entries; i++) begin : gen_row
    for (genvar j = 0; j < Entries; j++) begin : gen_pair
      assign older[i*Entries+j] = (j < i) ? first_i[j*Entries+i] : (j != i) && !first_i[i*Entries+j];
    end
  end

  logic [Entries-1:0] row;

  heddle_multiplexer #(
    .Inputs(Entries),
    .Width (Entries)
  ) i_row (
    .data_i (older),
    .index_i(index_i),
    .data_o (row)
  );
  heddle_population_count #(
    .Inputs(Entries)
  ) i_count (
    .bits_i (row & present_i),
    .count_o(rank_o)
  );

  if (Entries < 1 || Entries > 64) begin : gen_illegal
    $error("heddle_age_rank: expected Entries from 1 to 64");
  end

endmodule
