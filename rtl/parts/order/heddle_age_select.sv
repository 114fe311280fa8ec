// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The selection from a heddle_age_matrix (hw::AgeOrder, AgeForm::kMatrix with passes_over): the oldest of some entries,
/// and who is younger than one of them. Combinational.
module heddle_age_select #(
  /// Entries, 1 to 64.
  parameter int unsigned Entries = 24
) (
  /// The matrix's.
  input  logic [Entries*Entries-1:0] first_i,
  /// Among whom is selected; all of them are in the order.
  input  logic [Entries-1:0] among_i,
  /// The oldest of them: at most one bit.
  output logic [Entries-1:0] oldest_o,
  /// Entries than which one of among_i is older.
  output logic [Entries-1:0] behind_o
);

  logic [Entries-1:0] by_lower;  // one of a lower number is older
  logic [Entries-1:0] by_higher;  // one of a higher number is

  always_comb begin
    by_lower = '0;
    for (int unsigned i = 0; i < Entries; i++) by_lower |= first_i[i*Entries+:Entries] & {Entries{among_i[i]}};
  end
  for (genvar i = 0; i < Entries; i++) begin : gen_entry
    if (i + 1 < Entries) begin : gen_higher
      assign by_higher[i] = |(among_i[Entries-1:i+1] & ~first_i[i*Entries+i+1+:Entries-1-i]);
    end else begin : gen_highest
      assign by_higher[i] = 1'b0;
    end
  end
  assign behind_o = by_lower | by_higher;
  assign oldest_o = among_i & ~behind_o;

  if (Entries < 1 || Entries > 64) begin : gen_illegal
    $error("heddle_age_select: expected Entries from 1 to 64");
  end

`ifndef SYNTHESIS
  always_comb OldestIsAmong_A: assert final ((oldest_o & ~among_i) == '0);
`ifdef FORMAL
  // In a transitive order one entry is the oldest, if there is any.
  logic [Entries*Entries-1:0] later;  // row a: who came behind entry a
  logic [Entries*Entries-1:0] broken, unused;
  for (genvar a = 0; a < Entries; a++) begin : gen_row
    for (genvar b = 0; b < Entries; b++) begin : gen_pair
      assign later[a*Entries+b] = (b < a) ? !first_i[b*Entries+a] : (a != b) && first_i[a*Entries+b];
      assign broken[a*Entries+b] = later[a*Entries+b] && (later[b*Entries+:Entries] & ~later[a*Entries+:Entries]) != '0;
      assign unused[a*Entries+b] = (b <= a) && first_i[a*Entries+b];
    end
  end
  always_comb begin
    FirstIsAnOrder_M: assert (broken == '0 && unused == '0);
    OldestIfAny_A: assert (among_i == '0 || oldest_o != '0);
  end
`endif
`endif

endmodule
