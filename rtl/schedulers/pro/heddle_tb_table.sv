// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// What an SM keeps of its thread blocks (TBs) and warps without heddle_pro, which reads it: which TB a warp is of, and
/// of each TB how many warps it has and which of two goes first when nothing else tells. Not in PRO's price.
///
/// Latency: what comes with a TB is kept from the next cycle on; counts of released warps are combinational.
module heddle_tb_table #(
  /// Warp slots of the SM, 1 to 64.
  parameter int unsigned NumWarps = 48,
  /// TB slots, 1 to 16.
  parameter int unsigned TbSlots = 8,
  /// Bits of a TB's number: its launch, then its index in the grid; from 1 on.
  parameter int unsigned TieWidth = 42,
  localparam int unsigned SlotWidth = (TbSlots > 1) ? $clog2(TbSlots) : 1,
  localparam int unsigned CountWidth = 8
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// The TB slot in which one starts, at most one bit, with its warps, how many these are, and its number.
  input  logic [TbSlots-1:0] tb_start_i,
  input  logic [NumWarps-1:0] tb_warps_i,
  input  logic [CountWidth-1:0] tb_num_warps_i,
  input  logic [TieWidth-1:0] tb_tie_i,
  /// Warps that a barrier lets go on.
  input  logic [NumWarps-1:0] release_i,
  /// TB slot of warp w from bit w * SlotWidth on.
  output logic [NumWarps*SlotWidth-1:0] slot_o,
  /// Of the TB in slot t from bit t * width on.
  output logic [TbSlots*CountWidth-1:0] num_warps_o,
  output logic [TbSlots*TieWidth-1:0] tie_o,
  output logic [TbSlots*CountWidth-1:0] release_count_o
);

  logic [NumWarps*SlotWidth-1:0] slot_q;
  logic [TbSlots*CountWidth-1:0] num_warps_q;
  logic [TbSlots*TieWidth-1:0] tie_q;
  logic [SlotWidth-1:0] starts;

  assign slot_o = slot_q;
  assign num_warps_o = num_warps_q;
  assign tie_o = tie_q;

  always_comb begin
    starts = '0;
    for (int unsigned t = 0; t < TbSlots; t++) starts |= {SlotWidth{tb_start_i[t]}} & SlotWidth'(t);
  end
  for (genvar t = 0; t < TbSlots; t++) begin : gen_release
    logic [NumWarps-1:0] released;
    logic [$clog2(NumWarps+1)-1:0] count;
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      assign released[w] = release_i[w] && slot_q[w*SlotWidth+:SlotWidth] == SlotWidth'(t);
    end
    heddle_population_count #(
      .Inputs(NumWarps)
    ) i_count (
      .bits_i (released),
      .count_o(count)
    );
    assign release_count_o[t*CountWidth+:CountWidth] = CountWidth'(count);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slot_q <= '0;
      num_warps_q <= '0;
      tie_q <= '0;
    end else begin
      if (tb_start_i != '0) begin
        for (int unsigned w = 0; w < NumWarps; w++) if (tb_warps_i[w]) slot_q[w*SlotWidth+:SlotWidth] <= starts;
      end
      for (int unsigned t = 0; t < TbSlots; t++) begin
        if (tb_start_i[t]) begin
          num_warps_q[t*CountWidth+:CountWidth] <= tb_num_warps_i;
          tie_q[t*TieWidth+:TieWidth] <= tb_tie_i;
        end
      end
    end
  end

  if (NumWarps < 1 || NumWarps > 64 || TbSlots < 1 || TbSlots > 16) begin : gen_illegal_sizes
    $error("heddle_tb_table: expected NumWarps from 1 to 64 and TbSlots from 1 to 16");
  end
  if (TieWidth < 1) begin : gen_illegal_tie
    $error("heddle_tb_table: expected TieWidth from 1 on");
  end

endmodule
