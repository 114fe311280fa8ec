// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// iPAWS (docs/schedulers/ipaws.md, prioritizer `ipaws`), all of an SM: a heddle_gto, a heddle_lrr and a
/// heddle_least_issued per scheduler, all of which hear everything at all times, and whose choice is taken: the greedy
/// one's in the Adapt phase, while the pattern is judged and of concave kernels, that of the fewest instructions in the
/// Recover phase, the fair one's of convex kernels. Scheduler s supervises the warps w with w mod NumSchedulers == s.
///
/// Latency: from ready_i to grant_o in the same cycle; heddle_ipaws_phases and heddle_ipaws_judge say when it is whose.
/// Not free of starvation but in the fair phase.
module heddle_ipaws_sm #(
  /// Warp slots of the SM, 1 to 64.
  parameter int unsigned NumWarps = 48,
  /// Warp schedulers of the SM, 1 to NumWarps.
  parameter int unsigned NumSchedulers = 2,
  /// TB slots, 1 to 64.
  parameter int unsigned TbSlots = 8,
  /// Bits of a counter, 1 to 57.
  parameter int unsigned CounterWidth = 32,
  /// Bits of a launch's number, 2 to 62.
  parameter int unsigned LaunchWidth = 16,
  /// Kernels of which decisions are known, a power of two below 2^LaunchWidth.
  parameter int unsigned Decisions = 8,
  parameter int unsigned Shared = 1,
  parameter int unsigned FirstTried = 1,
  parameter int unsigned OldestEnds = 0,
  parameter int unsigned WarpsOfInterest = 1,
  parameter int unsigned ConvexEighths = 8,
  parameter int unsigned StallCycles = 3,
  parameter int unsigned ScoreCycles = 5,
  parameter int unsigned AddCycles = 3,
  parameter int unsigned DecideCycles = 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [TbSlots-1:0] tb_start_i,
  input  logic [LaunchWidth-1:0] tb_launch_i,
  input  logic [TbSlots-1:0] tb_end_i,
  input  logic [NumWarps-1:0] start_i,
  input  logic [NumWarps-1:0] finish_i,
  input  logic [NumWarps-1:0] valid_i,
  input  logic [NumWarps-1:0] unblocked_i,
  input  logic [NumWarps-1:0] ready_i,
  input  logic [NumWarps-1:0] stale_i,
  input  logic [NumWarps-1:0] issue_i,
  input  logic [NumWarps-1:0] arrive_i,
  input  logic [NumWarps-1:0] release_i,
  input  logic [LaunchWidth+1:0] verdict_i,
  output logic [NumWarps-1:0] grant_o,
  output logic [NumWarps-1:0] passed_o,
  output logic [LaunchWidth+1:0] verdict_o
);

  logic clear, adapt, judge, stop, done, convex, recover, fair;
  logic [NumWarps-1:0] members, score, stall;

  heddle_ipaws_phases #(
    .NumWarps     (NumWarps),
    .NumSchedulers(NumSchedulers),
    .TbSlots      (TbSlots),
    .CounterWidth (CounterWidth),
    .LaunchWidth  (LaunchWidth),
    .Decisions    (Decisions),
    .Shared       (Shared != 0),
    .FirstTried   (FirstTried != 0),
    .OldestEnds   (OldestEnds != 0)
  ) i_phases (
    .clk_i,
    .rst_ni,
    .tb_start_i,
    .tb_launch_i,
    .tb_end_i,
    .start_i,
    .issue_i,
    .finish_i,
    .arrive_i,
    .release_i,
    .valid_i,
    .unblocked_i,
    .verdict_i,
    .verdict_o,
    .clear_o  (clear),
    .members_o(members),
    .adapt_o  (adapt),
    .score_o  (score),
    .stall_o  (stall),
    .judge_o  (judge),
    .stop_o   (stop),
    .done_i   (done),
    .convex_i (convex),
    .recover_o(recover),
    .fair_o   (fair)
  );
  heddle_ipaws_judge #(
    .NumWarps       (NumWarps),
    .CounterWidth   (CounterWidth),
    .WarpsOfInterest(WarpsOfInterest != 0),
    .ConvexEighths  (ConvexEighths),
    .StallCycles    (StallCycles),
    .ScoreCycles    (ScoreCycles),
    .AddCycles      (AddCycles),
    .DecideCycles   (DecideCycles)
  ) i_judge (
    .clk_i,
    .rst_ni,
    .clear_i (clear),
    .start_i (members),
    .adapt_i (adapt),
    .score_i (score),
    .stall_i (stall),
    .judge_i (judge),
    .stop_i  (stop),
    .done_o  (done),
    .convex_o(convex)
  );

  for (genvar s = 0; s < NumSchedulers; s++) begin : gen_scheduler
    localparam int unsigned Own = (NumWarps - s + NumSchedulers - 1) / NumSchedulers;
    logic [Own-1:0] start, finish, ready, stale, issue, grant, passed;
    logic [Own-1:0] greedy_grant, greedy_passed, fair_grant, fair_passed, fewest_grant, fewest_passed;
    always_comb begin
      for (int unsigned n = 0; n < Own; n++) begin
        start[n] = start_i[s+n*NumSchedulers];
        finish[n] = finish_i[s+n*NumSchedulers];
        ready[n] = ready_i[s+n*NumSchedulers];
        stale[n] = stale_i[s+n*NumSchedulers];
        issue[n] = issue_i[s+n*NumSchedulers];
      end
    end
    heddle_gto #(
      .Warps(Own)
    ) i_greedy (
      .clk_i,
      .rst_ni,
      .start_i (start),
      .finish_i(finish),
      .ready_i (ready),
      .stale_i (stale),
      .issue_i (issue),
      .grant_o (greedy_grant),
      .passed_o(greedy_passed)
    );
    heddle_lrr #(
      .Warps(Own)
    ) i_fair (
      .clk_i,
      .rst_ni,
      .ready_i (ready),
      .stale_i (stale),
      .issue_i (issue),
      .grant_o (fair_grant),
      .passed_o(fair_passed)
    );
    heddle_least_issued #(
      .Warps(Own),
      .Width(CounterWidth)
    ) i_fewest (
      .clk_i,
      .rst_ni,
      .start_i (start),
      .ready_i (ready),
      .stale_i (stale),
      .issue_i (issue),
      .grant_o (fewest_grant),
      .passed_o(fewest_passed)
    );
    assign grant = fair ? fair_grant : recover ? fewest_grant : greedy_grant;
    assign passed = fair ? fair_passed : recover ? fewest_passed : greedy_passed;
    for (genvar n = 0; n < Own; n++) begin : gen_warp
      assign grant_o[s+n*NumSchedulers] = grant[n];
      assign passed_o[s+n*NumSchedulers] = passed[n];
    end
  end

  if (NumWarps < 1 || NumWarps > 64) begin : gen_illegal_warps
    $error("heddle_ipaws_sm: expected NumWarps from 1 to 64");
  end
  if (NumSchedulers < 1 || NumSchedulers > NumWarps) begin : gen_illegal_schedulers
    $error("heddle_ipaws_sm: expected NumSchedulers from 1 to NumWarps");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      GrantIsReady_A: assert ((grant_o & ~ready_i) == '0);
      PassedIsStale_A: assert ((passed_o & ~stale_i) == '0);
      OnePhase_A: assert (!(recover && fair));
    end
  end
`endif

endmodule
