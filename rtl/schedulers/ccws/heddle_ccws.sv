// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Cache-conscious wavefront scheduling (docs/schedulers/ccws.md, qualifier `ccws`; Ccws) for all schedulers of an SM:
/// warps that lose locality in the L1D gain a score, and those at the end of the order of scores may not issue global or
/// local loads until the scores have decayed. Nothing else is held back.
///
/// Latency: from ready_i to qualified_o in the same cycle. A hit in the victim tags is known in the next cycle, counted and
/// waits to be scored in the one behind that; heddle_ccws_scores and heddle_ccws_cutoff have what follows. State: theirs,
/// and that of heddle_ccws_tags. A warp that is held back waits until the scores before it have fallen, for as many
/// cycles as a score can be above the base, the sort and walk under way then, and one more of each, if no warp loses
/// locality any more and none comes or goes.
module heddle_ccws #(
  /// Warp slots of the SM, 2 to 64.
  parameter int unsigned NumWarps = 48,
  /// Warp schedulers of the SM.
  parameter int unsigned NumSchedulers = 2,
  /// Bits of a line's number, its address without the place in the line.
  parameter int unsigned LineWidth = 33,
  /// Victim tags of a warp: sets, a power of two, and lines of a set.
  parameter int unsigned VtaSets = 2,
  parameter int unsigned VtaWays = 8,
  /// Bits of a score, the base, and how strongly hits raise one.
  parameter int unsigned ScoreWidth = 16,
  parameter int unsigned BaseScore = 100,
  parameter int unsigned Throttle = 8,
  /// Bits of what is counted.
  parameter int unsigned TotalWidth = 32,
  /// Cycles of a comparison of the sort, of an addition of the walk, from the warps to the cutoff, and of a step of the
  /// ratio, from 1 on each.
  parameter int unsigned CyclesPerCompare = 4,
  parameter int unsigned CyclesPerWalk = 4,
  parameter int unsigned SettleCycles = 4,
  parameter int unsigned CyclesPerStep = 3,
  localparam int unsigned IdxWidth = (NumWarps > 1) ? $clog2(NumWarps) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Warps that start in this cycle.
  input  logic [NumWarps-1:0] start_i,
  /// Warps that issue their exit in this cycle. May depend on qualified_o.
  input  logic [NumWarps-1:0] finish_i,
  /// Warps that issue in this cycle, one of a scheduler at most. May depend on qualified_o.
  input  logic [NumWarps-1:0] issue_i,
  /// A kernel begins.
  input  logic clear_i,
  /// One access that leaves the L1D: a load of this warp has missed on this line, or a store has changed it.
  input  logic look_up_i,
  input  logic look_up_store_i,
  input  logic [IdxWidth-1:0] look_up_warp_i,
  input  logic [LineWidth-1:0] look_up_line_i,
  /// A line that this warp had filled was evicted.
  input  logic evict_i,
  input  logic [IdxWidth-1:0] evict_warp_i,
  input  logic [LineWidth-1:0] evict_line_i,
  /// Warps whose next instruction is a load that goes to the L1D or past it.
  input  logic [NumWarps-1:0] load_i,
  /// Warps that may issue in this cycle if they qualify.
  input  logic [NumWarps-1:0] ready_i,
  /// Those of them that do.
  output logic [NumWarps-1:0] qualified_o,
  /// Warps that may issue loads.
  output logic [NumWarps-1:0] eligible_o
);

  localparam int unsigned MultiplierWidth = $clog2(NumWarps * BaseScore * Throttle + 1);

  logic found, set;
  logic [IdxWidth-1:0] found_warp, set_warp;
  logic [ScoreWidth-1:0] set_score;
  logic [NumWarps-1:0] next_active;
  logic [MultiplierWidth-1:0] throttled;

  heddle_ccws_tags #(
    .NumWarps (NumWarps),
    .LineWidth(LineWidth),
    .Sets     (VtaSets),
    .Ways     (VtaWays)
  ) i_tags (
    .clk_i,
    .rst_ni,
    .start_i,
    .look_up_i,
    .look_up_store_i,
    .look_up_warp_i,
    .look_up_line_i,
    .evict_i,
    .evict_warp_i,
    .evict_line_i,
    .found_o     (found),
    .found_warp_o(found_warp)
  );
  heddle_ccws_scores #(
    .NumWarps       (NumWarps),
    .NumSchedulers  (NumSchedulers),
    .TotalWidth     (TotalWidth),
    .MultiplierWidth(MultiplierWidth),
    .ScoreWidth     (ScoreWidth),
    .BaseScore      (BaseScore),
    .CyclesPerStep  (CyclesPerStep)
  ) i_scores (
    .clk_i,
    .rst_ni,
    .clear_i,
    .issue_i,
    .finish_i,
    .next_active_i(next_active),
    .found_i      (found),
    .found_warp_i (found_warp),
    .multiplier_i (throttled),
    .set_o        (set),
    .set_warp_o   (set_warp),
    .set_score_o  (set_score)
  );
  heddle_ccws_cutoff #(
    .NumWarps        (NumWarps),
    .ScoreWidth      (ScoreWidth),
    .BaseScore       (BaseScore),
    .Throttle        (Throttle),
    .CyclesPerCompare(CyclesPerCompare),
    .CyclesPerWalk   (CyclesPerWalk),
    .SettleCycles    (SettleCycles)
  ) i_cutoff (
    .clk_i,
    .rst_ni,
    .start_i,
    .finish_i,
    .set_i        (set),
    .set_warp_i   (set_warp),
    .set_score_i  (set_score),
    .next_active_o(next_active),
    .throttled_o  (throttled),
    .eligible_o
  );
  assign qualified_o = ready_i & (eligible_o | ~load_i);

`ifndef SYNTHESIS
  always_comb begin
    if (rst_ni) begin
      QualifiedIsReady_A: assert final ((qualified_o & ~ready_i) == '0);
      OnlyLoadsAreHeld_A: assert final ((ready_i & ~qualified_o & ~load_i) == '0);
      HeldIsNotEligible_A: assert final ((ready_i & ~qualified_o & eligible_o) == '0);
    end
  end
`endif

endmodule
