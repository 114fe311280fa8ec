// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// That heddle_in_place_sorter ends sorted, for proofs alone: when nothing disturbs a sort, no member that goes before any
/// one stands behind one that does not (heddle_sort_rule).
module heddle_in_place_sorter_proof #(
  parameter int unsigned Entries = 8,
  parameter int unsigned KeyWidth = 2,
  parameter int unsigned Comparators = 1,
  parameter int unsigned CyclesPerCompare = 2,
  parameter bit Dynamic = 1'b1,
  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1,
  localparam int unsigned SizeWidth = $clog2(Entries + 1)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic clear_i,
  input logic remove_i,
  input logic [IdxWidth-1:0] remove_index_i,
  input logic append_i,
  input logic [IdxWidth-1:0] append_index_i,
  input logic start_i,
  input logic descending_i,
  input logic [Entries*KeyWidth-1:0] keys_i
);

  logic busy, swapped, clean, descending;
  logic [Entries*IdxWidth-1:0] order;
  logic [SizeWidth-1:0] size, turns, place;
  heddle_in_place_sorter #(
    .Entries         (Entries),
    .KeyWidth        (KeyWidth),
    .Comparators     (Comparators),
    .CyclesPerCompare(CyclesPerCompare),
    .Buffered        (1'b0),
    .Dynamic         (Dynamic)
  ) i_sorter (
    .clk_i,
    .rst_ni,
    .clear_i,
    .remove_i,
    .remove_index_i,
    .append_i,
    .append_index_i,
    .start_i,
    .descending_i,
    .keys_i,
    .busy_o    (busy),
    .busy_for_o(),
    .turns_o   (turns),
    .place_o   (place),
    .swapped_o (swapped),
    .clean_o   (clean),
    .descending_o(descending),
    .order_o   (order),
    .size_o    (size)
  );

  // Keys and direction at the start, and whether nothing has changed since. A sort begins with the cycle of the start, or
  // behind one in which members change, too.
  logic [Entries*KeyWidth-1:0] held, held_q;
  logic changes, begins, late_q, calm, calm_q, down, down_q;
  assign changes = clear_i || (Dynamic && (remove_i || append_i));
  assign begins = (start_i && !changes) || late_q;
  assign held = begins ? keys_i : held_q;
  assign down = !begins ? down_q : start_i ? descending_i : descending;
  assign calm = begins || (calm_q && keys_i == held_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= '0;
      calm_q <= 1'b0;
      late_q <= 1'b0;
      down_q <= 1'b0;
    end else begin
      held_q <= held;
      down_q <= down;
      calm_q <= calm && !changes;
      late_q <= start_i && changes && !clear_i && CyclesPerCompare > 1;
    end
  end

  // From any one on.
  (* anyconst *) logic [KeyWidth+IdxWidth-1:0] from;
  logic [Entries-1:0] high, high_place;
  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    assign high[e] = {held[e*KeyWidth+:KeyWidth] ^ {KeyWidth{down}}, IdxWidth'(e)} >= from;
  end
  for (genvar p = 0; p < Entries; p++) begin : gen_place
    assign high_place[p] = p < 32'(size) && high[order[p*IdxWidth+:IdxWidth]];
  end
  heddle_sort_rule #(
    .Entries(Entries)
  ) i_rule (
    .clk_i,
    .rst_ni,
    .calm_i   (calm),
    .begins_i (begins),
    .busy_i   (begins ? size > SizeWidth'(1) : busy),
    .size_i   (size),
    .turns_i  (begins ? '0 : turns),
    .place_i  (begins ? '0 : place),
    .swapped_i(!begins && swapped),
    .clean_i  (!begins && clean),
    .high_i   (high_place)
  );

  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni) begin
      if (late_q) BeginsAnew_A: assert ({turns, place, swapped, clean} == '0 && busy == (size > SizeWidth'(1)));
    end
    if (rst_ni) OneDirection_A: assert (!calm || begins || down == descending);
  end

endmodule
