// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// What heddle_pro counts, for proofs alone, beside the heddle_tb_table of its SM: when each warp is of a TB from its start
/// to the end of that, runs, waits at a barrier or has finished, and a TB ends with its last warp, then what is counted of
/// a TB, whichever it is, is counted of its warps, and the orders have all TBs and warps that there are.
module heddle_pro_proof #(
  parameter int unsigned NumWarps = 4,
  parameter int unsigned NumSchedulers = 2,
  parameter int unsigned TbSlots = 3,
  parameter int unsigned ProgressWidth = 6,
  localparam int unsigned LanesWidth = 6,
  localparam int unsigned CountWidth = 8,
  localparam int unsigned TieWidth = 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [3:0] now_i,
  input logic [TbSlots-1:0] tb_start_i,
  input logic [NumWarps-1:0] tb_warps_i,
  input logic [CountWidth-1:0] tb_num_warps_i,
  input logic [TieWidth-1:0] tb_tie_i,
  input logic tb_slow_i,
  input logic [TbSlots-1:0] tb_end_i,
  input logic [TbSlots-1:0] phase_i,
  input logic [NumWarps-1:0] ready_i,
  input logic [NumWarps-1:0] stale_i,
  input logic [NumWarps-1:0] issue_i,
  input logic [NumSchedulers*LanesWidth-1:0] lanes_i,
  input logic [NumWarps-1:0] arrive_i,
  input logic [NumWarps-1:0] finish_i,
  input logic [NumWarps-1:0] release_i
);

  localparam int unsigned SlotWidth = (TbSlots > 1) ? $clog2(TbSlots) : 1;
  localparam int unsigned WarpWidth = (NumWarps > 1) ? $clog2(NumWarps) : 1;
  localparam int unsigned SumWidth = $clog2(NumWarps + 1);

  logic [NumWarps*SlotWidth-1:0] slot;
  logic [TbSlots*CountWidth-1:0] num_warps, release_count, at_barrier, finished;
  logic [TbSlots*TieWidth-1:0] tie;
  logic [TbSlots*ProgressWidth-1:0] tb_progress;
  logic [NumWarps*ProgressWidth-1:0] warp_progress;
  logic [NumWarps-1:0] arriving, entered, grant, passed;
  logic [TbSlots-1:0] ordered;

  heddle_tb_table #(
    .NumWarps(NumWarps),
    .TbSlots (TbSlots),
    .TieWidth(TieWidth)
  ) i_tbs (
    .clk_i,
    .rst_ni,
    .tb_start_i,
    .tb_warps_i,
    .tb_num_warps_i,
    .tb_tie_i,
    .release_i,
    .slot_o         (slot),
    .num_warps_o    (num_warps),
    .tie_o          (tie),
    .release_count_o(release_count)
  );
  heddle_pro #(
    .NumWarps     (NumWarps),
    .NumSchedulers(NumSchedulers),
    .TbSlots      (TbSlots),
    .ProgressWidth(ProgressWidth),
    .Threshold    (9),
    .DueWidth     (4),
    .TieWidth     (TieWidth)
  ) i_pro (
    .clk_i,
    .rst_ni,
    .now_i,
    .tb_start_i,
    .tb_warps_i,
    .tb_slow_i,
    .tb_end_i,
    .phase_i,
    .slot_i         (slot),
    .num_warps_i    (num_warps),
    .tie_i          (tie),
    .ready_i,
    .stale_i,
    .issue_i,
    .lanes_i,
    .arrive_i,
    .finish_i,
    .release_count_i(release_count),
    .at_barrier_o   (at_barrier),
    .finished_o     (finished),
    .tb_progress_o  (tb_progress),
    .warp_progress_o(warp_progress),
    .arriving_o     (arriving),
    .entered_o      (entered),
    .ordered_o      (ordered),
    .grant_o        (grant),
    .passed_o       (passed)
  );

  // The SM's warps and TBs.
  logic [TbSlots-1:0] live_q, unfinished;
  logic [NumWarps-1:0] resident_q, waits_q, done_q, runs, starting, stray, beyond;
  logic [SumWidth-1:0] starts;  // warps of the TB that starts
  logic [SlotWidth-1:0] own;
  logic two_of_one;  // of a scheduler more than one warp issues
  assign starting = (tb_start_i != '0) ? tb_warps_i : '0;
  assign runs = resident_q & ~waits_q & ~done_q;
  always_comb begin
    unfinished = '0;
    stray = '0;
    beyond = '0;
    starts = '0;
    two_of_one = 1'b0;
    own = '0;
    for (int unsigned w = 0; w < NumWarps; w++) begin
      own = slot[w*SlotWidth+:SlotWidth];
      starts = starts + SumWidth'(starting[w]);
      beyond[w] = 32'(own) >= TbSlots;
      stray[w] = resident_q[w] && (beyond[w] || !live_q[own]);
      for (int unsigned t = 0; t < TbSlots; t++) begin
        if (resident_q[w] && own == SlotWidth'(t)) unfinished[t] |= !done_q[w] && !finish_i[w];
      end
      for (int unsigned v = w + NumSchedulers; v < NumWarps; v += NumSchedulers) two_of_one |= issue_i[w] && issue_i[v];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q <= '0;
      resident_q <= '0;
      waits_q <= '0;
      done_q <= '0;
    end else begin
      live_q <= (live_q & ~tb_end_i) | tb_start_i;
      waits_q <= (waits_q | arrive_i) & ~release_i & ~starting;
      done_q <= (done_q | finish_i) & ~starting;
      for (int unsigned w = 0; w < NumWarps; w++) begin
        resident_q[w] <= starting[w] || (resident_q[w] && !tb_end_i[slot[w*SlotWidth+:SlotWidth]]);
      end
    end
  end

  // Of each TB, and of the progress of one and of a warp, whichever these are. A solver does not see that two sums of many
  // are equal. It does of those up to each warp, one after the other.
  (* anyconst *) logic [SlotWidth-1:0] tb;
  (* anyconst *) logic [WarpWidth-1:0] warp;
  logic [TbSlots-1:0] wrong_size, wrong_waiting, wrong_done, too_many;
  logic [TbSlots*NumWarps-1:0] wrong_step, wrong_events, overfull;
  for (genvar t = 0; t < TbSlots; t++) begin : gen_tb
    // Below warp w, from bit w * SumWidth on: warps that the TB has, that wait and are done; that start, arrive, finish and
    // are released in this cycle.
    localparam int unsigned SumsWidth = (NumWarps + 1) * SumWidth;
    logic [SumsWidth-1:0] has, waiting, done, started, arrived, exited, released;
    logic [SumsWidth-1:0] has_q, waiting_q, done_q_sums, started_q, arrived_q, exited_q, released_q;
    logic [(NumWarps+1)*NumSchedulers-1:0] arrives, exits;  // whether a warp of each scheduler does
    logic starts_q;
    logic [CountWidth-1:0] tb_waits, tb_done, tb_size;
    assign {has[SumWidth-1:0], waiting[SumWidth-1:0], done[SumWidth-1:0]} = '0;
    assign {started[SumWidth-1:0], arrived[SumWidth-1:0], exited[SumWidth-1:0], released[SumWidth-1:0]} = '0;
    assign {arrives[NumSchedulers-1:0], exits[NumSchedulers-1:0]} = '0;
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      localparam int unsigned From = w * SumWidth;
      localparam int unsigned To = From + SumWidth;
      localparam int unsigned Bit = (w + 1) * NumSchedulers;
      logic of_slot, own;
      logic [SumWidth-1:0] waits_now, done_now, arrive_flags, exit_flags;
      assign of_slot = slot[w*SlotWidth+:SlotWidth] == SlotWidth'(t);
      assign own = resident_q[w] && of_slot;
      assign has[To+:SumWidth] = has[From+:SumWidth] + SumWidth'(own);
      assign waiting[To+:SumWidth] = waiting[From+:SumWidth] + SumWidth'(own && waits_q[w]);
      assign done[To+:SumWidth] = done[From+:SumWidth] + SumWidth'(own && done_q[w]);
      assign started[To+:SumWidth] = started[From+:SumWidth] + SumWidth'(starting[w]);
      assign arrived[To+:SumWidth] = arrived[From+:SumWidth] + SumWidth'(arrive_i[w] && of_slot);
      assign exited[To+:SumWidth] = exited[From+:SumWidth] + SumWidth'(finish_i[w] && of_slot);
      assign released[To+:SumWidth] = released[From+:SumWidth] + SumWidth'(release_i[w] && of_slot);
      for (genvar s = 0; s < NumSchedulers; s++) begin : gen_scheduler
        assign arrives[Bit+s] = arrives[Bit-NumSchedulers+s] || (w % NumSchedulers == s && arrive_i[w] && of_slot);
        assign exits[Bit+s] = exits[Bit-NumSchedulers+s] || (w % NumSchedulers == s && finish_i[w] && of_slot);
      end
      always_comb begin
        arrive_flags = '0;
        exit_flags = '0;
        for (int unsigned s = 0; s < NumSchedulers; s++) begin
          arrive_flags = arrive_flags + SumWidth'(arrives[Bit+s]);
          exit_flags = exit_flags + SumWidth'(exits[Bit+s]);
        end
      end
      assign waits_now = waiting_q[To+:SumWidth] + arrived_q[To+:SumWidth] - released_q[To+:SumWidth];
      assign done_now = done_q_sums[To+:SumWidth] + exited_q[To+:SumWidth];
      assign wrong_events[t*NumWarps+w] = arrived[To+:SumWidth] != arrive_flags || exited[To+:SumWidth] != exit_flags;
      assign wrong_step[t*NumWarps+w] =
          live_q[t] && (has[To+:SumWidth] != (starts_q ? started_q[To+:SumWidth] : has_q[To+:SumWidth]) ||
                        waiting[To+:SumWidth] != (starts_q ? '0 : waits_now) ||
                        done[To+:SumWidth] != (starts_q ? '0 : done_now));
      assign overfull[t*NumWarps+w] = waiting[To+:SumWidth] > has[To+:SumWidth] ||
                                      done[To+:SumWidth] > has[To+:SumWidth] - waiting[To+:SumWidth];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {has_q, waiting_q, done_q_sums, started_q, arrived_q, exited_q, released_q} <= '0;
        starts_q <= 1'b0;
      end else begin
        has_q <= has;
        waiting_q <= waiting;
        done_q_sums <= done;
        started_q <= started;
        arrived_q <= arrived;
        exited_q <= exited;
        released_q <= released;
        starts_q <= tb_start_i[t];
      end
    end
    assign tb_waits = at_barrier[t*CountWidth+:CountWidth];
    assign tb_done = finished[t*CountWidth+:CountWidth];
    assign tb_size = num_warps[t*CountWidth+:CountWidth];
    assign wrong_size[t] = live_q[t] && tb_size != CountWidth'(has[NumWarps*SumWidth+:SumWidth]);
    assign wrong_waiting[t] = live_q[t] && tb_waits != CountWidth'(waiting[NumWarps*SumWidth+:SumWidth]);
    assign wrong_done[t] = live_q[t] && tb_done != CountWidth'(done[NumWarps*SumWidth+:SumWidth]);
    assign too_many[t] = live_q[t] && (tb_waits > tb_size || tb_done > tb_size - tb_waits);
  end
  function automatic logic [NumWarps-1:0] of_scheduler(input int unsigned scheduler);
    for (int unsigned w = 0; w < NumWarps; w++) of_scheduler[w] = w % NumSchedulers == scheduler;
  endfunction
  logic [NumWarps-1:0] of_tb;
  logic [ProgressWidth-1:0] tb_issued_d, tb_issued_q, warp_issued_d, warp_issued_q;  // lanes of what they have issued
  always_comb begin
    for (int unsigned w = 0; w < NumWarps; w++) of_tb[w] = resident_q[w] && slot[w*SlotWidth+:SlotWidth] == tb;
    tb_issued_d = tb_issued_q;
    warp_issued_d = warp_issued_q;
    for (int unsigned s = 0; s < NumSchedulers; s++) begin
      if ((issue_i & of_tb & of_scheduler(s)) != '0) begin
        tb_issued_d = tb_issued_d + ProgressWidth'(lanes_i[s*LanesWidth+:LanesWidth]);
      end
      if (issue_i[warp] && 32'(warp) % NumSchedulers == s) begin
        warp_issued_d = warp_issued_d + ProgressWidth'(lanes_i[s*LanesWidth+:LanesWidth]);
      end
    end
    if (tb_start_i[tb]) tb_issued_d = '0;
    if (starting[warp]) warp_issued_d = '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tb_issued_q <= '0;
      warp_issued_q <= '0;
    end else begin
      tb_issued_q <= tb_issued_d;
      warp_issued_q <= warp_issued_d;
    end
  end

  initial assume (!rst_ni);
  always_comb begin
    assume (32'(tb) < TbSlots && 32'(warp) < NumWarps);
    if (rst_ni) begin
      OneTbStarts_M: assert ((tb_start_i & (tb_start_i - 1'b1)) == '0 && (tb_start_i & live_q) == '0);
      StartsWithItsWarps_M: assert (tb_start_i == '0 || tb_num_warps_i == CountWidth'(starts));
      StartsInFreeSlots_M: assert ((starting & resident_q) == '0);
      IssuesWhoRuns_M: assert ((issue_i & ~runs) == '0 && !two_of_one);
      ArrivesOrFinishesWhoIssues_M: assert (((arrive_i | finish_i) & ~issue_i) == '0 && (arrive_i & finish_i) == '0);
      ReleasesWhoWaits_M: assert ((release_i & ~(resident_q & (waits_q | arrive_i))) == '0);
      EndsWithTheLastWarp_M: assert ((tb_end_i & (~live_q | unfinished)) == '0);
      PhaseOfWhatIsThere_M: assert ((phase_i & ~live_q) == '0);
      SlotsAreThere_A: assert (beyond == '0);
      WarpsAreOfTbs_A: assert (stray == '0);
      NobodyDoesBoth_A: assert ((resident_q & waits_q & done_q) == '0);
      OrderHasTheTbs_A: assert (ordered == live_q);
      OrdersHaveTheWarps_A: assert ((arriving | entered) == resident_q && (arriving & entered) == '0);
      EventsAreOfSchedulers_A: assert (wrong_events == '0);
      SumsFollow_A: assert (wrong_step == '0);
      HasRoomForAll_A: assert (overfull == '0);
      SizeIsThatOfItsWarps_A: assert (wrong_size == '0);
      WaitingAreCounted_A: assert (wrong_waiting == '0);
      FinishedAreCounted_A: assert (wrong_done == '0);
      NoMoreThanItHas_A: assert (too_many == '0);
      if (live_q[tb]) begin
        ProgressOfTb_A: assert (tb_progress[tb*ProgressWidth+:ProgressWidth] == tb_issued_q);
      end
      if (resident_q[warp]) begin
        ProgressOfWarp_A: assert (warp_progress[warp*ProgressWidth+:ProgressWidth] == warp_issued_q);
      end
    end
  end

endmodule
