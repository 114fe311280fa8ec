// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Victim tags of CCWS (docs/schedulers/ccws.md; CcwsDetector): an array per warp with the tags of lines that it had
/// filled and that were evicted, the first one in replaced first. A warp that misses on one of them has lost locality.
///
/// What happens in a cycle does so to the tags that were there at its begin: one access that left the L1D is looked up,
/// a miss in its warp's array, a store in all of them; one evicted line comes; arrays of warps that start are emptied. A
/// tag that is found is dropped; a line that is looked up as it comes is found and does not come.
///
/// Latency: found_o is told in the cycle after the look-up; tags change with it. State: heddle_ccws_warp_tags per warp;
/// whether the last look-up has found a line that was lost, and whose.
module heddle_ccws_tags #(
  /// Warp slots of the SM, 2 to 64.
  parameter int unsigned NumWarps = 48,
  /// Bits of a line's number, its address without the place in the line.
  parameter int unsigned LineWidth = 33,
  /// Sets of an array, a power of two, and lines of a set.
  parameter int unsigned Sets = 2,
  parameter int unsigned Ways = 8,
  localparam int unsigned IdxWidth = (NumWarps > 1) ? $clog2(NumWarps) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Warps that start in this cycle.
  input  logic [NumWarps-1:0] start_i,
  /// A load of this warp has missed on this line, or a store has changed it, then of whichever warp.
  input  logic look_up_i,
  input  logic look_up_store_i,
  input  logic [IdxWidth-1:0] look_up_warp_i,
  input  logic [LineWidth-1:0] look_up_line_i,
  /// A line that this warp had filled was evicted. It is not among the warp's tags.
  input  logic evict_i,
  input  logic [IdxWidth-1:0] evict_warp_i,
  input  logic [LineWidth-1:0] evict_line_i,
  /// In the cycle before this warp has missed on a line that it had lost.
  output logic found_o,
  output logic [IdxWidth-1:0] found_warp_o
);

  localparam int unsigned SetBits = $clog2(Sets);
  localparam int unsigned SetWidth = (Sets > 1) ? SetBits : 1;
  localparam int unsigned TagWidth = LineWidth - SetBits;

  logic [SetWidth-1:0] look_up_set, evict_set;
  logic [TagWidth-1:0] look_up_tag, evict_tag;
  logic [NumWarps-1:0] has;  // looked up and there
  logic same_line, same_warp, met, found_d;

  if (Sets > 1) begin : gen_sets
    assign look_up_set = look_up_line_i[SetBits-1:0];
    assign evict_set = evict_line_i[SetBits-1:0];
  end else begin : gen_one_set
    assign look_up_set = '0;
    assign evict_set = '0;
  end
  assign look_up_tag = look_up_line_i[LineWidth-1:SetBits];
  assign evict_tag = evict_line_i[LineWidth-1:SetBits];

  heddle_comparator #(
    .Width   (LineWidth),
    .Equality(1'b1)
  ) i_same_line (
    .a_i    (look_up_line_i),
    .b_i    (evict_line_i),
    .less_o (),
    .equal_o(same_line)
  );
  heddle_comparator #(
    .Width   (IdxWidth),
    .Equality(1'b1)
  ) i_same_warp (
    .a_i    (look_up_warp_i),
    .b_i    (evict_warp_i),
    .less_o (),
    .equal_o(same_warp)
  );
  assign met = look_up_i && evict_i && same_line && (look_up_store_i || same_warp);

`ifdef FORMAL
  (* anyconst *) logic [LineWidth-1:0] watched_line;
  logic [SetWidth-1:0] watched_set;
  logic [TagWidth-1:0] watched_tag;
  logic [NumWarps-1:0] watched_has;  // there
  if (Sets > 1) begin : gen_watched_set
    assign watched_set = watched_line[SetBits-1:0];
  end else begin : gen_watched_one
    assign watched_set = '0;
  end
  assign watched_tag = watched_line[LineWidth-1:SetBits];
`endif

  for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
    logic looked_up, comes;
    assign looked_up = look_up_i && (look_up_store_i || look_up_warp_i == IdxWidth'(w));
    assign comes = evict_i && !met && evict_warp_i == IdxWidth'(w);
    heddle_ccws_warp_tags #(
      .Sets    (Sets),
      .Ways    (Ways),
      .TagWidth(TagWidth)
    ) i_warp (
      .clk_i,
      .rst_ni,
      .start_i      (start_i[w]),
      .look_up_i    (looked_up),
      .look_up_set_i(look_up_set),
      .look_up_tag_i(look_up_tag),
      .comes_i      (comes),
      .comes_set_i  (evict_set),
      .comes_tag_i  (evict_tag),
`ifdef FORMAL
      .watched_set_i(watched_set),
      .watched_tag_i(watched_tag),
      .watched_has_o(watched_has[w]),
`endif
      .has_o        (has[w])
    );
  end

  assign found_d = !look_up_store_i && (met || has != '0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      found_o <= 1'b0;
      found_warp_o <= '0;
    end else begin
      found_o <= found_d;
      if (found_d) found_warp_o <= look_up_warp_i;
    end
  end

  if (NumWarps < 2 || NumWarps > 64) begin : gen_illegal_warps
    $error("heddle_ccws_tags: expected NumWarps from 2 to 64");
  end
  if (Sets < 1 || (Sets & (Sets - 1)) != 0 || Ways < 1 || LineWidth < SetBits + 1 || LineWidth > 64) begin : gen_illegal
    $error("heddle_ccws_tags: expected Sets that are a power of two, Ways from 1 on, LineWidth above their bits");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      WarpsInRange_M: assert (32'(look_up_warp_i) < NumWarps && 32'(evict_warp_i) < NumWarps);
      FoundWarpInRange_A: assert (32'(found_warp_o) < NumWarps);
    end
  end
`ifdef FORMAL
  // Of a line and a warp, whichever they are: the tag is there at most since the line came, and until it is looked up,
  // changed by a store, or another warp starts in the slot.
  (* anyconst *) logic [IdxWidth-1:0] watched_warp;
  logic comes_now, goes_now, lost_q, came_q, asked_q, expected_q, missed_q;
  assign comes_now = evict_i && evict_warp_i == watched_warp && evict_line_i == watched_line;
  assign goes_now = look_up_i && look_up_line_i == watched_line && (look_up_store_i || look_up_warp_i == watched_warp);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lost_q <= 1'b0;
      came_q <= 1'b0;
      asked_q <= 1'b0;
      missed_q <= 1'b0;
      expected_q <= 1'b0;
    end else begin
      if (goes_now) lost_q <= 1'b0;
      else if (comes_now) lost_q <= 1'b1;
      else if (start_i[watched_warp]) lost_q <= 1'b0;
      came_q <= comes_now && !goes_now;
      asked_q <= goes_now && !look_up_store_i;
      missed_q <= look_up_i && !look_up_store_i;
      expected_q <= watched_has[watched_warp] || comes_now;
    end
  end
  always_comb begin
    if (rst_ni && 32'(watched_warp) < NumWarps) begin
      EvictedIsNotThere_M: assert (!comes_now || !watched_has[watched_warp]);
      OnlyWhatWasLost_A: assert (!watched_has[watched_warp] || lost_q);
      WhatComesIsThere_A: assert (!came_q || watched_has[watched_warp]);
      OnlyAMissFinds_A: assert (!found_o || missed_q);
      FoundIsTold_A: assert (!asked_q || found_o == expected_q);
      FoundByItsWarp_A: assert (!asked_q || !found_o || found_warp_o == watched_warp);
    end
  end
`endif
`endif

endmodule
