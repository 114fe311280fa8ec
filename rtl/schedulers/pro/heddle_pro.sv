// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Progress-aware scheduling (docs/schedulers/pro.md, prioritizer `pro` with `same_tb: merge` and `add_cycles: 1`), all
/// schedulers of an SM: scheduler s supervises the warps w with w mod NumSchedulers == s. Thread blocks (TBs) are ordered
/// by what their warps wait for and by progress, the warps of a TB by progress; each scheduler takes the first of its
/// ready warps in that order.
///
/// Latency: from ready_i and stale_i to grant_o in the same cycle. Progress and counts are kept from the cycle after
/// what they count; a sort that is asked for begins in the next cycle, and the last completed order stays in force
/// (heddle_group_sorter). Warps that start enter the order of their TB one a cycle, the lowest slot first.
/// Not free of starvation: a warp waits as long as others before it in the order are ready.
module heddle_pro #(
  /// Warp slots of the SM, 1 to 64.
  parameter int unsigned NumWarps = 48,
  /// Warp schedulers of the SM, 1 to TbSlots.
  parameter int unsigned NumSchedulers = 2,
  /// TB slots, 1 to 16.
  parameter int unsigned TbSlots = 8,
  /// Bits of a progress register, which wraps, 6 to 48.
  parameter int unsigned ProgressWidth = 32,
  /// Cycles between two sorts of the TBs that wait for nothing, and of their warps, 1 to 2^DueWidth - 1.
  parameter int unsigned Threshold = 1000,
  parameter int unsigned DueWidth = 10,
  /// Bits of a TB's number: its launch, then its index in the grid; from 1 on, with ProgressWidth at most 117.
  parameter int unsigned TieWidth = 42,
  /// Of heddle_group_sorter: the TBs, and the warps of each.
  parameter int unsigned TbComparators = 1,
  parameter int unsigned TbCompareCycles = 2,
  parameter int unsigned TbReadCycles = 1,
  parameter int unsigned WarpComparators = 1,
  parameter int unsigned WarpCompareCycles = 3,
  parameter int unsigned WarpReadCycles = 1,
  localparam int unsigned SlotWidth = (TbSlots > 1) ? $clog2(TbSlots) : 1,
  localparam int unsigned CountWidth = 8,
  localparam int unsigned LanesWidth = 6
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// The low bits of the SM's cycle counter, which counts from the reset on. Cycles may be left out, clock and count, but
  /// for those in which a sort is due.
  input  logic [DueWidth-1:0] now_i,
  /// The TB slot in which one starts, at most one bit, with its warps, and whether its kernel has no TBs left.
  input  logic [TbSlots-1:0] tb_start_i,
  input  logic [NumWarps-1:0] tb_warps_i,
  input  logic tb_slow_i,
  /// TBs that end.
  input  logic [TbSlots-1:0] tb_end_i,
  /// TBs of a kernel of which the last waiting TB was given away.
  input  logic [TbSlots-1:0] phase_i,
  /// What the SM keeps of its warps and TBs (heddle_tb_table).
  input  logic [NumWarps*SlotWidth-1:0] slot_i,
  input  logic [TbSlots*CountWidth-1:0] num_warps_i,
  input  logic [TbSlots*TieWidth-1:0] tie_i,
  /// Warps that may issue in this cycle.
  input  logic [NumWarps-1:0] ready_i,
  /// Warps whose I-buffer is stale, and is emptied when the scheduler comes to them; none of ready_i.
  input  logic [NumWarps-1:0] stale_i,
  /// The warps that issue in this cycle, one of a scheduler at most, and of scheduler s from bit s * LanesWidth on the
  /// lanes that are active in what it issues. May depend on grant_o, as the three after them.
  input  logic [NumWarps-1:0] issue_i,
  input  logic [NumSchedulers*LanesWidth-1:0] lanes_i,
  /// Of these, warps that come to a barrier, and that issue their exit.
  input  logic [NumWarps-1:0] arrive_i,
  input  logic [NumWarps-1:0] finish_i,
  /// Of the TB in slot t from bit t * CountWidth on: warps that a barrier lets go on.
  input  logic [TbSlots*CountWidth-1:0] release_count_i,
`ifdef FORMAL
  /// Of the TB in slot t from bit t * width on: waiting and finished warps, progress; of warp w its progress, whether it
  /// has still to enter an order, and whether it stands in one; and TBs that stand in theirs.
  output logic [TbSlots*CountWidth-1:0] at_barrier_o,
  output logic [TbSlots*CountWidth-1:0] finished_o,
  output logic [TbSlots*ProgressWidth-1:0] tb_progress_o,
  output logic [NumWarps*ProgressWidth-1:0] warp_progress_o,
  output logic [NumWarps-1:0] arriving_o,
  output logic [NumWarps-1:0] entered_o,
  output logic [TbSlots-1:0] ordered_o,
`endif
  /// The choices, one of a scheduler at most; not held when one does not issue.
  output logic [NumWarps-1:0] grant_o,
  /// Stale warps that come before the choice of their scheduler.
  output logic [NumWarps-1:0] passed_o
);

  localparam int unsigned WarpWidth = (NumWarps > 1) ? $clog2(NumWarps) : 1;
  localparam int unsigned Ranks = 5;
  localparam int unsigned RankBits = 3;
  localparam int unsigned TbKeyWidth = RankBits + CountWidth + ProgressWidth + TieWidth;

  // What issues: by scheduler its warp, the TB of that, and whether it arrives or finishes.
  logic [NumSchedulers-1:0] issues, arrives, finishes;
  logic [NumSchedulers*WarpWidth-1:0] issue_warp;
  logic [NumSchedulers*SlotWidth-1:0] issue_slot;
  always_comb begin
    issues = '0;
    arrives = '0;
    finishes = '0;
    issue_warp = '0;
    issue_slot = '0;
    for (int unsigned w = 0; w < NumWarps; w++) begin
      if (issue_i[w]) begin
        issues[w%NumSchedulers] = 1'b1;
        issue_warp[(w%NumSchedulers)*WarpWidth+:WarpWidth] |= WarpWidth'(w);
        issue_slot[(w%NumSchedulers)*SlotWidth+:SlotWidth] |= slot_i[w*SlotWidth+:SlotWidth];
      end
      if (arrive_i[w]) arrives[w%NumSchedulers] = 1'b1;
      if (finish_i[w]) finishes[w%NumSchedulers] = 1'b1;
    end
  end

  // Progress.
  logic [NumWarps*ProgressWidth-1:0] warp_progress;
  logic [TbSlots*ProgressWidth-1:0] tb_progress;
  logic [NumWarps*ProgressWidth-1:0] unused_warp_next;
  logic [TbSlots*ProgressWidth-1:0] unused_tb_next;
  logic [ProgressWidth-1:0] unused_warp_read, unused_tb_read;
  logic [NumWarps-1:0] starting;
  assign starting = (tb_start_i != '0) ? tb_warps_i : '0;
  heddle_counter_array #(
    .Entries    (NumWarps),
    .Width      (ProgressWidth),
    .AmountWidth(LanesWidth),
    .ReadPorts  (0),
    .WritePorts (0),
    .Adders     (NumSchedulers),
    .Clear      (1'b1)
  ) i_warp_progress (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (unused_warp_read),
    .write_i       ('0),
    .write_index_i ('0),
    .write_data_i  ('0),
    .add_i         (issues),
    .subtract_i    ('0),
    .add_index_i   (issue_warp),
    .add_amount_i  (lanes_i),
    .count_i       ('0),
    .count_amount_i('0),
    .clear_i       (starting),
    .values_o      (warp_progress),
    .next_o        (unused_warp_next)
  );
  heddle_counter_array #(
    .Entries    (TbSlots),
    .Width      (ProgressWidth),
    .AmountWidth(LanesWidth),
    .ReadPorts  (0),
    .WritePorts (0),
    .Adders     (NumSchedulers),
    .Clear      (1'b1),
    .SameEntry  (1)
  ) i_tb_progress (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (unused_tb_read),
    .write_i       ('0),
    .write_index_i ('0),
    .write_data_i  ('0),
    .add_i         (issues),
    .subtract_i    ('0),
    .add_index_i   (issue_slot),
    .add_amount_i  (lanes_i),
    .count_i       ('0),
    .count_amount_i('0),
    .clear_i       (tb_start_i),
    .values_o      (tb_progress),
    .next_o        (unused_tb_next)
  );

  // Each TB: how many of its warps wait at barriers and have finished, its phase and its state, by the rank of that.
  logic [TbSlots*CountWidth-1:0] at_barrier_q, finished_q;
  logic [TbSlots-1:0] slow_q, slow_now, all_finished;
  logic [TbSlots-1:0] arrives_of, finishes_of, releases, first_arrives, first_finishes, goes_on;
  logic [TbSlots-1:0] present, tb_after_end;
  logic [TbSlots-1:0] due_of, phase_sorts;
  logic [TbSlots*RankBits-1:0] rank;
  logic due;

  logic [DueWidth-1:0] due_q;
  assign due = now_i == due_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) due_q <= DueWidth'(Threshold);
    else if (due) due_q <= due_q + DueWidth'(Threshold);
  end

  assign tb_after_end = present & ~tb_end_i;
  assign slow_now = ((slow_q | phase_i) & ~tb_start_i) | (tb_slow_i ? tb_start_i : '0);
  for (genvar t = 0; t < TbSlots; t++) begin : gen_tb
    logic [CountWidth-1:0] at_barrier, finished, waiting_now, finished_now, waiting_next;

    assign at_barrier = at_barrier_q[t*CountWidth+:CountWidth];
    assign finished = finished_q[t*CountWidth+:CountWidth];
    assign all_finished[t] = finished == num_warps_i[t*CountWidth+:CountWidth];
    always_comb begin
      arrives_of[t] = 1'b0;
      finishes_of[t] = 1'b0;
      waiting_now = at_barrier;
      finished_now = finished;
      for (int unsigned s = 0; s < NumSchedulers; s++) begin
        if (issue_slot[s*SlotWidth+:SlotWidth] == SlotWidth'(t)) begin
          arrives_of[t] |= arrives[s];
          finishes_of[t] |= finishes[s];
          waiting_now = waiting_now + CountWidth'(arrives[s]);
          finished_now = finished_now + CountWidth'(finishes[s]);
        end
      end
    end
    assign releases[t] = release_count_i[t*CountWidth+:CountWidth] != '0;
    assign waiting_next = waiting_now - release_count_i[t*CountWidth+:CountWidth];
    assign first_arrives[t] = arrives_of[t] && at_barrier == '0;
    assign first_finishes[t] = finishes_of[t] && finished == '0;
    // A TB that waits for nothing any more changes its state, unless warps of it have finished.
    assign goes_on[t] = releases[t] && waiting_next == '0 && (slow_now[t] || finished_now == '0);

    always_comb begin
      if (all_finished[t]) rank[t*RankBits+:RankBits] = RankBits'(4);
      else if (!slow_q[t] && finished != '0) rank[t*RankBits+:RankBits] = RankBits'(0);
      else if (at_barrier != '0) rank[t*RankBits+:RankBits] = RankBits'(1);
      else rank[t*RankBits+:RankBits] = slow_q[t] ? RankBits'(3) : RankBits'(2);
    end

    // With THRESHOLD over, those that wait for nothing; one that has just started is among them if there are others.
    assign due_of[t] = due && tb_after_end != '0 &&
                       (tb_start_i[t] || (tb_after_end[t] && !all_finished[t] && at_barrier == '0 &&
                                          (slow_now[t] || finished == '0)));
    assign phase_sorts[t] = phase_i[t] && !all_finished[t];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        at_barrier_q[t*CountWidth+:CountWidth] <= '0;
        finished_q[t*CountWidth+:CountWidth] <= '0;
      end else if (tb_start_i[t]) begin
        at_barrier_q[t*CountWidth+:CountWidth] <= '0;
        finished_q[t*CountWidth+:CountWidth] <= '0;
      end else begin
        at_barrier_q[t*CountWidth+:CountWidth] <= waiting_next;
        finished_q[t*CountWidth+:CountWidth] <= finished_now;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) slow_q <= '0;
    else slow_q <= slow_now;
  end

  // The order of the TBs: which states are compared, and which TBs with all of their state.
  logic [Ranks-1:0] sorted_q, sorts;
  logic [TbSlots-1:0] placed_q, places, fixed, unused_tb_busy;
  logic [TbSlots*TbKeyWidth-1:0] tb_keys;
  logic [TbSlots*SlotWidth-1:0] tb_rank, every_slot;
  logic [SlotWidth-1:0] tb_comes;
  logic tb_busy, tb_busy_next;
  logic [$clog2(TbSlots+1)-1:0] unused_tb_size;
  always_comb begin
    sorts = '0;
    sorts[0] = finishes_of != '0;
    sorts[1] = arrives_of != '0 || releases != '0 || phase_i != '0;
    sorts[2] = (due && tb_after_end != '0) || phase_i != '0;
    sorts[3] = sorts[2];
  end
  assign places = tb_start_i | goes_on;
  always_comb begin
    tb_comes = '0;
    for (int unsigned t = 0; t < TbSlots; t++) begin
      every_slot[t*SlotWidth+:SlotWidth] = SlotWidth'(t);
      tb_comes |= {SlotWidth{tb_start_i[t]}} & SlotWidth'(t);
    end
  end
  for (genvar t = 0; t < TbSlots; t++) begin : gen_tb_key
    logic [RankBits-1:0] own;
    logic [CountWidth-1:0] count;
    logic [ProgressWidth-1:0] progress;
    logic is_sorted;

    assign own = rank[t*RankBits+:RankBits];
    assign progress = tb_progress[t*ProgressWidth+:ProgressWidth];
    always_comb begin
      count = '0;
      if (own == RankBits'(0)) count = finished_q[t*CountWidth+:CountWidth];
      if (own == RankBits'(1)) count = at_barrier_q[t*CountWidth+:CountWidth];
      is_sorted = 1'b0;
      for (int unsigned r = 0; r < Ranks; r++) is_sorted |= sorted_q[r] && own == RankBits'(r);
    end
    assign tb_keys[t*TbKeyWidth+:TbKeyWidth] = {
      own, ~count, (own == RankBits'(3)) ? progress : ~progress, tie_i[t*TieWidth+:TieWidth]
    };
    assign fixed[t] = !is_sorted && !placed_q[t];
  end
  heddle_group_sorter #(
    .Entries         (TbSlots),
    .Groups          (1),
    .KeyWidth        (TbKeyWidth),
    .KeysDiffer      (1'b1),
    .ClassWidth      (RankBits),
    .Comparators     (TbComparators),
    .CyclesPerCompare(TbCompareCycles),
    .ReadCycles      (TbReadCycles),
    .Removals        (TbSlots)
  ) i_tb_order (
    .clk_i,
    .rst_ni,
    .group_i       ('0),
    .clear_i       (1'b0),
    .remove_i      (tb_end_i),
    .remove_index_i(every_slot),
    .append_i      (tb_start_i != '0),
    .append_index_i(tb_comes),
    .start_i       (sorts != '0 || places != '0),
    .restart_i     (1'b0),
    .descending_i  (1'b0),
    .keys_i        (tb_keys),
    .fixed_i       (fixed),
    .busy_o        (tb_busy),
    .busy_next_o   (tb_busy_next),
    .present_o     (present),
    .rank_o        (tb_rank),
    .size_o        (unused_tb_size)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sorted_q <= '0;
      placed_q <= '0;
    end else begin
      sorted_q <= tb_busy_next ? sorted_q | sorts : '0;
      placed_q <= tb_busy_next ? placed_q | places : '0;
    end
  end

  // The order of the warps of each TB: its direction, and who has not entered it.
  logic [TbSlots-1:0] ascending_q, by_phase, by_clock, ascending, turned;
  logic [NumWarps-1:0] arriving_q, ending, candidates, enters, unused_passed;
  logic [WarpWidth-1:0] warp_comes;
  logic [NumWarps-1:0] unused_present;
  logic [NumWarps*WarpWidth-1:0] warp_rank;
  logic [TbSlots*$clog2(NumWarps+1)-1:0] unused_sizes;
  logic [TbSlots-1:0] unused_busy_next;
  assign by_phase = ascending_q | phase_sorts;
  assign by_clock = (by_phase & ~due_of) | (due_of & slow_now);
  assign ascending = by_clock | first_arrives | first_finishes;
  assign turned = (by_phase ^ ascending_q) | (by_clock ^ by_phase) | (ascending ^ by_clock);
  always_comb begin
    ending = '0;
    for (int unsigned t = 0; t < TbSlots; t++) begin
      if (tb_end_i[t]) begin
        for (int unsigned w = 0; w < NumWarps; w++) ending[w] |= slot_i[w*SlotWidth+:SlotWidth] == SlotWidth'(t);
      end
    end
    warp_comes = '0;
    for (int unsigned w = 0; w < NumWarps; w++) warp_comes |= {WarpWidth{enters[w]}} & WarpWidth'(w);
  end
  assign candidates = arriving_q & ~ending;
  heddle_fixed_selector #(
    .Inputs(NumWarps)
  ) i_enters (
    .request_i (candidates),
    .passable_i('0),
    .select_o  (enters),
    .passed_o  (unused_passed)
  );
  heddle_group_sorter #(
    .Entries         (NumWarps),
    .Groups          (TbSlots),
    .KeyWidth        (ProgressWidth),
    .Comparators     (WarpComparators),
    .CyclesPerCompare(WarpCompareCycles),
    .ReadCycles      (WarpReadCycles),
    .Removals        (0)
  ) i_warp_order (
    .clk_i,
    .rst_ni,
    .group_i       (slot_i),
    .clear_i       (tb_end_i),
    .remove_i      (1'b0),
    .remove_index_i('0),
    .append_i      (candidates != '0),
    .append_index_i(warp_comes),
    .start_i       (phase_sorts | due_of | first_arrives | first_finishes),
    .restart_i     (turned),
    .descending_i  (~ascending_q),
    .keys_i        (warp_progress),
    .fixed_i       ('0),
    .busy_o        (unused_tb_busy),
    .busy_next_o   (unused_busy_next),
    .present_o     (unused_present),
    .rank_o        (warp_rank),
    .size_o        (unused_sizes)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ascending_q <= '0;
      arriving_q <= '0;
    end else begin
      ascending_q <= ascending;
      arriving_q <= (candidates & ~enters) | starting;
    end
  end

  // The choices.
  for (genvar s = 0; s < NumSchedulers; s++) begin : gen_scheduler
    localparam int unsigned Own = (NumWarps - s + NumSchedulers - 1) / NumSchedulers;
    logic [Own-1:0] ready, stale, grant, passed;
    logic [Own*SlotWidth-1:0] slot;
    logic [Own*WarpWidth-1:0] ranks;
    always_comb begin
      for (int unsigned n = 0; n < Own; n++) begin
        ready[n] = ready_i[s+n*NumSchedulers] & ~arriving_q[s+n*NumSchedulers];
        stale[n] = stale_i[s+n*NumSchedulers] & ~arriving_q[s+n*NumSchedulers];
        slot[n*SlotWidth+:SlotWidth] = slot_i[(s+n*NumSchedulers)*SlotWidth+:SlotWidth];
        ranks[n*WarpWidth+:WarpWidth] = warp_rank[(s+n*NumSchedulers)*WarpWidth+:WarpWidth];
      end
    end
    for (genvar n = 0; n < Own; n++) begin : gen_warp
      assign grant_o[s+n*NumSchedulers] = grant[n];
      assign passed_o[s+n*NumSchedulers] = passed[n];
    end
    heddle_pro_choice #(
      .Warps    (Own),
      .TbSlots  (TbSlots),
      .RankWidth(WarpWidth)
    ) i_choice (
      .ready_i  (ready),
      .stale_i  (stale),
      .slot_i   (slot),
      .rank_i   (ranks),
      .tb_rank_i(tb_rank),
      .grant_o  (grant),
      .passed_o (passed)
    );
  end

  if (NumWarps < 1 || NumWarps > 64 || TbSlots < 1 || TbSlots > 16) begin : gen_illegal_sizes
    $error("heddle_pro: expected NumWarps from 1 to 64 and TbSlots from 1 to 16");
  end
  if (NumSchedulers < 1 || NumSchedulers > TbSlots || NumSchedulers > NumWarps) begin : gen_illegal_schedulers
    $error("heddle_pro: expected NumSchedulers from 1 to TbSlots and NumWarps");
  end
  if (ProgressWidth < 6 || ProgressWidth > 48) begin : gen_illegal_progress
    $error("heddle_pro: expected ProgressWidth from 6 to 48");
  end
  if (DueWidth < 1 || Threshold < 1 || (Threshold >> DueWidth) != 0) begin : gen_illegal_threshold
    $error("heddle_pro: expected Threshold from 1 to 2^DueWidth - 1");
  end
  if (TieWidth < 1 || TbKeyWidth > 128) begin : gen_illegal_key
    $error("heddle_pro: expected TieWidth from 1 on, and with ProgressWidth at most 117");
  end

  logic _unused;
  assign _unused = ^{unused_warp_next, unused_tb_next, unused_warp_read, unused_tb_read, unused_tb_busy, unused_tb_size,
                    unused_passed, unused_present, unused_sizes, unused_busy_next, tb_busy};

`ifndef SYNTHESIS
  logic [TbSlots-1:0] overcounted, released_more;
  for (genvar t = 0; t < TbSlots; t++) begin : gen_check
    assign overcounted[t] = finished_q[t*CountWidth+:CountWidth] > num_warps_i[t*CountWidth+:CountWidth];
    assign released_more[t] = release_count_i[t*CountWidth+:CountWidth] >
                              at_barrier_q[t*CountWidth+:CountWidth] + CountWidth'(arrives_of[t] ? NumSchedulers : 0);
  end
  logic two_of_one;  // of a scheduler more than one warp issues
  always_comb begin
    two_of_one = 1'b0;
    for (int unsigned a = 0; a < NumWarps; a++) begin
      if (issue_i[a]) begin
        for (int unsigned b = a + NumSchedulers; b < NumWarps; b += NumSchedulers) two_of_one |= issue_i[b];
      end
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneTbStarts_M: assert ((tb_start_i & (tb_start_i - 1'b1)) == '0);
      StartsInFree_M: assert ((tb_start_i & present) == '0);
      EndsWhatIsThere_M: assert ((tb_end_i & ~present) == '0);
      PhaseOfWhatIsThere_M: assert ((phase_i & ~present) == '0);
      OneIssues_M: assert (!two_of_one);
      ArrivesWhoIssues_M: assert ((arrive_i & ~issue_i) == '0 && (finish_i & ~issue_i) == '0);
      ReleasesWhoWaits_M: assert (released_more == '0);
      FinishesItsWarps_M: assert ((overcounted & present) == '0);
      // Of each scheduler one at most, who is ready and stands in the order.
      GrantIsReady_A: assert ((grant_o & ~ready_i) == '0 && (grant_o & arriving_q) == '0);
      PassedIsStale_A: assert ((passed_o & ~stale_i) == '0);
      // What a sort is about is kept as long as it lasts.
      SortIsAboutSomething_A: assert (tb_busy || (sorted_q == '0 && placed_q == '0));
    end
  end
`ifdef FORMAL
  assign at_barrier_o = at_barrier_q;
  assign finished_o = finished_q;
  assign tb_progress_o = tb_progress;
  assign warp_progress_o = warp_progress;
  assign arriving_o = arriving_q;
  assign entered_o = unused_present;
  assign ordered_o = present;

  // With a count that leaves out no cycle a sort is due in each that is a multiple of Threshold.
  logic [DueWidth-1:0] cycle_q;
  logic [31:0] since_q;  // cycles since one was due
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      since_q <= '0;
    end else begin
      cycle_q <= cycle_q + 1'b1;
      since_q <= (since_q == Threshold) ? 32'd1 : since_q + 1'b1;
    end
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni) begin
      CountsEachCycle_M: assert (now_i == cycle_q);
      DueInEachMultiple_A: assert (due == (since_q == Threshold));
      NextIsAhead_A: assert (since_q <= Threshold && DueWidth'(cycle_q + DueWidth'(Threshold - since_q)) == due_q);
    end
  end
`endif
`endif

endmodule
