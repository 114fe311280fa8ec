// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// What the Simple Slicing predictor of one SM (heddle_simple_slicing) measures: which thread blocks (TBs), how long they
/// took, and what the other SMs are told of it and tell.
///
/// Latency: a TB that ends is found in that cycle, and its t is there in the next one, when it is written into the table;
/// what another SM tells is in the same cycle. sampled_o and sample_o are of registers.
module heddle_simple_slicing_sampler #(
  /// As those of heddle_simple_slicing.
  parameter int unsigned Kernels = 8,
  parameter int unsigned TbSlots = 8,
  parameter int unsigned CycleWidth = 32,
  parameter bit Slices = 1'b1,
  localparam int unsigned KernelWidth = (Kernels > 1) ? $clog2(Kernels) : 1,
  localparam int unsigned SlotWidth = (TbSlots > 1) ? $clog2(TbSlots) : 1,
  localparam int unsigned SampleWidth = 1 + KernelWidth + CycleWidth
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [CycleWidth-1:0] now_i,
  /// Kernels that are launched, and those of which everything is dropped: these and those that end.
  input  logic [Kernels-1:0] launched_i,
  input  logic [Kernels-1:0] gone_i,
  input  logic block_start_i,
  input  logic [SlotWidth-1:0] block_slot_i,
  input  logic [Kernels*TbSlots-1:0] block_end_i,
  input  logic [SampleWidth-1:0] adopt_i,
  input  logic told_i,
  /// Kernels of which TBs end, none of which is measured.
  output logic [Kernels-1:0] ended_o,
  /// Kernels of which there is a t; those of which there is one from the next cycle on, or another one.
  output logic [Kernels-1:0] sampled_o,
  output logic [Kernels-1:0] renewed_o,
  /// One that was measured: the kernel, t.
  output logic measures_o,
  output logic [KernelWidth-1:0] measured_kernel_o,
  output logic [CycleWidth-1:0] measured_t_o,
  /// One that another SM tells, when there is none of this SM: likewise.
  output logic adopts_o,
  output logic [KernelWidth-1:0] adopted_kernel_o,
  output logic [CycleWidth-1:0] adopted_t_o,
  output logic [SampleWidth-1:0] sample_o
);

  logic [Kernels-1:0] ended;  // kernels with a TB that ends
  logic [TbSlots-1:0] to_measure, measured_slots;
  logic [Kernels-1:0] found, measured;  // whose TB it is, and in the next cycle
  logic [Kernels-1:0] adopted;
  logic [TbSlots*CycleWidth-1:0] block_starts;
  logic [CycleWidth-1:0] block_start, measured_start;
  logic [Kernels-1:0] reslice_q, sampled_q;

  // The TB that is measured, the lowest of those that end first in a slice of their kernel.
  always_comb begin
    to_measure = '0;
    ended = '0;
    found = '0;
    measured_kernel_o = '0;
    for (int unsigned k = 0; k < Kernels; k++) begin
      ended[k] = |block_end_i[k*TbSlots+:TbSlots];
      to_measure |= block_end_i[k*TbSlots+:TbSlots] & {TbSlots{reslice_q[k]}};
      found[k] = |(block_end_i[k*TbSlots+:TbSlots] & measured_slots);
      if (measured[k]) measured_kernel_o |= KernelWidth'(k);
    end
    block_start = '0;
    for (int unsigned s = 0; s < TbSlots; s++) begin
      block_start |= block_starts[s*CycleWidth+:CycleWidth] & {CycleWidth{measured_slots[s]}};
    end
  end
  assign measures_o = (measured != '0);
  assign ended_o = ended & ~found;
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
    .data_i({found & ~gone_i, block_start}),
    .data_o({measured, measured_start})
  );
  // now_i - 1 - measured_start: the TB ended in the cycle before.
  heddle_adder #(
    .Width(CycleWidth)
  ) i_measured_t (
    .a_i       (now_i),
    .amount_i  (~measured_start),
    .subtract_i(1'b0),
    .sum_o     (measured_t_o),
    .overflow_o()
  );

  // Another SM's t, until there is one of this SM.
  logic adopt_valid;

  assign {adopt_valid, adopted_kernel_o, adopted_t_o} = adopt_i;
  always_comb begin
    adopted = '0;
    for (int unsigned k = 0; k < Kernels; k++) begin
      adopted[k] = adopt_valid && 32'(adopted_kernel_o) == k && !sampled_q[k] && !measured[k] && !gone_i[k];
    end
  end
  assign adopts_o = (adopted != '0);
  assign renewed_o = measured | adopted;

  // What an SM tells all: its first t of a kernel.
  logic tell_q, tells, tell_gone;
  logic [KernelWidth-1:0] tell_kernel_q;
  logic [CycleWidth-1:0] tell_t_q;

  assign tells = (measured & ~sampled_q & ~gone_i) != '0 && (!tell_q || told_i);
  always_comb begin
    tell_gone = 1'b0;
    for (int unsigned k = 0; k < Kernels; k++) if (32'(tell_kernel_q) == k) tell_gone = gone_i[k];
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
    .data_i ({measured_kernel_o, measured_t_o}),
    .value_o({tell_kernel_q, tell_t_q})
  );
  assign sample_o = {tell_q, tell_kernel_q, tell_t_q};

  heddle_bit_vector #(
    .Width(Kernels)
  ) i_reslice (
    .clk_i,
    .rst_ni,
    .set_i  (Slices ? {Kernels{gone_i != '0}} : launched_i),
    .clear_i(found),
    .value_o(reslice_q)
  );
  heddle_bit_vector #(
    .Width(Kernels)
  ) i_sampled (
    .clk_i,
    .rst_ni,
    .set_i  (renewed_o & ~gone_i),
    .clear_i(gone_i),
    .value_o(sampled_q)
  );
  assign sampled_o = sampled_q;

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
  logic [Kernels-1:0] told_of;
  always_comb begin
    for (int unsigned k = 0; k < Kernels; k++) told_of[k] = 32'(tell_kernel_q) == k;
  end
  always_comb begin
    if (rst_ni) begin
      StartInRange_M: assert final (!block_start_i || 32'(block_slot_i) < TbSlots);
      EndsOnce_M: assert final (ends_twice == '0);
      LaunchedAreGone_M: assert final ((launched_i & ~gone_i) == '0);
      OneIsFound_A: assert final ((found & (found - 1'b1)) == '0);
      OneIsMeasured_A: assert final ((measured & (measured - 1'b1)) == '0);
      ToldIsSampled_A: assert final (!tell_q || (told_of & sampled_q) != '0);
    end
  end
`ifdef FORMAL
  // Of any kernel, and of any TB slot, what is kept is what algorithm 1 says of all that was told. Time goes on, and a TB
  // that ends has started, as those who use the whole predictor keep to.
  (* anyconst *) logic [KernelWidth-1:0] kernel;
  (* anyconst *) logic [SlotWidth-1:0] slot;
  logic [CycleWidth-1:0] last_now_q, started_at_q, end_q;
  logic told_now_q, slot_started_q, new_slice_q, sampled_once_q;
  logic here_found, here_measured, here_gone, here_ends, here_adopted;
  logic found_slot_q;  // what is measured now was in the slot
  logic keeps_q;  // what is to be told has not been told
  logic [SampleWidth-1:0] last_sample_q;

  assign here_found = found[kernel];
  assign here_measured = measured[kernel];
  assign here_gone = gone_i[kernel];
  assign here_ends = ended[kernel];
  assign here_adopted = adopted[kernel];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_now_q <= '0;
      told_now_q <= 1'b0;
      started_at_q <= '0;
      slot_started_q <= 1'b0;
      end_q <= '0;
      new_slice_q <= 1'b0;
      sampled_once_q <= 1'b0;
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
      // The first TB of a slice is measured, from its start to its end.
      found_slot_q <= here_found && measured_slots[slot] && !here_gone;
      end_q <= now_i - started_at_q;
      if (here_measured || here_adopted) sampled_once_q <= 1'b1;
      if (here_gone) sampled_once_q <= 1'b0;
      if (here_found) new_slice_q <= 1'b0;
      if (launched_i[kernel] || (Slices && gone_i != '0)) new_slice_q <= 1'b1;
    end
  end
  always_comb begin
    assume (32'(kernel) < Kernels && 32'(slot) < TbSlots);
    if (rst_ni) begin
      assume (!told_now_q || now_i == last_now_q + 1'b1);
      assume (slot_started_q || !here_ends || !block_end_i[32'(kernel)*TbSlots+32'(slot)]);
      BlockStart_A: assert (block_starts[slot*CycleWidth+:CycleWidth] == started_at_q);
      MeasuresTheSlot_A: assert (!found_slot_q || (here_measured && measured_t_o == end_q));
      Reslice_A: assert (reslice_q[kernel] == new_slice_q);
      MeasuresFirstAlone_A: assert (!here_found || new_slice_q);
      MeasuresIfAny_A: assert (!(here_ends && new_slice_q) || found != '0);
      SampleIsKept_A: assert (!keeps_q || sample_o == last_sample_q);
      Sampled_A: assert (sampled_q[kernel] == sampled_once_q);
    end
  end
`endif
`endif

endmodule
