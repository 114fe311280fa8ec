// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Numbers that groups divide among themselves, each group sorted in place by keys which another block keeps, the lowest
/// key first, equal ones by the lower number (hw::GroupSorter). An entry keeps its rank in its group: in the order in
/// force, which the last completed sort has made, and in the one that is worked on. Each group has comparators of its own
/// and a heddle_sort_control.
///
/// Latency: a sort that is asked for in cycle t has its first step in the CyclesPerCompare cycles from t + 1 on, each
/// further one behind it; rank_o has the result from the cycle after the last step on. A step compares up to Comparators
/// pairs of a turn. It reads keys and what goes with them in its ReadCycles-th cycle, into registers when CyclesPerCompare
/// is more than 1. Members that come or go restart the sort of their group.
module heddle_group_sorter #(
  /// Entries, 1 to 64.
  parameter int unsigned Entries = 48,
  /// Groups, 1 to 64.
  parameter int unsigned Groups = 8,
  /// Bits of a key with what breaks ties, 1 to 128.
  parameter int unsigned KeyWidth = 32,
  /// No two keys are equal; otherwise the lower number goes first.
  parameter bit KeysDiffer = 1'b0,
  /// First bits of a key, of those that fixed_i may leave as they are, 0 to KeyWidth; 0: there is no fixed_i.
  parameter int unsigned ClassWidth = 0,
  /// Comparisons at once of a group, 1 to Entries / 2.
  parameter int unsigned Comparators = 1,
  /// Cycles of a step, from 1 on.
  parameter int unsigned CyclesPerCompare = 1,
  /// Of these, until what is compared has been read, 1 to CyclesPerCompare.
  parameter int unsigned ReadCycles = 1,
  /// Members that leave alone in a cycle, 0 to 16.
  parameter int unsigned Removals = 1,
  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1,
  localparam int unsigned SizeWidth = $clog2(Entries + 1),
  localparam int unsigned GroupWidth = (Groups > 1) ? $clog2(Groups) : 1,
  localparam int unsigned Removes = (Removals > 0) ? Removals : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Group of entry e from bit e * GroupWidth on: while it is a member and in the cycle in which it comes.
  input  logic [Entries*GroupWidth-1:0] group_i,
  /// In a cycle all of a group leave first, then single ones, which are members; then one comes that was none, at the end
  /// of its group's order. Without Removals the lines of those that leave alone are ignored.
  input  logic [Groups-1:0] clear_i,
  input  logic [Removes-1:0] remove_i,
  input  logic [Removes*IdxWidth-1:0] remove_index_i,
  input  logic append_i,
  input  logic [IdxWidth-1:0] append_index_i,
  /// Has a group sorted, with what has come; during its sort: again, as soon as that is done.
  input  logic [Groups-1:0] start_i,
  /// Likewise, but gives up a sort under way; the order worked on is kept.
  input  logic [Groups-1:0] restart_i,
  /// Highest key first.
  input  logic [Groups-1:0] descending_i,
  /// Key of entry e from bit e * KeyWidth on.
  input  logic [Entries*KeyWidth-1:0] keys_i,
  /// Two of a class that are both fixed stay in the order they have; ignored without ClassWidth.
  input  logic [Entries-1:0] fixed_i,
  output logic [Groups-1:0] busy_o,
`ifdef FORMAL
  /// Of each group, from bit g * width on, and of each entry, what heddle_sort_control says of its sort, and the rank that
  /// is worked on.
  output logic [Groups*SizeWidth-1:0] turns_o,
  output logic [Groups*SizeWidth-1:0] place_o,
  output logic [Groups-1:0] swapped_o,
  output logic [Groups-1:0] clean_o,
  output logic [Groups-1:0] begins_o,
  output logic [Entries*IdxWidth-1:0] work_o,
`endif
  /// Those that are sorted in the next cycle.
  output logic [Groups-1:0] busy_next_o,
  /// Members, of any group.
  output logic [Entries-1:0] present_o,
  /// Rank of entry e from bit e * IdxWidth on; of others than members without meaning.
  output logic [Entries*IdxWidth-1:0] rank_o,
  /// Members of group g from bit g * SizeWidth on.
  output logic [Groups*SizeWidth-1:0] size_o
);

  localparam int unsigned Pairs = Groups * Comparators;
  localparam bit Classes = (ClassWidth > 0);
  /// What is read of an entry: its key and whether it is fixed.
  localparam int unsigned ReadWidth = KeyWidth + (Classes ? 1 : 0);
  localparam int unsigned RanksWidth = Entries * IdxWidth;
  localparam int unsigned RemovesWidth = $clog2(Removes + 1);

  logic [Entries-1:0] present_q, present_d, left;
  logic [RanksWidth-1:0] work_q, work_d, force_q, force_d;
  logic [Groups*SizeWidth-1:0] size_q, size_d, size_left;
  logic [Groups-1:0] several, changed, odd, step, done, read;
  logic [Pairs*IdxWidth-1:0] half;
  logic [Pairs-1:0] pair, swap;
  logic [Entries*Comparators-1:0] stands;  // entry e: where comparator c of its group compares
  logic [Entries-1:0] second;  // of the pair

  assign present_o = present_q;
  assign rank_o = force_q;
  assign size_o = size_q;

  function automatic logic in_group(input int unsigned entry, input int unsigned group);
    in_group = (Groups == 1) || 32'(group_i[entry*GroupWidth+:GroupWidth]) == group;
  endfunction

  // Who leaves, and of which rank those that leave alone are.
  logic [Removes-1:0] leaves;
  logic [Removes*Groups-1:0] leaves_group;
  logic [Removes*IdxWidth-1:0] work_rank, force_rank;
  for (genvar r = 0; r < Removes; r++) begin : gen_removal
    if (Removals > 0) begin : gen_one
      logic [GroupWidth-1:0] group;
      assign leaves[r] = remove_i[r];
      heddle_multiplexer #(
        .Inputs(Entries),
        .Width (IdxWidth)
      ) i_work_rank (
        .data_i (work_q),
        .index_i(remove_index_i[r*IdxWidth+:IdxWidth]),
        .data_o (work_rank[r*IdxWidth+:IdxWidth])
      );
      heddle_multiplexer #(
        .Inputs(Entries),
        .Width (IdxWidth)
      ) i_force_rank (
        .data_i (force_q),
        .index_i(remove_index_i[r*IdxWidth+:IdxWidth]),
        .data_o (force_rank[r*IdxWidth+:IdxWidth])
      );
      heddle_multiplexer #(
        .Inputs(Entries),
        .Width (GroupWidth)
      ) i_group (
        .data_i (group_i),
        .index_i(remove_index_i[r*IdxWidth+:IdxWidth]),
        .data_o (group)
      );
      for (genvar g = 0; g < Groups; g++) begin : gen_group
        assign leaves_group[r*Groups+g] = remove_i[r] && (Groups == 1 || 32'(group) == g);
      end
    end else begin : gen_none
      assign leaves[r] = 1'b0;
      assign work_rank[r*IdxWidth+:IdxWidth] = '0;
      assign force_rank[r*IdxWidth+:IdxWidth] = '0;
      assign leaves_group[r*Groups+:Groups] = '0;
    end
  end

  // The one that comes, and its group.
  logic [Entries-1:0] moves;
  logic [Groups-1:0] comes;
  logic [GroupWidth-1:0] append_group;
  heddle_multiplexer #(
    .Inputs(Entries),
    .Width (GroupWidth)
  ) i_append_group (
    .data_i (group_i),
    .index_i(append_index_i),
    .data_o (append_group)
  );
  always_comb begin
    moves = '0;
    for (int unsigned e = 0; e < Entries; e++) if (append_i) moves[e] = append_index_i == IdxWidth'(e);
    for (int unsigned g = 0; g < Groups; g++) comes[g] = append_i && (Groups == 1 || 32'(append_group) == g);
  end

  // Each group: its size and its sort.
  logic [SizeWidth-1:0] append_rank;
  always_comb begin
    append_rank = '0;
    for (int unsigned g = 0; g < Groups; g++) begin
      append_rank |= {SizeWidth{comes[g]}} & size_left[g*SizeWidth+:SizeWidth];
    end
  end
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [SizeWidth-1:0] fewer;
    logic [RemovesWidth-1:0] alone;  // that leave alone
    logic goes;
    always_comb begin
      alone = '0;
      goes = clear_i[g];
      for (int unsigned r = 0; r < Removes; r++) begin
        alone = alone + RemovesWidth'(leaves_group[r*Groups+g]);
        goes |= leaves_group[r*Groups+g];
      end
      fewer = (clear_i[g] ? '0 : size_q[g*SizeWidth+:SizeWidth]) - SizeWidth'(alone);
    end
    assign size_left[g*SizeWidth+:SizeWidth] = fewer;
    assign size_d[g*SizeWidth+:SizeWidth] = fewer + SizeWidth'(comes[g]);
    assign several[g] = fewer > SizeWidth'(1);
    assign changed[g] = goes || comes[g];
    heddle_sort_control #(
      .Entries         (Entries),
      .Comparators     (Comparators),
      .CyclesPerCompare(CyclesPerCompare),
      .ReadCycles      (ReadCycles)
    ) i_control (
      .clk_i,
      .rst_ni,
      .size_i     (size_q[g*SizeWidth+:SizeWidth]),
      .several_i  (several[g]),
      .enough_i   (size_d[g*SizeWidth+:SizeWidth] > SizeWidth'(1)),
      .changed_i  (changed[g]),
      .start_i    (start_i[g]),
      .restart_i  (restart_i[g]),
      .busy_o     (busy_o[g]),
`ifdef FORMAL
      .turns_o    (turns_o[g*SizeWidth+:SizeWidth]),
      .place_o    (place_o[g*SizeWidth+:SizeWidth]),
      .swapped_o  (swapped_o[g]),
      .clean_o    (clean_o[g]),
      .begins_o   (begins_o[g]),
`endif
      .busy_next_o(busy_next_o[g]),
      .odd_o      (odd[g]),
      .half_o     (half[g*Comparators*IdxWidth+:Comparators*IdxWidth]),
      .pair_o     (pair[g*Comparators+:Comparators]),
      .read_o     (read[g]),
      .step_o     (step[g]),
      .swap_i     (swap[g*Comparators+:Comparators]),
      .done_o     (done[g])
    );
  end

  // Which entries stand where their group compares. Pairs of the odd turn are those of the even one a place further.
  always_comb begin
    logic odd_turn;
    logic [IdxWidth-1:0] place;
    logic [IdxWidth:0] turned;
    stands = '0;
    second = '0;
    odd_turn = 1'b0;
    place = '0;
    turned = '0;
    if (busy_o != '0) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        odd_turn = 1'b0;
        for (int unsigned g = 0; g < Groups; g++) odd_turn |= in_group(e, g) & odd[g];
        turned = {1'b0, work_q[e*IdxWidth+:IdxWidth]} + (IdxWidth + 1)'(odd_turn);
        second[e] = turned[0];
        for (int unsigned c = 0; c < Comparators; c++) begin
          place = '0;
          for (int unsigned g = 0; g < Groups; g++) begin
            place |= {IdxWidth{in_group(e, g)}} & half[(g*Comparators+c)*IdxWidth+:IdxWidth];
          end
          stands[e*Comparators+c] = present_q[e] && turned[IdxWidth:1] == place;
        end
      end
    end
  end

  // Each comparator: what is read of the two that stand where it compares, and who they are.
  logic [Pairs*ReadWidth-1:0] first_read, second_read;
  logic [Pairs*IdxWidth-1:0] first_index, second_index;
  always_comb begin
    first_read = '0;
    second_read = '0;
    first_index = '0;
    second_index = '0;
    for (int unsigned e = 0; e < Entries; e++) begin
      for (int unsigned c = 0; c < Comparators; c++) begin
        if (stands[e*Comparators+c]) begin
          for (int unsigned g = 0; g < Groups; g++) begin
            if (in_group(e, g)) begin
              if (second[e]) begin
                second_index[(g*Comparators+c)*IdxWidth+:IdxWidth] |= IdxWidth'(e);
                second_read[(g*Comparators+c)*ReadWidth+:KeyWidth] |= keys_i[e*KeyWidth+:KeyWidth];
                if (Classes) second_read[(g*Comparators+c+1)*ReadWidth-1] |= fixed_i[e];
              end else begin
                first_index[(g*Comparators+c)*IdxWidth+:IdxWidth] |= IdxWidth'(e);
                first_read[(g*Comparators+c)*ReadWidth+:KeyWidth] |= keys_i[e*KeyWidth+:KeyWidth];
                if (Classes) first_read[(g*Comparators+c+1)*ReadWidth-1] |= fixed_i[e];
              end
            end
          end
        end
      end
    end
  end

  // Whether these are exchanged.
  for (genvar g = 0; g < Groups; g++) begin : gen_compare_group
    for (genvar c = 0; c < Comparators; c++) begin : gen_compare
      localparam int unsigned Own = g * Comparators + c;
      logic [ReadWidth-1:0] first_held, second_held;
      logic less, stays;

      if (CyclesPerCompare > 1) begin : gen_held
        logic [ReadWidth-1:0] first_q, second_q;
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            first_q <= '0;
            second_q <= '0;
          end else if (read[g]) begin
            first_q <= first_read[Own*ReadWidth+:ReadWidth];
            second_q <= second_read[Own*ReadWidth+:ReadWidth];
          end
        end
        assign first_held = first_q;
        assign second_held = second_q;
      end else begin : gen_live
        assign first_held = first_read[Own*ReadWidth+:ReadWidth];
        assign second_held = second_read[Own*ReadWidth+:ReadWidth];
      end

      if (KeysDiffer) begin : gen_keys
        heddle_comparator #(
          .Width(KeyWidth)
        ) i_compare (
          .a_i    (second_held[KeyWidth-1:0] ^ {KeyWidth{descending_i[g]}}),
          .b_i    (first_held[KeyWidth-1:0] ^ {KeyWidth{descending_i[g]}}),
          .less_o (less),
          .equal_o()
        );
      end else begin : gen_ties
        heddle_comparator #(
          .Width(KeyWidth + IdxWidth)
        ) i_compare (
          .a_i    ({second_held[KeyWidth-1:0] ^ {KeyWidth{descending_i[g]}}, second_index[Own*IdxWidth+:IdxWidth]}),
          .b_i    ({first_held[KeyWidth-1:0] ^ {KeyWidth{descending_i[g]}}, first_index[Own*IdxWidth+:IdxWidth]}),
          .less_o (less),
          .equal_o()
        );
      end
      if (Classes) begin : gen_classes
        assign stays = first_held[ReadWidth-1] && second_held[ReadWidth-1] &&
                       first_held[KeyWidth-1-:ClassWidth] == second_held[KeyWidth-1-:ClassWidth];
      end else begin : gen_no_classes
        assign stays = 1'b0;
      end
      assign swap[Own] = pair[Own] && less && !stays;
    end
  end

  // Each entry: whether it changes places, and whether the order worked on comes into force.
  logic [Entries-1:0] exchanged, takes;
  always_comb begin
    exchanged = '0;
    takes = '0;
    for (int unsigned e = 0; e < Entries; e++) begin
      for (int unsigned c = 0; c < Comparators; c++) begin
        if (stands[e*Comparators+c]) begin
          for (int unsigned g = 0; g < Groups; g++) begin
            exchanged[e] |= in_group(e, g) & step[g] & swap[g*Comparators+c];
          end
        end
      end
    end
    for (int unsigned g = 0; g < Groups; g++) begin
      if (done[g]) begin
        for (int unsigned e = 0; e < Entries; e++) takes[e] |= in_group(e, g);
      end
    end
  end

  // Its rank from the next cycle on.
  always_comb begin
    logic beside;  // it is of the group of which one leaves
    logic [RemovesWidth-1:0] work_less, force_less;  // that leave before it
    beside = 1'b0;
    work_less = '0;
    force_less = '0;
    left = present_q;
    work_d = work_q;
    force_d = force_q;
    for (int unsigned g = 0; g < Groups; g++) begin
      if (clear_i[g]) begin
        for (int unsigned e = 0; e < Entries; e++) left[e] &= !in_group(e, g);
      end
    end
    for (int unsigned e = 0; e < Entries; e++) begin
      if (exchanged[e]) begin
        work_d[e*IdxWidth+:IdxWidth] = second[e] ? work_q[e*IdxWidth+:IdxWidth] - 1'b1 :
                                                   work_q[e*IdxWidth+:IdxWidth] + 1'b1;
      end
      if (takes[e]) force_d[e*IdxWidth+:IdxWidth] = work_d[e*IdxWidth+:IdxWidth];
    end
    if (Removals > 0) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        work_less = '0;
        force_less = '0;
        for (int unsigned r = 0; r < Removes; r++) begin
          if (leaves[r] && remove_index_i[r*IdxWidth+:IdxWidth] == IdxWidth'(e)) left[e] = 1'b0;
          beside = 1'b0;
          for (int unsigned g = 0; g < Groups; g++) beside |= in_group(e, g) & leaves_group[r*Groups+g];
          work_less = work_less +
              RemovesWidth'(beside && work_rank[r*IdxWidth+:IdxWidth] < work_q[e*IdxWidth+:IdxWidth]);
          force_less = force_less +
              RemovesWidth'(beside && force_rank[r*IdxWidth+:IdxWidth] < force_q[e*IdxWidth+:IdxWidth]);
        end
        work_d[e*IdxWidth+:IdxWidth] = work_d[e*IdxWidth+:IdxWidth] - IdxWidth'(work_less);
        force_d[e*IdxWidth+:IdxWidth] = force_d[e*IdxWidth+:IdxWidth] - IdxWidth'(force_less);
      end
    end
    for (int unsigned e = 0; e < Entries; e++) begin
      if (moves[e]) begin
        work_d[e*IdxWidth+:IdxWidth] = IdxWidth'(append_rank);
        force_d[e*IdxWidth+:IdxWidth] = IdxWidth'(append_rank);
      end
    end
    present_d = left | moves;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      present_q <= '0;
      work_q <= '0;
      force_q <= '0;
      size_q <= '0;
    end else begin
      present_q <= present_d;
      work_q <= work_d;
      force_q <= force_d;
      size_q <= size_d;
    end
  end

  if (Entries < 1 || Entries > 64 || Groups < 1 || Groups > 64) begin : gen_illegal_entries
    $error("heddle_group_sorter: expected Entries and Groups from 1 to 64");
  end
  if (KeyWidth < 1 || KeyWidth > 128 || ClassWidth > KeyWidth) begin : gen_illegal_key
    $error("heddle_group_sorter: expected KeyWidth from 1 to 128 and ClassWidth of at most KeyWidth");
  end
  if (Removals > 16) begin : gen_illegal_removals
    $error("heddle_group_sorter: expected Removals from 0 to 16");
  end

`ifndef SYNTHESIS
  // Members and ranks are looked at when they have changed; for proofs always.
  logic look;
`ifdef FORMAL
  assign look = 1'b1;
`else
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) look <= 1'b1;
    else look <= {present_d, work_d, force_d, size_d} != {present_q, work_q, force_q, size_q};
  end
`endif
  // Of each group: who has a rank that another one has, or none that there is.
  logic [Entries-1:0] goes;
  logic two_of_a_rank, beyond, once;
  logic [Entries*GroupWidth-1:0] group_q;
  logic counted;
  always_comb begin
    two_of_a_rank = 1'b0;
    beyond = 1'b0;
    counted = 1'b1;
    for (int unsigned g = 0; g < Groups; g++) begin
      logic [SizeWidth-1:0] members;
      logic [Entries-1:0] in_work, in_force, work_bit, force_bit;  // ranks of members, in both orders
      members = '0;
      in_work = '0;
      in_force = '0;
      work_bit = '0;
      force_bit = '0;
      if (look) begin
        for (int unsigned e = 0; e < Entries; e++) begin
          if (present_q[e] && in_group(e, g)) begin
            members = members + 1'b1;
            if (SizeWidth'(work_q[e*IdxWidth+:IdxWidth]) >= size_q[g*SizeWidth+:SizeWidth]) beyond = 1'b1;
            if (SizeWidth'(force_q[e*IdxWidth+:IdxWidth]) >= size_q[g*SizeWidth+:SizeWidth]) beyond = 1'b1;
            work_bit = Entries'(1) << work_q[e*IdxWidth+:IdxWidth];
            force_bit = Entries'(1) << force_q[e*IdxWidth+:IdxWidth];
`ifdef FORMAL
            // A solver sees it pair by pair.
            for (int unsigned f = 0; f < e; f++) begin
              if (present_q[f] && in_group(f, g)) begin
                if (work_q[f*IdxWidth+:IdxWidth] == work_q[e*IdxWidth+:IdxWidth]) two_of_a_rank = 1'b1;
                if (force_q[f*IdxWidth+:IdxWidth] == force_q[e*IdxWidth+:IdxWidth]) two_of_a_rank = 1'b1;
              end
            end
`else
            if ((in_work & work_bit) != '0 || (in_force & force_bit) != '0) two_of_a_rank = 1'b1;
`endif
            in_work = in_work | work_bit;
            in_force = in_force | force_bit;
          end
        end
        if (members != size_q[g*SizeWidth+:SizeWidth]) counted = 1'b0;
      end
    end
    goes = '0;
    once = 1'b1;
    for (int unsigned r = 0; r < Removes; r++) begin
      if (leaves[r]) begin
        if (32'(remove_index_i[r*IdxWidth+:IdxWidth]) >= Entries || goes[remove_index_i[r*IdxWidth+:IdxWidth]]) once = 1'b0;
        goes[remove_index_i[r*IdxWidth+:IdxWidth]] = 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) group_q <= '0;
    else group_q <= group_i;
  end
  // The group of a member stays: it was that when it came.
  logic group_changes, group_beyond, cleared_too;
  always_comb begin
    group_changes = 1'b0;
    group_beyond = 1'b0;
    cleared_too = 1'b0;
    if (group_i != group_q) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        if (present_q[e] && Groups > 1) begin
          if (group_i[e*GroupWidth+:GroupWidth] != group_q[e*GroupWidth+:GroupWidth]) group_changes = 1'b1;
        end
        if (Groups > 1 && 32'(group_i[e*GroupWidth+:GroupWidth]) >= Groups) group_beyond = 1'b1;
      end
    end
    for (int unsigned e = 0; e < Entries; e++) begin
      if (goes[e]) begin
        for (int unsigned g = 0; g < Groups; g++) if (clear_i[g] && in_group(e, g)) cleared_too = 1'b1;
      end
    end
  end
  logic busy_needs_two, pair_is_there;
  always_comb begin
    busy_needs_two = 1'b1;
    pair_is_there = 1'b1;
    for (int unsigned g = 0; g < Groups; g++) begin
      if (busy_o[g] && size_q[g*SizeWidth+:SizeWidth] <= SizeWidth'(1)) busy_needs_two = 1'b0;
      if (busy_o[g] && !pair[g*Comparators]) pair_is_there = 1'b0;
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      GroupIsThere_M: assert (!group_beyond);
      GroupStays_M: assert (!group_changes);
      RemoveIsMember_M: assert (once && (goes & ~present_q) == '0 && !cleared_too);
      AppendIsNew_M: assert (!append_i || (!present_q[append_index_i] && 32'(append_index_i) < Entries));
      // Both orders of a group are permutations of its members.
      NoneTwice_A: assert (!two_of_a_rank);
      InRange_A: assert (!beyond);
      Counted_A: assert (counted);
      BusyNeedsTwo_A: assert (busy_needs_two);
      // A sort under way has a pair to compare.
      PairIsThere_A: assert (pair_is_there);
    end
  end
`ifdef FORMAL
  assign work_o = work_q;
`endif
`endif

endmodule
