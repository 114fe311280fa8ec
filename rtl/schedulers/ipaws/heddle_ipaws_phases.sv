// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Which kernel an SM adapts to under iPAWS, and how far it is (docs/schedulers/ipaws.md; Ipaws, KernelEnds, StallRule,
/// IpawsDecisions): the phases Adapt, Judge, Recover and Execute, what the pattern counts in the first of them, the
/// verdict for all SMs and from them, and the end of Recover.
///
/// Latency: what a cycle tells changes the phase from the next cycle on. What is charged for a stall is counted one
/// cycle later. A verdict goes out in the cycle of done_i; it comes back as verdict_i like those of others, which is the
/// user's way to all SMs and takes its cycles, and then holds from the next cycle on. Of events of one cycle a kernel
/// that begins comes before a verdict about it, and both before the end of the Adapt phase.
module heddle_ipaws_phases #(
  /// Warp slots of the SM, 1 to 64.
  parameter int unsigned NumWarps = 48,
  /// Warp schedulers of the SM, 1 to NumWarps.
  parameter int unsigned NumSchedulers = 2,
  /// TB slots, 1 to 64.
  parameter int unsigned TbSlots = 8,
  /// Bits of a counter of issued instructions, 1 to 64.
  parameter int unsigned CounterWidth = 32,
  /// Bits of a launch's number, which wraps, 2 to 62.
  parameter int unsigned LaunchWidth = 16,
  /// Kernels of which decisions are known, a power of two, at most 2^(LaunchWidth-1).
  parameter int unsigned Decisions = 8,
  /// Verdicts are for all SMs; otherwise each SM follows its own, and the ports for verdicts are not used.
  parameter bit Shared = 1'b1,
  /// A stall is charged to the warp that issued last on the SM while it runs, else to the oldest; 0: to the oldest.
  parameter bit FirstTried = 1'b1,
  /// The Adapt phase ends with the oldest warp's exit; 0: with that of any.
  parameter bit OldestEnds = 1'b0
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// The TB slot in which one starts, at most one bit, and its launch's number; those of TBs that end.
  input  logic [TbSlots-1:0] tb_start_i,
  input  logic [LaunchWidth-1:0] tb_launch_i,
  input  logic [TbSlots-1:0] tb_end_i,
  /// Warps that start: those of the TB that starts.
  input  logic [NumWarps-1:0] start_i,
  /// Warps that issue, one of a scheduler at most, and of these those that issue their exit.
  input  logic [NumWarps-1:0] issue_i,
  input  logic [NumWarps-1:0] finish_i,
  /// Warps that come to a barrier, and that one lets go on.
  input  logic [NumWarps-1:0] arrive_i,
  input  logic [NumWarps-1:0] release_i,
  /// Warps with an instruction that wait at no barrier and no membar, and of these those that pass the scoreboard, as all
  /// do that issue.
  input  logic [NumWarps-1:0] valid_i,
  input  logic [NumWarps-1:0] unblocked_i,
  /// A verdict about a kernel: whether there is one, whether it is convex, the launch's number.
  input  logic [LaunchWidth+1:0] verdict_i,
  /// Of this SM about the kernel that it adapts to.
  output logic [LaunchWidth+1:0] verdict_o,
  /// heddle_ipaws_judge's.
  output logic clear_o,
  output logic [NumWarps-1:0] members_o,
  output logic adapt_o,
  output logic [NumWarps-1:0] score_o,
  output logic [NumWarps-1:0] stall_o,
  output logic judge_o,
  output logic stop_o,
  input  logic done_i,
  input  logic convex_i,
  /// Who chooses: those that have issued the fewest instructions first, or the fair scheduler; neither: the greedy one.
  output logic recover_o,
  output logic fair_o
);

  localparam int unsigned IdxWidth = (NumWarps > 1) ? $clog2(NumWarps) : 1;
  localparam int unsigned SetBits = $clog2(Decisions);
  localparam int unsigned SetWidth = (Decisions > 1) ? SetBits : 1;
  localparam int unsigned TagWidth = LaunchWidth - SetBits;
  localparam logic [2:0] Adapt = 3'd0, Judge = 3'd1, Recover = 3'd2, Greedy = 3'd3, Fair = 3'd4;

  logic [2:0] phase_d, phase_q;
  logic [LaunchWidth-1:0] launch_q;
  logic [TbSlots-1:0] tbs_q;  // TBs of the kernel
  logic [NumWarps-1:0] of_kernel_q, waiting_q, oldest_q, newest_q, charged_q;
  logic starts, same, newer, held, begins, unused_less, unused_equal;

  // The kernel: the newest one of which a TB comes, or what comes when none of its TBs is left.
  assign starts = tb_start_i != '0;
  assign held = (tbs_q & ~tb_end_i) != '0;
  heddle_comparator #(
    .Width(LaunchWidth)
  ) i_newer (
    .a_i    (launch_q),
    .b_i    (tb_launch_i),
    .less_o (newer),
    .equal_o(unused_equal)
  );
  heddle_comparator #(
    .Width   (LaunchWidth),
    .Equality(1'b1)
  ) i_same (
    .a_i    (tb_launch_i),
    .b_i    (launch_q),
    .less_o (unused_less),
    .equal_o(same)
  );
  assign begins = starts && !same && (newer || !held);

  // Verdicts: the first one about a kernel counts.
  logic [LaunchWidth+1:0] verdict, own;
  logic verdict_valid, verdict_convex, accepted, concerns, known, known_convex, said;
  logic [LaunchWidth-1:0] verdict_launch;
  logic of_present, of_next, unused_less_present, unused_less_next;
  assign own = {phase_q == Judge && done_i && !begins, convex_i, launch_q};
  assign verdict_o = (Shared && own[LaunchWidth+1]) ? own : '0;
  assign verdict = Shared ? verdict_i : own;
  assign verdict_valid = verdict[LaunchWidth+1];
  assign verdict_convex = verdict[LaunchWidth];
  assign verdict_launch = verdict[LaunchWidth-1:0];
  heddle_comparator #(
    .Width   (LaunchWidth),
    .Equality(1'b1)
  ) i_of_present (
    .a_i    (verdict_launch),
    .b_i    (launch_q),
    .less_o (unused_less_present),
    .equal_o(of_present)
  );
  heddle_comparator #(
    .Width   (LaunchWidth),
    .Equality(1'b1)
  ) i_of_next (
    .a_i    (verdict_launch),
    .b_i    (tb_launch_i),
    .less_o (unused_less_next),
    .equal_o(of_next)
  );
  assign accepted = verdict_valid && !said;
  assign concerns = accepted && (begins ? of_next : of_present);

  // Line of a launch: its number's low bits; the others are the tag.
  logic [SetWidth-1:0] tb_set, verdict_set, unused_victim;
`ifdef FORMAL
  // Of one kernel it is known at any time what is kept.
  (* anyconst *) logic [LaunchWidth-1:0] kernel;
  localparam int unsigned Lookups = 3;
`else
  localparam int unsigned Lookups = 2;
`endif
  logic [Lookups-1:0] hits;
  logic [Lookups*SetWidth-1:0] lookup_sets, unused_lines;
  logic [Lookups*TagWidth-1:0] lookup_tags;
  logic [Decisions-1:0] unused_valid, convex_kept;
  if (Decisions > 1) begin : gen_sets
    assign tb_set = tb_launch_i[SetWidth-1:0];
    assign verdict_set = verdict_launch[SetWidth-1:0];
  end else begin : gen_one_set
    assign tb_set = '0;
    assign verdict_set = '0;
  end
  assign lookup_sets[0+:2*SetWidth] = {verdict_set, tb_set};
  assign lookup_tags[0+:2*TagWidth] = {verdict_launch[LaunchWidth-1:SetBits], tb_launch_i[LaunchWidth-1:SetBits]};
`ifdef FORMAL
  assign lookup_sets[2*SetWidth+:SetWidth] = (Decisions > 1) ? kernel[SetWidth-1:0] : '0;
  assign lookup_tags[2*TagWidth+:TagWidth] = kernel[LaunchWidth-1:SetBits];
`endif
  heddle_table #(
    .Sets       (Decisions),
    .Ways       (1),
    .TagWidth   (TagWidth),
    .FieldsWidth(1),
    .LookupPorts(Lookups)
  ) i_decisions (
    .clk_i,
    .rst_ni,
    .lookup_i      ({Lookups{1'b1}}),
    .lookup_set_i  (lookup_sets),
    .lookup_tag_i  (lookup_tags),
    .lookup_hit_o  (hits),
    .lookup_line_o (unused_lines),
    .read_line_i   (tb_set),
    .read_fields_o (known_convex),
    .write_i       (accepted),
    .write_line_i  (verdict_set),
    .write_mask_i  (1'b1),
    .write_fields_i(verdict_convex),
    .insert_i      (accepted),
    .insert_tag_i  (verdict_launch[LaunchWidth-1:SetBits]),
    .victim_i      (1'b0),
    .victim_set_i  ('0),
    .victim_line_o (unused_victim),
    .touch_i       (1'b0),
    .touch_line_i  ('0),
    .invalidate_i  ('0),
    .valid_o       (unused_valid),
    .fields_o      (convex_kept)
  );
  assign known = hits[0];
  assign said = hits[1];

  // The warps of the kernel: all that run, the members of the pattern, and of these the oldest and the newest.
  logic [NumWarps-1:0] comes, first, last, reversed, last_reversed, unused_passed_first, unused_passed_last;
  logic adapts;
  assign comes = (begins || (starts && same)) ? start_i : '0;
  assign adapts = begins ? !known : phase_q == Adapt;
  assign members_o = adapts ? comes : '0;
  for (genvar w = 0; w < NumWarps; w++) begin : gen_reversed
    assign reversed[w] = members_o[NumWarps-1-w];
    assign last[w] = last_reversed[NumWarps-1-w];
  end
  heddle_fixed_selector #(
    .Inputs(NumWarps)
  ) i_first (
    .request_i (members_o),
    .passable_i('0),
    .select_o  (first),
    .passed_o  (unused_passed_first)
  );
  heddle_fixed_selector #(
    .Inputs(NumWarps)
  ) i_last (
    .request_i (reversed),
    .passable_i('0),
    .select_o  (last_reversed),
    .passed_o  (unused_passed_last)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      launch_q <= '1;
      tbs_q <= '0;
      of_kernel_q <= '0;
      waiting_q <= '0;
      oldest_q <= '0;
      newest_q <= '0;
    end else begin
      if (begins) launch_q <= tb_launch_i;
      tbs_q <= begins ? tb_start_i : (tbs_q & ~tb_end_i) | (same ? tb_start_i : '0);
      of_kernel_q <= begins ? start_i : (of_kernel_q | comes) & ~finish_i;
      waiting_q <= begins ? '0 : (waiting_q | (arrive_i & of_kernel_q)) & ~release_i;
      if (begins || oldest_q == '0) oldest_q <= first;
      if (begins || members_o != '0) newest_q <= last;
      else newest_q <= newest_q & ~finish_i;
    end
  end

  // What the two have issued, and whether the newest one has issued as much as the oldest had, or finished.
  logic [1:0] end_counts, end_clears;
  logic [2*CounterWidth-1:0] issued_by_ends, unused_next_ends;
  logic [CounterWidth-1:0] unused_read;
  logic behind, unused_equal_ends, caught_up;
  assign end_counts = {(issue_i & newest_q) != '0, phase_q == Adapt && (issue_i & oldest_q) != '0};
  assign end_clears = {begins || members_o != '0, begins};
  heddle_counter_array #(
    .Entries      (2),
    .Width        (CounterWidth),
    .AmountWidth  (1),
    .ReadPorts    (0),
    .WritePorts   (0),
    .Adders       (0),
    .Clear        (1'b1),
    .CountsInPlace(1'b1)
  ) i_issued_by_ends (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (unused_read),
    .write_i       ('0),
    .write_index_i ('0),
    .write_data_i  ('0),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       (end_counts),
    .count_amount_i('1),
    .clear_i       (end_clears),
    .values_o      (issued_by_ends),
    .next_o        (unused_next_ends)
  );
  heddle_comparator #(
    .Width(CounterWidth)
  ) i_caught_up (
    .a_i    (issued_by_ends[CounterWidth+:CounterWidth]),
    .b_i    (issued_by_ends[0+:CounterWidth]),
    .less_o (behind),
    .equal_o(unused_equal_ends)
  );
  assign caught_up = newest_q == '0 || !behind;

  // What the pattern counts.
  logic [NumWarps-1:0] charged_d, tried, last_runs;
  assign score_o = (phase_q == Adapt) ? (issue_i & of_kernel_q) | ((issue_i != '0) ? waiting_q : '0) : '0;
  if (FirstTried) begin : gen_tried
    // The one that issued last on the SM, of several in a cycle that of the lowest scheduler, while it runs.
    logic [IdxWidth-1:0] last_d, last_q;
    logic runs_d, runs_q, counts;
    logic [NumSchedulers-1:0] issues, exits;
    logic [NumSchedulers*IdxWidth-1:0] index;
    always_comb begin
      index = '0;
      for (int unsigned s = 0; s < NumSchedulers; s++) begin
        issues[s] = 1'b0;
        exits[s] = 1'b0;
        for (int unsigned w = s; w < NumWarps; w += NumSchedulers) begin
          issues[s] |= issue_i[w];
          exits[s] |= finish_i[w];
          index[s*IdxWidth+:IdxWidth] |= {IdxWidth{issue_i[w]}} & IdxWidth'(w);
        end
      end
      last_d = last_q;
      runs_d = runs_q;
      for (int unsigned s = NumSchedulers; s > 0; s--) begin
        if (issues[s-1]) begin
          last_d = index[(s-1)*IdxWidth+:IdxWidth];
          runs_d = !exits[s-1];
        end
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        last_q <= '0;
        runs_q <= 1'b0;
      end else begin
        last_q <= last_d;
        runs_q <= runs_d;
      end
    end
    heddle_multiplexer #(
      .Inputs(NumWarps),
      .Width (1)
    ) i_counts (
      .data_i (of_kernel_q),
      .index_i(last_q),
      .data_o (counts)
    );
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      assign last_runs[w] = runs_q && last_q == IdxWidth'(w);
      assign tried[w] = (runs_q && counts) ? last_runs[w] : oldest_q[w];
    end
`ifndef SYNTHESIS
    always_comb begin
      if (rst_ni) LastInRange_A: assert final (32'(last_q) < NumWarps);
    end
`endif
  end else begin : gen_oldest
    assign last_runs = '0;
    assign tried = oldest_q;
  end
  assign charged_d = (phase_q == Adapt && !begins && valid_i != '0 && unblocked_i == '0) ? tried : '0;
  assign stall_o = charged_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) charged_q <= '0;
    else charged_q <= charged_d;
  end

  // The phases.
  assign clear_o = begins;
  assign adapt_o = phase_q == Adapt;
  assign judge_o = phase_q == Adapt && (finish_i & (OldestEnds ? oldest_q : of_kernel_q)) != '0 && !begins && !concerns;
  assign stop_o = concerns;
  assign recover_o = phase_q == Recover;
  assign fair_o = phase_q == Fair;
  always_comb begin
    phase_d = phase_q;
    if (phase_q == Recover && caught_up) phase_d = Fair;
    if (judge_o) phase_d = Judge;
    if (begins) phase_d = !known ? Adapt : known_convex ? Fair : Greedy;
    if (concerns) phase_d = verdict_convex ? Recover : Greedy;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) phase_q <= Adapt;
    else phase_q <= phase_d;
  end

  if (NumWarps < 1 || NumWarps > 64 || TbSlots < 1 || TbSlots > 64) begin : gen_illegal_sizes
    $error("heddle_ipaws_phases: expected NumWarps and TbSlots from 1 to 64");
  end
  if (NumSchedulers < 1 || NumSchedulers > NumWarps) begin : gen_illegal_schedulers
    $error("heddle_ipaws_phases: expected NumSchedulers from 1 to NumWarps");
  end
  if (LaunchWidth < 2 || LaunchWidth > 62 || Decisions < 1 || SetBits >= LaunchWidth || Decisions != (1 << SetBits))
  begin : gen_illegal_decisions
    $error("heddle_ipaws_phases: expected LaunchWidth from 2 to 62, and Decisions a power of two below 2^LaunchWidth");
  end

  logic _unused;
  assign _unused = ^{unused_less, unused_equal, unused_less_present, unused_less_next, unused_lines,
                    unused_victim, unused_valid, convex_kept, unused_passed_first, unused_passed_last, unused_read,
                    unused_next_ends, unused_equal_ends};

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneTbStarts_M: assert ((tb_start_i & (tb_start_i - 1'b1)) == '0);
      WarpsStartWithTheirTb_M: assert (start_i == '0 || starts);
      StartsInFree_M: assert ((start_i & of_kernel_q) == '0);
      IssuesAfterItsStart_M: assert ((issue_i & start_i) == '0);
      FinishesWhoIssues_M: assert ((finish_i & ~issue_i) == '0);
      ArrivesWhoIssues_M: assert ((arrive_i & ~issue_i) == '0 && (arrive_i & finish_i) == '0);
      WaitersRest_M: assert ((issue_i & waiting_q) == '0);
      UnblockedIsValid_M: assert ((unblocked_i & ~valid_i) == '0);
      IssuesWhatIsUnblocked_M: assert ((issue_i & ~unblocked_i) == '0);
    end
  end
  always_comb begin
    if (rst_ni) begin
      PhaseInRange_A: assert final (phase_q <= Fair);
      OneIsOldest_A: assert final ((oldest_q & (oldest_q - 1'b1)) == '0);
      OneIsNewest_A: assert final ((newest_q & (newest_q - 1'b1)) == '0);
      NewestRuns_A: assert final ((newest_q & ~of_kernel_q) == '0);
      WaitersRun_A: assert final ((waiting_q & ~of_kernel_q) == '0);
      OneIsCharged_A: assert final ((charged_q & (charged_q - 1'b1)) == '0);
    end
  end
`ifdef FORMAL
  // What the cycle before had.
  logic past_q, began_q, concerned_q, accepted_q, concave_q, judging_q, caught_q, knew_q, knew_convex_q;
  logic blocked_q, any_tried_q;
  logic [2:0] before_q;
  logic [LaunchWidth-1:0] heard_q;
  // One warp: whether it runs in the kernel, waits at a barrier since an earlier cycle, is the one that issued last,
  // and what it has issued since it became the newest, or the oldest of a kernel.
  (* anyconst *) logic [IdxWidth-1:0] watched;
  logic runs_in_q, waits_q, is_last_q, lower_issues;
  logic [CounterWidth-1:0] as_newest_q, as_oldest_q;
  // One kernel: the first verdict about it, as long as none about another one takes its place.
  logic decided_q, decided_convex_q, same_place;
  assign same_place = Decisions == 1 || verdict_launch[SetWidth-1:0] == kernel[SetWidth-1:0];
  always_comb begin
    lower_issues = 1'b0;
    for (int unsigned w = 0; w < NumWarps; w++) begin
      if (issue_i[w] && w % NumSchedulers < 32'(watched) % NumSchedulers) lower_issues = 1'b1;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q <= 1'b0;
      began_q <= 1'b0;
      concerned_q <= 1'b0;
      accepted_q <= 1'b0;
      concave_q <= 1'b0;
      judging_q <= 1'b0;
      caught_q <= 1'b0;
      knew_q <= 1'b0;
      knew_convex_q <= 1'b0;
      blocked_q <= 1'b0;
      any_tried_q <= 1'b0;
      before_q <= Adapt;
      heard_q <= '0;
      runs_in_q <= 1'b0;
      waits_q <= 1'b0;
      is_last_q <= 1'b0;
      as_newest_q <= '0;
      as_oldest_q <= '0;
      decided_q <= 1'b0;
      decided_convex_q <= 1'b0;
    end else begin
      past_q <= 1'b1;
      began_q <= begins;
      concerned_q <= concerns;
      accepted_q <= accepted;
      concave_q <= !verdict_convex;
      judging_q <= phase_q == Adapt && (OldestEnds ? (finish_i & oldest_q) != '0 : (finish_i & of_kernel_q) != '0);
      caught_q <= newest_q == '0 || issued_by_ends[CounterWidth+:CounterWidth] >= issued_by_ends[0+:CounterWidth];
      knew_q <= known;
      knew_convex_q <= known_convex;
      blocked_q <= phase_q == Adapt && !begins && valid_i != '0 && unblocked_i == '0;
      any_tried_q <= oldest_q != '0;
      before_q <= phase_q;
      heard_q <= verdict_launch;
      if (finish_i[watched]) runs_in_q <= 1'b0;
      else if (start_i[watched] && starts) runs_in_q <= begins || tb_launch_i == launch_q;
      else if (begins) runs_in_q <= 1'b0;
      if (begins || release_i[watched]) waits_q <= 1'b0;
      else if (arrive_i[watched] && runs_in_q) waits_q <= 1'b1;
      if (issue_i[watched] && !lower_issues) is_last_q <= !finish_i[watched];
      else if (issue_i != '0) is_last_q <= 1'b0;
      if (begins || members_o != '0) as_newest_q <= '0;
      else as_newest_q <= as_newest_q + CounterWidth'(issue_i[watched] && newest_q[watched]);
      if (begins || oldest_q == '0) as_oldest_q <= '0;
      else as_oldest_q <= as_oldest_q + CounterWidth'(issue_i[watched] && oldest_q[watched] && phase_q == Adapt);
      if (verdict_valid && verdict_launch == kernel) begin
        decided_q <= 1'b1;
        if (!decided_q) decided_convex_q <= verdict_convex;
      end else if (accepted && same_place) begin
        decided_q <= 1'b0;
      end
    end
  end
  logic one_issues;  // of a scheduler, and exits are issued
  always_comb begin
    one_issues = 1'b1;
    for (int unsigned a = 0; a < NumWarps; a++) begin
      for (int unsigned b = a + NumSchedulers; b < NumWarps; b += NumSchedulers) begin
        if (issue_i[a] && issue_i[b]) one_issues = 1'b0;
      end
    end
  end
  initial assume (!rst_ni);
  always_comb begin
    assume (one_issues);
    if (rst_ni) begin
      NewerBegins_A: assert (!(starts && tb_launch_i > launch_q) || clear_o);
      OthersBeginWhenNoneIsLeft_A: assert (!(starts && tb_launch_i != launch_q && (tbs_q & ~tb_end_i) == '0) ||
                                           clear_o);
      OlderWaits_A: assert (!(clear_o && tb_launch_i <= launch_q && (tbs_q & ~tb_end_i) != '0));
      FirstVerdictIsKept_A: assert (hits[2] == decided_q &&
                                    (!decided_q || convex_kept[lookup_sets[2*SetWidth+:SetWidth]] == decided_convex_q));
      KnowsWhatIsKept_A: assert (!(starts && tb_launch_i == kernel) ||
                                 (known == decided_q && (!known || known_convex == decided_convex_q)));
      ChargesWhoseStallItIs_A: assert (!past_q || (stall_o != '0) == (blocked_q && (any_tried_q || stall_o != '0)));
    end
    if (rst_ni && past_q) begin
      VerdictIsOfTheKernel_A: assert (concerned_q == (accepted_q && heard_q == launch_q));
      VerdictDecides_A: assert (!concerned_q || phase_q == (concave_q ? Greedy : Recover));
      BeginsInAdapt_A: assert (!began_q || concerned_q || knew_q || phase_q == Adapt);
      BeginsAsDecided_A: assert (!began_q || concerned_q || !knew_q || phase_q == (knew_convex_q ? Fair : Greedy));
      JudgesAfterAdapt_A: assert (phase_q != Judge || before_q == Judge || judging_q);
      JudgesAtTheExit_A: assert (!judging_q || began_q || concerned_q || phase_q == Judge);
      RecoversByVerdict_A: assert (phase_q != Recover || before_q == Recover || concerned_q);
      RecoverEndsCaughtUp_A: assert (before_q != Recover || began_q || concerned_q ||
                                     phase_q == (caught_q ? Fair : Recover));
      StaysDecided_A: assert ((before_q != Greedy && before_q != Fair) || began_q || concerned_q ||
                              phase_q == before_q);
    end
    if (rst_ni && 32'(watched) < NumWarps) begin
      RunsInTheKernel_A: assert (of_kernel_q[watched] == runs_in_q);
      WaitsSinceEarlier_A: assert (waiting_q[watched] == waits_q);
      Scores_A: assert (score_o[watched] == (phase_q == Adapt &&
                        ((issue_i[watched] && runs_in_q) || (issue_i != '0 && waits_q))));
      LastRuns_A: assert (!FirstTried || last_runs[watched] == is_last_q);
      TriedIsLastOrOldest_A: assert (tried[watched] == ((FirstTried && is_last_q && runs_in_q) ||
                                     (oldest_q[watched] && tried == oldest_q)));
      CountsFromTheOldestOn_A: assert (oldest_q != '0 || issued_by_ends[0+:CounterWidth] == '0);
      CountsNewest_A: assert (!newest_q[watched] || as_newest_q == issued_by_ends[CounterWidth+:CounterWidth]);
      CountsOldest_A: assert (!oldest_q[watched] || as_oldest_q == issued_by_ends[0+:CounterWidth]);
      SaysOwnVerdict_A: assert (!verdict_o[LaunchWidth+1] || (phase_q == Judge &&
                                verdict_o[LaunchWidth-1:0] == launch_q));
    end
  end
`endif
`endif

endmodule
