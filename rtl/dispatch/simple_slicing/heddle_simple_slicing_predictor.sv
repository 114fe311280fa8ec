// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Predicts for the Simple Slicing predictor of one SM (heddle_simple_slicing) how long kernels will still run, one at a
/// time, the lowest first, and chooses the one that ends first.
///
/// Latency: from waiting_i to first_o in the same cycle. A prediction begins in the cycle after it was asked for, or when
/// the multiplier and divider is ready, with what the table has then, and is there (2 * BlockWidth + CycleWidth) *
/// CyclesPerStep cycles later, when it is written into the table.
module heddle_simple_slicing_predictor #(
  /// As those of heddle_simple_slicing.
  parameter int unsigned Kernels = 8,
  parameter int unsigned TbSlots = 8,
  parameter int unsigned CycleWidth = 32,
  parameter int unsigned BlockWidth = 26,
  parameter int unsigned CyclesPerStep = 1,
  parameter bit Slices = 1'b1,
  localparam int unsigned KernelWidth = (Kernels > 1) ? $clog2(Kernels) : 1,
  localparam int unsigned CountWidth = $clog2(TbSlots + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Kernels of which everything is dropped.
  input  logic [Kernels-1:0] gone_i,
  /// Kernels of which TBs end, none of which is measured.
  input  logic [Kernels-1:0] ended_i,
  /// Kernels of which there is a t; those of which there is one from the next cycle on, or another one.
  input  logic [Kernels-1:0] sampled_i,
  input  logic [Kernels-1:0] renewed_i,
  /// What the table has, by kernel.
  input  logic [Kernels*CycleWidth-1:0] active_cycles_i,
  input  logic [Kernels*CycleWidth-1:0] tb_cycles_i,
  input  logic [Kernels*BlockWidth-1:0] total_blocks_i,
  input  logic [Kernels*BlockWidth-1:0] done_blocks_i,
  input  logic [Kernels*CountWidth-1:0] resident_blocks_i,
  input  logic [Kernels*CycleWidth-1:0] remaining_cycles_i,
  input  logic [Kernels-1:0] waiting_i,
  output logic [Kernels-1:0] first_o,
  output logic [Kernels-1:0] known_o,
  /// A prediction is there: the kernel, the cycles that it has left, and all that it takes.
  output logic lands_o,
  output logic [KernelWidth-1:0] kernel_o,
  output logic [CycleWidth-1:0] remaining_o,
  output logic [CycleWidth-1:0] predicted_o
);

  logic [Kernels-1:0] next, started, landed;
  logic starts, lands;
  logic [KernelWidth-1:0] started_kernel;
  logic [Kernels-1:0] known_q, wants_q;

  heddle_bit_vector #(
    .Width(Kernels)
  ) i_wants (
    .clk_i,
    .rst_ni,
    .set_i  (((Slices ? ended_i & sampled_i : '0) | renewed_i) & ~gone_i),
    .clear_i(started | gone_i),
    .value_o(wants_q)
  );
  heddle_bit_vector #(
    .Width(Kernels)
  ) i_known (
    .clk_i,
    .rst_ni,
    .set_i  (landed & ~gone_i),
    .clear_i(gone_i),
    .value_o(known_q)
  );
  assign known_o = known_q;

  // A prediction: begins with what the table has then, and lands when the unit is ready again.
  logic ready, live_q, unit_gone;
  logic [BlockWidth-1:0] total, done, blocks_left;
  logic [CountWidth-1:0] residency;
  logic [CycleWidth-1:0] active, t, base_q;
  logic [KernelWidth-1:0] unit_kernel_q;

  heddle_fixed_selector #(
    .Inputs(Kernels)
  ) i_next (
    .request_i (wants_q),
    .passable_i('0),
    .select_o  (next),
    .passed_o  ()
  );
  assign started = next & {Kernels{ready}};
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
      active |= active_cycles_i[k*CycleWidth+:CycleWidth] & {CycleWidth{started[k]}};
      t |= tb_cycles_i[k*CycleWidth+:CycleWidth] & {CycleWidth{started[k]}};
      total |= total_blocks_i[k*BlockWidth+:BlockWidth] & {BlockWidth{started[k]}};
      done |= done_blocks_i[k*BlockWidth+:BlockWidth] & {BlockWidth{started[k]}};
      residency |= resident_blocks_i[k*CountWidth+:CountWidth] & {CountWidth{started[k]}};
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
    .result_o    (remaining_o)
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
        unit_gone = gone_i[k];
        landed[k] = lands;
      end
    end
  end
  heddle_bit_vector #(
    .Width(1)
  ) i_live (
    .clk_i,
    .rst_ni,
    .set_i  ((started & ~gone_i) != '0),
    .clear_i(lands | unit_gone),
    .value_o(live_q)
  );
  assign lands = live_q && ready;
  assign lands_o = lands;
  assign kernel_o = unit_kernel_q;
  heddle_adder #(
    .Width   (CycleWidth),
    .Saturate(1'b1)
  ) i_predicted (
    .a_i       (base_q),
    .amount_i  (remaining_o),
    .subtract_i(1'b0),
    .sum_o     (predicted_o),
    .overflow_o()
  );

  // Which kernel ends first.
  logic [KernelWidth-1:0] first;
  logic any_first;
  logic [CycleWidth-1:0] unused_key;

  heddle_minimum_tree #(
    .Inputs(Kernels),
    .Width (CycleWidth)
  ) i_first (
    .valid_i(waiting_i & known_q),
    .keys_i (remaining_cycles_i),
    .valid_o(any_first),
    .index_o(first),
    .key_o  (unused_key)
  );
  always_comb begin
    first_o = '0;
    for (int unsigned k = 0; k < Kernels; k++) first_o[k] = any_first && 32'(first) == k;
  end

  logic _unused;
  assign _unused = ^unused_key;

`ifndef SYNTHESIS
  logic [Kernels-1:0] under_way;
  always_comb begin
    for (int unsigned k = 0; k < Kernels; k++) under_way[k] = live_q && 32'(unit_kernel_q) == k;
  end
  logic [Kernels-1:0] less;  // kernels that end before the first one
  for (genvar k = 0; k < Kernels; k++) begin : gen_less
    assign less[k] = waiting_i[k] && known_q[k] &&
        remaining_cycles_i[k*CycleWidth+:CycleWidth] < remaining_cycles_i[first*CycleWidth+:CycleWidth];
  end
  always_comb begin
    if (rst_ni) begin
      OneFirst_A: assert final ((first_o & (first_o - 1'b1)) == '0);
      FirstWaits_A: assert final ((first_o & ~(waiting_i & known_q)) == '0);
      FirstIfAny_A: assert final ((waiting_i & known_q) == '0 || first_o != '0);
      KnownIsSampled_A: assert final ((known_q & ~sampled_i) == '0);
      UnderWayIsSampled_A: assert final (!live_q || (under_way & sampled_i) != '0);
      WantsIsSampled_A: assert final ((wants_q & ~sampled_i) == '0);
      // Who is first has no more left than any other one of which it is known.
      FirstEndsFirst_A: assert final (!any_first || less == '0);
    end
  end
`ifdef FORMAL
  // Of any kernel, a prediction is asked for, begins and lands as algorithm 1 says of all that was told.
  (* anyconst *) logic [KernelWidth-1:0] kernel;
  logic [CycleWidth-1:0] begun_active_q;
  logic [BlockWidth-1:0] kernel_total, kernel_done;
  logic wanted_q, works_q, predicted_once_q;
  logic here_begins, here_lands;

  assign here_begins = started[kernel];
  assign here_lands = landed[kernel];
  assign kernel_total = total_blocks_i[kernel*BlockWidth+:BlockWidth];
  assign kernel_done = done_blocks_i[kernel*BlockWidth+:BlockWidth];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wanted_q <= 1'b0;
      works_q <= 1'b0;
      predicted_once_q <= 1'b0;
      begun_active_q <= '0;
    end else begin
      // Asked for by each end of which there is a t, and by each new t.
      if (here_begins) wanted_q <= 1'b0;
      if ((Slices && ended_i[kernel] && sampled_i[kernel]) || renewed_i[kernel]) wanted_q <= 1'b1;
      if (here_lands) works_q <= 1'b0;
      if (here_lands) predicted_once_q <= 1'b1;
      if (here_begins) begin
        works_q <= 1'b1;
        begun_active_q <= active_cycles_i[kernel*CycleWidth+:CycleWidth];
      end
      if (gone_i[kernel]) begin
        wanted_q <= 1'b0;
        works_q <= 1'b0;
        predicted_once_q <= 1'b0;
      end
    end
  end
  always_comb begin
    assume (32'(kernel) < Kernels);
    if (rst_ni) begin
      Wants_A: assert (wants_q[kernel] == wanted_q);
      Known_A: assert (known_q[kernel] == predicted_once_q);
      // A prediction is of what the table had when it began.
      UnderWay_A: assert (works_q == (live_q && unit_kernel_q == kernel));
      Base_A: assert (!works_q || base_q == begun_active_q);
      BeginsWithWhatThereIs_A: assert (!here_begins || (t == tb_cycles_i[kernel*CycleWidth+:CycleWidth] &&
          residency == resident_blocks_i[kernel*CountWidth+:CountWidth] &&
          blocks_left == (kernel_total < kernel_done ? '0 : kernel_total - kernel_done)));
      BeginsIfAsked_A: assert (!(wanted_q && ready) || started != '0);
      LandsAsItIs_A: assert (!here_lands || (ready && works_q));
    end
  end
`endif
`endif

endmodule
