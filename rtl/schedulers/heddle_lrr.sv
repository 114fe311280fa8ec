// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Loose round robin (docs/schedulers/lrr.md, prioritizer `lrr`), one scheduler: the first warp that may issue
/// in slot order after the one that issued last, around the end of its slots.
///
/// Latency: from ready_i to grant_o in the same cycle. State: the number of the slot to begin with. A warp that
/// stays ready waits for each other warp to issue once at most, when each choice issues in its cycle: in a pipeline
/// of choices one that was made earlier may set the slot to begin with back.
module heddle_lrr #(
  /// Warps of the scheduler, 1 to 64.
  parameter int unsigned Warps = 24
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Warps that may issue in this cycle.
  input  logic [Warps-1:0] ready_i,
  /// Warps whose I-buffer is stale, and is emptied when the scheduler comes to them; none of ready_i.
  input  logic [Warps-1:0] stale_i,
  /// The warp that issues in this cycle, at most one bit: the choice, or an earlier one when choosing is a
  /// pipeline. May depend on grant_o.
  input  logic [Warps-1:0] issue_i,
  /// The choice, at most one bit; not held when it does not issue.
  output logic [Warps-1:0] grant_o,
  /// Stale warps that come before the choice.
  output logic [Warps-1:0] passed_o
);

  localparam int unsigned IdxWidth = (Warps > 1) ? $clog2(Warps) : 1;

  logic [IdxWidth-1:0] start_d, start_q;

  heddle_rotating_selector #(
    .Inputs(Warps)
  ) i_selector (
    .request_i (ready_i),
    .passable_i(stale_i),
    .start_i   (start_q),
    .select_o  (grant_o),
    .passed_o  (passed_o)
  );

  // The slot after the one that issues; after the last one the first.
  always_comb begin
    start_d = (issue_i == '0) ? start_q : '0;
    for (int unsigned n = 0; n < Warps; n++) begin
      start_d |= {IdxWidth{issue_i[n]}} & ((n + 1 < Warps) ? IdxWidth'(n + 1) : '0);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) start_q <= '0;
    else start_q <= start_d;
  end

  if (Warps < 1 || Warps > 64) begin : gen_illegal
    $error("heddle_lrr: expected Warps from 1 to 64");
  end

`ifndef SYNTHESIS
  always_comb begin
    if (rst_ni) begin
      OneIssues_M: assert final ((issue_i & (issue_i - 1'b1)) == '0);
      GrantOnehot_A: assert final ((grant_o & (grant_o - 1'b1)) == '0);
      GrantIsReady_A: assert final ((grant_o & ~ready_i) == '0);
      GrantIfAny_A: assert final (ready_i == '0 || grant_o != '0);
      PassedIsStale_A: assert final ((passed_o & ~stale_i) == '0);
      StartInRange_A: assert final (32'(start_q) < Warps);
    end
  end
`ifdef FORMAL
  // A warp, whichever it is, that stays ready while choices issue waits for each other one once.
  (* anyconst *) logic [IdxWidth-1:0] watched;
  logic [IdxWidth:0] waited_q;
  logic [31:0] places;  // from the start to the watched one, around
  assign places = (watched >= start_q) ? 32'(watched) - 32'(start_q) : 32'(watched) + Warps - 32'(start_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waited_q <= '0;
    else if (!ready_i[watched] || grant_o[watched]) waited_q <= '0;
    else if (issue_i == grant_o) waited_q <= waited_q + 1'b1;
    else if (issue_i != '0) waited_q <= '0;  // another one than the choice: no promise
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni && 32'(watched) < Warps) NoStarvation_A: assert (32'(waited_q) + places < Warps);
  end
`endif
`endif

endmodule
