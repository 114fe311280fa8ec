// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Memory-occlusion-aware warp scheduling with dynamic prediction (docs/schedulers/oaws.md, qualifier `oaws_dynamic`) for
/// all schedulers of an SM: as heddle_oaws_static, but loads of locality warps are predicted to need nothing, and others'
/// divergent loads so many entries more as their warp's rank. A warp's rank is its place by age among its scheduler's
/// unfinished warps: rank r of scheduler s counts as r x NumSchedulers + s. Warp n is of scheduler n % NumSchedulers.
///
/// Latency, order of service: of heddle_oaws_core. A warp has a rank from the cycle after its start on. State: that of
/// heddle_oaws_core and heddle_oaws_learner, and an age matrix per scheduler.
module heddle_oaws_dynamic #(
  /// Warp slots of the SM, 2 to 64, and its schedulers, as many at most.
  parameter int unsigned NumWarps = 48,
  parameter int unsigned NumSchedulers = 2,
  /// As heddle_oaws_core's and heddle_oaws_learner's, which say more.
  parameter int unsigned MshrEntries = 32,
  parameter int unsigned Carried = 42,
  parameter int unsigned DlcEntries = 32,
  parameter int unsigned PcWidth = 40,
  parameter int unsigned PcBit = 3,
  parameter int unsigned CoherentLines = 2,
  parameter int unsigned ShareFactor = 2048,
  parameter int unsigned Lanes = 32,
  parameter int unsigned Sets = 32,
  parameter int unsigned OcwMin = 2,
  parameter int unsigned CntStart = 128,
  parameter int unsigned CntMax = 255,
  parameter int unsigned Delta = 0,
  localparam int unsigned FreeWidth = $clog2(MshrEntries + 1),
  localparam int unsigned TagWidth = (Carried > 1) ? $clog2(Carried) : 1,
  localparam int unsigned SetWidth = (Sets > 1) ? $clog2(Sets) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [NumWarps-1:0] start_i,
  /// Of those that issue, warps that issue their exit. May depend on qualified_o.
  input  logic [NumWarps-1:0] finish_i,
  input  logic [NumWarps-1:0] issue_i,
  input  logic [NumWarps-1:0] load_i,
  input  logic [NumWarps-1:0] cached_i,
  input  logic [NumWarps*PcWidth-1:0] pc_i,
  input  logic [NumWarps*Lanes-1:0] lanes_i,
  input  logic coalesced_i,
  input  logic [PcWidth-1:0] coalesced_pc_i,
  input  logic [5:0] coalesced_lines_i,
  input  logic clear_i,
  input  logic access_i,
  input  logic access_first_i,
  input  logic access_miss_i,
  input  logic [SetWidth-1:0] access_set_i,
  input  logic room_valid_i,
  input  logic [FreeWidth-1:0] room_i,
  input  logic [NumWarps-1:0] take_i,
  input  logic [TagWidth-1:0] tag_i,
  /// A load has left the L1D: its number, PC and lines.
  input  logic left_i,
  input  logic [TagWidth-1:0] left_tag_i,
  input  logic [PcWidth-1:0] left_pc_i,
  input  logic [5:0] left_lines_i,
  input  logic [NumWarps-1:0] ready_i,
  output logic [NumWarps-1:0] qualified_o,
  output logic [NumWarps-1:0] predict_o
);

  localparam int unsigned RankWidth = $clog2(NumWarps);
  localparam int unsigned OcwWidth = $clog2(NumWarps + 1);

  logic [NumWarps-1:0] ranked, read;
  logic [PcWidth-1:0] pc;
  logic known_to_diverge, learnt;
  logic [RankWidth-1:0] rank;
  logic [OcwWidth-1:0] ocw;
  logic [NumSchedulers*RankWidth-1:0] ranks;  // 0 of those that are not asked

  heddle_oaws_core #(
    .NumWarps   (NumWarps),
    .MshrEntries(MshrEntries),
    .Carried    (Carried),
    .PcWidth    (PcWidth),
    .PcBit      (PcBit),
    .ShareFactor(ShareFactor),
    .Lanes      (Lanes),
    .RankWidth  (RankWidth)
  ) i_core (
    .clk_i,
    .rst_ni,
    .start_i,
    .issue_i,
    .load_i,
    .cached_i,
    .pc_i,
    .lanes_i,
    .may_predict_i     (ranked),
    .again_i           (learnt || finish_i != '0),
    .known_to_diverge_i(known_to_diverge),
    .rank_i            (rank),
    .ocw_i             ((RankWidth + 1)'(ocw)),
    .room_valid_i,
    .room_i,
    .take_i,
    .tag_i,
    .left_i,
    .left_tag_i,
    .ready_i,
    .qualified_o,
    .predict_o,
    .read_o            (read),
    .pc_o              (pc)
  );
  heddle_oaws_learner #(
    .DlcEntries   (DlcEntries),
    .PcWidth      (PcWidth),
    .CoherentLines(CoherentLines),
    .Sets         (Sets),
    .OcwMin       (OcwMin),
    .OcwMax       (NumWarps),
    .CntStart     (CntStart),
    .CntMax       (CntMax),
    .Delta        (Delta)
  ) i_learner (
    .clk_i,
    .rst_ni,
    .pc_i              (pc),
    .known_to_diverge_o(known_to_diverge),
    .coalesced_i,
    .coalesced_pc_i,
    .coalesced_lines_i,
    .clear_i,
    .access_i,
    .access_first_i,
    .access_miss_i,
    .access_set_i,
    .left_i,
    .left_pc_i,
    .left_lines_i,
    .ocw_o             (ocw),
    .again_o           (learnt)
  );

`ifdef FORMAL
  logic [NumSchedulers-1:0] not_present, not_first, other_rank;
`endif
  for (genvar s = 0; s < NumSchedulers; s++) begin : gen_order
    localparam int unsigned Own = (NumWarps - s + NumSchedulers - 1) / NumSchedulers;
    localparam int unsigned IdxWidth = (Own > 1) ? $clog2(Own) : 1;
    localparam int unsigned CountWidth = $clog2(Own + 1);
    logic [Own-1:0] starts, finishes, present, reads;
    logic [Own*Own-1:0] first;
    logic [IdxWidth-1:0] index;
    logic [CountWidth-1:0] older;
    for (genvar i = 0; i < Own; i++) begin : gen_warp
      assign starts[i] = start_i[i*NumSchedulers+s];
      assign finishes[i] = finish_i[i*NumSchedulers+s];
      assign reads[i] = read[i*NumSchedulers+s];
      assign ranked[i*NumSchedulers+s] = present[i];
    end
    always_comb begin
      index = '0;
      for (int unsigned i = 0; i < Own; i++) index |= {IdxWidth{reads[i]}} & IdxWidth'(i);
    end
    heddle_age_matrix #(
      .Entries(Own)
    ) i_order (
      .clk_i,
      .rst_ni,
      .append_i (starts),
      .remove_i (finishes),
      .first_o  (first),
      .present_o(present)
    );
    heddle_age_rank #(
      .Entries(Own)
    ) i_rank (
      .first_i  (first),
      .present_i(present),
      .index_i  (index),
      .rank_o   (older)
    );
`ifdef FORMAL
    // Of a warp, whichever it is: its rank counts those that were in the order when it came, and still are.
    (* anyconst *) logic [IdxWidth-1:0] watched;
    logic [Own-1:0] older_q, earlier, lower;
    logic [31:0] expected;
    assign lower = (Own'(1) << watched) - 1'b1;
    for (genvar i = 0; i < Own; i++) begin : gen_before
      assign earlier[i] = 32'(watched) > i ? first[i*Own+watched] : !first[watched*Own+i];
    end
    always_comb begin
      expected = '0;
      for (int unsigned i = 0; i < Own; i++) expected = expected + 32'(older_q[i]);
      expected = expected * NumSchedulers + s;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) older_q <= '0;
      else if (starts[watched]) older_q <= (present & ~finishes & ~starts) | (starts & lower);
      else older_q <= older_q & ~finishes & ~starts;
    end
    logic counts;
    assign counts = 32'(watched) < Own && present[watched];
    assign not_present[s] = counts && ((older_q & ~present) != '0 || older_q[watched]);
    assign not_first[s] = counts && ((earlier ^ older_q) & present & ~(Own'(1) << watched)) != '0;
    assign other_rank[s] = counts && reads[watched] && 32'(ranks[s*RankWidth+:RankWidth]) != expected;
`endif
    assign ranks[s*RankWidth+:RankWidth] =
        {RankWidth{reads != '0}} & (RankWidth'(older) * RankWidth'(NumSchedulers) + RankWidth'(s));
`ifndef SYNTHESIS
    logic _unused;
    assign _unused = ^older;  // of a power of two of warps the upper bit
`endif
  end
  always_comb begin
    rank = '0;
    for (int unsigned s = 0; s < NumSchedulers; s++) rank |= ranks[s*RankWidth+:RankWidth];
  end

  if (NumWarps < 2 || NumWarps > 64 || NumSchedulers < 1 || NumSchedulers > NumWarps) begin : gen_illegal
    $error("heddle_oaws_dynamic: expected NumWarps from 2 to 64, one for each scheduler at least");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) FinishedHaveIssued_M: assert ((finish_i & ~issue_i) == '0);
  end
`endif
`ifdef FORMAL
  logic [NumWarps-1:0] unfinished_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) unfinished_q <= '0;
    else unfinished_q <= (unfinished_q & ~finish_i) | start_i;
  end
  always_comb begin
    if (rst_ni) begin
      ReadAreRanked_A: assert ((read & ~ranked) == '0);
      RankedAreUnfinished_A: assert (ranked == unfinished_q);
      OlderArePresent_A: assert (not_present == '0);
      OlderCameFirst_A: assert (not_first == '0);
      RankCountsTheOlder_A: assert (other_rank == '0);
    end
  end
`endif

endmodule
