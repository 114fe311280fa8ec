// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// One scheduler's choice under PRO (docs/schedulers/pro.md): of the thread blocks (TBs) in their order the first with a
/// warp that may issue, and of that TB's warps in theirs the first. Combinational, without state.
module heddle_pro_choice #(
  /// Warps of the scheduler, 1 to 64.
  parameter int unsigned Warps = 24,
  /// TB slots, 1 to 16.
  parameter int unsigned TbSlots = 8,
  /// Bits of a warp's rank in its TB, 1 to 6.
  parameter int unsigned RankWidth = 6,
  localparam int unsigned SlotWidth = (TbSlots > 1) ? $clog2(TbSlots) : 1,
  localparam int unsigned IdxWidth = (Warps > 1) ? $clog2(Warps) : 1
) (
  /// Warps that may issue in this cycle and stand in the order of their TB.
  input  logic [Warps-1:0] ready_i,
  /// Likewise those whose I-buffer is stale; none of ready_i.
  input  logic [Warps-1:0] stale_i,
  /// TB slot of warp w from bit w * SlotWidth on, its rank in its TB from bit w * RankWidth on.
  input  logic [Warps*SlotWidth-1:0] slot_i,
  input  logic [Warps*RankWidth-1:0] rank_i,
  /// Rank of the TB in slot t from bit t * SlotWidth on.
  input  logic [TbSlots*SlotWidth-1:0] tb_rank_i,
  /// The choice, at most one bit.
  output logic [Warps-1:0] grant_o,
  /// Stale warps that come before it; all without a choice.
  output logic [Warps-1:0] passed_o
);

  logic [TbSlots*Warps-1:0] members;  // that are ready
  logic [TbSlots-1:0] requests, tb_before;
  logic [Warps-1:0] of_tb, ahead;
  logic any, found;
  logic [SlotWidth-1:0] tb, tb_rank;  // the first TB with a request, and its rank
  logic [IdxWidth-1:0] warp;
  logic [RankWidth-1:0] rank;

  always_comb begin
    members = '0;
    for (int unsigned w = 0; w < Warps; w++) begin
      if (ready_i[w]) begin
        for (int unsigned t = 0; t < TbSlots; t++) members[t*Warps+w] = slot_i[w*SlotWidth+:SlotWidth] == SlotWidth'(t);
      end
    end
  end
  for (genvar t = 0; t < TbSlots; t++) begin : gen_tb
    assign tb_before[t] = tb_rank_i[t*SlotWidth+:SlotWidth] < tb_rank;
  end
  heddle_request_groups #(
    .Groups(TbSlots),
    .Inputs(Warps)
  ) i_requests (
    .request_i(ready_i),
    .member_i (members),
    .group_o  (requests)
  );
  heddle_minimum_tree #(
    .Inputs(TbSlots),
    .Width (SlotWidth)
  ) i_tb (
    .valid_i(requests),
    .keys_i (tb_rank_i),
    .valid_o(any),
    .index_o(tb),
    .key_o  (tb_rank)
  );
  for (genvar w = 0; w < Warps; w++) begin : gen_of_tb
    assign of_tb[w] = slot_i[w*SlotWidth+:SlotWidth] == tb;
    assign ahead[w] = rank_i[w*RankWidth+:RankWidth] < rank;
  end
  heddle_minimum_tree #(
    .Inputs(Warps),
    .Width (RankWidth)
  ) i_warp (
    .valid_i(ready_i & of_tb),
    .keys_i (rank_i),
    .valid_o(found),
    .index_o(warp),
    .key_o  (rank)
  );
  // Who is before them, of the stale ones.
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) begin
      grant_o[w] = found && warp == IdxWidth'(w);
      passed_o[w] = 1'b0;
      if (stale_i[w]) begin
        passed_o[w] = !any;
        for (int unsigned t = 0; t < TbSlots; t++) begin
          passed_o[w] |= (slot_i[w*SlotWidth+:SlotWidth] == SlotWidth'(t)) & tb_before[t];
        end
        passed_o[w] |= of_tb[w] & ahead[w];
      end
    end
  end

  if (Warps < 1 || Warps > 64 || TbSlots < 1 || TbSlots > 16 || RankWidth < 1 || RankWidth > 6) begin : gen_illegal
    $error("heddle_pro_choice: expected Warps from 1 to 64, TbSlots from 1 to 16 and RankWidth from 1 to 6");
  end

`ifndef SYNTHESIS
  always_comb begin
    GrantOnehot_A: assert final ((grant_o & (grant_o - 1'b1)) == '0);
    GrantIsReady_A: assert final ((grant_o & ~ready_i) == '0);
    PassedIsStale_A: assert final ((passed_o & ~stale_i) == '0);
    // A warp of a TB slot that there is.
    GrantIfAny_A: assert final (!any || grant_o != '0);
  end
`ifdef FORMAL
  // Nobody who is ready is before the choice: by the TB, then by the rank in it.
  logic worse, stale_worse;
  logic [SlotWidth-1:0] own_tb;
  logic [TbSlots*SlotWidth-1:0] ranks;
  assign ranks = tb_rank_i;
  always_comb begin
    worse = 1'b0;
    stale_worse = 1'b0;
    own_tb = '0;
    for (int unsigned w = 0; w < Warps; w++) begin
      own_tb = slot_i[w*SlotWidth+:SlotWidth];
      for (int unsigned g = 0; g < Warps; g++) begin
        if (grant_o[g] && (ready_i[w] || stale_i[w]) && w != g && 32'(own_tb) < TbSlots) begin
          if (ranks[own_tb*SlotWidth+:SlotWidth] < ranks[slot_i[g*SlotWidth+:SlotWidth]*SlotWidth+:SlotWidth] ||
              (own_tb == slot_i[g*SlotWidth+:SlotWidth] &&
               rank_i[w*RankWidth+:RankWidth] < rank_i[g*RankWidth+:RankWidth])) begin
            if (ready_i[w]) worse = 1'b1;
            if (stale_i[w] && !passed_o[w]) stale_worse = 1'b1;
          end
        end
      end
    end
    FirstInOrder_A: assert (!worse);
    PassedInOrder_A: assert (!stale_worse);
  end
`endif
`endif

endmodule
