// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Lost-locality scores and the cutoff of CCWS (docs/schedulers/ccws.md; CcwsCutoff). Scores rest at BaseScore and fall
/// back to it by one a cycle. Warps are sorted by descending score, ties by the lower warp, and walked over in that order
/// until their scores add up to the cutoff, BaseScore for each unfinished warp: those walked over are eligible. Slots
/// without an unfinished warp are sorted, too, and add nothing.
///
/// Scores are copied, sorted, walked over, a comparison and an addition at a time; then it all begins anew if a score was
/// above the base at the copy, or when one was set or the warps have changed since. So the last walk is of scores at the
/// base, and all warps are eligible. Warps that come or go do not end what is under way, which they could do faster than a
/// sort ends: those that come after the copy are among the found ones, and a walk that does not reach the cutoff any more
/// ends when it has found all. Whenever they come or go nothing is copied until the new cutoff is there: the way from the
/// warps to it through their count and one adder after the other has SettleCycles.
///
/// Latency: a score that is set in cycle t can be copied in t + 1; the sort begins a cycle after the copy, the walk
/// in the second cycle after the order is there, each of its additions takes CyclesPerWalk, and the set is in
/// force two cycles after the last one. State: heddle_decaying_counters with the scores, their copy, heddle_in_place_sorter
/// without a second order; who is unfinished, eligible, walked over; cutoff and what of its time is left; place, sum and
/// time left of the walk; the phase; whether there is something to copy.
module heddle_ccws_cutoff #(
  /// Warp slots of the SM, 2 to 64.
  parameter int unsigned NumWarps = 48,
  /// Bits of a score.
  parameter int unsigned ScoreWidth = 16,
  /// From 1 on.
  parameter int unsigned BaseScore = 100,
  /// The cutoff is given out times so much.
  parameter int unsigned Throttle = 8,
  /// Cycles of a comparison of the sort, of an addition of the walk, and from the warps to the cutoff, from 1 on each.
  parameter int unsigned CyclesPerCompare = 4,
  parameter int unsigned CyclesPerWalk = 4,
  parameter int unsigned SettleCycles = 4,
  localparam int unsigned IdxWidth = (NumWarps > 1) ? $clog2(NumWarps) : 1,
  localparam int unsigned SumWidth = ScoreWidth + IdxWidth,
  localparam int unsigned MultiplierWidth = $clog2(NumWarps * BaseScore * Throttle + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Warps that start in this cycle: eligible until a walk finds otherwise, at the base.
  input  logic [NumWarps-1:0] start_i,
  /// Warps that issue their exit in this cycle.
  input  logic [NumWarps-1:0] finish_i,
  /// Sets the score of a warp, BaseScore at least.
  input  logic set_i,
  input  logic [IdxWidth-1:0] set_warp_i,
  input  logic [ScoreWidth-1:0] set_score_i,
  /// Unfinished warps in the next cycle.
  output logic [NumWarps-1:0] next_active_o,
  /// Throttle x cutoff.
  output logic [MultiplierWidth-1:0] throttled_o,
  output logic [NumWarps-1:0] eligible_o
);

  /// The bits of the base that are 0 below its lowest one are 0 in its multiples.
  function automatic int unsigned zeros_of(input int unsigned number);
    zeros_of = 0;
    for (int unsigned b = 0; b < 16; b++) begin
      if ((number & ((2 << b) - 1)) == 0) zeros_of = b + 1;
    end
  endfunction

  localparam int unsigned Zeros = zeros_of(BaseScore);
  localparam int unsigned Odd = BaseScore >> Zeros;
  localparam int unsigned CutoffWidth = $clog2(NumWarps * Odd + 1);
  localparam int unsigned CountWidth = $clog2(NumWarps + 1);
  localparam int unsigned SettleWidth = $clog2(SettleCycles + 1);
  localparam logic [1:0] Idle = 2'd0;
  localparam logic [1:0] Begin = 2'd1;  // the sort begins
  localparam logic [1:0] Sort = 2'd2;
  localparam logic [1:0] Walk = 2'd3;

  logic [NumWarps-1:0] active_d, active_q;
  logic changes, none;
  assign active_d = (active_q & ~finish_i) | start_i;
  assign next_active_o = active_d;
  assign changes = (start_i | finish_i) != '0;
  assign none = active_q == '0;

  // Scores.
  logic [NumWarps*ScoreWidth-1:0] scores, keys_q;
  logic above;
  heddle_decaying_counters #(
    .Entries(NumWarps),
    .Width  (ScoreWidth),
    .Floor  (ScoreWidth'(BaseScore)),
    .Clamps (1'b0)
  ) i_scores (
    .clk_i,
    .rst_ni,
    .write_i      (set_i),
    .write_index_i(set_warp_i),
    .write_data_i (set_score_i),
    .reset_i      (start_i),
    .values_o     (scores),
    .above_o      (above)
  );

  // The cutoff: shifted copies of the count added up, then of that.
  logic [SettleWidth-1:0] settle_d, settle_q;
  logic settled;
  logic [CountWidth-1:0] count, count_or_one;
  logic [CutoffWidth-1:0] odd_cutoff_q, odd_multiple;
  logic [SumWidth-1:0] cutoff;
  heddle_population_count #(
    .Inputs(NumWarps)
  ) i_count (
    .bits_i (active_q),
    .count_o(count)
  );
  assign count_or_one = {count[CountWidth-1:1], count[0] || none};
  always_comb begin
    odd_multiple = '0;
    for (int unsigned b = 0; b < 16; b++) begin
      if (((Odd >> b) & 1) != 0) odd_multiple = odd_multiple + (CutoffWidth'(count_or_one) << b);
    end
  end
  assign cutoff = SumWidth'(odd_cutoff_q) << Zeros;
  always_comb begin
    settle_d = settle_q;
    if (changes) settle_d = SettleWidth'(SettleCycles);
    else if (settle_q != '0) settle_d = settle_q - 1'b1;
  end
  assign settled = settle_q == '0;

  if ((Throttle & (Throttle - 1)) == 0) begin : gen_shift
    assign throttled_o = MultiplierWidth'(cutoff) << $clog2(Throttle);
  end else begin : gen_throttle
    logic [MultiplierWidth-1:0] throttled_q;
    logic [MultiplierWidth-1:0] throttled;
    always_comb begin
      throttled = '0;
      for (int unsigned b = 0; b < 9; b++) begin
        if (((Throttle >> b) & 1) != 0) throttled = throttled + (MultiplierWidth'(odd_multiple) << (Zeros + b));
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) throttled_q <= MultiplierWidth'(BaseScore * Throttle);
      else if (settle_q == SettleWidth'(1)) throttled_q <= throttled;
    end
    assign throttled_o = throttled_q;
  end

  // Sort and walk.
  logic [1:0] phase_d, phase_q;
  logic copies, unsorted_d, unsorted_q, sorter_busy, reached, ends, adds, below;
  logic [NumWarps*IdxWidth-1:0] order;
  logic [IdxWidth-1:0] place_q, next_place, walked;
  logic [ScoreWidth-1:0] score;
  logic counts, walk_ends;
  logic [SumWidth-1:0] sum_q, next_sum;
  logic [NumWarps-1:0] found_q, eligible_d, eligible_q;

  assign copies = phase_q == Idle && settled && !none && unsorted_q;
  assign unsorted_d = (unsorted_q && !copies) || changes || set_i || above;
  logic [$clog2(NumWarps+1)-1:0] unused_size;
  heddle_in_place_sorter #(
    .Entries         (NumWarps),
    .KeyWidth        (ScoreWidth),
    .CyclesPerCompare(CyclesPerCompare),
    .Buffered        (1'b0),
    .Dynamic         (1'b0)
  ) i_sorter (
    .clk_i,
    .rst_ni,
    .clear_i       (1'b0),
    .remove_i      (1'b0),
    .remove_index_i('0),
    .append_i      (1'b0),
    .append_index_i('0),
    .start_i       (phase_q == Begin),
    .descending_i  (1'b1),
    .keys_i        (keys_q),
    .busy_o        (sorter_busy),
`ifdef FORMAL
    .busy_for_o    (sorting_for),
`endif
    .order_o       (order),
    .size_o        (unused_size)
  );

  heddle_multiplexer #(
    .Inputs(NumWarps),
    .Width (IdxWidth)
  ) i_walk_order (
    .data_i (order),
    .index_i(place_q),
    .data_o (walked)
  );
  heddle_multiplexer #(
    .Inputs(NumWarps),
    .Width (ScoreWidth)
  ) i_walk_score (
    .data_i (keys_q),
    .index_i(walked),
    .data_o (score)
  );
  heddle_multiplexer #(
    .Inputs(NumWarps),
    .Width (1)
  ) i_walk_active (
    .data_i (active_q),
    .index_i(walked),
    .data_o (counts)
  );
  heddle_adder #(
    .Width      (SumWidth),
    .AmountWidth(ScoreWidth)
  ) i_sum (
    .a_i       (sum_q),
    .amount_i  (score & {ScoreWidth{counts}}),
    .subtract_i(1'b0),
    .sum_o     (next_sum),
    .overflow_o()
  );
  heddle_adder #(
    .Width      (IdxWidth),
    .AmountWidth(1)
  ) i_next_place (
    .a_i       (place_q),
    .amount_i  (1'b1),
    .subtract_i(1'b0),
    .sum_o     (next_place),
    .overflow_o()
  );
  heddle_comparator #(
    .Width(SumWidth)
  ) i_reached (
    .a_i    (sum_q),
    .b_i    (cutoff),
    .less_o (below),
    .equal_o()
  );
  assign reached = !below;
`ifdef FORMAL
  logic [31:0] sorting_for, walk_wait;
`endif
  if (CyclesPerWalk > 1) begin : gen_wait
    localparam int unsigned WaitWidth = $clog2(CyclesPerWalk);
    logic [WaitWidth-1:0] wait_q;
    assign walk_ends = wait_q == '0;
`ifdef FORMAL
    assign walk_wait = 32'(wait_q);
`endif
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) wait_q <= '0;
      else if (phase_q != Walk || walk_ends) wait_q <= WaitWidth'(CyclesPerWalk - 1);
      else wait_q <= wait_q - 1'b1;
    end
  end else begin : gen_no_wait
    assign walk_ends = 1'b1;
`ifdef FORMAL
    assign walk_wait = '0;
`endif
  end
  assign adds = phase_q == Walk && !ends && walk_ends;
  assign ends = phase_q == Walk && (reached || (&found_q));
  assign eligible_d = ((ends ? found_q & active_q : eligible_q) & ~finish_i) | start_i;
  assign eligible_o = eligible_q;

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      Idle: if (copies) phase_d = Begin;
      Begin: phase_d = Sort;
      Sort: if (!sorter_busy) phase_d = Walk;
      default: if (ends) phase_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= '0;
      eligible_q <= '0;
      settle_q <= '0;
      odd_cutoff_q <= CutoffWidth'(Odd);
      keys_q <= {NumWarps{ScoreWidth'(BaseScore)}};
      phase_q <= Idle;
      unsorted_q <= 1'b0;
      place_q <= '0;
      sum_q <= '0;
      found_q <= '0;
    end else begin
      active_q <= active_d;
      eligible_q <= eligible_d;
      settle_q <= settle_d;
      if (settle_q == SettleWidth'(1)) odd_cutoff_q <= odd_multiple;
      if (copies) keys_q <= scores;
      phase_q <= phase_d;
      unsorted_q <= unsorted_d;
      found_q <= copies ? start_i : found_q | start_i;
      if (phase_q != Walk) begin
        place_q <= '0;
        sum_q <= '0;
      end else if (adds) begin
        place_q <= next_place;
        sum_q <= next_sum;
        for (int unsigned w = 0; w < NumWarps; w++) begin
          if (walked == IdxWidth'(w)) found_q[w] <= 1'b1;
        end
      end
    end
  end

  if (NumWarps < 2 || NumWarps > 64) begin : gen_illegal_warps
    $error("heddle_ccws_cutoff: expected NumWarps from 2 to 64");
  end
  if (BaseScore < 1 || ScoreWidth > 16 || BaseScore >= (1 << ScoreWidth) || Throttle < 1 || Throttle > 256) begin : gen_illegal_scores
    $error("heddle_ccws_cutoff: expected a BaseScore that is a score of up to 16 bits, and Throttle from 1 to 256");
  end
  if (CyclesPerCompare < 1 || CyclesPerWalk < 1 || SettleCycles < 1) begin : gen_illegal_cycles
    $error("heddle_ccws_cutoff: expected cycles from 1 on");
  end

  logic _unused;
  assign _unused = ^unused_size;

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StartsFinishOnce_M: assert ((start_i & active_q) == '0 && (finish_i & ~active_q) == '0);
      SetInRange_M: assert (!set_i || (32'(set_warp_i) < NumWarps && 32'(set_score_i) >= BaseScore));
      EligibleIsActive_A: assert ((eligible_q & ~active_q) == '0);
    end
  end
`ifdef FORMAL
  // The cutoff is that of the warps; those walked over are the first of the order, and those that have come since the copy;
  // the sum is of the first, unless warps have changed in the walk; without the last one it was below the cutoff. What all
  // scores add up to reaches it, so that a walk ends. What is under way goes on to its end. When there is nothing to copy
  // scores are at the base, and nobody is held back. A solver does not see what sums of many are. It does of those below each
  // warp, one after the other.
  localparam int unsigned SumsWidth = SumWidth + 1;
  // Below warp w, from bit w * width on: unfinished warps, BaseScore for each, their scores, those of them walked over.
  logic [(NumWarps+1)*CountWidth-1:0] counts_of;
  logic [(NumWarps+1)*SumsWidth-1:0] base_of, all_of, found_of, found_of_q;
  logic [NumWarps:0] missing;  // below warp w one is not walked over
  logic [NumWarps-1:0] wrong_base, too_little, wrong_found, wrong_missing;
  logic [SumsWidth-1:0] base_sum, all_sum, found_sum, before_q, amount_q;
  logic [IdxWidth-1:0] added_q;  // the warp that the last addition was of
  logic [CountWidth-1:0] place_all_q;
  logic [NumWarps-1:0] prefix, prefix_q, below_base;
  logic [NumWarps-1:0] calm_q;  // eligible as the last walk had it
  logic walked_q;               // a walk has ended since the warps changed
  logic owed_q;                 // a copy is, since something has changed or a score was above the base
  logic wanted_q;               // in the cycle before a copy was wanted
  logic under_way_q;            // likewise a sort or walk was under way and has not ended
  logic still_q;                // no warps have changed in the walk
  logic [NumWarps-1:0] came_q;  // warps that have started since the copy
  logic [NumWarps-1:0] kept_q;  // what may load: kept, or found as a walk ends
  logic [SumWidth-1:0] exceeds_q;  // the cutoff at the last addition
  logic [SumWidth-1:0] cutoff_before_q;
  logic settles_q;  // in the cycle before the cutoff's time was over
  always_comb begin
    prefix = '0;
    for (int unsigned p = 0; p < NumWarps; p++) begin
      if (CountWidth'(p) < place_all_q) prefix[order[p*IdxWidth+:IdxWidth]] = 1'b1;
    end
  end
  assign counts_of[CountWidth-1:0] = '0;
  assign {base_of[SumsWidth-1:0], all_of[SumsWidth-1:0], found_of[SumsWidth-1:0]} = '0;
  assign missing[0] = 1'b0;
  for (genvar w = 0; w < NumWarps; w++) begin : gen_below
    localparam int unsigned From = w * SumsWidth;
    localparam int unsigned To = From + SumsWidth;
    logic [ScoreWidth-1:0] key;
    logic [CountWidth-1:0] warps;
    logic [SumsWidth-1:0] base, all, found;
    assign key = keys_q[w*ScoreWidth+:ScoreWidth];
    assign warps = counts_of[w*CountWidth+:CountWidth] + CountWidth'(active_q[w]);
    assign base = base_of[From+:SumsWidth] + (active_q[w] ? SumsWidth'(BaseScore) : '0);
    assign all = all_of[From+:SumsWidth] + (active_q[w] ? SumsWidth'(key) : '0);
    assign found = found_of[From+:SumsWidth] + ((active_q[w] && prefix[w]) ? SumsWidth'(key) : '0);
    assign counts_of[(w+1)*CountWidth+:CountWidth] = warps;
    assign base_of[To+:SumsWidth] = base;
    assign all_of[To+:SumsWidth] = all;
    assign found_of[To+:SumsWidth] = found;
    assign missing[w+1] = missing[w] || (active_q[w] && !prefix[w]);
    assign below_base[w] = 32'(key) < BaseScore;
    assign wrong_base[w] = base != SumsWidth'(warps) * SumsWidth'(BaseScore);
    assign too_little[w] = all < base;
    // As the last addition has left it; before the first one there is nothing.
    assign wrong_found[w] =
        found != ((place_all_q == '0) ? '0 : found_of_q[To+:SumsWidth] + ((32'(added_q) <= w) ? amount_q : '0));
    assign wrong_missing[w] = found > base || (missing[w+1] && found == base);
  end
  assign base_sum = base_of[NumWarps*SumsWidth+:SumsWidth];
  assign all_sum = all_of[NumWarps*SumsWidth+:SumsWidth];
  assign found_sum = found_of[NumWarps*SumsWidth+:SumsWidth];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      place_all_q <= '0;
      before_q <= '0;
      calm_q <= '0;
      walked_q <= 1'b0;
      owed_q <= 1'b0;
      wanted_q <= 1'b0;
      under_way_q <= 1'b0;
      still_q <= 1'b1;
      came_q <= '0;
      exceeds_q <= '1;
      kept_q <= '0;
      cutoff_before_q <= SumWidth'(BaseScore);
      settles_q <= 1'b0;
      found_of_q <= '0;
      amount_q <= '0;
      added_q <= '0;
      prefix_q <= '0;
    end else begin
      if (changes || set_i || above) owed_q <= 1'b1;
      else if (phase_q == Idle && settled && !none) owed_q <= 1'b0;
      wanted_q <= phase_q == Idle && settled && !none && owed_q;
      under_way_q <= phase_q != Idle && !ends;
      still_q <= phase_q != Walk || (still_q && !changes);
      came_q <= copies ? start_i : came_q | start_i;
      if (adds) exceeds_q <= cutoff;
      kept_q <= ((ends ? found_q & active_q : eligible_q) & ~finish_i) | start_i;
      cutoff_before_q <= cutoff;
      settles_q <= settle_q == SettleWidth'(1);
      found_of_q <= found_of;
      amount_q <= adds ? SumsWidth'(score & {ScoreWidth{counts}}) : '0;
      added_q <= walked;
      prefix_q <= adds ? prefix | (NumWarps'(1) << walked) : prefix;
      if (phase_q != Walk) place_all_q <= '0;
      else if (adds) place_all_q <= place_all_q + 1'b1;
      if (adds) before_q <= SumsWidth'(sum_q);
      if (changes) walked_q <= 1'b0;
      else if (ends) walked_q <= 1'b1;
      if (ends) calm_q <= found_q & active_q;
    end
  end

  // How long it holds warps back at most: scores fall to the base, what is under way ends, then a sort and a walk of scores
  // at the base.
  localparam int unsigned SortCycles = NumWarps * (NumWarps / 2) * CyclesPerCompare;
  localparam int unsigned RoundCycles = SortCycles + NumWarps * CyclesPerWalk + 2;  // from the begin of a sort on
  localparam int unsigned FallCycles = (1 << ScoreWidth) - 1 - BaseScore;
  localparam int unsigned RestCycles = (FallCycles > SettleCycles) ? FallCycles : SettleCycles;
  localparam int unsigned HeldCycles = RestCycles + 2 * RoundCycles + 1;
  localparam int unsigned QuietWidth = $clog2(HeldCycles + 1) + 1;
  logic [QuietWidth-1:0] quiet_q;  // cycles since a score was set or warps have changed
  logic [QuietWidth-1:0] since_q;  // since the sort began
  logic [QuietWidth-1:0] rested;   // that scores have been at the base
  logic [NumWarps-1:0] too_high;
  logic rests;
  assign rests = 32'(quiet_q) >= RestCycles;
  assign rested = quiet_q - QuietWidth'(RestCycles);
  always_comb begin
    for (int unsigned w = 0; w < NumWarps; w++) begin
      too_high[w] = 32'(scores[w*ScoreWidth+:ScoreWidth]) != BaseScore &&
                    32'(scores[w*ScoreWidth+:ScoreWidth]) + 32'(quiet_q) >= BaseScore + FallCycles;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      quiet_q <= '0;
      since_q <= '0;
    end else begin
      if (changes || set_i) quiet_q <= '0;
      else if (32'(quiet_q) < HeldCycles) quiet_q <= quiet_q + 1'b1;
      since_q <= (phase_q == Idle || ends) ? '0 : since_q + 1'b1;
    end
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni) begin
      ScoresFall_A: assert (too_high == '0 && (!above || 32'(quiet_q) < FallCycles));
      Settles_A: assert (settled || 32'(settle_q) + 32'(quiet_q) <= SettleCycles);
      unique case (phase_q)
        Idle: SortHasNotBegun_A: assert (since_q == '0);
        Begin: SortBegins_A: assert (since_q == '0);
        Sort: SortEndsInTime_A: assert (sorter_busy ? 32'(since_q) == sorting_for : 32'(since_q) <= SortCycles);
        default: begin
          WaitsInRange_A: assert (walk_wait < CyclesPerWalk);
          AllAreSeenAtOnce_A: assert (32'(place_all_q) < NumWarps || walk_wait + 1 == CyclesPerWalk);
          WalkEndsInTime_A: assert (32'(since_q) + walk_wait <= SortCycles + (32'(place_all_q) + 1) * CyclesPerWalk);
        end
      endcase
      if (rests && !none) begin
        if (unsorted_q) BeganBefore_A: assert ((phase_q == Idle) ? 32'(rested) <= RoundCycles : rested <= since_q);
        else if (phase_q != Idle) BeganInTime_A: assert (32'(rested) <= RoundCycles + 1 + 32'(since_q));
      end
      if (32'(quiet_q) == HeldCycles) HoldsNobodyForEver_A: assert (eligible_q == active_q);
      if (settled) CutoffIsOfTheWarps_A: assert (SumsWidth'(cutoff) == (none ? SumsWidth'(BaseScore) : base_sum));
      BaseOfEach_A: assert (wrong_base == '0);
      KeysAreScores_A: assert (below_base == '0);
      EachScoreIsABase_A: assert (too_little == '0);
      if (settled && !none) AllReachTheCutoff_A: assert (all_sum >= SumsWidth'(cutoff));
      if (phase_q == Walk) begin
        NotDuringASort_A: assert (!sorter_busy);
        EndsAtTheCutoff_A: assert (ends == (sum_q >= cutoff || (&found_q)));
        FirstOfTheOrder_A: assert (found_q == (prefix | came_q));
        PrefixGrows_A: assert (prefix == ((place_all_q == '0) ? '0 : prefix_q));
        if (still_q) SumsFollow_A: assert (wrong_found == '0);
        if (still_q) SumIsOfThose_A: assert (SumsWidth'(sum_q) == found_sum);
        PlaceIsReached_A: assert (32'(place_all_q) <= NumWarps && place_q == IdxWidth'(place_all_q));
        LastOneReachesIt_A: assert (place_all_q == '0 ? sum_q == '0 : before_q < SumsWidth'(exceeds_q));
      end
      if (phase_q == Begin || phase_q == Sort) FoundHaveCome_A: assert (found_q == came_q && place_all_q == '0);
      OwedUntilCopied_A: assert (unsorted_q == owed_q);
      CopiedWhenWanted_A: assert (wanted_q == (phase_q == Begin));
      KeptUntilFound_A: assert (eligible_q == kept_q);
      GoesOnToItsEnd_A: assert (!under_way_q || phase_q != Idle);
      CutoffWhenSettled_A: assert (settles_q || cutoff == cutoff_before_q);
      ChangesAreSorted_A: assert (phase_q == Idle || phase_q == Begin || !changes || unsorted_d);
      if (walked_q) EligibleAsWalked_A: assert (eligible_q == calm_q);
      if (!unsorted_q) begin
        ScoresAreAtTheBase_A: assert (!above && scores == {NumWarps{ScoreWidth'(BaseScore)}});
        SoAreKeys_A: assert (phase_q == Idle || keys_q == {NumWarps{ScoreWidth'(BaseScore)}});
        CutoffIsThere_A: assert (settled);
        NothingHasChanged_A: assert (still_q);
        MissingOnesAreSeen_A: assert (phase_q != Walk || wrong_missing == '0);
        NobodyIsHeldAtRest_A: assert (phase_q != Idle || eligible_q == active_q);
      end
    end
  end
`endif
`endif

endmodule
