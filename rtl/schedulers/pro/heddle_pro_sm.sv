// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The heddle_pro of an SM with what it reads of the SM's thread blocks (TBs), heddle_tb_table. Parameters and ports are
/// those of the two.
module heddle_pro_sm #(
  /// Warp slots of the SM, 1 to 64.
  parameter int unsigned NumWarps = 48,
  /// Warp schedulers of the SM, 1 to TbSlots.
  parameter int unsigned NumSchedulers = 2,
  /// TB slots, 1 to 16.
  parameter int unsigned TbSlots = 8,
  /// Bits of a progress register, 6 to 48.
  parameter int unsigned ProgressWidth = 32,
  /// Cycles between two sorts of the TBs that wait for nothing, 1 to 2^DueWidth - 1.
  parameter int unsigned Threshold = 1000,
  parameter int unsigned DueWidth = 10,
  /// Bits of a TB's number, from 1 on, with ProgressWidth at most 117.
  parameter int unsigned TieWidth = 42,
  parameter int unsigned TbComparators = 1,
  parameter int unsigned TbCompareCycles = 2,
  parameter int unsigned TbReadCycles = 1,
  parameter int unsigned WarpComparators = 1,
  parameter int unsigned WarpCompareCycles = 3,
  parameter int unsigned WarpReadCycles = 1,
  localparam int unsigned LanesWidth = 6
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [DueWidth-1:0] now_i,
  input  logic [TbSlots-1:0] tb_start_i,
  input  logic [NumWarps-1:0] tb_warps_i,
  input  logic [7:0] tb_num_warps_i,
  input  logic [TieWidth-1:0] tb_tie_i,
  input  logic [0:0] tb_slow_i,
  input  logic [TbSlots-1:0] tb_end_i,
  input  logic [TbSlots-1:0] phase_i,
  input  logic [NumWarps-1:0] ready_i,
  input  logic [NumWarps-1:0] stale_i,
  input  logic [NumWarps-1:0] issue_i,
  input  logic [NumSchedulers*LanesWidth-1:0] lanes_i,
  input  logic [NumWarps-1:0] arrive_i,
  input  logic [NumWarps-1:0] finish_i,
  input  logic [NumWarps-1:0] release_i,
  output logic [NumWarps-1:0] grant_o,
  output logic [NumWarps-1:0] passed_o
);

  localparam int unsigned SlotWidth = (TbSlots > 1) ? $clog2(TbSlots) : 1;
  localparam int unsigned CountWidth = 8;

  logic [NumWarps*SlotWidth-1:0] slot;
  logic [TbSlots*CountWidth-1:0] num_warps, release_count;
  logic [TbSlots*TieWidth-1:0] tie;

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
    .NumWarps         (NumWarps),
    .NumSchedulers    (NumSchedulers),
    .TbSlots          (TbSlots),
    .ProgressWidth    (ProgressWidth),
    .Threshold        (Threshold),
    .DueWidth         (DueWidth),
    .TieWidth         (TieWidth),
    .TbComparators    (TbComparators),
    .TbCompareCycles  (TbCompareCycles),
    .TbReadCycles     (TbReadCycles),
    .WarpComparators  (WarpComparators),
    .WarpCompareCycles(WarpCompareCycles),
    .WarpReadCycles   (WarpReadCycles)
  ) i_pro (
    .clk_i,
    .rst_ni,
    .now_i,
    .tb_start_i,
    .tb_warps_i,
    .tb_slow_i      (tb_slow_i[0]),
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
    .grant_o,
    .passed_o
  );

endmodule
