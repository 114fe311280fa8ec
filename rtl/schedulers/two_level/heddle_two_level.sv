// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Two-level scheduling by fetch groups (docs/schedulers/two_level.md, prioritizer `two_level`), one scheduler.
/// Its warps form groups of GroupWarps in slot order. The current group goes first, round robin in it; then the
/// groups after it. When no warp of the current group runs, the next group of which one does becomes current,
/// in the same cycle in which that is seen.
///
/// Latency: from ready_i and runs_i to grant_o in the same cycle. State: the number of the current group, and of
/// each group that of the slot to begin with. Not free of starvation: a group waits as long as the current one
/// has ready warps; in a group a warp waits for each other one as in heddle_lrr.
module heddle_two_level #(
  /// Warps of the scheduler, 1 to 64.
  parameter int unsigned Warps = 24,
  /// Warps of a fetch group, 1 to 64; the last group has what is left.
  parameter int unsigned GroupWarps = 8
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Warps that wait for nothing that takes long.
  input  logic [Warps-1:0] runs_i,
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

  localparam int unsigned Groups = (Warps - 1) / GroupWarps + 1;
  localparam int unsigned GroupWidth = (Groups > 1) ? $clog2(Groups) : 1;

  logic [GroupWidth-1:0] current_d, current_q;
  logic [Groups-1:0] running, requests, turn, chosen, before_chosen, unused_passed;

  // The group whose turn it is: the current one, or the next that runs.
  heddle_rotating_selector #(
    .Inputs(Groups)
  ) i_turn (
    .request_i (running),
    .passable_i('0),
    .start_i   (current_q),
    .select_o  (turn),
    .passed_o  (unused_passed)
  );
  always_comb begin
    current_d = current_q;
    for (int unsigned g = 0; g < Groups; g++) begin
      if (turn[g]) current_d = GroupWidth'(g);
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) current_q <= '0;
    else current_q <= current_d;
  end

  heddle_rotating_selector #(
    .Inputs(Groups)
  ) i_fill_in (
    .request_i (requests),
    .passable_i(~requests),
    .start_i   (current_d),
    .select_o  (chosen),
    .passed_o  (before_chosen)
  );

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int unsigned First = g * GroupWarps;
    localparam int unsigned Size = (Warps - First < GroupWarps) ? Warps - First : GroupWarps;
    logic [Size-1:0] grant, passed;
    assign running[g] = |runs_i[First+:Size];
    assign requests[g] = |ready_i[First+:Size];
    heddle_lrr #(
      .Warps(Size)
    ) i_warps (
      .clk_i,
      .rst_ni,
      .ready_i (ready_i[First+:Size]),
      .stale_i (stale_i[First+:Size]),
      .issue_i (issue_i[First+:Size]),
      .grant_o (grant),
      .passed_o(passed)
    );
    assign grant_o[First+:Size] = chosen[g] ? grant : '0;
    assign passed_o[First+:Size] = (chosen[g] || before_chosen[g]) ? passed : '0;
  end

  if (Warps < 1 || Warps > 64) begin : gen_illegal_warps
    $error("heddle_two_level: expected Warps from 1 to 64");
  end
  if (GroupWarps < 1 || GroupWarps > 64) begin : gen_illegal_group
    $error("heddle_two_level: expected GroupWarps from 1 to 64");
  end

  logic _unused;
  assign _unused = ^unused_passed;

`ifndef SYNTHESIS
  always_comb begin
    if (rst_ni) begin
      OneIssues_M: assert final ((issue_i & (issue_i - 1'b1)) == '0);
      GrantOnehot_A: assert final ((grant_o & (grant_o - 1'b1)) == '0);
      GrantIsReady_A: assert final ((grant_o & ~ready_i) == '0);
      GrantIfAny_A: assert final (ready_i == '0 || grant_o != '0);
      PassedIsStale_A: assert final ((passed_o & ~stale_i) == '0);
      CurrentInRange_A: assert final (32'(current_q) < Groups);
    end
  end
`ifdef FORMAL
  // The current group goes first; it changes only when none of its warps runs, and then to one that does.
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni) begin
      CurrentFirst_A: assert (!requests[current_d] || chosen[current_d]);
      StaysWhileRunning_A: assert (!running[current_q] || current_d == current_q);
      ChangesToRunning_A: assert (current_d == current_q || running[current_d]);
    end
  end
`endif
`endif

endmodule
