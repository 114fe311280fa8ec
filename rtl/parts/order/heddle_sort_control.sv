// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// What a group of heddle_group_sorter knows of its sort: which pairs are compared now, and when it ends. Adjacent pairs
/// in turn, those from even and those from odd places on, until two turns pass without a swap or there were as many
/// turns as members.
///
/// Latency: what is asked for in a cycle begins in the next one. A step takes CyclesPerCompare cycles.
module heddle_sort_control #(
  /// Members at most, 1 to 64.
  parameter int unsigned Entries = 48,
  /// Comparisons at once, 1 to Entries / 2.
  parameter int unsigned Comparators = 1,
  /// Cycles of a step, from 1 on.
  parameter int unsigned CyclesPerCompare = 1,
  /// Of these, until what is compared has been read, 1 to CyclesPerCompare.
  parameter int unsigned ReadCycles = 1,
  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1,
  localparam int unsigned SizeWidth = $clog2(Entries + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Members, before changes of this cycle.
  input  logic [SizeWidth-1:0] size_i,
  /// More than one is left when what leaves in this cycle has left: a sort under way goes on.
  input  logic several_i,
  /// More than one is there from the next cycle on.
  input  logic enough_i,
  /// Members leave, or one comes: a sort under way starts anew.
  input  logic changed_i,
  /// Asks for a sort; during one, for another one behind it.
  input  logic start_i,
  /// Asks for a sort, and gives up one under way.
  input  logic restart_i,
  output logic busy_o,
`ifdef FORMAL
  /// Of the last sort: turns that are over, the place below which pairs of this turn have been compared, whether one of them
  /// was exchanged, and none in the turn before; and whether another one begins in the next cycle.
  output logic [SizeWidth-1:0] turns_o,
  output logic [SizeWidth-1:0] place_o,
  output logic swapped_o,
  output logic clean_o,
  output logic begins_o,
`endif
  /// From the next cycle on.
  output logic busy_next_o,
  /// The turn of odd places.
  output logic odd_o,
  /// Comparator c from bit c * IdxWidth on: half of the pair's first place, rounded up.
  output logic [Comparators*IdxWidth-1:0] half_o,
  /// It has a pair.
  output logic [Comparators-1:0] pair_o,
  /// What is compared is read in this cycle.
  output logic read_o,
  /// The step ends: pairs are exchanged whose comparator says so in swap_i.
  output logic step_o,
  input  logic [Comparators-1:0] swap_i,
  /// The sort ends with this step.
  output logic done_o
);

  localparam int unsigned PairWidth = (IdxWidth > 1) ? IdxWidth - 1 : 1;
  localparam int unsigned NextWidth = SizeWidth + 1;

  logic busy_d, busy_q;
  logic again_d, again_q;
  logic [IdxWidth-1:0] phase_d, phase_q;  // turns that are over
  logic [PairWidth-1:0] pair_d, pair_q;  // next of the turn
  logic swapped_d, swapped_q;  // in this turn
  logic clean_d, clean_q;  // the turn before was without a swap
  logic goes_on, begins, renews, last_cycle;
  logic [SizeWidth-1:0] pairs;  // of the turn
  logic [NextWidth-1:0] next_pair;
  logic ends, any_swap;

  assign busy_o = busy_q;
  assign busy_next_o = busy_d;
  assign goes_on = busy_q && several_i;
  assign begins = (enough_i && (restart_i || (start_i && !goes_on))) || (goes_on && changed_i);

  assign odd_o = phase_q[0];
  assign pairs = (size_i - SizeWidth'(phase_q[0])) >> 1;
  for (genvar c = 0; c < Comparators; c++) begin : gen_pair
    assign half_o[c*IdxWidth+:IdxWidth] = IdxWidth'(pair_q) + IdxWidth'(c) + IdxWidth'(phase_q[0]);
    assign pair_o[c] = 32'(pair_q) + c < 32'(pairs);
  end

  if (CyclesPerCompare > 1) begin : gen_wait
    localparam int unsigned WaitWidth = $clog2(CyclesPerCompare);
    logic [WaitWidth-1:0] wait_q;
    assign last_cycle = wait_q == '0;
    assign read_o = busy_q && wait_q == WaitWidth'(CyclesPerCompare - ReadCycles);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) wait_q <= '0;
      else if (begins || last_cycle) wait_q <= WaitWidth'(CyclesPerCompare - 1);
      else wait_q <= wait_q - 1'b1;
    end
`ifndef SYNTHESIS
    always @(posedge clk_i) begin
      if (rst_ni) WaitInRange_A: assert (32'(wait_q) < CyclesPerCompare);
    end
`endif
  end else begin : gen_no_wait
    assign last_cycle = 1'b1;
    assign read_o = busy_q;
  end
  assign step_o = goes_on && !begins && last_cycle;

  assign next_pair = NextWidth'(pair_q) + NextWidth'(Comparators);
  assign ends = next_pair >= {1'b0, pairs};  // the turn
  assign any_swap = swapped_q || swap_i != '0;
  assign done_o = step_o && ends &&
                  ((clean_q && !any_swap) || 32'(phase_q) + 1 >= 32'(size_i) || size_i == SizeWidth'(2));
  assign renews = done_o && (again_q || start_i);

  always_comb begin
    busy_d = begins || renews || (goes_on && !done_o);
    again_d = goes_on && !begins && !done_o && (again_q || start_i);
    phase_d = phase_q;
    pair_d = pair_q;
    swapped_d = swapped_q;
    clean_d = clean_q;
    if (begins || renews) begin
      phase_d = '0;
      pair_d = '0;
      swapped_d = 1'b0;
      clean_d = 1'b0;
    end else if (step_o) begin
      pair_d = ends ? '0 : PairWidth'(next_pair);
      swapped_d = any_swap && !ends;
      if (ends) begin
        clean_d = !any_swap;
        phase_d = phase_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      again_q <= 1'b0;
      phase_q <= '0;
      pair_q <= '0;
      swapped_q <= 1'b0;
      clean_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      again_q <= again_d;
      phase_q <= phase_d;
      pair_q <= pair_d;
      swapped_q <= swapped_d;
      clean_q <= clean_d;
    end
  end

  if (Entries < 1 || Entries > 64) begin : gen_illegal_entries
    $error("heddle_sort_control: expected Entries from 1 to 64");
  end
  if (Comparators < 1 || (Comparators > 1 && Comparators > Entries / 2)) begin : gen_illegal_comparators
    $error("heddle_sort_control: expected Comparators from 1 to Entries / 2");
  end
  if (ReadCycles < 1 || ReadCycles > CyclesPerCompare) begin : gen_illegal_cycles
    $error("heddle_sort_control: expected CyclesPerCompare from 1 on and ReadCycles from 1 to CyclesPerCompare");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      SizeInRange_M: assert (32'(size_i) <= Entries);
      AgainWhileBusy_A: assert (!again_q || busy_q);
      DoneEndsOrRenews_A: assert (!done_o || !busy_next_o || again_q || start_i);
    end
  end
`ifdef FORMAL
  logic [SizeWidth-1:0] turns_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turns_q <= '0;
    else if (begins || renews) turns_q <= '0;
    else if (step_o && ends) turns_q <= turns_q + 1'b1;
  end
  assign turns_o = turns_q;
  assign place_o = SizeWidth'({pair_q, turns_q[0]});
  assign swapped_o = swapped_q;
  assign clean_o = clean_q;
  assign begins_o = begins || renews;
  always @(posedge clk_i) begin
    if (rst_ni && busy_q) TurnsAreCounted_A: assert (turns_q == SizeWidth'(phase_q));
  end
`endif
`endif

endmodule
