// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// A bit per pair of entries that says which came first (hw::AgeOrder, AgeForm::kMatrix, without its ports:
/// heddle_age_order selects, heddle_age_rank ranks, heddle_age_first_n takes several). Any entries are appended
/// or removed in a cycle; of entries appended together the lower index counts as the older.
///
/// Latency: what is appended or removed in a cycle shows from the next one on. State: Entries * (Entries - 1) / 2
/// bits of order and Entries bits that say who is in it.
module heddle_age_matrix #(
  /// Entries, 1 to 64.
  parameter int unsigned Entries = 24,
  /// After reset the entries from ResetFrom to ResetTo - 1 are in the order, the lower ones older; at most Entries.
  parameter int unsigned ResetFrom = 0,
  parameter int unsigned ResetTo = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Become the youngest at the clock edge; one that is in the order leaves its old place.
  input  logic [Entries-1:0] append_i,
  /// Leave the order at the clock edge, unless they are appended at the same one.
  input  logic [Entries-1:0] remove_i,
  /// Bit i * Entries + j for i < j: entry i came before entry j, if both are in the order. The others are 0.
  output logic [Entries*Entries-1:0] first_o,
  /// Who is in the order.
  output logic [Entries-1:0] present_o
);

  localparam logic [Entries-1:0] Reset =
      (ResetTo > ResetFrom) ? ({Entries{1'b1}} >> (Entries - (ResetTo - ResetFrom))) << ResetFrom : '0;

  logic [Entries-1:0] present_q;

  assign present_o = present_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) present_q <= Reset;
    else present_q <= (present_q & ~remove_i) | append_i;
  end

  for (genvar i = 0; i < Entries; i++) begin : gen_entry
    if (i + 1 < Entries) begin : gen_pairs
      logic [Entries-1:i+1] first_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) first_q <= {(Entries - 1 - i) {Reset[i]}};
        else first_q <= (first_q & {(Entries - 1 - i) {~append_i[i]}}) | append_i[Entries-1:i+1];
      end
      assign first_o[i*Entries+:Entries] = {first_q, {(i + 1) {1'b0}}};
    end else begin : gen_no_pair
      assign first_o[i*Entries+:Entries] = '0;
    end
  end

  if (Entries < 1 || Entries > 64) begin : gen_illegal
    $error("heddle_age_matrix: expected Entries from 1 to 64");
  end
  if (ResetTo > Entries) begin : gen_illegal_reset
    $error("heddle_age_matrix: expected ResetTo of at most Entries");
  end

`ifdef FORMAL
  // Transitive, row by row: if a came before b, all that came behind b came behind a.
  logic [Entries*Entries-1:0] behind;  // row a: who came behind entry a
  logic [Entries*Entries-1:0] broken;
  for (genvar a = 0; a < Entries; a++) begin : gen_a
    for (genvar b = 0; b < Entries; b++) begin : gen_b
      assign behind[a*Entries+b] = (b < a) ? !first_o[b*Entries+a] : (a != b) && first_o[a*Entries+b];
      assign broken[a*Entries+b] =
          behind[a*Entries+b] && (behind[b*Entries+:Entries] & ~behind[a*Entries+:Entries]) != '0;
    end
  end
  always_comb if (rst_ni) Transitive_A: assert (broken == '0);
`endif

endmodule
