// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The counters of the Simple Slicing predictor of one SM (heddle_simple_slicing; SRTF 4, table 1), by kernel: active
/// cycles, thread blocks (TBs) that are expected and done, how many of them the SM holds, t, and what was predicted.
///
/// Latency: what a cycle brings is seen from the next one on; pred_cycles_o is of read_kernel_i in the same cycle.
module heddle_simple_slicing_table #(
  /// As those of heddle_simple_slicing.
  parameter int unsigned Kernels = 8,
  parameter int unsigned TbSlots = 8,
  parameter int unsigned CycleWidth = 32,
  parameter int unsigned BlockWidth = 26,
  localparam int unsigned KernelWidth = (Kernels > 1) ? $clog2(Kernels) : 1,
  localparam int unsigned CountWidth = $clog2(TbSlots + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// A kernel is launched; launched_i is one-hot.
  input  logic [Kernels-1:0] launched_i,
  input  logic launch_i,
  input  logic [KernelWidth-1:0] launch_kernel_i,
  input  logic [BlockWidth-1:0] launch_blocks_i,
  input  logic [CountWidth-1:0] launch_residency_i,
  input  logic [Kernels-1:0] running_i,
  input  logic [Kernels*TbSlots-1:0] block_end_i,
  /// A t of this SM, and one of another: the kernel, t.
  input  logic measures_i,
  input  logic [KernelWidth-1:0] measured_kernel_i,
  input  logic [CycleWidth-1:0] measured_t_i,
  input  logic adopts_i,
  input  logic [KernelWidth-1:0] adopted_kernel_i,
  input  logic [CycleWidth-1:0] adopted_t_i,
  /// A prediction: the kernel, the cycles that it has left, and all that it takes.
  input  logic lands_i,
  input  logic [KernelWidth-1:0] predicted_kernel_i,
  input  logic [CycleWidth-1:0] remaining_i,
  input  logic [CycleWidth-1:0] predicted_i,
  input  logic [KernelWidth-1:0] read_kernel_i,
  /// By kernel, the first one in the lowest bits.
  output logic [Kernels*CycleWidth-1:0] active_cycles_o,
  output logic [Kernels*CycleWidth-1:0] tb_cycles_o,
  output logic [Kernels*BlockWidth-1:0] total_blocks_o,
  output logic [Kernels*BlockWidth-1:0] done_blocks_o,
  output logic [Kernels*CountWidth-1:0] resident_blocks_o,
  output logic [Kernels*CycleWidth-1:0] remaining_cycles_o,
  /// Of read_kernel_i.
  output logic [CycleWidth-1:0] pred_cycles_o
);

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
    .clear_i       (launched_i),
    .values_o      (active_cycles_o),
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
    .clear_i       (launched_i),
    .values_o      (done_blocks_o),
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
    .values_o      (total_blocks_o),
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
    .values_o      (resident_blocks_o),
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
    .write_i       ({adopts_i, measures_i}),
    .write_index_i ({adopted_kernel_i, measured_kernel_i}),
    .write_data_i  ({adopted_t_i, measured_t_i}),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       ('0),
    .count_amount_i('0),
    .clear_i       ('0),
    .values_o      (tb_cycles_o),
    .next_o        ()
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
    .write_i       (lands_i),
    .write_index_i (predicted_kernel_i),
    .write_data_i  (predicted_i),
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
    .write_i       (lands_i),
    .write_index_i (predicted_kernel_i),
    .write_data_i  (remaining_i),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       ('0),
    .count_amount_i('0),
    .clear_i       ('0),
    .values_o      (remaining_cycles_o),
    .next_o        ()
  );

`ifndef SYNTHESIS
  logic [Kernels-1:0] launch_line;
  always_comb begin
    for (int unsigned k = 0; k < Kernels; k++) launch_line[k] = launch_i && 32'(launch_kernel_i) == k;
  end
  always_comb begin
    if (rst_ni) begin
      LaunchInRange_M: assert final (!launch_i || 32'(launch_kernel_i) < Kernels);
      LaunchesIt_M: assert final (launched_i == launch_line);
    end
  end
`ifdef FORMAL
  // Of any kernel, what the table holds is what algorithm 1 says of all that was told.
  (* anyconst *) logic [KernelWidth-1:0] kernel;
  logic [CycleWidth-1:0] active_q, t_q, remaining_q;
  logic [BlockWidth:0] done_sum;
  logic [BlockWidth-1:0] done_q, total_q;
  logic [CountWidth-1:0] residency_q;

  assign done_sum = {1'b0, done_q} + (BlockWidth + 1)'(ended_blocks[kernel*CountWidth+:CountWidth]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= '0;
      done_q <= '0;
      total_q <= '0;
      residency_q <= '0;
      t_q <= '0;
      remaining_q <= '0;
    end else begin
      if (running_i[kernel] && active_q != '1) active_q <= active_q + 1'b1;
      done_q <= done_sum[BlockWidth] ? '1 : done_sum[BlockWidth-1:0];
      if (adopts_i && adopted_kernel_i == kernel) t_q <= adopted_t_i;
      if (measures_i && measured_kernel_i == kernel) t_q <= measured_t_i;
      if (lands_i && predicted_kernel_i == kernel) remaining_q <= remaining_i;
      if (launched_i[kernel]) begin
        active_q <= '0;
        done_q <= '0;
        total_q <= launch_blocks_i;
        residency_q <= launch_residency_i;
      end
    end
  end
  always_comb begin
    assume (32'(kernel) < Kernels);
    if (rst_ni) begin
      ActiveCycles_A: assert (active_cycles_o[kernel*CycleWidth+:CycleWidth] == active_q);
      DoneBlocks_A: assert (done_blocks_o[kernel*BlockWidth+:BlockWidth] == done_q);
      TotalBlocks_A: assert (total_blocks_o[kernel*BlockWidth+:BlockWidth] == total_q);
      ResidentBlocks_A: assert (resident_blocks_o[kernel*CountWidth+:CountWidth] == residency_q);
      T_A: assert (tb_cycles_o[kernel*CycleWidth+:CycleWidth] == t_q);
      Remaining_A: assert (remaining_cycles_o[kernel*CycleWidth+:CycleWidth] == remaining_q);
    end
  end
`endif
`endif

endmodule
