// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The Simple Slicing predictor of one SM (docs/thread-blocks.md, policy `srtf`; SRTF 4, table 1 and algorithm 1): how
/// long each running kernel will still run there, and which of them ends first.
///
/// A slice begins when a kernel is launched or ends. The first thread block (TB) of a kernel that ends in a slice is
/// measured: t. Each end of a TB asks for a prediction, which one multiplier and divider works out, a kernel at a time,
/// the lowest first: what remains is (Total_Blocks - Done_Blocks) x t / Resident_Blocks, and Pred_Cycles is that and the
/// cycles in which the kernel had a TB on the SM until the prediction began. The first t of a kernel is told to the
/// other SMs, which take it until they measure one themselves (SRTF 5.1.1).
///
/// Its modules measure TBs and take what other SMs have measured (heddle_simple_slicing_sampler), keep what is known of each
/// kernel (_table), and predict and choose (_predictor).
///
/// Latency: from waiting_i to first_o in the same cycle; what a cycle brings is seen from the next one on. A TB that ends
/// is found in that cycle, and its t is there two cycles later. A prediction begins then, or in the cycle after the end
/// of a TB that is not measured, when no other one is under way, and is there
/// (2 * BlockWidth + CycleWidth) * CyclesPerStep + 1 cycles later.
///
/// In a cycle one TB is measured, that of the lowest slot: of two kernels whose first TBs of a slice end together on an
/// SM the other one is measured when its next TB ends. sample_o holds one t until told_i: another one is not told
/// meanwhile. What belongs to a kernel that ends or begins in a cycle is dropped in that cycle.
module heddle_simple_slicing #(
  /// Kernels that may run at once, 2 to 64, and at most 64 / TbSlots.
  parameter int unsigned Kernels = 8,
  /// TB slots of the SM, 1 to 64.
  parameter int unsigned TbSlots = 8,
  /// Bits of a number of cycles, 1 to 32.
  parameter int unsigned CycleWidth = 32,
  /// Bits of a number of TBs, 1 to 32.
  parameter int unsigned BlockWidth = 26,
  /// Cycles of a step of the multiplier and divider.
  parameter int unsigned CyclesPerStep = 1,
  /// 0: a kernel is measured and predicted once, when its first TB on the SM has ended (SRTF 4.2).
  parameter bit Slices = 1'b1,
  localparam int unsigned KernelWidth = (Kernels > 1) ? $clog2(Kernels) : 1,
  localparam int unsigned SlotWidth = (TbSlots > 1) ? $clog2(TbSlots) : 1,
  localparam int unsigned CountWidth = $clog2(TbSlots + 1),
  localparam int unsigned SampleWidth = 1 + KernelWidth + CycleWidth
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// The low bits of the core cycle.
  input  logic [CycleWidth-1:0] now_i,
  /// A kernel is launched: the number under which it runs, the TBs that are expected on this SM, and how many of them
  /// the SM holds at once when it is alone.
  input  logic launch_i,
  input  logic [KernelWidth-1:0] launch_kernel_i,
  input  logic [BlockWidth-1:0] launch_blocks_i,
  input  logic [CountWidth-1:0] launch_residency_i,
  /// Kernels that end.
  input  logic [Kernels-1:0] kernel_end_i,
  /// Kernels of which the SM holds a TB.
  input  logic [Kernels-1:0] running_i,
  /// A TB starts in a slot. May depend on first_o.
  input  logic block_start_i,
  input  logic [SlotWidth-1:0] block_slot_i,
  /// TBs that end: bit k * TbSlots + s that of kernel k in slot s.
  input  logic [Kernels*TbSlots-1:0] block_end_i,
  /// What some SM tells all, as sample_o.
  input  logic [SampleWidth-1:0] adopt_i,
  /// sample_o is what is told to all in this cycle.
  input  logic told_i,
  /// Kernels of which a TB could start somewhere.
  input  logic [Kernels-1:0] waiting_i,
  /// Of which kernel pred_cycles_o is.
  input  logic [KernelWidth-1:0] read_kernel_i,
  /// Of those of waiting_i that are predicted the one that ends first; of equals the lowest. None: nothing is known.
  output logic [Kernels-1:0] first_o,
  /// Kernels of which there is a prediction.
  output logic [Kernels-1:0] known_o,
  /// From the highest bit on: there is something to tell the other SMs; the kernel; t.
  output logic [SampleWidth-1:0] sample_o,
  output logic [CycleWidth-1:0] pred_cycles_o
);

  logic [Kernels-1:0] launched, gone;  // kernels of which everything is dropped
  logic [Kernels-1:0] ended, sampled, renewed;
  logic measures, adopts, lands;
  logic [KernelWidth-1:0] measured_kernel, adopted_kernel, predicted_kernel;
  logic [CycleWidth-1:0] measured_t, adopted_t, remaining, predicted;
  logic [Kernels*CycleWidth-1:0] active_cycles, tb_cycles, remaining_cycles;
  logic [Kernels*BlockWidth-1:0] total_blocks, done_blocks;
  logic [Kernels*CountWidth-1:0] resident_blocks;

  always_comb begin
    launched = '0;
    for (int unsigned k = 0; k < Kernels; k++) launched[k] = launch_i && 32'(launch_kernel_i) == k;
  end
  assign gone = launched | kernel_end_i;

  heddle_simple_slicing_sampler #(
    .Kernels   (Kernels),
    .TbSlots   (TbSlots),
    .CycleWidth(CycleWidth),
    .Slices    (Slices)
  ) i_sampler (
    .clk_i,
    .rst_ni,
    .now_i,
    .launched_i       (launched),
    .gone_i           (gone),
    .block_start_i,
    .block_slot_i,
    .block_end_i,
    .adopt_i,
    .told_i,
    .ended_o          (ended),
    .sampled_o        (sampled),
    .renewed_o        (renewed),
    .measures_o       (measures),
    .measured_kernel_o(measured_kernel),
    .measured_t_o     (measured_t),
    .adopts_o         (adopts),
    .adopted_kernel_o (adopted_kernel),
    .adopted_t_o      (adopted_t),
    .sample_o
  );

  heddle_simple_slicing_table #(
    .Kernels   (Kernels),
    .TbSlots   (TbSlots),
    .CycleWidth(CycleWidth),
    .BlockWidth(BlockWidth)
  ) i_table (
    .clk_i,
    .rst_ni,
    .launched_i        (launched),
    .launch_i,
    .launch_kernel_i,
    .launch_blocks_i,
    .launch_residency_i,
    .running_i,
    .block_end_i,
    .measures_i        (measures),
    .measured_kernel_i (measured_kernel),
    .measured_t_i      (measured_t),
    .adopts_i          (adopts),
    .adopted_kernel_i  (adopted_kernel),
    .adopted_t_i       (adopted_t),
    .lands_i           (lands),
    .predicted_kernel_i(predicted_kernel),
    .remaining_i       (remaining),
    .predicted_i       (predicted),
    .read_kernel_i,
    .active_cycles_o   (active_cycles),
    .tb_cycles_o       (tb_cycles),
    .total_blocks_o    (total_blocks),
    .done_blocks_o     (done_blocks),
    .resident_blocks_o (resident_blocks),
    .remaining_cycles_o(remaining_cycles),
    .pred_cycles_o
  );

  heddle_simple_slicing_predictor #(
    .Kernels      (Kernels),
    .TbSlots      (TbSlots),
    .CycleWidth   (CycleWidth),
    .BlockWidth   (BlockWidth),
    .CyclesPerStep(CyclesPerStep),
    .Slices       (Slices)
  ) i_predictor (
    .clk_i,
    .rst_ni,
    .gone_i            (gone),
    .ended_i           (ended),
    .sampled_i         (sampled),
    .renewed_i         (renewed),
    .active_cycles_i   (active_cycles),
    .tb_cycles_i       (tb_cycles),
    .total_blocks_i    (total_blocks),
    .done_blocks_i     (done_blocks),
    .resident_blocks_i (resident_blocks),
    .remaining_cycles_i(remaining_cycles),
    .waiting_i,
    .first_o,
    .known_o,
    .lands_o           (lands),
    .kernel_o          (predicted_kernel),
    .remaining_o       (remaining),
    .predicted_o       (predicted)
  );

  if (Kernels < 2 || TbSlots < 1 || Kernels * TbSlots > 64) begin : gen_illegal_sizes
    $error("heddle_simple_slicing: expected Kernels from 2 and TbSlots from 1 on, and Kernels * TbSlots of at most 64");
  end
  if (CycleWidth < 1 || CycleWidth > 32 || BlockWidth < 1 || BlockWidth > 32) begin : gen_illegal_widths
    $error("heddle_simple_slicing: expected CycleWidth and BlockWidth from 1 to 32");
  end

`ifndef SYNTHESIS
  // A slot holds one TB, of one kernel.
  logic [TbSlots-1:0] ends_once, ends_twice;
  always_comb begin
    ends_once = '0;
    ends_twice = '0;
    for (int unsigned k = 0; k < Kernels; k++) begin
      ends_twice |= ends_once & block_end_i[k*TbSlots+:TbSlots];
      ends_once |= block_end_i[k*TbSlots+:TbSlots];
    end
  end
  always_comb begin
    if (rst_ni) begin
      LaunchInRange_M: assert final (!launch_i || 32'(launch_kernel_i) < Kernels);
      StartInRange_M: assert final (!block_start_i || 32'(block_slot_i) < TbSlots);
      EndsOnce_M: assert final (ends_twice == '0);
    end
  end
`ifdef FORMAL
  initial assume (!rst_ni);
`endif
`endif

endmodule
