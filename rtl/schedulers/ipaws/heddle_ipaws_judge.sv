// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The instruction-issue pattern of an SM's warps and the machine that judges it (docs/schedulers/ipaws.md;
/// IssuePattern; iPAWS 3.2, 3.3, Algorithm 1): a score and a stall counter per warp, the order in which warps came, and
/// four walks: for the most stalls, for the sum and the maximum of the scores of the warps of interest, for their number
/// times the maximum, and for what eighths add to that; then a comparison.
///
/// Latency: counts are kept from the next cycle on. A warp enters the order in the cycle after start_i at the earliest,
/// one a cycle, and is in it from one cycle later on; who has not entered when adapt_i ends does not. A step of a walk
/// reads a counter into a register while it works on what the step before has read. From the cycle after judge_i on,
/// with n warps in the order of which w are of interest, (n + 1) * StallCycles + (w + 1) * ScoreCycles +
/// $clog2(NumWarps + 1) * AddCycles (twice as a minimum) + AddCycles for each further eighth + DecideCycles cycles
/// until done_o, which holds for one cycle; without warps of interest the first of these is missing. Nothing may count
/// meanwhile.
module heddle_ipaws_judge #(
  /// Warp slots of the SM, 1 to 64.
  parameter int unsigned NumWarps = 48,
  /// Bits of a counter, 1 to 57; they wrap.
  parameter int unsigned CounterWidth = 32,
  /// The one with the most stalls, of equals the oldest, and all older ones are of interest; 0: all are.
  parameter bit WarpsOfInterest = 1'b1,
  /// The pattern is convex when sum >= number * maximum / 2 * ConvexEighths / 8; 8 to 15.
  parameter int unsigned ConvexEighths = 8,
  /// Cycles of a step of each walk, 1 to 256.
  parameter int unsigned StallCycles = 3,
  parameter int unsigned ScoreCycles = 5,
  parameter int unsigned AddCycles = 3,
  parameter int unsigned DecideCycles = 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// A kernel begins: nobody is in the order, or enters it, but who starts from this cycle on.
  input  logic clear_i,
  /// Warps that become the youngest, the lower slot before the higher one; their counters become 0.
  input  logic [NumWarps-1:0] start_i,
  /// Warps may enter the order.
  input  logic adapt_i,
  /// Warps whose score, or stalls, become one more.
  input  logic [NumWarps-1:0] score_i,
  input  logic [NumWarps-1:0] stall_i,
  /// Judge, from the next cycle on. Some warp is in the order then.
  input  logic judge_i,
  /// What is under way is given up; clear_i does so, too.
  input  logic stop_i,
  /// In the last cycle of a judgement.
  output logic done_o,
  /// With done_o: the pattern is convex.
  output logic convex_o
);

  localparam int unsigned IdxWidth = (NumWarps > 1) ? $clog2(NumWarps) : 1;
  /// Of a number of warps; eighths are counted in it, too.
  localparam int unsigned PosWidth = ($clog2(NumWarps + 1) > 2) ? $clog2(NumWarps + 1) : 2;
  /// Twice a sum of 64 scores.
  localparam int unsigned SumWidth = CounterWidth + 7;
  localparam bit Extends = (ConvexEighths > 8);
  localparam int unsigned MaxWidth = Extends ? SumWidth : CounterWidth;
  localparam int unsigned Longest0 = (StallCycles > ScoreCycles) ? StallCycles : ScoreCycles;
  localparam int unsigned Longest1 = (AddCycles > Longest0) ? AddCycles : Longest0;
  localparam int unsigned Longest = (DecideCycles > Longest1) ? DecideCycles : Longest1;
  localparam int unsigned WaitWidth = (Longest > 1) ? $clog2(Longest) : 1;
  localparam logic [2:0] Eighths = 3'(ConvexEighths - 8);
  localparam logic [2:0] Idle = 3'd0, Stalls = 3'd1, Scores = 3'd2, Product = 3'd3, Extend = 3'd4, Decide = 3'd5;

  // Who is in the order, and who is to enter it.
  logic [NumWarps-1:0] arriving_q, enters, unused_passed, filled;
  /* verilator tracing_off */
  logic [NumWarps-1:0] unused_present;
  /* verilator tracing_on */
  logic [NumWarps*IdxWidth-1:0] order;
  logic [IdxWidth-1:0] entering, unused_oldest;
  logic append, unused_found;
  heddle_fixed_selector #(
    .Inputs(NumWarps)
  ) i_enters (
    .request_i (arriving_q),
    .passable_i('0),
    .select_o  (enters),
    .passed_o  (unused_passed)
  );
  always_comb begin
    entering = '0;
    for (int unsigned w = 0; w < NumWarps; w++) entering |= {IdxWidth{enters[w]}} & IdxWidth'(w);
  end
  assign append = adapt_i && arriving_q != '0;
  heddle_age_list #(
    .Entries(NumWarps)
  ) i_order (
    .clk_i,
    .rst_ni,
    .append_i      (append),
    .append_index_i(entering),
    .remove_i      (1'b0),
    .remove_index_i('0),
    .clear_i,
    .request_i     ('0),
    .valid_o       (unused_found),
    .index_o       (unused_oldest),
    .present_o     (unused_present),
    .order_o       (order),
    .filled_o      (filled)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) arriving_q <= '0;
    else if (clear_i) arriving_q <= start_i;
    else arriving_q <= adapt_i ? (arriving_q & ~enters) | start_i : '0;
  end

  // The member at the position of the step, if there is one, and its counters.
  logic [PosWidth-1:0] position_d, position_q;
  logic [NumWarps*(IdxWidth+1)-1:0] places;
  logic [IdxWidth:0] place;
  logic there;
  for (genvar p = 0; p < NumWarps; p++) begin : gen_place
    assign places[p*(IdxWidth+1)+:IdxWidth+1] = {filled[p], order[p*IdxWidth+:IdxWidth]};
  end
  heddle_multiplexer #(
    .Inputs(NumWarps),
    .Width (IdxWidth + 1)
  ) i_place (
    .data_i (places),
    .index_i(position_q[IdxWidth-1:0]),
    .data_o (place)
  );
  assign there = place[IdxWidth] && (position_q >> IdxWidth) == '0;

  logic [CounterWidth-1:0] score, stalls;
  logic [NumWarps*CounterWidth-1:0] scores, stall_counts, unused_next_scores, unused_next_stalls;
  heddle_counter_array #(
    .Entries      (NumWarps),
    .Width        (CounterWidth),
    .AmountWidth  (1),
    .ReadPorts    (1),
    .WritePorts   (0),
    .Adders       (0),
    .Clear        (1'b1),
    .CountsInPlace(1'b1)
  ) i_score (
    .clk_i,
    .rst_ni,
    .read_index_i  (place[IdxWidth-1:0]),
    .read_data_o   (score),
    .write_i       ('0),
    .write_index_i ('0),
    .write_data_i  ('0),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       (score_i),
    .count_amount_i('1),
    .clear_i       (start_i),
    .values_o      (scores),
    .next_o        (unused_next_scores)
  );
  heddle_counter_array #(
    .Entries      (NumWarps),
    .Width        (CounterWidth),
    .AmountWidth  (1),
    .ReadPorts    (1),
    .WritePorts   (0),
    .Adders       (0),
    .Clear        (1'b1),
    .CountsInPlace(1'b1)
  ) i_stall (
    .clk_i,
    .rst_ni,
    .read_index_i  (place[IdxWidth-1:0]),
    .read_data_o   (stalls),
    .write_i       ('0),
    .write_index_i ('0),
    .write_data_i  ('0),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       (stall_i),
    .count_amount_i('1),
    .clear_i       (start_i),
    .values_o      (stall_counts),
    .next_o        (unused_next_stalls)
  );

  // The walks share an adder and a comparator.
  logic [2:0] state_d, state_q;
  logic [WaitWidth-1:0] wait_d, wait_q;
  logic [PosWidth-1:0] best_d, best_q;  // warps of interest; their bits, the upper ones first, in Product
  logic [CounterWidth-1:0] read_q;  // counter of the step before
  logic [SumWidth-1:0] work_d, work_q;  // most stalls so far; then the product
  logic [SumWidth-1:0] sum_d, sum_q;
  logic [MaxWidth-1:0] max_d, max_q;
  logic [SumWidth-1:0] compare_a, compare_b, add_a, add_b, total;
  logic [WaitWidth-1:0] last_wait;
  logic less, unused_equal, unused_overflow, step;
  logic last_bit;
  assign last_bit = position_q == PosWidth'(PosWidth - 1);
  always_comb begin
    unique case (state_q)
      Stalls: begin
        compare_a = work_q;
        compare_b = SumWidth'(read_q);
      end
      Decide: begin
        compare_a = {sum_q[SumWidth-2:0], 1'b0};
        compare_b = work_q;
      end
      default: begin
        compare_a = SumWidth'(max_q);
        compare_b = SumWidth'(read_q);
      end
    endcase
    unique case (state_q)
      Product: begin
        add_a = {work_q[SumWidth-2:0], 1'b0};
        add_b = best_q[PosWidth-1] ? SumWidth'(max_q) : '0;
      end
      Extend: begin
        add_a = work_q;
        add_b = (position_q == PosWidth'(0)) ? SumWidth'(max_q) >> 1 :
                (position_q == PosWidth'(1)) ? SumWidth'(max_q) >> 2 : SumWidth'(max_q) >> 3;
      end
      default: begin
        add_a = sum_q;
        add_b = SumWidth'(read_q);
      end
    endcase
    unique case (state_q)
      Stalls: last_wait = WaitWidth'(StallCycles - 1);
      Scores: last_wait = WaitWidth'(ScoreCycles - 1);
      Decide: last_wait = WaitWidth'(DecideCycles - 1);
      default: last_wait = WaitWidth'(AddCycles - 1);
    endcase
  end
  heddle_comparator #(
    .Width(SumWidth)
  ) i_comparator (
    .a_i    (compare_a),
    .b_i    (compare_b),
    .less_o (less),
    .equal_o(unused_equal)
  );
  heddle_adder #(
    .Width(SumWidth)
  ) i_adder (
    .a_i       (add_a),
    .amount_i  (add_b),
    .subtract_i(1'b0),
    .sum_o     (total),
    .overflow_o(unused_overflow)
  );

  // A step ends in its last cycle.
  assign step = state_q != Idle && wait_q == last_wait;
  assign done_o = step && state_q == Decide;
  assign convex_o = !less;
  localparam logic [PosWidth-1:0] FirstEighth = Eighths[2] ? PosWidth'(0) : Eighths[1] ? PosWidth'(1) : PosWidth'(2);
  always_comb begin
    state_d = state_q;
    wait_d = (state_q == Idle || step) ? '0 : wait_q + 1'b1;
    position_d = position_q;
    best_d = best_q;
    work_d = work_q;
    sum_d = sum_q;
    max_d = max_q;
    if (step) begin
      unique case (state_q)
        Stalls: begin
          // Until one was stalled the last one is of interest.
          if (position_q != '0 && (work_q == '0 || less)) begin
            work_d = SumWidth'(read_q);
            best_d = position_q;
          end
          position_d = there ? position_q + 1'b1 : '0;
          if (!there) state_d = Scores;
        end
        Scores: begin
          if (position_q != '0) begin
            sum_d = total;
            if (less) max_d = MaxWidth'(read_q);
            if (!WarpsOfInterest) best_d = position_q;
          end
          if (WarpsOfInterest ? position_q == best_q : !there) begin
            state_d = Product;
            position_d = '0;
            work_d = '0;
          end else begin
            position_d = position_q + 1'b1;
          end
        end
        Product: begin
          work_d = total;
          best_d = best_q << 1;
          position_d = position_q + 1'b1;
          if (last_bit) begin
            state_d = Extends ? Extend : Decide;
            position_d = FirstEighth;
            if (Extends) max_d = MaxWidth'(total);
          end
        end
        Extend: begin
          work_d = total;
          position_d = (position_q == PosWidth'(0) && Eighths[1]) ? PosWidth'(1) : PosWidth'(2);
          if (position_q == PosWidth'(2) || (position_q == PosWidth'(1) && !Eighths[0]) || Eighths[1:0] == '0) begin
            state_d = Decide;
          end
        end
        default: state_d = Idle;
      endcase
    end
    if (judge_i) begin
      state_d = WarpsOfInterest ? Stalls : Scores;
      wait_d = '0;
      position_d = '0;
      work_d = '0;
      sum_d = '0;
      max_d = '0;
    end
    if (stop_i || clear_i) state_d = Idle;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      wait_q <= '0;
      position_q <= '0;
      best_q <= '0;
      work_q <= '0;
      sum_q <= '0;
      max_q <= '0;
    end else begin
      state_q <= state_d;
      wait_q <= wait_d;
      position_q <= position_d;
      best_q <= best_d;
      work_q <= work_d;
      sum_q <= sum_d;
      max_q <= max_d;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_q <= '0;
    else if (step && (state_q == Stalls || state_q == Scores)) read_q <= (state_q == Stalls) ? stalls : score;
  end

  if (NumWarps < 1 || NumWarps > 64) begin : gen_illegal_warps
    $error("heddle_ipaws_judge: expected NumWarps from 1 to 64");
  end
  if (CounterWidth < 1 || CounterWidth > 57) begin : gen_illegal_width
    $error("heddle_ipaws_judge: expected CounterWidth from 1 to 57");
  end
  if (ConvexEighths < 8 || ConvexEighths > 15) begin : gen_illegal_eighths
    $error("heddle_ipaws_judge: expected ConvexEighths from 8 to 15");
  end
  if (StallCycles < 1 || ScoreCycles < 1 || AddCycles < 1 || DecideCycles < 1 || Longest > 256)
  begin : gen_illegal_cycles
    $error("heddle_ipaws_judge: expected 1 to 256 cycles of each step");
  end

  logic _unused;
  assign _unused = ^{unused_passed, unused_present, unused_found, unused_oldest, unused_equal, unused_overflow,
                    unused_next_scores, unused_next_stalls, scores, stall_counts};

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      // What is judged has members, and does not change.
      JudgesMembers_M: assert (!judge_i || filled[0] || append);
      CountersRest_M: assert (state_q == Idle || stop_i || clear_i ||
                              (score_i == '0 && stall_i == '0 && start_i == '0));
      OrderRests_M: assert (state_q == Idle || !adapt_i);
      OneJudgement_M: assert (!judge_i || state_q == Idle);
    end
  end
  always_comb begin
    if (rst_ni) begin
      StateInRange_A: assert final (state_q <= Decide && (Extends || state_q != Extend) &&
                                    (WarpsOfInterest || state_q != Stalls));
      NothingAddedYet_A: assert final (state_q != Stalls || (sum_q == '0 && max_q == '0));
      WaitInRange_A: assert final (state_q == Idle || wait_q <= last_wait);
    end
  end
`ifdef FORMAL
  // What Algorithm 1 has of the first places of the order, by how many: the most stalls, and how many warps are of
  // interest for them; sum and maximum of the scores.
  logic [(NumWarps+1)*CounterWidth-1:0] mosts, maxima;
  logic [(NumWarps+1)*PosWidth-1:0] interests;
  logic [(NumWarps+1)*SumWidth-1:0] sums;
  logic [NumWarps*CounterWidth-1:0] stalls_of, scores_of;  // of who stands in a place
  assign mosts[0+:CounterWidth] = '0;
  assign maxima[0+:CounterWidth] = '0;
  assign interests[0+:PosWidth] = '0;
  assign sums[0+:SumWidth] = '0;
  for (genvar p = 0; p < NumWarps; p++) begin : gen_first
    logic [IdxWidth-1:0] member;
    logic [CounterWidth-1:0] stalls_here, score_here, most_before, maximum_before;
    assign member = order[p*IdxWidth+:IdxWidth];
    assign stalls_here = stall_counts[member*CounterWidth+:CounterWidth];
    assign score_here = scores[member*CounterWidth+:CounterWidth];
    assign most_before = mosts[p*CounterWidth+:CounterWidth];
    assign maximum_before = maxima[p*CounterWidth+:CounterWidth];
    assign stalls_of[p*CounterWidth+:CounterWidth] = stalls_here;
    assign scores_of[p*CounterWidth+:CounterWidth] = score_here;
    assign mosts[(p+1)*CounterWidth+:CounterWidth] = (filled[p] && stalls_here > most_before) ? stalls_here : most_before;
    assign interests[(p+1)*PosWidth+:PosWidth] =
        (filled[p] && (stalls_here > most_before || most_before == '0)) ? PosWidth'(p + 1) : interests[p*PosWidth+:PosWidth];
    assign sums[(p+1)*SumWidth+:SumWidth] = sums[p*SumWidth+:SumWidth] + SumWidth'(score_here);
    assign maxima[(p+1)*CounterWidth+:CounterWidth] = (score_here > maximum_before) ? score_here : maximum_before;
  end
  // Those of the places that the walk has been to, which is one behind; after it those of all.
  logic [SumWidth-1:0] partial_sum, product, whole, extended;
  logic [CounterWidth-1:0] most, partial_max, last_read;
  logic [PosWidth-1:0] with_most, members, of_interest, walked;
  always_comb begin
    walked = (position_q == '0) ? '0 : position_q - 1'b1;
    members = '0;
    for (int unsigned p = 0; p < NumWarps; p++) if (filled[p]) members = PosWidth'(p + 1);
    most = '0;
    with_most = '0;
    for (int unsigned n = 0; n <= NumWarps; n++) begin
      if (n == ((state_q == Stalls) ? 32'(walked) : NumWarps)) begin
        most = mosts[n*CounterWidth+:CounterWidth];
        with_most = interests[n*PosWidth+:PosWidth];
      end
    end
    of_interest = WarpsOfInterest ? with_most : members;
    partial_sum = '0;
    partial_max = '0;
    for (int unsigned n = 0; n <= NumWarps; n++) begin
      if (n == ((state_q == Scores) ? 32'(walked) : 32'(of_interest))) begin
        partial_sum = sums[n*SumWidth+:SumWidth];
        partial_max = maxima[n*CounterWidth+:CounterWidth];
      end
    end
    last_read = '0;
    for (int unsigned p = 0; p < NumWarps; p++) begin
      if (p == 32'(walked)) begin
        last_read = (state_q == Stalls) ? stalls_of[p*CounterWidth+:CounterWidth] : scores_of[p*CounterWidth+:CounterWidth];
      end
    end
    // Of the product: the maximum times the bits that have been taken.
    product = '0;
    for (int unsigned b = 0; b < PosWidth; b++) begin
      if (b < 32'(position_q)) begin
        product = product << 1;
        if (of_interest[PosWidth-1-b]) product = product + SumWidth'(partial_max);
      end
    end
    whole = SumWidth'(partial_max) * SumWidth'(of_interest);
    extended = whole;
    for (int unsigned e = 0; e < 3; e++) begin
      if (Eighths[2-e] && (state_q != Extend || e < 32'(position_q))) extended = extended + (whole >> (e + 1));
    end
  end
  // What one warp has been counted; and who was in the order the cycle before, if it had to rest.
  (* anyconst *) logic [IdxWidth-1:0] watched;
  logic [CounterWidth-1:0] score_q, stalls_q;
  logic [NumWarps-1:0] filled_before_q;
  logic rested_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      score_q <= '0;
      stalls_q <= '0;
      filled_before_q <= '0;
      rested_q <= 1'b0;
    end else begin
      score_q <= start_i[watched] ? '0 : score_q + CounterWidth'(score_i[watched]);
      stalls_q <= start_i[watched] ? '0 : stalls_q + CounterWidth'(stall_i[watched]);
      filled_before_q <= filled;
      rested_q <= !adapt_i && !clear_i;
    end
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni && 32'(watched) < NumWarps) begin
      CountsScores_A: assert (scores[watched*CounterWidth+:CounterWidth] == score_q);
      CountsStalls_A: assert (stall_counts[watched*CounterWidth+:CounterWidth] == stalls_q);
    end
    if (rst_ni) begin
      EntersOnlyInAdapt_A: assert (!rested_q || filled == filled_before_q);
      HasMembers_A: assert (state_q == Idle || filled[0]);
      OrderIsOfWarps_A: assert (32'(order[0+:IdxWidth]) < NumWarps);
      PositionIsAMembers_A: assert ((state_q != Stalls && state_q != Scores) || position_q <= members);
      ReadIsOfTheOneBefore_A: assert ((state_q != Stalls && state_q != Scores) || position_q == '0 || read_q == last_read);
      MostStalls_A: assert (state_q != Stalls || (work_q == SumWidth'(most) &&
                            (position_q <= PosWidth'(1) || best_q == with_most)));
      OfInterest_A: assert (state_q != Scores || !WarpsOfInterest || (best_q == with_most && position_q <= best_q));
      OfAll_A: assert (state_q != Scores || WarpsOfInterest || position_q <= PosWidth'(1) ||
                       best_q == position_q - 1'b1);
      SumOfScores_A: assert ((state_q != Scores && state_q != Product && state_q != Extend && state_q != Decide) ||
                             sum_q == partial_sum);
      MaximumOfScores_A: assert ((state_q != Scores && state_q != Product) || max_q == MaxWidth'(partial_max));
      ProductOfBits_A: assert (state_q != Product || (32'(position_q) < PosWidth && work_q == product &&
                               best_q == PosWidth'(of_interest << position_q)));
      EighthIsOne_A: assert (state_q != Extend || (32'(position_q) < 3 && Eighths[2'd2-2'(position_q)]));
      CopyOfProduct_A: assert (state_q != Extend || max_q == MaxWidth'(whole));
      ThresholdOfDecision_A: assert ((state_q != Extend && state_q != Decide) || work_q == extended);
      Algorithm1_A: assert (!done_o || convex_o == (2 * partial_sum >= extended));
    end
  end
`endif
`endif

endmodule
