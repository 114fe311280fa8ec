// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// What heddle_age_matrix promises, for proofs alone: its order is that of the appends. Of any two entries the
/// one that was appended in an earlier cycle, or in the same one with a lower index, is older until it is
/// appended again. It is transitive: if a first entry is older than a second, and that than a third, so is the first.
module heddle_age_matrix_proof #(
  parameter int unsigned Entries = 8
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [Entries-1:0] append_i,
  input logic [Entries-1:0] remove_i
);

  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1;

  logic [Entries*Entries-1:0] before;
  logic [Entries-1:0] present, expected_q;
  logic older;  // the first is older than the later
  logic older_than_third, later_older_than_third;

  heddle_age_matrix #(
    .Entries(Entries)
  ) i_matrix (
    .clk_i,
    .rst_ni,
    .append_i,
    .remove_i,
    .first_o  (before),
    .present_o(present)
  );

  (* anyconst *) logic [IdxWidth-1:0] first, later, third;
  logic behind_q;
  assign older = (first < later) ? before[first*Entries+later] : !before[later*Entries+first];
  assign older_than_third = (first < third) ? before[first*Entries+third] : !before[third*Entries+first];
  assign later_older_than_third = (later < third) ? before[later*Entries+third] : !before[third*Entries+later];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      behind_q <= 1'b0;
      expected_q <= '0;
    end else begin
      if (append_i[later]) behind_q <= !append_i[first] || first < later;
      else if (append_i[first]) behind_q <= 1'b0;
      expected_q <= (expected_q & ~remove_i) | append_i;
    end
  end

  initial assume (!rst_ni);
  always_comb begin
    assume (32'(first) < Entries && 32'(later) < Entries && 32'(third) < Entries);
    assume (first != later && first != third && later != third);
    if (rst_ni) begin
      InOrderOfAppends_A: assert (!behind_q || older);
      Transitive_A: assert (!older || !later_older_than_third || older_than_third);
      Present_A: assert (present == expected_q);
    end
  end

endmodule
