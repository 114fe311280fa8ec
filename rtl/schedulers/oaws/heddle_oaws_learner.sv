// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// What dynamic OAWS learns of divergent loads (docs/schedulers/oaws.md): which loads diverge, how many accesses and L1D
/// sets that takes, and from whether they are fully cached the estimated optimal number of cached warps, OCW.
///
/// A load that leaves the L1D is learnt from in stages: it has left; the sets that it touched are counted and added to
/// its PC's entry, whose accesses are read; accesses and sets are compared; CNT and OCW change. A load that is coalesced
/// counts in its own cycle. Before a count of an entry would overflow, all three of it are halved.
///
/// Latency: known_to_diverge_o in the same cycle; ocw_o changes four cycles after its load has left. State: the classifier
/// with three counts an entry; misses and sets of the load whose accesses come; CNT and OCW; what the stages hold.
module heddle_oaws_learner #(
  /// PCs that the classifier has, from 2 on.
  parameter int unsigned DlcEntries = 32,
  parameter int unsigned PcWidth = 40,
  /// Bits of an entry's counts: loads, from 1 on; accesses, and sets likewise, from 7 on, as many as a set count has
  /// at least.
  parameter int unsigned LoadsWidth = 7,
  parameter int unsigned AmountWidth = 10,
  /// A load of more lines is divergent, 1 to 32.
  parameter int unsigned CoherentLines = 2,
  /// L1D sets, up to 64, from 2 on.
  parameter int unsigned Sets = 32,
  /// Bits of the count of misses of a load, from 1 on.
  parameter int unsigned MissWidth = 8,
  /// OCW from OcwMin, where it starts, to OcwMax.
  parameter int unsigned OcwMin = 2,
  parameter int unsigned OcwMax = 48,
  /// CNT up to CntMax, from CntStart on.
  parameter int unsigned CntStart = 128,
  parameter int unsigned CntMax = 255,
  /// What a load that is not fully cached takes off CNT: 0: half of it when the load is sensitive to associativity, and
  /// 1 otherwise; 1: always 1; 2: always half. Half is at least 1.
  parameter int unsigned Delta = 0,
  localparam int unsigned SetWidth = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned OcwWidth = $clog2(OcwMax + 1),
  localparam int unsigned CntWidth = $clog2(CntMax + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Is a load at this PC known to diverge?
  input  logic [PcWidth-1:0] pc_i,
  output logic known_to_diverge_o,
  /// A load that looks for its lines in the L1D was coalesced: its PC and lines.
  input  logic coalesced_i,
  input  logic [PcWidth-1:0] coalesced_pc_i,
  input  logic [5:0] coalesced_lines_i,
  /// A kernel starts: no load is known to diverge. Before what coalesces in the same cycle.
  input  logic clear_i,
  /// An access of a load was looked up in the L1D: in which set, whether it missed, whether it is the load's first.
  input  logic access_i,
  input  logic access_first_i,
  input  logic access_miss_i,
  input  logic [SetWidth-1:0] access_set_i,
  /// A load has left the L1D, with or after its last access and before the next load's first: its PC and lines.
  input  logic left_i,
  input  logic [PcWidth-1:0] left_pc_i,
  input  logic [5:0] left_lines_i,
  /// Warps of a lower rank are locality warps.
  output logic [OcwWidth-1:0] ocw_o,
  /// What predictions rest on changes at the next edge.
  output logic again_o
);

  localparam int unsigned FieldsWidth = LoadsWidth + 2 * AmountWidth;
  localparam int unsigned CountWidth = $clog2(Sets + 1);

  // The accesses of the load that is under way, as the registers Div, FCL and Sets of the paper.
  logic div_q;
  logic [MissWidth-1:0] misses_q;
  logic [Sets-1:0] sets_q;
  logic [PcWidth-1:0] left_pc_q;
  logic [Sets-1:0] set_now;
  assign set_now = {{(Sets - 1) {1'b0}}, 1'b1} << access_set_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      div_q <= 1'b0;
      misses_q <= '0;
      sets_q <= '0;
      left_pc_q <= '0;
    end else begin
      div_q <= left_i && 32'(left_lines_i) > CoherentLines;
      if (left_i) left_pc_q <= left_pc_i;
      if (access_i) begin
        sets_q <= access_first_i ? set_now : (sets_q | set_now);
        if (access_first_i) misses_q <= MissWidth'(access_miss_i);
        else if (access_miss_i && misses_q != '1) misses_q <= misses_q + 1'b1;
      end
    end
  end

  // The classifier: asked by a prediction, by a load that is coalesced, and by one that has left.
  logic diverges, recorded_hit, left_hit, new_pc, left_gone, same;
  logic [DlcEntries-1:0] unused_asked, recorded_line, left_line, victim_line;
  logic [FieldsWidth-1:0] recorded_fields, left_fields, recorded_write, left_write, recorded_mask, left_mask;
  logic [DlcEntries*FieldsWidth-1:0] all_fields;
  logic left_writes;
  heddle_table #(
    .Sets       (1),
    .Ways       (DlcEntries),
    .TagWidth   (PcWidth),
    .FieldsWidth(FieldsWidth),
    .LookupPorts(3),
    .ReadPorts  (2),
    .WritePorts (2)
  ) i_dlc (
    .clk_i,
    .rst_ni,
    .lookup_i      ({div_q, diverges, 1'b1}),
    .lookup_set_i  ('0),
    .lookup_tag_i  ({left_pc_q, coalesced_pc_i, pc_i}),
    .lookup_hit_o  ({left_hit, recorded_hit, known_to_diverge_o}),
    .lookup_line_o ({left_line, recorded_line, unused_asked}),
    .read_line_i   ({left_line, recorded_line}),
    .read_fields_o ({left_fields, recorded_fields}),
    .write_i       ({left_writes, diverges}),
    .write_line_i  ({left_line, new_pc ? victim_line : recorded_line}),
    .write_mask_i  ({left_mask, recorded_mask}),
    .write_fields_i({left_write, recorded_write}),
    .insert_i      (new_pc),
    .insert_tag_i  (coalesced_pc_i),
    .victim_i      (diverges),
    .victim_set_i  ('0),
    .victim_line_o (victim_line),
    .touch_i       (diverges && !new_pc),
    .touch_line_i  (recorded_line),
    .invalidate_i  ({DlcEntries{clear_i}}),
    .valid_o       (),
    .fields_o      (all_fields)
  );
  assign diverges = coalesced_i && 32'(coalesced_lines_i) > CoherentLines;
  assign new_pc = diverges && (!recorded_hit || clear_i);
  // Another load takes the entry.
  assign left_gone = new_pc && (left_line & victim_line) != '0;
  assign left_writes = div_q && left_hit && !left_gone;
  // Both loads count at one entry, which is written once.
  assign same = div_q && diverges && !new_pc && (left_line & recorded_line) != '0;

  logic [LoadsWidth-1:0] loads_old, loads_kept, loads_sum;
  logic [AmountWidth-1:0] accesses_old, accesses_kept, accesses_sum, recorded_sets;
  logic [LoadsWidth-1:0] left_loads;
  logic [AmountWidth-1:0] left_accesses, sets_old, sets_kept, sets_sum;
  logic [CountWidth-1:0] touched;
  logic recorded_full, left_full, halve_recorded, halve_left;
  assign {recorded_sets, accesses_old, loads_old} = new_pc ? '0 : recorded_fields;
  assign {sets_old, left_accesses, left_loads} = left_fields;
  heddle_population_count #(
    .Inputs(Sets)
  ) i_touched (
    .bits_i (sets_q),
    .count_o(touched)
  );
  // Too much is added when what is added is more than what is left.
  logic [AmountWidth-1:0] accesses_left, sets_left;
  logic accesses_full, sets_full;
  assign accesses_left = ~accesses_old;
  assign sets_left = ~sets_old;
  heddle_comparator #(
    .Width(AmountWidth)
  ) i_accesses_full (
    .a_i    (accesses_left),
    .b_i    (AmountWidth'(coalesced_lines_i)),
    .less_o (accesses_full),
    .equal_o()
  );
  heddle_comparator #(
    .Width(AmountWidth)
  ) i_sets_full (
    .a_i    (sets_left),
    .b_i    (AmountWidth'(touched)),
    .less_o (sets_full),
    .equal_o()
  );
  assign recorded_full = loads_old == '1 || accesses_full;
  assign left_full = sets_full;
  assign halve_recorded = recorded_full || (same && left_full);
  assign halve_left = left_full || (same && recorded_full);
  assign loads_kept = halve_recorded ? loads_old >> 1 : loads_old;
  assign accesses_kept = halve_recorded ? accesses_old >> 1 : accesses_old;
  assign sets_kept = halve_left ? sets_old >> 1 : sets_old;
  heddle_adder #(
    .Width      (LoadsWidth),
    .AmountWidth(1)
  ) i_loads (
    .a_i       (loads_kept),
    .amount_i  (1'b1),
    .subtract_i(1'b0),
    .sum_o     (loads_sum),
    .overflow_o()
  );
  heddle_adder #(
    .Width      (AmountWidth),
    .AmountWidth(6)
  ) i_accesses (
    .a_i       (accesses_kept),
    .amount_i  (coalesced_lines_i),
    .subtract_i(1'b0),
    .sum_o     (accesses_sum),
    .overflow_o()
  );
  heddle_adder #(
    .Width      (AmountWidth),
    .AmountWidth(CountWidth)
  ) i_sets (
    .a_i       (sets_kept),
    .amount_i  (touched),
    .subtract_i(1'b0),
    .sum_o     (sets_sum),
    .overflow_o()
  );
  assign recorded_write = {recorded_sets >> 1, accesses_sum, loads_sum};
  assign recorded_mask = {{AmountWidth{halve_recorded && !same}}, {(AmountWidth + LoadsWidth) {1'b1}}};
  assign left_write = {sets_sum, left_accesses >> 1, left_loads >> 1};
  assign left_mask = {{AmountWidth{1'b1}}, {(AmountWidth + LoadsWidth) {halve_left && !same}}};

  // Accesses and sets of the entry are compared.
  logic counted_q, counted_cached_q;
  logic [AmountWidth-1:0] accesses_q, total_q, bound;
  logic more;
  heddle_adder #(
    .Width      (AmountWidth),
    .AmountWidth(AmountWidth - 1),
    .Saturate   (1'b1)
  ) i_bound (
    .a_i       (total_q),
    .amount_i  (total_q[AmountWidth-1:1]),
    .subtract_i(1'b0),
    .sum_o     (bound),
    .overflow_o()
  );
  heddle_comparator #(
    .Width(AmountWidth)
  ) i_ratio (
    .a_i    (bound),
    .b_i    (accesses_q),
    .less_o (more),
    .equal_o()
  );

  // OCW.
  logic rated_q, cached_q, sensitive_q;
  logic [OcwWidth-1:0] ocw_d, ocw_q;
  logic [CntWidth-1:0] cnt_d, cnt_q, moved, by;
  logic half, at_end, raise, lower;
  assign half = Delta == 2 || (Delta == 0 && sensitive_q);
  assign by = (!cached_q && half && cnt_q > CntWidth'(1)) ? cnt_q >> 1 : CntWidth'(1);
  heddle_adder #(
    .Width      (CntWidth),
    .AmountWidth(CntWidth),
    .Saturate   (1'b1)
  ) i_cnt (
    .a_i       (cnt_q),
    .amount_i  ((cached_q && cnt_q == CntWidth'(CntMax)) ? '0 : by),
    .subtract_i(!cached_q),
    .sum_o     (moved),
    .overflow_o()
  );
  heddle_comparator #(
    .Width   (CntWidth),
    .Equality(1'b1)
  ) i_at_end (
    .a_i    (moved),
    .b_i    (cached_q ? CntWidth'(CntMax) : '0),
    .less_o (),
    .equal_o(at_end)
  );
  assign raise = rated_q && cached_q && at_end && 32'(ocw_q) < OcwMax;
  assign lower = rated_q && !cached_q && at_end && 32'(ocw_q) > OcwMin;
  always_comb begin
    cnt_d = moved;
    if (raise) cnt_d = '0;
    if (lower) cnt_d = CntWidth'(CntMax);
  end
  heddle_adder #(
    .Width      (OcwWidth),
    .AmountWidth(1)
  ) i_ocw (
    .a_i       (ocw_q),
    .amount_i  (1'b1),
    .subtract_i(lower),
    .sum_o     (ocw_d),
    .overflow_o()
  );
  assign ocw_o = ocw_q;
  assign again_o = clear_i || new_pc || raise || lower;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {counted_q, counted_cached_q, accesses_q, total_q} <= '0;
      {rated_q, cached_q, sensitive_q} <= '0;
      cnt_q <= CntWidth'(CntStart);
      ocw_q <= OcwWidth'(OcwMin);
    end else begin
      counted_q <= div_q;
      counted_cached_q <= misses_q == '0;
      accesses_q <= same ? accesses_sum : halve_left ? left_accesses >> 1 : left_accesses;
      total_q <= sets_sum;
      rated_q <= counted_q;
      cached_q <= counted_cached_q;
      sensitive_q <= more;
      if (rated_q) cnt_q <= cnt_d;
      if (raise || lower) ocw_q <= ocw_d;
    end
  end

  if (DlcEntries < 2 || DlcEntries > 64) begin : gen_illegal_dlc
    $error("heddle_oaws_learner: expected DlcEntries from 2 to 64");
  end
  if (CoherentLines < 1 || CoherentLines > 32) begin : gen_illegal_lines
    $error("heddle_oaws_learner: expected CoherentLines from 1 to 32");
  end
  if (Sets < 2 || Sets > 64 || AmountWidth < 7 || CountWidth > AmountWidth) begin : gen_illegal_sets
    $error("heddle_oaws_learner: expected Sets from 2 to 64, and AmountWidth of 7 or more, enough for them");
  end
  if (PcWidth < 1 || PcWidth > 64 || LoadsWidth < 1 || LoadsWidth > 64 || MissWidth < 1) begin : gen_illegal_widths
    $error("heddle_oaws_learner: expected PcWidth and LoadsWidth from 1 to 64, and MissWidth from 1 on");
  end
  if (OcwMin < 1 || OcwMin > OcwMax || CntStart > CntMax || CntMax < 1 || Delta > 2) begin : gen_illegal_ocw
    $error("heddle_oaws_learner: expected 1 <= OcwMin <= OcwMax, CntStart <= CntMax and Delta up to 2");
  end

  logic _unused;
  assign _unused = ^{unused_asked, all_fields};

`ifndef SYNTHESIS
  always_comb begin
    if (rst_ni) begin
      LinesOfALoad_M: assert final (!coalesced_i || 32'(coalesced_lines_i) <= 32);
      SetInRange_M: assert final (32'(access_set_i) < Sets);
      CntInRange_A: assert final (32'(cnt_q) <= CntMax);
      OcwInRange_A: assert final (32'(ocw_q) >= OcwMin && 32'(ocw_q) <= OcwMax);
      OneWay_A: assert final (!(raise && lower));
    end
  end
`ifdef FORMAL
  // An entry, whichever it is: what it counts is what was added, halved whenever a count would not fit.
  (* anyconst *) logic [$clog2(DlcEntries)-1:0] watched;
  logic [FieldsWidth-1:0] fields_expected_q;
  logic [31:0] loads_next, accesses_next, sets_next;
  logic seen_q;  // a known load has diverged again
  logic [DlcEntries-1:0] seen_line_q;
  logic [CntWidth-1:0] cnt_expected;
  logic [CntWidth:0] cnt_half;
  logic [OcwWidth:0] ocw_expected;
  logic [31:0] sets_of_load;
  always_comb begin
    sets_of_load = '0;
    for (int unsigned s = 0; s < Sets; s++) sets_of_load = sets_of_load + 32'(sets_q[s]);
    loads_next = 32'(fields_expected_q[LoadsWidth-1:0]);
    accesses_next = 32'(fields_expected_q[LoadsWidth+:AmountWidth]);
    sets_next = 32'(fields_expected_q[LoadsWidth+AmountWidth+:AmountWidth]);
    if ((diverges && !new_pc && recorded_line[watched] &&
         (loads_next + 1 >= 1 << LoadsWidth || accesses_next + 32'(coalesced_lines_i) >= 1 << AmountWidth)) ||
        (div_q && left_line[watched] && sets_next + sets_of_load >= 1 << AmountWidth)) begin
      loads_next = loads_next / 2;
      accesses_next = accesses_next / 2;
      sets_next = sets_next / 2;
    end
    if (diverges && !new_pc && recorded_line[watched]) begin
      loads_next = loads_next + 1;
      accesses_next = accesses_next + 32'(coalesced_lines_i);
    end
    if (div_q && left_line[watched]) sets_next = sets_next + sets_of_load;
    // As the paper's figure 7 has it.
    cnt_expected = cnt_q;
    cnt_half = (CntWidth + 1)'(cnt_q) - ((half && cnt_q > 1) ? (CntWidth + 1)'(cnt_q / 2) : (cnt_q != '0 ? 1'b1 : 1'b0));
    ocw_expected = (OcwWidth + 1)'(ocw_q);
    if (rated_q && cached_q) begin
      if (32'(cnt_q) < CntMax) cnt_expected = cnt_q + 1'b1;
      if (32'(cnt_expected) == CntMax && 32'(ocw_q) < OcwMax) begin
        cnt_expected = '0;
        ocw_expected = ocw_expected + 1'b1;
      end
    end else if (rated_q) begin
      cnt_expected = cnt_half[CntWidth-1:0];
      if (cnt_expected == '0 && 32'(ocw_q) > OcwMin) begin
        cnt_expected = CntWidth'(CntMax);
        ocw_expected = ocw_expected - 1'b1;
      end
    end
  end
  logic [CntWidth-1:0] cnt_expected_q;
  logic [OcwWidth:0] ocw_expected_q;
  logic [OcwWidth-1:0] ocw_before_q;
  logic accesses_expected_valid_q, sensitive_expected_q, again_q;
  logic [31:0] accesses_expected_q, sets_expected_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fields_expected_q <= '0;
      seen_q <= 1'b0;
      seen_line_q <= '0;
      cnt_expected_q <= CntWidth'(CntStart);
      ocw_expected_q <= (OcwWidth + 1)'(OcwMin);
      accesses_expected_valid_q <= 1'b0;
      sensitive_expected_q <= 1'b0;
      ocw_before_q <= OcwWidth'(OcwMin);
      again_q <= 1'b0;
      accesses_expected_q <= '0;
      sets_expected_q <= '0;
    end else begin
      fields_expected_q <= {sets_next[AmountWidth-1:0], accesses_next[AmountWidth-1:0], loads_next[LoadsWidth-1:0]};
      if (new_pc && victim_line[watched]) begin
        fields_expected_q <= {{AmountWidth{1'b0}}, AmountWidth'(coalesced_lines_i), LoadsWidth'(1)};
      end
      seen_q <= diverges && recorded_hit && !clear_i;
      seen_line_q <= recorded_line;
      cnt_expected_q <= cnt_expected;
      ocw_expected_q <= ocw_expected;
      accesses_expected_valid_q <= div_q && left_line[watched];
      sensitive_expected_q <= 2 * 32'(accesses_q) > 3 * 32'(total_q);
      ocw_before_q <= ocw_q;
      again_q <= again_o;
      accesses_expected_q <= accesses_next;
      sets_expected_q <= sets_next;
    end
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni) begin
      LastSeenIsKept_A: assert (!seen_q || victim_line != seen_line_q);
      CntByFigure7_A: assert (cnt_q == cnt_expected_q);
      SensitiveByRatio_A: assert (sensitive_q == sensitive_expected_q);
      ChangesAreTold_A: assert (ocw_q == ocw_before_q || again_q);
      OcwByFigure7_A: assert ((OcwWidth + 1)'(ocw_q) == ocw_expected_q);
      if (32'(watched) < DlcEntries) begin
        CountsAreWhatWasAdded_A: assert (all_fields[watched*FieldsWidth+:FieldsWidth] == fields_expected_q);
        ComparedAreOfTheEntry_A: assert (!accesses_expected_valid_q ||
                                         (32'(accesses_q) == accesses_expected_q && 32'(total_q) == sets_expected_q));
      end
    end
  end
`endif
`endif

endmodule
