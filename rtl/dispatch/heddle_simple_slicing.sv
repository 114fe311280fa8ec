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
  logic [Kernels-1:0] ended;  // kernels with a TB that ends
  logic [TbSlots-1:0] to_measure, measured_slots;
  logic [Kernels-1:0] found, measured;  // whose TB it is, and in the next cycle
  logic [Kernels-1:0] adopted, started, landed;
  logic measures, adopts, starts, lands;
  logic [TbSlots*CycleWidth-1:0] block_starts;
  logic [KernelWidth-1:0] measured_kernel, started_kernel;
  logic [CycleWidth-1:0] block_start, measured_start, measured_t;
  logic [Kernels-1:0] reslice_q, sampled_q, known_q, wants_q;

  always_comb begin
    launched = '0;
    for (int unsigned k = 0; k < Kernels; k++) launched[k] = launch_i && 32'(launch_kernel_i) == k;
  end
  assign gone = launched | kernel_end_i;

  // The TB that is measured, the lowest of those that end first in a slice of their kernel.
  always_comb begin
    to_measure = '0;
    ended = '0;
    found = '0;
    measured_kernel = '0;
    for (int unsigned k = 0; k < Kernels; k++) begin
      ended[k] = |block_end_i[k*TbSlots+:TbSlots];
      to_measure |= block_end_i[k*TbSlots+:TbSlots] & {TbSlots{reslice_q[k]}};
      found[k] = |(block_end_i[k*TbSlots+:TbSlots] & measured_slots);
      if (measured[k]) measured_kernel |= KernelWidth'(k);
    end
    block_start = '0;
    for (int unsigned s = 0; s < TbSlots; s++) begin
      block_start |= block_starts[s*CycleWidth+:CycleWidth] & {CycleWidth{measured_slots[s]}};
    end
  end
  assign measures = (measured != '0);
  heddle_fixed_selector #(
    .Inputs(TbSlots)
  ) i_measured (
    .request_i (to_measure),
    .passable_i('0),
    .select_o  (measured_slots),
    .passed_o  ()
  );

  heddle_counter_array #(
    .Entries  (TbSlots),
    .Width    (CycleWidth),
    .ReadPorts(0),
    .Adders   (0)
  ) i_block_start (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (),
    .write_i       (block_start_i),
    .write_index_i (block_slot_i),
    .write_data_i  (now_i),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       ('0),
    .count_amount_i('0),
    .clear_i       ('0),
    .values_o      (block_starts),
    .next_o        ()
  );
  heddle_pipeline #(
    .Width (Kernels + CycleWidth),
    .Stages(1)
  ) i_measure (
    .clk_i,
    .rst_ni,
    .data_i({found & ~gone, block_start}),
    .data_o({measured, measured_start})
  );
  // now_i - 1 - measured_start: the TB ended in the cycle before.
  heddle_adder #(
    .Width(CycleWidth)
  ) i_measured_t (
    .a_i       (now_i),
    .amount_i  (~measured_start),
    .subtract_i(1'b0),
    .sum_o     (measured_t),
    .overflow_o()
  );

  // Another SM's t, until there is one of this SM.
  logic adopt_valid;
  logic [KernelWidth-1:0] adopt_kernel;
  logic [CycleWidth-1:0] adopt_t;

  assign {adopt_valid, adopt_kernel, adopt_t} = adopt_i;
  always_comb begin
    adopted = '0;
    for (int unsigned k = 0; k < Kernels; k++) begin
      adopted[k] = adopt_valid && 32'(adopt_kernel) == k && !sampled_q[k] && !measured[k] && !gone[k];
    end
  end
  assign adopts = (adopted != '0);

  // What an SM tells all: its first t of a kernel.
  logic tell_q, tells, tell_gone;
  logic [KernelWidth-1:0] tell_kernel_q;
  logic [CycleWidth-1:0] tell_t_q;

  assign tells = (measured & ~sampled_q & ~gone) != '0 && (!tell_q || told_i);
  always_comb begin
    tell_gone = 1'b0;
    for (int unsigned k = 0; k < Kernels; k++) if (32'(tell_kernel_q) == k) tell_gone = gone[k];
  end
  heddle_bit_vector #(
    .Width(1)
  ) i_tell (
    .clk_i,
    .rst_ni,
    .set_i  (tells),
    .clear_i(told_i | tell_gone),
    .value_o(tell_q)
  );
  heddle_register #(
    .Width(KernelWidth + CycleWidth)
  ) i_sample (
    .clk_i,
    .rst_ni,
    .write_i(tells),
    .data_i ({measured_kernel, measured_t}),
    .value_o({tell_kernel_q, tell_t_q})
  );
  assign sample_o = {tell_q, tell_kernel_q, tell_t_q};

  heddle_bit_vector #(
    .Width(Kernels)
  ) i_reslice (
    .clk_i,
    .rst_ni,
    .set_i  (Slices ? {Kernels{gone != '0}} : launched),
    .clear_i(found),
    .value_o(reslice_q)
  );
  heddle_bit_vector #(
    .Width(Kernels)
  ) i_sampled (
    .clk_i,
    .rst_ni,
    .set_i  ((measured | adopted) & ~gone),
    .clear_i(gone),
    .value_o(sampled_q)
  );
  heddle_bit_vector #(
    .Width(Kernels)
  ) i_wants (
    .clk_i,
    .rst_ni,
    .set_i  (((Slices ? ended & sampled_q & ~found : '0) | measured | adopted) & ~gone),
    .clear_i(started | gone),
    .value_o(wants_q)
  );
  heddle_bit_vector #(
    .Width(Kernels)
  ) i_known (
    .clk_i,
    .rst_ni,
    .set_i  (landed & ~gone),
    .clear_i(gone),
    .value_o(known_q)
  );
  assign known_o = known_q;

  // The table's counters.
  logic [Kernels*CycleWidth-1:0] active_cycles, tb_cycles;
  logic [Kernels*BlockWidth-1:0] total_blocks, done_blocks;
  logic [Kernels*CountWidth-1:0] resident_blocks;
  logic [Kernels*CountWidth-1:0] ended_blocks;

  heddle_counter_array #(
    .Entries      (Kernels),
    .Width        (CycleWidth),
    .AmountWidth  (1),
    .ReadPorts    (0),
    .WritePorts   (0),
    .Adders       (0),
    .Saturate     (1'b1),
    .Clear        (1'b1),
    .CountsInPlace(1'b1)
  ) i_active_kernel_cycles (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (),
    .write_i       ('0),
    .write_index_i ('0),
    .write_data_i  ('0),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       (running_i),
    .count_amount_i('1),
    .clear_i       (launched),
    .values_o      (active_cycles),
    .next_o        ()
  );
  for (genvar k = 0; k < Kernels; k++) begin : gen_ended
    heddle_population_count #(
      .Inputs(TbSlots)
    ) i_ended (
      .bits_i (block_end_i[k*TbSlots+:TbSlots]),
      .count_o(ended_blocks[k*CountWidth+:CountWidth])
    );
  end
  heddle_counter_array #(
    .Entries      (Kernels),
    .Width        (BlockWidth),
    .AmountWidth  (CountWidth),
    .ReadPorts    (0),
    .WritePorts   (0),
    .Adders       (0),
    .Saturate     (1'b1),
    .Clear        (1'b1),
    .CountsInPlace(1'b1)
  ) i_done_blocks (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (),
    .write_i       ('0),
    .write_index_i ('0),
    .write_data_i  ('0),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       ('1),
    .count_amount_i(ended_blocks),
    .clear_i       (launched),
    .values_o      (done_blocks),
    .next_o        ()
  );
  heddle_counter_array #(
    .Entries  (Kernels),
    .Width    (BlockWidth),
    .ReadPorts(0),
    .Adders   (0)
  ) i_total_blocks (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (),
    .write_i       (launch_i),
    .write_index_i (launch_kernel_i),
    .write_data_i  (launch_blocks_i),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       ('0),
    .count_amount_i('0),
    .clear_i       ('0),
    .values_o      (total_blocks),
    .next_o        ()
  );
  heddle_counter_array #(
    .Entries  (Kernels),
    .Width    (CountWidth),
    .ReadPorts(0),
    .Adders   (0)
  ) i_resident_blocks (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (),
    .write_i       (launch_i),
    .write_index_i (launch_kernel_i),
    .write_data_i  (launch_residency_i),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       ('0),
    .count_amount_i('0),
    .clear_i       ('0),
    .values_o      (resident_blocks),
    .next_o        ()
  );

  heddle_counter_array #(
    .Entries   (Kernels),
    .Width     (CycleWidth),
    .ReadPorts (0),
    .WritePorts(2),
    .Adders    (0)
  ) i_t (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (),
    .write_i       ({adopts, measures}),
    .write_index_i ({adopt_kernel, measured_kernel}),
    .write_data_i  ({adopt_t, measured_t}),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       ('0),
    .count_amount_i('0),
    .clear_i       ('0),
    .values_o      (tb_cycles),
    .next_o        ()
  );

  // A prediction: begins with what the table has then, and lands when the unit is ready again.
  logic ready, live_q, unit_gone;
  logic [BlockWidth-1:0] total, done, blocks_left;
  logic [CountWidth-1:0] residency;
  logic [CycleWidth-1:0] active, t, remaining, base_q, predicted;
  logic [KernelWidth-1:0] unit_kernel_q;

  heddle_fixed_selector #(
    .Inputs(Kernels)
  ) i_next (
    .request_i (wants_q & {Kernels{ready}}),
    .passable_i('0),
    .select_o  (started),
    .passed_o  ()
  );
  assign starts = (started != '0);
  always_comb begin
    started_kernel = '0;
    active = '0;
    t = '0;
    total = '0;
    done = '0;
    residency = '0;
    for (int unsigned k = 0; k < Kernels; k++) begin
      if (started[k]) started_kernel |= KernelWidth'(k);
      active |= active_cycles[k*CycleWidth+:CycleWidth] & {CycleWidth{started[k]}};
      t |= tb_cycles[k*CycleWidth+:CycleWidth] & {CycleWidth{started[k]}};
      total |= total_blocks[k*BlockWidth+:BlockWidth] & {BlockWidth{started[k]}};
      done |= done_blocks[k*BlockWidth+:BlockWidth] & {BlockWidth{started[k]}};
      residency |= resident_blocks[k*CountWidth+:CountWidth] & {CountWidth{started[k]}};
    end
  end
  heddle_adder #(
    .Width   (BlockWidth),
    .Saturate(1'b1)
  ) i_blocks_left (
    .a_i       (total),
    .amount_i  (done),
    .subtract_i(1'b1),
    .sum_o     (blocks_left),
    .overflow_o()
  );
  heddle_ratio_unit #(
    .FactorWidth    (CycleWidth),
    .MultiplierWidth(BlockWidth),
    .DivisorWidth   (CountWidth),
    .ResultWidth    (CycleWidth),
    .CyclesPerStep  (CyclesPerStep)
  ) i_ratio (
    .clk_i,
    .rst_ni,
    .start_i     (starts),
    .ready_o     (ready),
    .factor_i    (t),
    .multiplier_i(blocks_left),
    .divisor_i   (residency),
    .result_o    (remaining)
  );
  heddle_register #(
    .Width(KernelWidth)
  ) i_unit_kernel (
    .clk_i,
    .rst_ni,
    .write_i(starts),
    .data_i (started_kernel),
    .value_o(unit_kernel_q)
  );
  heddle_register #(
    .Width(CycleWidth)
  ) i_base (
    .clk_i,
    .rst_ni,
    .write_i(starts),
    .data_i (active),
    .value_o(base_q)
  );
  always_comb begin
    unit_gone = 1'b0;
    landed = '0;
    for (int unsigned k = 0; k < Kernels; k++) begin
      if (32'(unit_kernel_q) == k) begin
        unit_gone = gone[k];
        landed[k] = lands;
      end
    end
  end
  heddle_bit_vector #(
    .Width(1)
  ) i_live (
    .clk_i,
    .rst_ni,
    .set_i  ((started & ~gone) != '0),
    .clear_i(lands | unit_gone),
    .value_o(live_q)
  );
  assign lands = live_q && ready;
  heddle_adder #(
    .Width   (CycleWidth),
    .Saturate(1'b1)
  ) i_predicted (
    .a_i       (base_q),
    .amount_i  (remaining),
    .subtract_i(1'b0),
    .sum_o     (predicted),
    .overflow_o()
  );
  heddle_counter_array #(
    .Entries(Kernels),
    .Width  (CycleWidth),
    .Adders (0)
  ) i_pred_cycles (
    .clk_i,
    .rst_ni,
    .read_index_i  (read_kernel_i),
    .read_data_o   (pred_cycles_o),
    .write_i       (lands),
    .write_index_i (unit_kernel_q),
    .write_data_i  (predicted),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       ('0),
    .count_amount_i('0),
    .clear_i       ('0),
    .values_o      (),
    .next_o        ()
  );

  // Which kernel ends first.
  logic [Kernels*CycleWidth-1:0] remaining_cycles;
  logic [KernelWidth-1:0] first;
  logic any_first;
  logic [CycleWidth-1:0] unused_key;

  heddle_counter_array #(
    .Entries  (Kernels),
    .Width    (CycleWidth),
    .ReadPorts(0),
    .Adders   (0)
  ) i_remaining_cycles (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (),
    .write_i       (lands),
    .write_index_i (unit_kernel_q),
    .write_data_i  (remaining),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       ('0),
    .count_amount_i('0),
    .clear_i       ('0),
    .values_o      (remaining_cycles),
    .next_o        ()
  );
  heddle_minimum_tree #(
    .Inputs(Kernels),
    .Width (CycleWidth)
  ) i_first (
    .valid_i(waiting_i & known_q),
    .keys_i (remaining_cycles),
    .valid_o(any_first),
    .index_o(first),
    .key_o  (unused_key)
  );
  always_comb begin
    first_o = '0;
    for (int unsigned k = 0; k < Kernels; k++) first_o[k] = any_first && 32'(first) == k;
  end

  if (Kernels < 2 || TbSlots < 1 || Kernels * TbSlots > 64) begin : gen_illegal_sizes
    $error("heddle_simple_slicing: expected Kernels from 2 and TbSlots from 1 on, and Kernels * TbSlots of at most 64");
  end
  if (CycleWidth < 1 || CycleWidth > 32 || BlockWidth < 1 || BlockWidth > 32) begin : gen_illegal_widths
    $error("heddle_simple_slicing: expected CycleWidth and BlockWidth from 1 to 32");
  end

  logic _unused;
  assign _unused = ^unused_key;

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
  logic [Kernels-1:0] under_way, told_of;
  always_comb begin
    for (int unsigned k = 0; k < Kernels; k++) begin
      under_way[k] = live_q && 32'(unit_kernel_q) == k;
      told_of[k] = 32'(tell_kernel_q) == k;
    end
  end
  logic [Kernels-1:0] less;  // kernels that end before the first one
  for (genvar k = 0; k < Kernels; k++) begin : gen_less
    assign less[k] = waiting_i[k] && known_q[k] &&
        remaining_cycles[k*CycleWidth+:CycleWidth] < remaining_cycles[first*CycleWidth+:CycleWidth];
  end
  always_comb begin
    if (rst_ni) begin
      LaunchInRange_M: assert final (!launch_i || 32'(launch_kernel_i) < Kernels);
      StartInRange_M: assert final (!block_start_i || 32'(block_slot_i) < TbSlots);
      EndsOnce_M: assert final (ends_twice == '0);
      OneFirst_A: assert final ((first_o & (first_o - 1'b1)) == '0);
      FirstWaits_A: assert final ((first_o & ~(waiting_i & known_q)) == '0);
      FirstIfAny_A: assert final ((waiting_i & known_q) == '0 || first_o != '0);
      OneIsFound_A: assert final ((found & (found - 1'b1)) == '0);
      OneIsMeasured_A: assert final ((measured & (measured - 1'b1)) == '0);
      KnownIsSampled_A: assert final ((known_q & ~sampled_q) == '0);
      UnderWayIsSampled_A: assert final (!live_q || (under_way & sampled_q) != '0);
      ToldIsSampled_A: assert final (!tell_q || (told_of & sampled_q) != '0);
      WantsIsSampled_A: assert final ((wants_q & ~sampled_q) == '0);
      // Who is first has no more left than any other one of which it is known.
      FirstEndsFirst_A: assert final (!any_first || less == '0);
    end
  end
`ifdef FORMAL
  // Of any kernel, and of any TB slot, what the table holds is what algorithm 1 says of all that was told.
  (* anyconst *) logic [KernelWidth-1:0] kernel;
  (* anyconst *) logic [SlotWidth-1:0] slot;
  logic [CycleWidth-1:0] last_now_q, started_at_q, active_q, t_q, end_q, begun_active_q;
  logic [BlockWidth:0] done_sum, begun_left;
  logic [BlockWidth-1:0] done_q, total_q;
  logic [CountWidth-1:0] residency_q;
  logic told_now_q, slot_started_q, new_slice_q, sampled_once_q, wanted_q, works_q, predicted_once_q;
  logic here_found, here_measured, here_gone, here_launched, here_begins, here_lands, here_ends, here_adopted;
  logic found_slot_q;  // what is measured now was in the slot
  logic keeps_q;  // what is to be told has not been told
  logic [SampleWidth-1:0] last_sample_q;

  assign here_found = found[kernel];
  assign here_measured = measured[kernel];
  assign here_gone = gone[kernel];
  assign here_launched = launched[kernel];
  assign here_begins = started[kernel];
  assign here_lands = landed[kernel];
  assign here_ends = ended[kernel];
  assign here_adopted = adopted[kernel];
  assign done_sum = {1'b0, done_q} + (BlockWidth + 1)'(ended_blocks[kernel*CountWidth+:CountWidth]);
  assign begun_left = {1'b0, total_q} - {1'b0, done_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_now_q <= '0;
      told_now_q <= 1'b0;
      started_at_q <= '0;
      slot_started_q <= 1'b0;
      active_q <= '0;
      done_q <= '0;
      total_q <= '0;
      residency_q <= '0;
      t_q <= '0;
      end_q <= '0;
      new_slice_q <= 1'b0;
      sampled_once_q <= 1'b0;
      wanted_q <= 1'b0;
      works_q <= 1'b0;
      predicted_once_q <= 1'b0;
      begun_active_q <= '0;
      found_slot_q <= 1'b0;
      keeps_q <= 1'b0;
      last_sample_q <= '0;
    end else begin
      keeps_q <= tell_q && !told_i && !tell_gone;
      last_sample_q <= sample_o;
      last_now_q <= now_i;
      told_now_q <= 1'b1;
      if (block_start_i && block_slot_i == slot) started_at_q <= now_i;
      if (block_start_i && block_slot_i == slot) slot_started_q <= 1'b1;
      if (running_i[kernel] && active_q != '1) active_q <= active_q + 1'b1;
      done_q <= done_sum[BlockWidth] ? '1 : done_sum[BlockWidth-1:0];
      // The first TB of a slice is measured, from its start to its end.
      found_slot_q <= here_found && measured_slots[slot] && !here_gone;
      end_q <= now_i - started_at_q;
      if (here_adopted) t_q <= adopt_t;
      if (here_measured) t_q <= found_slot_q ? end_q : measured_t;
      if (here_measured || here_adopted) sampled_once_q <= 1'b1;
      if (here_found) new_slice_q <= 1'b0;
      // Asked for by each end of which there is a t, and by each new t.
      if (here_begins) wanted_q <= 1'b0;
      if ((Slices && here_ends && sampled_q[kernel] && !here_found) || here_measured || here_adopted) wanted_q <= 1'b1;
      if (here_lands) works_q <= 1'b0;
      if (here_lands) predicted_once_q <= 1'b1;
      if (here_begins) begin
        works_q <= 1'b1;
        begun_active_q <= active_q;
      end
      if (here_gone) begin
        sampled_once_q <= 1'b0;
        wanted_q <= 1'b0;
        works_q <= 1'b0;
        predicted_once_q <= 1'b0;
      end
      if (here_launched || (Slices && gone != '0)) new_slice_q <= 1'b1;
      if (here_launched) begin
        active_q <= '0;
        done_q <= '0;
        total_q <= launch_blocks_i;
        residency_q <= launch_residency_i;
      end
    end
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni) begin
      KernelInRange_M: assert (32'(kernel) < Kernels && 32'(slot) < TbSlots);
      TimeGoesOn_M: assert (!told_now_q || now_i == last_now_q + 1'b1);
      EndedHasStarted_M: assert (slot_started_q || !here_ends || !block_end_i[32'(kernel)*TbSlots+32'(slot)]);
      ActiveCycles_A: assert (active_cycles[kernel*CycleWidth+:CycleWidth] == active_q);
      DoneBlocks_A: assert (done_blocks[kernel*BlockWidth+:BlockWidth] == done_q);
      TotalBlocks_A: assert (total_blocks[kernel*BlockWidth+:BlockWidth] == total_q);
      ResidentBlocks_A: assert (resident_blocks[kernel*CountWidth+:CountWidth] == residency_q);
      BlockStart_A: assert (block_starts[slot*CycleWidth+:CycleWidth] == started_at_q);
      T_A: assert (tb_cycles[kernel*CycleWidth+:CycleWidth] == t_q);
      MeasuresTheSlot_A: assert (!found_slot_q || (here_measured && measured_t == end_q));
      Reslice_A: assert (reslice_q[kernel] == new_slice_q);
      MeasuresFirstAlone_A: assert (!here_found || new_slice_q);
      MeasuresIfAny_A: assert (!(here_ends && new_slice_q) || found != '0);
      SampleIsKept_A: assert (!keeps_q || sample_o == last_sample_q);
      Sampled_A: assert (sampled_q[kernel] == sampled_once_q);
      Wants_A: assert (wants_q[kernel] == wanted_q);
      Known_A: assert (known_q[kernel] == predicted_once_q);
      // A prediction is of what the table had when it began.
      UnderWay_A: assert (works_q == (live_q && unit_kernel_q == kernel));
      Base_A: assert (!works_q || base_q == begun_active_q);
      BeginsWithWhatThereIs_A: assert (!here_begins || (t == t_q && residency == residency_q &&
          blocks_left == (begun_left[BlockWidth] ? '0 : begun_left[BlockWidth-1:0])));
      BeginsIfAsked_A: assert (!(wanted_q && ready) || started != '0);
      LandsAsItIs_A: assert (!here_lands || (ready && works_q));
    end
  end
`endif
`endif

endmodule
