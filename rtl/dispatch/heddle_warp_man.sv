// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// WarpMan's dispatch checks and workload buffer of one SM (docs/thread-blocks.md, `core.resources.management`
/// `warp_temporal_spatial`; WarpMan 4.1 and 4.2, figures 13 and 14): whether a thread block (TB) can start there, with
/// how many of its warps, and which of the others starts when a warp ends.
///
/// What is free is counted in warp scheduler entries, in warps that the free registers are enough for, in TB slots and in
/// TBs that the free shared memory is enough for: all TBs that an SM holds are of one kernel, whose launch says how many
/// warps and TBs an empty SM's registers and shared memory are enough for.
///
/// Latency: all outputs in the same cycle; what starts and ends in a cycle is counted from the next one on. While the
/// workload buffer has unissued warps that do not all issue in the cycle, no TB starts. Warps that are issued from the
/// buffer take what is free before a TB that is offered in the same cycle.
module heddle_warp_man #(
  /// Warp scheduler entries of the SM, 1 to 64.
  parameter int unsigned NumWarps = 48,
  /// TB slots of the SM, 1 to 64.
  parameter int unsigned TbSlots = 8,
  /// Bits of a TB's number in its grid, from 1 on.
  parameter int unsigned TbWidth = 26,
  /// Bits of a warp's number in its TB, 1 to 16.
  parameter int unsigned WarpIdWidth = 5,
  localparam int unsigned SlotWidth = (TbSlots > 1) ? $clog2(TbSlots) : 1,
  localparam int unsigned CountWidth = $clog2(NumWarps + 1),
  localparam int unsigned TbCountWidth = $clog2(TbSlots + 1),
  localparam int unsigned TbWarpsWidth = WarpIdWidth + 1,
  localparam int unsigned BufferWidth = 1 + 2 * WarpIdWidth + TbWidth + SlotWidth,
  /// Holds a count of entries and one of a TB's warps.
  localparam int unsigned WideWidth = (CountWidth > TbWarpsWidth) ? CountWidth : TbWarpsWidth
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// The dispatcher asks for a TB of so many warps.
  input  logic offer_i,
  input  logic [TbWarpsWidth-1:0] offer_warps_i,
  /// Of its kernel: warps that the registers of an SM are enough for, at most NumWarps, and TBs that its shared memory is
  /// enough for, at most TbSlots.
  input  logic [CountWidth-1:0] offer_register_warps_i,
  input  logic [TbCountWidth-1:0] offer_shared_tbs_i,
  /// The TB starts, with start_warps_o warps, which are not 0: its slot and its number. May depend on start_warps_o.
  input  logic take_i,
  input  logic [SlotWidth-1:0] take_slot_i,
  input  logic [TbWidth-1:0] take_tb_i,
  /// By warp scheduler entry: warps that end.
  input  logic [NumWarps-1:0] warp_end_i,
  /// By TB slot: TBs that end.
  input  logic [TbSlots-1:0] tb_end_i,
  /// The whole TB can start.
  output logic full_o,
  /// So many of its warps can, the lowest ones; 0: none.
  output logic [TbWarpsWidth-1:0] start_warps_o,
  /// So many unissued warps issue, from this one on.
  output logic [TbWarpsWidth-1:0] issue_count_o,
  output logic [WarpIdWidth-1:0] issue_warp_o,
  /// From the highest bit on: valid, end_wid, start_wid, L_TBId, P_TBId.
  output logic [BufferWidth-1:0] buffer_o
);

  logic [CountWidth-1:0] entries_d, entries_q, registers_d, registers_q, registers;
  logic [TbCountWidth-1:0] slots_d, slots_q, shared_d, shared_q, shared_tbs;
  logic [SlotWidth-1:0] p_tb_q;
  logic [TbWidth-1:0] l_tb_q;
  logic [WarpIdWidth-1:0] start_d, start_q, end_d, end_q;
  logic valid_d, valid_q;

  logic [CountWidth-1:0] places, all_places;
  logic [TbWarpsWidth-1:0] behind;  // unissued warps but the next one
  logic [WideWidth-1:0] room;
  logic [CountWidth-1:0] ended, change;
  logic [TbCountWidth-1:0] tbs_ended;
  logic empty, waits, fits, partial;

  // What is issued from the buffer.
  assign places = (registers_q < entries_q) ? registers_q : entries_q;
  assign behind = {1'b0, end_q} - {1'b0, start_q};
  assign waits = valid_q && WideWidth'(places) <= WideWidth'(behind);
  assign issue_count_o = !valid_q ? '0 : waits ? TbWarpsWidth'(places) : behind + 1'b1;
  assign issue_warp_o = start_q;

  // The checks of a TB: as a whole, else of a warp. An SM without TBs has what its kernel's launch says.
  assign empty = 32'(slots_q) == TbSlots;
  assign registers = empty ? offer_register_warps_i : registers_q;
  assign shared_tbs = empty ? offer_shared_tbs_i : shared_q;
  assign all_places = (registers < entries_q) ? registers : entries_q;
  assign room = WideWidth'(all_places) - WideWidth'(issue_count_o);
  // While unissued warps are left there is none, as those that issue take all of it.
  assign fits = offer_i && slots_q != '0 && shared_tbs != '0;
  assign full_o = fits && room >= WideWidth'(offer_warps_i);
  assign start_warps_o = !fits ? '0 : full_o ? offer_warps_i : TbWarpsWidth'(room);

  assign partial = take_i && !full_o;

  heddle_population_count #(
    .Inputs(NumWarps)
  ) i_ended (
    .bits_i (warp_end_i),
    .count_o(ended)
  );
  heddle_population_count #(
    .Inputs(TbSlots)
  ) i_tbs_ended (
    .bits_i (tb_end_i),
    .count_o(tbs_ended)
  );
  assign change = ended - CountWidth'(issue_count_o) - (CountWidth'(start_warps_o) & {CountWidth{take_i}});
  assign entries_d = entries_q + change;
  assign registers_d = (take_i ? registers : registers_q) + change;
  assign slots_d = slots_q + tbs_ended - TbCountWidth'(take_i);
  assign shared_d = (take_i ? shared_tbs : shared_q) + tbs_ended - TbCountWidth'(take_i);

  always_comb begin
    valid_d = waits;
    start_d = (valid_q && !waits) ? end_q : start_q + WarpIdWidth'(issue_count_o);
    end_d = end_q;
    if (partial) begin
      valid_d = 1'b1;
      start_d = WarpIdWidth'(start_warps_o);
      end_d = WarpIdWidth'(offer_warps_i - 1'b1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      entries_q <= CountWidth'(NumWarps);
      registers_q <= '0;
      slots_q <= TbCountWidth'(TbSlots);
      shared_q <= '0;
      valid_q <= 1'b0;
      start_q <= '0;
      end_q <= '0;
      l_tb_q <= '0;
      p_tb_q <= '0;
    end else begin
      entries_q <= entries_d;
      registers_q <= registers_d;
      slots_q <= slots_d;
      shared_q <= shared_d;
      valid_q <= valid_d;
      start_q <= start_d;
      end_q <= end_d;
      if (partial) begin
        l_tb_q <= take_tb_i;
        p_tb_q <= take_slot_i;
      end
    end
  end

  assign buffer_o = {valid_q, end_q, start_q, l_tb_q, p_tb_q};

  if (NumWarps < 1 || NumWarps > 64 || TbSlots < 1 || TbSlots > 64) begin : gen_illegal
    $error("heddle_warp_man: expected NumWarps and TbSlots from 1 to 64");
  end
  if (TbWidth < 1 || WarpIdWidth < 1 || WarpIdWidth > 16) begin : gen_illegal_widths
    $error("heddle_warp_man: expected TbWidth from 1 on and WarpIdWidth from 1 to 16");
  end

`ifndef SYNTHESIS
`ifdef FORMAL
  always_comb begin
`else
  always @(posedge clk_i) begin  // between two edges what is taken and what can be may be of two cycles
`endif
    if (rst_ni) begin
      TakeWhatFits_M: assert (!take_i || start_warps_o != '0);
      OfferedWarps_M: assert (!offer_i || (offer_warps_i != '0 && 32'(offer_warps_i) <= 2 ** WarpIdWidth));
      OfferedLimits_M: assert (!offer_i || (32'(offer_register_warps_i) <= NumWarps && 32'(offer_shared_tbs_i) <= TbSlots));
    end
  end
  always_comb begin
    if (rst_ni) begin
      StartsAtMostAll_A: assert final (start_warps_o <= offer_warps_i || !offer_i);
      FullIsAll_A: assert final (!full_o || start_warps_o == offer_warps_i);
      NoneWithoutOffer_A: assert final (offer_i || start_warps_o == '0);
      // One partial TB at most: none starts while unissued warps are left.
      OnePartialTb_A: assert final (!waits || start_warps_o == '0);
      FreeInRange_A: assert final (32'(entries_q) <= NumWarps && 32'(slots_q) <= TbSlots);
    end
  end
`ifdef FORMAL
  // What is free and what warps and TBs have make up the SM; warps of a partial TB issue once each, in order.
  logic [CountWidth-1:0] running_q, limit_q;  // warps; that the registers are enough for
  logic [TbCountWidth-1:0] tbs_q, tb_limit_q;
  logic [TbWarpsWidth-1:0] tb_warps_q, issued_q;  // of the last partial TB
  logic one_q;
  logic [WideWidth:0] starting;

  assign starting = (WideWidth + 1)'(issue_count_o) + (WideWidth + 1)'(take_i ? start_warps_o : '0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= '0;
      limit_q <= '0;
      tbs_q <= '0;
      tb_limit_q <= '0;
      tb_warps_q <= '0;
      issued_q <= '0;
      one_q <= 1'b0;
    end else begin
      running_q <= running_q + CountWidth'(starting) - ended;
      tbs_q <= tbs_q + TbCountWidth'(take_i) - tbs_ended;
      if (take_i && tbs_q == '0) limit_q <= offer_register_warps_i;
      if (take_i && tbs_q == '0) tb_limit_q <= offer_shared_tbs_i;
      issued_q <= issued_q + issue_count_o;
      if (partial) begin
        one_q <= 1'b1;
        tb_warps_q <= offer_warps_i;
        issued_q <= start_warps_o;
      end
    end
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni) begin
      // Who ends was there, a TB after its warps, and what is offered to an SM with TBs is of their kernel.
      EndsRan_M: assert (ended <= running_q && tbs_ended <= tbs_q);
      TbEndsLast_M: assert (tbs_ended == '0 || tbs_ended < tbs_q || (running_q == ended && !valid_q));
      OneKernel_M: assert (!offer_i || tbs_q == '0 ||
          (offer_register_warps_i == limit_q && offer_shared_tbs_i == tb_limit_q));
      EntriesAreLeft_A: assert (32'(entries_q) + 32'(running_q) == NumWarps);
      SlotsAreLeft_A: assert (32'(slots_q) + 32'(tbs_q) == TbSlots);
      RegistersAreLeft_A: assert (tbs_q == '0 || 32'(registers_q) + 32'(running_q) == 32'(limit_q));
      SharedIsLeft_A: assert (tbs_q == '0 || 32'(shared_q) + 32'(tbs_q) == 32'(tb_limit_q));
      NoneRunsWithoutTb_A: assert (tbs_q != '0 || (running_q == '0 && !valid_q));
      // Figure 13: the whole TB, else one warp of it.
      WholeTbFits_A: assert (full_o == (offer_i && !waits && 32'(tbs_q) < TbSlots &&
          32'(tbs_q) < 32'(offer_shared_tbs_i) &&
          32'(running_q) + 32'(issue_count_o) + 32'(offer_warps_i) <= NumWarps &&
          32'(running_q) + 32'(issue_count_o) + 32'(offer_warps_i) <= 32'(offer_register_warps_i)));
      AWarpFits_A: assert ((start_warps_o != '0) == (offer_i && !waits && 32'(tbs_q) < TbSlots &&
          32'(tbs_q) < 32'(offer_shared_tbs_i) &&
          32'(running_q) + 32'(issue_count_o) < NumWarps &&
          32'(running_q) + 32'(issue_count_o) < 32'(offer_register_warps_i)));
      NoMoreThanFit_A: assert (start_warps_o == '0 ||
          (32'(running_q) + 32'(starting) <= NumWarps && 32'(running_q) + 32'(starting) <= 32'(offer_register_warps_i)) || !take_i);
      // The buffer: those that have not been issued, the next one first.
      NextIsIssued_A: assert (!valid_q || (one_q && 32'(start_q) == 32'(issued_q)));
      LastIsTbs_A: assert (!one_q || 32'(end_q) + 1 == 32'(tb_warps_q));
      UnissuedAreLeft_A: assert (!valid_q || issued_q < tb_warps_q);
      AllAreIssued_A: assert (!one_q || valid_q || issued_q == tb_warps_q);
      IssuesIfRoom_A: assert (!valid_q || 32'(running_q) == NumWarps || 32'(running_q) == 32'(limit_q) || issue_count_o != '0);
    end
  end
`endif
`endif

endmodule
