// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Scores the warps that have lost locality under CCWS (docs/schedulers/ccws.md; CcwsScoring): victim tag hits x
/// k_throttle x cutoff / instructions issued, both counted since the last kernel began, at least BaseScore.
///
/// One warp is scored at a time, the lowest first of those that wait, each once however often it has lost locality. A
/// warp that finishes meanwhile is not.
///
/// Latency: a warp that is found in cycle t is scored from t + 1 on, or when the unit is free; the unit takes (2 *
/// MultiplierWidth + 32) * CyclesPerStep cycles; in the next cycle the score is in a register, and set_o is told. State:
/// two counters of 32 bits, which saturate, and whether the second is not 0; who waits; heddle_ratio_unit, for whom
/// it works, whether for one that has not finished; the score, and whether it is to be set.
module heddle_ccws_scores #(
  /// Warp slots of the SM, 2 to 64.
  parameter int unsigned NumWarps = 48,
  /// Warp schedulers of the SM, each of which issues one warp a cycle at most: those of slots s, s + NumSchedulers, ...
  parameter int unsigned NumSchedulers = 2,
  /// Bits of what is counted, of k_throttle x cutoff, and of a score.
  parameter int unsigned TotalWidth = 32,
  parameter int unsigned MultiplierWidth = 16,
  parameter int unsigned ScoreWidth = 16,
  parameter int unsigned BaseScore = 100,
  /// Cycles of a step of the unit, from 1 on.
  parameter int unsigned CyclesPerStep = 1,
  localparam int unsigned IdxWidth = (NumWarps > 1) ? $clog2(NumWarps) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// A kernel begins: what is counted is 0, what comes in this cycle included.
  input  logic clear_i,
  /// Warps that issue in this cycle.
  input  logic [NumWarps-1:0] issue_i,
  /// Warps that issue their exit in this cycle.
  input  logic [NumWarps-1:0] finish_i,
  /// Unfinished warps in the next cycle.
  input  logic [NumWarps-1:0] next_active_i,
  /// This warp has missed on a line that it had lost.
  input  logic found_i,
  input  logic [IdxWidth-1:0] found_warp_i,
  /// k_throttle x cutoff.
  input  logic [MultiplierWidth-1:0] multiplier_i,
  /// The score of a warp is set.
  output logic set_o,
  output logic [IdxWidth-1:0] set_warp_o,
  output logic [ScoreWidth-1:0] set_score_o
);

  localparam int unsigned IssueWidth = $clog2(NumSchedulers + 1);

  // Totals.
  logic [TotalWidth-1:0] hits, issued, divisor;
  logic [NumSchedulers-1:0] issues;
  logic [IssueWidth-1:0] issue_count;
  logic any_q;
  for (genvar s = 0; s < NumSchedulers; s++) begin : gen_scheduler
    localparam int unsigned Own = (NumWarps - s + NumSchedulers - 1) / NumSchedulers;
    logic [Own-1:0] own;
    for (genvar n = 0; n < Own; n++) begin : gen_own
      assign own[n] = issue_i[s+n*NumSchedulers];
    end
    assign issues[s] = |own;
  end
  heddle_population_count #(
    .Inputs(NumSchedulers)
  ) i_issues (
    .bits_i (issues),
    .count_o(issue_count)
  );
  logic [TotalWidth-1:0] unused_hits_read, unused_hits_next, unused_issued_read, unused_issued_next;
  heddle_counter_array #(
    .Entries      (1),
    .Width        (TotalWidth),
    .AmountWidth  (1),
    .ReadPorts    (0),
    .WritePorts   (0),
    .Adders       (0),
    .Saturate     (1'b1),
    .Clear        (1'b1),
    .CountsInPlace(1'b1)
  ) i_hits (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (unused_hits_read),
    .write_i       ('0),
    .write_index_i ('0),
    .write_data_i  ('0),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       (found_i),
    .count_amount_i(1'b1),
    .clear_i       (clear_i),
    .values_o      (hits),
    .next_o        (unused_hits_next)
  );
  heddle_counter_array #(
    .Entries      (1),
    .Width        (TotalWidth),
    .AmountWidth  (IssueWidth),
    .ReadPorts    (0),
    .WritePorts   (0),
    .Adders       (0),
    .Saturate     (1'b1),
    .Clear        (1'b1),
    .CountsInPlace(1'b1)
  ) i_issued (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (unused_issued_read),
    .write_i       ('0),
    .write_index_i ('0),
    .write_data_i  ('0),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       (1'b1),
    .count_amount_i(issue_count),
    .clear_i       (clear_i),
    .values_o      (issued),
    .next_o        (unused_issued_next)
  );
  assign divisor = {issued[TotalWidth-1:1], issued[0] || !any_q};

  // Who waits, and for whom the unit works.
  logic [NumWarps-1:0] hit_d, hit_q, selected, unused_passed;
  logic [IdxWidth-1:0] selected_warp, warp_q;
  logic begins, works_q, ready, ends, finishes, unfinished_d, unfinished_q, set_q, low;
  logic [ScoreWidth-1:0] quotient, score_q;
  heddle_fixed_selector #(
    .Inputs(NumWarps)
  ) i_next_hit (
    .request_i (hit_q),
    .passable_i('0),
    .select_o  (selected),
    .passed_o  (unused_passed)
  );
  always_comb begin
    selected_warp = '0;
    if (hit_q != '0) begin
      for (int unsigned w = 0; w < NumWarps; w++) begin
        if (selected[w]) selected_warp |= IdxWidth'(w);
      end
    end
  end
  assign begins = hit_q != '0 && !works_q;
  for (genvar w = 0; w < NumWarps; w++) begin : gen_hit
    assign hit_d[w] = ((hit_q[w] && !(begins && selected[w])) || (found_i && found_warp_i == IdxWidth'(w))) &&
                      next_active_i[w];
  end
  heddle_ratio_unit #(
    .FactorWidth    (TotalWidth),
    .MultiplierWidth(MultiplierWidth),
    .DivisorWidth   (TotalWidth),
    .ResultWidth    (ScoreWidth),
    .CyclesPerStep  (CyclesPerStep)
  ) i_ratio (
    .clk_i,
    .rst_ni,
    .start_i     (begins),
    .ready_o     (ready),
    .factor_i    (hits),
    .multiplier_i(multiplier_i),
    .divisor_i   (divisor),
    .result_o    (quotient)
  );
  assign ends = works_q && ready;
  heddle_multiplexer #(
    .Inputs(NumWarps),
    .Width (1)
  ) i_finishes (
    .data_i (finish_i),
    .index_i(begins ? selected_warp : warp_q),
    .data_o (finishes)
  );
  assign unfinished_d = (begins || unfinished_q) && !finishes;
  heddle_comparator #(
    .Width(ScoreWidth)
  ) i_below_base (
    .a_i    (quotient),
    .b_i    (ScoreWidth'(BaseScore)),
    .less_o (low),
    .equal_o()
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      any_q <= 1'b0;
      hit_q <= '0;
      warp_q <= '0;
      works_q <= 1'b0;
      unfinished_q <= 1'b0;
      set_q <= 1'b0;
      score_q <= ScoreWidth'(BaseScore);
    end else begin
      any_q <= !clear_i && (any_q || issues != '0);
      hit_q <= hit_d;
      if (begins) warp_q <= selected_warp;
      works_q <= begins || (works_q && !ready);
      unfinished_q <= unfinished_d;
      set_q <= ends && unfinished_d;
      if (ends) score_q <= low ? ScoreWidth'(BaseScore) : quotient;
    end
  end
  assign set_o = set_q;
  assign set_warp_o = warp_q;
  assign set_score_o = score_q;

  if (NumWarps < 2 || NumWarps > 64 || NumSchedulers < 1 || NumSchedulers > NumWarps) begin : gen_illegal_warps
    $error("heddle_ccws_scores: expected NumWarps from 2 to 64, and 1 to NumWarps schedulers");
  end
  if (TotalWidth < 2 || TotalWidth > 32 || 64'(BaseScore) >= (64'd1 << ScoreWidth)) begin : gen_illegal_widths
    $error("heddle_ccws_scores: expected TotalWidth from 2 to 32, and a BaseScore that is a score");
  end

  logic _unused;
  assign _unused = ^{unused_hits_read, unused_hits_next, unused_issued_read, unused_issued_next, unused_passed};

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      FoundInRange_M: assert (!found_i || 32'(found_warp_i) < NumWarps);
      WarpInRange_A: assert (32'(warp_q) < NumWarps);
      ScoreIsBaseAtLeast_A: assert (32'(score_q) >= BaseScore);
      WorksOrIsReady_A: assert (works_q || ready);
      SetsWhenReady_A: assert (!set_q || !works_q);
    end
  end
`ifdef FORMAL
  // A warp, whichever it is, waits from the miss until it is scored or finishes; its score is set only if it did not.
  (* anyconst *) logic [IdxWidth-1:0] watched;
  logic waits_q, scored_q, active_q;  // it waits, it is the one that is scored, it has not finished
  logic [TotalWidth-1:0] hits_q, issued_q, issue_sum;
  logic [TotalWidth:0] issued_next;
  always_comb begin
    issue_sum = '0;
    for (int unsigned s = 0; s < NumSchedulers; s++) issue_sum = issue_sum + TotalWidth'(issues[s]);
  end
  assign issued_next = {1'b0, issued_q} + {1'b0, issue_sum};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
      scored_q <= 1'b0;
      active_q <= 1'b0;
      hits_q <= '0;
      issued_q <= '0;
    end else begin
      if (!next_active_i[watched]) waits_q <= 1'b0;
      else if (found_i && found_warp_i == watched) waits_q <= 1'b1;
      else if (begins && selected_warp == watched) waits_q <= 1'b0;
      if (begins) scored_q <= selected_warp == watched && !finish_i[watched];
      else if (finish_i[watched] || set_q) scored_q <= 1'b0;
      active_q <= next_active_i[watched];
      if (clear_i) hits_q <= '0;
      else if (found_i && hits_q != '1) hits_q <= hits_q + 1'b1;
      if (clear_i) issued_q <= '0;
      else issued_q <= issued_next[TotalWidth] ? '1 : issued_next[TotalWidth-1:0];
    end
  end
  always_comb begin
    if (rst_ni && 32'(watched) < NumWarps) begin
      ActiveUntilItFinishes_M: assert (next_active_i[watched] || !active_q || finish_i[watched]);
      FinishedIsNotActive_M: assert (!finish_i[watched] || !next_active_i[watched]);
      WaitsUntilItIsScored_A: assert (hit_q[watched] == waits_q);
      WaitsWhileItIsActive_A: assert (!hit_q[watched] || active_q);
      SetForWhomItWorked_A: assert (!set_q || warp_q != watched || scored_q);
      WorksForIt_A: assert (!(works_q && unfinished_q && warp_q == watched) || scored_q);
      LowestFirst_A: assert (!(begins && hit_q[watched]) || selected_warp <= watched);
      HitsAreCounted_A: assert (hits == hits_q);
      InstructionsAreCounted_A: assert (issued == issued_q);
      DividedByOneAtLeast_A: assert (divisor == (issued_q == '0 ? TotalWidth'(1) : issued_q));
      AnyIsNotZero_A: assert (any_q == (issued_q != '0));
    end
  end
`endif
`endif

endmodule
