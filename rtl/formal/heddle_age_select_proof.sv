// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// What heddle_age_select promises, for proofs alone and for many entries: whatever the order, one is selected if there is
/// any to select from. One entry is looked at in a cycle, and the oldest so far is kept; the last one kept is the one that
/// heddle_age_select takes.
module heddle_age_select_proof #(
  parameter int unsigned Entries = 8
) (
  input logic clk_i,
  input logic rst_ni
);

  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1;
  localparam int unsigned CountWidth = $clog2(Entries + 1);

  (* anyconst *) logic [Entries*Entries-1:0] upper;
  (* anyconst *) logic [Entries-1:0] among;
  logic [Entries*Entries-1:0] first;
  logic [Entries*Entries-1:0] before;  // row i: who came before entry i
  logic [Entries-1:0] oldest, behind;
  for (genvar i = 0; i < Entries; i++) begin : gen_row
    for (genvar j = 0; j < Entries; j++) begin : gen_pair
      assign first[i*Entries+j] = (i < j) && upper[i*Entries+j];
      assign before[i*Entries+j] = (j < i) ? upper[j*Entries+i] : (i != j) && !upper[i*Entries+j];
    end
  end

  heddle_age_select #(
    .Entries(Entries)
  ) i_select (
    .first_i (first),
    .among_i (among),
    .oldest_o(oldest),
    .behind_o(behind)
  );

  logic [CountWidth-1:0] seen_q;  // entries that have been looked at, from entry 0 on
  logic [IdxWidth-1:0] next, best_q;
  logic [Entries-1:0] so_far, before_best, before_next;
  logic ends, found_q, next_is_older;
  assign next = IdxWidth'(seen_q);
  assign ends = 32'(seen_q) == Entries;
  assign so_far = among & ~({Entries{1'b1}} << seen_q);
  assign before_best = before[best_q*Entries+:Entries];
  assign before_next = before[next*Entries+:Entries];
  assign next_is_older = before_best[next];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seen_q <= '0;
      found_q <= 1'b0;
      best_q <= '0;
    end else if (!ends) begin
      seen_q <= seen_q + 1'b1;
      if (among[next] && (!found_q || next_is_older)) begin
        found_q <= 1'b1;
        best_q <= next;
      end
    end
  end

  initial assume (!rst_ni);
  always_comb begin
    // It is an order: who came before an entry that came before the best so far, came before the best, too.
    if (!ends && next_is_older) assume ((before_next & ~before_best) == '0);
    if (rst_ni) begin
      InRange_A: assert (32'(seen_q) < Entries + 1 && 32'(best_q) < Entries);
      FoundIfAny_A: assert (found_q == (so_far != '0));
      BestIsAmong_A: assert (!found_q || so_far[best_q]);
      NoneIsBeforeBest_A: assert (!found_q || (before_best & so_far) == '0);
      BestIsSelected_A: assert (!ends || !found_q || oldest[best_q]);
    end
  end

endmodule
