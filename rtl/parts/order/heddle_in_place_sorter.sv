// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// An array of numbers that is sorted in place by keys which another block keeps, equal keys by the lower number
/// (hw::InPlaceSorter): adjacent pairs are compared and swapped, even and odd pairs in turn, until two turns pass
/// without a swap or there were as many turns as members.
///
/// Latency: a sort that starts in cycle t ends its first step with cycle t + CyclesPerCompare - 1 and each further one
/// CyclesPerCompare later; order_o has the result of a step, when Buffered of the last step, from the next cycle
/// on. A step compares up to Comparators pairs of a turn. Members that come or go restart a sort under way, as
/// does start_i. Keys are read in the last cycle of a step: keys that change have to be given as they will be after
/// that cycle (heddle_counter_array's next_o).
module heddle_in_place_sorter #(
  /// Entries, 1 to 64.
  parameter int unsigned Entries = 48,
  /// Bits of a key, 1 to 64.
  parameter int unsigned KeyWidth = 32,
  /// Comparisons at once, 1 to Entries / 2.
  parameter int unsigned Comparators = 1,
  /// Cycles of a comparison, from 1 on.
  parameter int unsigned CyclesPerCompare = 1,
  /// Keys are copied when a sort starts.
  parameter bit Latched = 1'b0,
  /// The last completed order stays in force during a sort; otherwise the working order shows.
  parameter bit Buffered = 1'b1,
  /// Members come and go; otherwise all entries are members, in the order of their numbers at first.
  parameter bit Dynamic = 1'b1,
  /// Members that leave in a cycle, 1 to 16.
  parameter int unsigned Removals = 1,
  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1,
  localparam int unsigned SizeWidth = $clog2(Entries + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Without Dynamic members do not change. In a cycle all leave first, then some do, then one that is no member
  /// comes, at the end of the order.
  input  logic clear_i,
  input  logic [Removals-1:0] remove_i,
  input  logic [Removals*IdxWidth-1:0] remove_index_i,
  input  logic append_i,
  input  logic [IdxWidth-1:0] append_index_i,
  /// Begins to sort; a sort under way is given up, its working order kept.
  input  logic start_i,
  /// Highest key first, of the sort that starts.
  input  logic descending_i,
  /// Key of entry i from bit i * KeyWidth on.
  input  logic [Entries*KeyWidth-1:0] keys_i,
  output logic busy_o,
`ifdef FORMAL
  /// Cycles since the start that the sort under way has taken.
  output logic [31:0] busy_for_o,
  /// Of the last sort: turns that are over, the place below which pairs of this turn have been compared, whether one of them
  /// was exchanged, and none in the turn before; and its direction.
  output logic [SizeWidth-1:0] turns_o,
  output logic [SizeWidth-1:0] place_o,
  output logic swapped_o,
  output logic clean_o,
  output logic descending_o,
`endif
  /// Place p from bit p * IdxWidth on; places from size_o on are without meaning.
  output logic [Entries*IdxWidth-1:0] order_o,
  output logic [SizeWidth-1:0] size_o
);

  localparam int unsigned PairWidth = (IdxWidth > 1) ? IdxWidth - 1 : 1;
  localparam int unsigned NextWidth = SizeWidth + 1;
  localparam int unsigned OrderWidth = Entries * IdxWidth;

  /// `order` without the first place that has `index`: those behind move up.
  function automatic logic [OrderWidth-1:0] without(input logic [OrderWidth-1:0] order,
                                                    input logic [IdxWidth-1:0] index);
    logic moves;
    logic [OrderWidth+IdxWidth-1:0] behind;
    moves = 1'b0;
    behind = {{IdxWidth{1'b0}}, order};
    for (int unsigned p = 0; p < Entries; p++) begin
      if (order[p*IdxWidth+:IdxWidth] == index) moves = 1'b1;
      without[p*IdxWidth+:IdxWidth] = moves ? behind[(p+1)*IdxWidth+:IdxWidth] : order[p*IdxWidth+:IdxWidth];
    end
  endfunction

  /// The numbers from 0 on.
  function automatic logic [OrderWidth-1:0] in_turn();
    for (int unsigned p = 0; p < Entries; p++) in_turn[p*IdxWidth+:IdxWidth] = IdxWidth'(p);
  endfunction

  logic [OrderWidth-1:0] order_d, order_q;  // worked on
  logic [OrderWidth-1:0] members_order, members_force;  // with the changes of this cycle
  logic [OrderWidth-1:0] force_q;
  logic [SizeWidth-1:0] size_q, size;
  logic changed;
  logic too_few;  // were left for a moment: a sort under way ends with that
  logic busy_d, busy_q;
  logic descending_q, descending;
  logic [IdxWidth-1:0] phase_d, phase_q, phase;  // turns that are over
  logic [PairWidth-1:0] pair_d, pair_q, pair;  // next of the turn
  logic swapped_d, swapped_q, swapped;  // in this turn
  logic clean_d, clean_q, clean;  // the turn before was without a swap
  logic goes_on, restart, steps, sorted;

  assign busy_o = busy_q;
  assign size_o = size_q;
  assign order_o = Buffered ? force_q : order_q;

  if (Dynamic) begin : gen_members
    always_comb begin
      size = clear_i ? '0 : size_q;
      members_order = order_q;
      members_force = force_q;
      for (int unsigned r = 0; r < Removals; r++) begin
        if (remove_i[r]) begin
          members_order = without(members_order, remove_index_i[r*IdxWidth+:IdxWidth]);
          members_force = without(members_force, remove_index_i[r*IdxWidth+:IdxWidth]);
          size = size - 1'b1;
        end
      end
      too_few = remove_i != '0 && size <= SizeWidth'(1);
      for (int unsigned p = 0; p < Entries; p++) begin
        if (append_i && size == SizeWidth'(p)) begin
          members_order[p*IdxWidth+:IdxWidth] = append_index_i;
          members_force[p*IdxWidth+:IdxWidth] = append_index_i;
        end
      end
      if (append_i) size = size + 1'b1;
      changed = append_i || remove_i != '0;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) size_q <= '0;
      else size_q <= size;
    end
  end else begin : gen_all
    assign size_q = SizeWidth'(Entries);
    assign size = size_q;
    assign members_order = order_q;
    assign members_force = force_q;
    assign changed = 1'b0;
    assign too_few = 1'b0;
  end

  assign goes_on = busy_q && !clear_i && !too_few;
  assign restart = start_i || (goes_on && changed);
  assign descending = start_i ? descending_i : descending_q;
  assign phase = restart ? '0 : phase_q;
  assign pair = restart ? '0 : pair_q;
  assign swapped = !restart && swapped_q;
  assign clean = !restart && clean_q;

  logic step_ends;
  if (CyclesPerCompare > 1) begin : gen_wait
    localparam int unsigned WaitWidth = $clog2(CyclesPerCompare);
    logic [WaitWidth-1:0] wait_q;
    assign step_ends = (wait_q == '0) && !restart;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) wait_q <= '0;
      else if (restart) wait_q <= WaitWidth'(CyclesPerCompare - 2);
      else wait_q <= (wait_q == '0) ? WaitWidth'(CyclesPerCompare - 1) : wait_q - 1'b1;
    end
  end else begin : gen_no_wait
    assign step_ends = 1'b1;
  end
  // One member, or none, is in order at once.
  assign steps = (restart || goes_on) && step_ends && size > SizeWidth'(1);

  logic [Entries*KeyWidth-1:0] keys;
  if (Latched) begin : gen_latched
    logic [Entries*KeyWidth-1:0] keys_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) keys_q <= '0;
      else if (start_i) keys_q <= keys_i;
    end
    assign keys = (CyclesPerCompare == 1 && start_i) ? keys_i : keys_q;
  end else begin : gen_live
    assign keys = keys_i;
  end

  // What a step compares: with several cycles a step does not end in the cycle of a change.
  logic [OrderWidth-1:0] compared;
  assign compared = (CyclesPerCompare == 1) ? members_order : order_q;

  logic [Comparators-1:0] swaps;
  logic [Comparators*IdxWidth-1:0] places;  // the first of a pair
  logic [Comparators*IdxWidth-1:0] firsts, seconds;  // who stand there
  logic [SizeWidth-1:0] pairs;  // of the turn
  assign pairs = (size - SizeWidth'(phase[0])) >> 1;
  for (genvar c = 0; c < Comparators; c++) begin : gen_comparator
    logic [IdxWidth-1:0] place, first, second;
    logic [KeyWidth-1:0] first_key, second_key;
    logic less;

    assign place = IdxWidth'({pair, phase[0]}) + IdxWidth'(2 * c);
    assign places[c*IdxWidth+:IdxWidth] = place;
    assign firsts[c*IdxWidth+:IdxWidth] = first;
    assign seconds[c*IdxWidth+:IdxWidth] = second;
    heddle_multiplexer #(
      .Inputs(Entries),
      .Width (IdxWidth)
    ) i_first (
      .data_i (compared),
      .index_i(place),
      .data_o (first)
    );
    heddle_multiplexer #(
      .Inputs(Entries),
      .Width (IdxWidth)
    ) i_second (
      .data_i (compared),
      .index_i(place + 1'b1),
      .data_o (second)
    );
    heddle_multiplexer #(
      .Inputs(Entries),
      .Width (KeyWidth)
    ) i_first_key (
      .data_i (keys),
      .index_i(first),
      .data_o (first_key)
    );
    heddle_multiplexer #(
      .Inputs(Entries),
      .Width (KeyWidth)
    ) i_second_key (
      .data_i (keys),
      .index_i(second),
      .data_o (second_key)
    );
    heddle_comparator #(
      .Width(KeyWidth + IdxWidth)
    ) i_compare (
      .a_i    ({second_key ^ {KeyWidth{descending}}, second}),
      .b_i    ({first_key ^ {KeyWidth{descending}}, first}),
      .less_o (less),
      .equal_o()
    );
    assign swaps[c] = less && (32'(pair) + c < 32'(pairs));
  end

  logic [SizeWidth:0] next_pair;
  logic ends, any_swap;
  assign next_pair = NextWidth'(pair) + NextWidth'(Comparators);
  assign ends = next_pair >= {1'b0, pairs};  // the turn
  assign any_swap = swapped || swaps != '0;
  assign sorted = steps ? ends && ((clean && !any_swap) || 32'(phase) + 1 >= 32'(size) || size == SizeWidth'(2))
                        : restart && size <= SizeWidth'(1);

  always_comb begin
    order_d = members_order;
    phase_d = phase;
    pair_d = pair;
    swapped_d = swapped;
    clean_d = clean;
    busy_d = (restart || goes_on) && !sorted;
    if (steps) begin
      for (int unsigned c = 0; c < Comparators; c++) begin
        for (int unsigned p = 0; p + 1 < Entries; p++) begin
          if (swaps[c] && places[c*IdxWidth+:IdxWidth] == IdxWidth'(p)) begin
            order_d[p*IdxWidth+:IdxWidth] = seconds[c*IdxWidth+:IdxWidth];
            order_d[(p+1)*IdxWidth+:IdxWidth] = firsts[c*IdxWidth+:IdxWidth];
          end
        end
      end
      pair_d = ends ? '0 : PairWidth'(next_pair);
      swapped_d = any_swap && !ends;
      if (ends) begin
        clean_d = !any_swap;
        phase_d = phase + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      order_q <= Dynamic ? '0 : in_turn();
      busy_q <= 1'b0;
      descending_q <= 1'b0;
      phase_q <= '0;
      pair_q <= '0;
      swapped_q <= 1'b0;
      clean_q <= 1'b0;
    end else begin
      order_q <= order_d;
      busy_q <= busy_d;
      descending_q <= descending;
      phase_q <= phase_d;
      pair_q <= pair_d;
      swapped_q <= swapped_d;
      clean_q <= clean_d;
    end
  end

  if (Buffered) begin : gen_buffered
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) force_q <= Dynamic ? '0 : in_turn();
      else force_q <= sorted ? order_d : members_force;
    end
  end else begin : gen_shown
    assign force_q = order_q;
  end

  if (Entries < 1 || Entries > 64) begin : gen_illegal_entries
    $error("heddle_in_place_sorter: expected Entries from 1 to 64");
  end
  if (KeyWidth < 1 || KeyWidth > 64) begin : gen_illegal_key
    $error("heddle_in_place_sorter: expected KeyWidth from 1 to 64");
  end
  if (Comparators < 1 || (Comparators > 1 && Comparators > Entries / 2)) begin : gen_illegal_comparators
    $error("heddle_in_place_sorter: expected Comparators from 1 to Entries / 2");
  end
  if (CyclesPerCompare < 1 || Removals < 1 || Removals > 16) begin : gen_illegal_counts
    $error("heddle_in_place_sorter: expected CyclesPerCompare from 1 on and Removals from 1 to 16");
  end

`ifndef SYNTHESIS
  // The orders are looked at when they have changed or are to change; for proofs always.
  logic look;
`ifdef FORMAL
  assign look = 1'b1;
`else
  logic [OrderWidth-1:0] looked_order_q, looked_force_q;
  logic [SizeWidth-1:0] looked_size_q;
  assign look = order_q != looked_order_q || order_o != looked_force_q || size_q != looked_size_q || changed;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looked_order_q <= '0;
      looked_force_q <= '0;
      looked_size_q <= '0;
    end else begin
      looked_order_q <= order_q;
      looked_force_q <= order_o;
      looked_size_q <= size_q;
    end
  end
`endif
  logic [Entries-1:0] in_order, in_force, twice, leaves;
  logic [Entries-1:0] beyond;  // places with a number that no entry has
  logic once;  // none leaves by two lines
  logic in_range;  // only entries leave
  always_comb begin
    in_order = '0;
    in_force = '0;
    twice = '0;
    beyond = '0;
    if (look) begin
      for (int unsigned p = 0; p < Entries; p++) begin
        beyond[p] = SizeWidth'(p) < size_q &&
                    (32'(order_q[p*IdxWidth+:IdxWidth]) >= Entries || 32'(order_o[p*IdxWidth+:IdxWidth]) >= Entries);
        for (int unsigned i = 0; i < Entries; i++) begin
          if (SizeWidth'(p) < size_q && order_q[p*IdxWidth+:IdxWidth] == IdxWidth'(i)) begin
            if (in_order[i]) twice[i] = 1'b1;
            in_order[i] = 1'b1;
          end
          if (SizeWidth'(p) < size_q && order_o[p*IdxWidth+:IdxWidth] == IdxWidth'(i)) begin
            if (in_force[i]) twice[i] = 1'b1;
            in_force[i] = 1'b1;
          end
        end
      end
    end
    leaves = '0;
    once = 1'b1;
    in_range = 1'b1;
    for (int unsigned r = 0; r < Removals; r++) begin
      if (remove_i[r]) begin
        if (32'(remove_index_i[r*IdxWidth+:IdxWidth]) >= Entries) in_range = 1'b0;
        if (leaves[remove_index_i[r*IdxWidth+:IdxWidth]]) once = 1'b0;
        leaves[remove_index_i[r*IdxWidth+:IdxWidth]] = 1'b1;
      end
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      RemoveIsInRange_M: assert (!Dynamic || in_range);
      RemoveIsMember_M: assert (!Dynamic || (once && (leaves & ~in_order) == '0 && (!clear_i || remove_i == '0)));
      AppendIsNew_M: assert (!Dynamic || !append_i || clear_i || !in_order[append_index_i] || leaves[append_index_i]);
      AppendIsInRange_M: assert (!Dynamic || !append_i || 32'(append_index_i) < Entries);
      // Both orders have the same members, each once.
      NoneTwice_A: assert (twice == '0);
      InRange_A: assert (beyond == '0);
      SameMembers_A: assert (in_order == in_force);
      AllWithoutDynamic_A: assert (Dynamic || !look || in_order == '1);
      SizeInRange_A: assert (32'(size_q) <= Entries);
      BusyNeedsTwo_A: assert (!busy_q || size_q > SizeWidth'(1));
    end
  end
`ifdef FORMAL
  // As many turns as members at most, each of a step for so many comparators as even places have pairs, bound a sort.
  localparam int unsigned StepsOfTurn = (Entries / 2 + Comparators - 1) / Comparators;
  localparam int unsigned SortCycles = Entries * StepsOfTurn * CyclesPerCompare;
  localparam int unsigned SpentWidth = $clog2(SortCycles + 1) + 1;
  logic [SpentWidth-1:0] busy_for_q, steps_over, in_step;
  assign busy_for_o = 32'(busy_for_q);
  if (CyclesPerCompare > 1) begin : gen_in_step
    assign in_step = SpentWidth'(CyclesPerCompare - 1) - SpentWidth'(gen_wait.wait_q);
  end else begin : gen_all_of_step
    assign in_step = '0;
  end
  assign steps_over = SpentWidth'(phase_q) * SpentWidth'(StepsOfTurn) + SpentWidth'(pair_q) / SpentWidth'(Comparators);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_for_q <= '0;
    else if (restart) busy_for_q <= SpentWidth'(1);
    else if (busy_q && 32'(busy_for_q) < SortCycles) busy_for_q <= busy_for_q + 1'b1;
  end
  logic [SizeWidth-1:0] turns_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turns_q <= '0;
    else turns_q <= (restart ? '0 : turns_q) + SizeWidth'(steps && ends);
  end
  assign turns_o = turns_q;
  assign place_o = SizeWidth'({pair_q, turns_q[0]});
  assign swapped_o = swapped_q;
  assign clean_o = clean_q;
  assign descending_o = descending_q;
  always @(posedge clk_i) begin
    if (rst_ni && busy_q) begin
      TurnsAreCounted_A: assert (turns_q == SizeWidth'(phase_q));
      TurnsInRange_A: assert (32'(phase_q) < Entries && 32'(pair_q) < Entries / 2);
      IsOverInTime_A: assert (32'(busy_for_q) < SortCycles);
      AsItsSteps_A: assert (busy_for_q <= steps_over * SpentWidth'(CyclesPerCompare) + in_step);
    end
  end
`endif
`endif

endmodule
