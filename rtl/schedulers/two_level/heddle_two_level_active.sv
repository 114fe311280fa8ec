// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Two-level scheduling with an active set (docs/schedulers/two_level_active.md, prioritizer `two_level_active` with
/// `long_wait: marked`), one scheduler. ActiveWarps slots are active, the others queue, whether they hold a warp or
/// not. In a cycle in which the SM has warps every active slot that waits goes to the end of the queue, and one slot,
/// the head of the queue, becomes active and may issue in this cycle. Active warps take turns: one that issues goes to
/// the end, with those that were before it.
///
/// Latency: from waits_i and ready_i to grant_o in the same cycle. State: that of two heddle_age_matrix, the active
/// slots and the queue; each slot is in one of them. Of slots that go to an end together the lower one is the first.
/// Not free of starvation: a warp queues as long as the active ones wait for nothing.
module heddle_two_level_active #(
  /// Warps of the scheduler, 1 to 64.
  parameter int unsigned Warps = 24,
  /// Active ones, from 1 on; all of them when there are not more.
  parameter int unsigned ActiveWarps = 6
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// The SM has warps: slots change places.
  input  logic turn_i,
  /// Slots that make room: without a warp, or whose warp has finished, is at a barrier or reads a marked register next.
  input  logic [Warps-1:0] waits_i,
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

  localparam int unsigned Active = (ActiveWarps < Warps) ? ActiveWarps : Warps;
  localparam int unsigned CountWidth = $clog2(Warps + 1);

  logic [Warps*Warps-1:0] turns, ranks;  // the orders of the active slots and of the queue
  logic [Warps-1:0] active, queue;
  logic [Warps-1:0] leave, stay, come;  // active slots that go, those that don't, the one that becomes active
  logic [Warps-1:0] head, unused_behind, lowest, unused_passed;
  logic [CountWidth-1:0] staying;
  logic [Warps-1:0] among, first, behind;
  logic [Warps-1:0] issued, unused_first, after_issued, had_turn, to_end;

  // Who is active in this cycle.
  assign leave = turn_i ? active & waits_i : '0;
  assign stay = active & ~leave;
  heddle_population_count #(
    .Inputs(Warps)
  ) i_staying (
    .bits_i (stay),
    .count_o(staying)
  );
  heddle_age_select #(
    .Entries(Warps)
  ) i_head (
    .first_i (ranks),
    .among_i (queue),
    .oldest_o(head),
    .behind_o(unused_behind)
  );
  // Without a queue the first one that leaves comes back.
  heddle_fixed_selector #(
    .Inputs(Warps)
  ) i_lowest (
    .request_i (leave),
    .passable_i('0),
    .select_o  (lowest),
    .passed_o  (unused_passed)
  );
  assign come = (turn_i && 32'(staying) < Active) ? ((queue != '0) ? head : lowest) : '0;

  // The choice: the one that has just come is the last.
  assign among = ready_i & stay;
  heddle_age_select #(
    .Entries(Warps)
  ) i_choice (
    .first_i (turns),
    .among_i (among),
    .oldest_o(first),
    .behind_o(behind)
  );
  assign grant_o = (among != '0) ? first : ready_i & come;
  assign passed_o = stale_i & ((stay & ~behind) | ((grant_o == '0) ? come : '0));

  // What issued and was before it goes to the end, unless these are all.
  assign issued = issue_i & stay;
  heddle_age_select #(
    .Entries(Warps)
  ) i_issued (
    .first_i (turns),
    .among_i (issued),
    .oldest_o(unused_first),
    .behind_o(after_issued)
  );
  assign had_turn = (issued != '0) ? stay & ~after_issued : '0;
  assign to_end = (had_turn == (stay | come)) ? '0 : had_turn;

  heddle_age_matrix #(
    .Entries  (Warps),
    .ResetFrom(0),
    .ResetTo  (Active)
  ) i_active (
    .clk_i,
    .rst_ni,
    .append_i (come | to_end),
    .remove_i (leave),
    .first_o  (turns),
    .present_o(active)
  );
  heddle_age_matrix #(
    .Entries  (Warps),
    .ResetFrom(Active),
    .ResetTo  (Warps)
  ) i_queue (
    .clk_i,
    .rst_ni,
    .append_i (leave & ~come),
    .remove_i (come),
    .first_o  (ranks),
    .present_o(queue)
  );

  if (Warps < 1 || Warps > 64) begin : gen_illegal_warps
    $error("heddle_two_level_active: expected Warps from 1 to 64");
  end
  if (ActiveWarps < 1) begin : gen_illegal_active
    $error("heddle_two_level_active: expected ActiveWarps from 1 on");
  end

  logic _unused;
  assign _unused = ^{unused_behind, unused_passed, unused_first};

`ifndef SYNTHESIS
  always_comb begin
    if (rst_ni) begin
      GrantOnehot_A: assert final ((grant_o & (grant_o - 1'b1)) == '0);
      GrantIsReady_A: assert final ((grant_o & ~ready_i) == '0);
      GrantIsActive_A: assert final ((grant_o & ~(stay | come)) == '0);
      GrantIfAny_A: assert final ((ready_i & (stay | come)) == '0 || grant_o != '0);
      PassedIsStale_A: assert final ((passed_o & ~stale_i) == '0);
      EachOnce_A: assert final ((active & queue) == '0 && (active | queue) == '1);
      OneComes_A: assert final ((come & (come - 1'b1)) == '0);
    end
  end
`ifdef FORMAL
  // No more are active than may be; a slot that does not wait stays until it does; the one that comes is the last.
  logic [CountWidth-1:0] count;
  heddle_population_count #(
    .Inputs(Warps)
  ) i_count (
    .bits_i (active),
    .count_o(count)
  );
  // Those that waited, and did not come back, queue.
  logic [Warps-1:0] left_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_q <= '0;
    else left_q <= turn_i ? active & waits_i & ~come : '0;
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni) begin
      AtMost_A: assert (32'(count) <= Active);
      WhoWaitsLeaves_A: assert ((left_q & ~queue) == '0);
      StaysActive_A: assert ((active & ~waits_i & ~stay) == '0);
      ComesLast_A: assert (grant_o == '0 || (passed_o & come) == '0);
    end
  end
`endif
`endif

endmodule
