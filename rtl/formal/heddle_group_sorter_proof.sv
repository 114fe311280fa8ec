// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// That heddle_group_sorter ends sorted, for proofs alone: when nothing disturbs the sort of a group, no member of it that
/// goes before any one stands behind one that does not (heddle_sort_rule).
module heddle_group_sorter_proof #(
  parameter int unsigned Entries = 8,
  parameter int unsigned Groups = 2,
  parameter int unsigned KeyWidth = 2,
  parameter bit KeysDiffer = 1'b0,
  parameter int unsigned Comparators = 1,
  parameter int unsigned CyclesPerCompare = 1,
  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1,
  localparam int unsigned SizeWidth = $clog2(Entries + 1),
  localparam int unsigned GroupWidth = (Groups > 1) ? $clog2(Groups) : 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [Entries*GroupWidth-1:0] group_i,
  input logic [Groups-1:0] clear_i,
  input logic remove_i,
  input logic [IdxWidth-1:0] remove_index_i,
  input logic append_i,
  input logic [IdxWidth-1:0] append_index_i,
  input logic [Groups-1:0] start_i,
  input logic [Groups-1:0] restart_i,
  input logic [Groups-1:0] descending_i,
  input logic [Entries*KeyWidth-1:0] keys_i
);

  logic [Groups-1:0] busy, busy_next, swapped, clean, begins;
  logic [Groups*SizeWidth-1:0] size, turns, place;
  logic [Entries-1:0] present;
  logic [Entries*IdxWidth-1:0] rank, work;
  heddle_group_sorter #(
    .Entries         (Entries),
    .Groups          (Groups),
    .KeyWidth        (KeyWidth),
    .KeysDiffer      (KeysDiffer),
    .Comparators     (Comparators),
    .CyclesPerCompare(CyclesPerCompare)
  ) i_sorter (
    .clk_i,
    .rst_ni,
    .group_i,
    .clear_i,
    .remove_i,
    .remove_index_i,
    .append_i,
    .append_index_i,
    .start_i,
    .restart_i,
    .descending_i,
    .keys_i,
    .fixed_i    ('0),
    .busy_o     (busy),
    .turns_o    (turns),
    .place_o    (place),
    .swapped_o  (swapped),
    .clean_o    (clean),
    .begins_o   (begins),
    .work_o     (work),
    .busy_next_o(busy_next),
    .present_o  (present),
    .rank_o     (rank),
    .size_o     (size)
  );

  // Of a group, whichever it is: keys and direction in the first cycle of its sort, and whether nothing has changed since.
  (* anyconst *) logic [GroupWidth-1:0] group;
  logic [Entries*KeyWidth-1:0] held, held_q;
  logic [Entries-1:0] members, members_q;
  logic first_q, calm, calm_q, down, down_q;
  for (genvar e = 0; e < Entries; e++) begin : gen_member
    assign members[e] = present[e] && (Groups == 1 || group_i[e*GroupWidth+:GroupWidth] == group);
  end
  assign held = first_q ? keys_i : held_q;
  assign down = first_q ? descending_i[group] : down_q;
  assign calm = first_q || (calm_q && keys_i == held_q && descending_i[group] == down_q && members == members_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 1'b0;
      calm_q <= 1'b0;
      held_q <= '0;
      down_q <= 1'b0;
      members_q <= '0;
    end else begin
      first_q <= begins[group];
      calm_q <= calm;
      held_q <= held;
      down_q <= down;
      members_q <= members;
    end
  end

  // From any one on.
  (* anyconst *) logic [KeyWidth+IdxWidth-1:0] from;
  logic [Entries-1:0] high, high_place;
  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    assign high[e] = members[e] && {held[e*KeyWidth+:KeyWidth] ^ {KeyWidth{down}},
                                    KeysDiffer ? {IdxWidth{1'b0}} : IdxWidth'(e)} >= from;
  end
  always_comb begin
    high_place = '0;
    for (int unsigned e = 0; e < Entries; e++) begin
      if (high[e]) high_place[work[e*IdxWidth+:IdxWidth]] = 1'b1;
    end
  end
  heddle_sort_rule #(
    .Entries(Entries)
  ) i_rule (
    .clk_i,
    .rst_ni,
    .calm_i   (calm),
    .begins_i (first_q),
    .busy_i   (busy[group]),
    .size_i   (size[group*SizeWidth+:SizeWidth]),
    .turns_i  (turns[group*SizeWidth+:SizeWidth]),
    .place_i  (place[group*SizeWidth+:SizeWidth]),
    .swapped_i(swapped[group]),
    .clean_i  (clean[group]),
    .high_i   (high_place)
  );

  logic [Entries-1:0] elsewhere;
  for (genvar e = 0; e < Entries; e++) begin : gen_force
    assign elsewhere[e] = members[e] && rank[e*IdxWidth+:IdxWidth] != work[e*IdxWidth+:IdxWidth];
  end
  initial assume (!rst_ni);
  always_comb begin
    assume (32'(group) < Groups);
    if (rst_ni) InForce_A: assert (!calm || busy[group] || elsewhere == '0);
  end

endmodule
