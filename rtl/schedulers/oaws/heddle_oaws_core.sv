// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// What both kinds of memory-occlusion-aware warp scheduling have (docs/schedulers/oaws.md), for all schedulers of an SM:
/// the predictions of the warps' next loads, and the room for them. A load may issue when the MSHR entries that it is
/// predicted to take are free, less those that loads in flight are predicted to take.
///
/// A prediction is a pipeline, into which one goes a cycle, first of loads that have none: a warp is selected; its PC
/// and active lanes are read, and others say in that cycle whether the load is known to diverge, and the warp's rank; the
/// lanes of four groups are counted, and the rank is compared; the counts are added up, and the share of them that misses
/// is stored, with the rank. A locality warp, of a rank below ocw_i, needs nothing.
///
/// Latency: from ready_i to qualified_o in the same cycle; a prediction is there four cycles after its warp was selected,
/// and whether it fits in the next one, as with any change of the room. State: two predictions per warp, and which of
/// them is the next instruction's; per warp whether that is there, has to be made, fits, and is in each stage; what the
/// stages hold; free entries, entries in flight, and those of each load in flight.
/// Not free of starvation: a load waits as long as others take the room that it needs. None needs more than there is.
/// Entries in flight are counted up to what their register has, twice all entries at least: beyond it, when many loads
/// issue later than it was found that they fit, fewer are held back until these have left.
module heddle_oaws_core #(
  /// Warp slots of the SM, 1 to 64.
  parameter int unsigned NumWarps = 48,
  /// MSHR entries, from 2 on.
  parameter int unsigned MshrEntries = 32,
  /// Loads in flight at most, from 1 on.
  parameter int unsigned Carried = 42,
  /// Bits of a PC; one instruction after the other changes PcBit.
  parameter int unsigned PcWidth = 40,
  parameter int unsigned PcBit = 3,
  /// Lanes of a divergent load that are predicted to miss, in 4096ths, rounded up; 0: no load needs entries.
  parameter int unsigned ShareFactor = 2048,
  /// Lanes of a warp, a multiple of 4 up to 32.
  parameter int unsigned Lanes = 32,
  /// Bits of a rank, up to 7; 0: there are no ranks, and none of their ports counts.
  parameter int unsigned RankWidth = 0,
  localparam int unsigned RankPort = (RankWidth > 0) ? RankWidth : 1,
  localparam int unsigned IdxWidth = (NumWarps > 1) ? $clog2(NumWarps) : 1,
  localparam int unsigned FreeWidth = $clog2(MshrEntries + 1),
  localparam int unsigned RoomWidth = $clog2(2 * MshrEntries + 1),
  localparam int unsigned TagWidth = (Carried > 1) ? $clog2(Carried) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Warps that start in this cycle.
  input  logic [NumWarps-1:0] start_i,
  /// Warps that issue in this cycle. May depend on qualified_o.
  input  logic [NumWarps-1:0] issue_i,
  /// Warps whose next instruction is a load that goes to the L1D or past it; of these, those that look for their lines
  /// in it.
  input  logic [NumWarps-1:0] load_i,
  input  logic [NumWarps-1:0] cached_i,
  /// The next PC of each warp, and its active lanes.
  input  logic [NumWarps*PcWidth-1:0] pc_i,
  input  logic [NumWarps*Lanes-1:0] lanes_i,
  /// Warps of which a prediction may be begun.
  input  logic [NumWarps-1:0] may_predict_i,
  /// What predictions rest on has changed: all are made again.
  input  logic again_i,
  /// Of the load at pc_o: it is known to diverge.
  input  logic known_to_diverge_i,
  /// The rank of the warp in read_o, and from which rank on a warp is no locality warp.
  input  logic [RankPort-1:0] rank_i,
  input  logic [RankPort:0] ocw_i,
  /// So many MSHR entries are free from the next cycle on.
  input  logic room_valid_i,
  input  logic [FreeWidth-1:0] room_i,
  /// The warp that issues a load which looks for its lines in the L1D, at most one, and the number that it has until it
  /// has left. May depend on qualified_o.
  input  logic [NumWarps-1:0] take_i,
  input  logic [TagWidth-1:0] tag_i,
  /// A load has left the L1D: its number.
  input  logic left_i,
  input  logic [TagWidth-1:0] left_tag_i,
  /// Warps that may issue in this cycle if they qualify.
  input  logic [NumWarps-1:0] ready_i,
  /// Those of them that do.
  output logic [NumWarps-1:0] qualified_o,
  /// The warp of which a prediction is begun, at most one: its PC and lanes are read in the next cycle.
  output logic [NumWarps-1:0] predict_o,
  /// In that cycle: the warp, and its next PC.
  output logic [NumWarps-1:0] read_o,
  output logic [PcWidth-1:0] pc_o
);

  localparam int unsigned Groups = 4;
  localparam int unsigned GroupWidth = $clog2(Lanes / Groups + 1);
  localparam int unsigned CountWidth = $clog2(Lanes + 1);
  localparam int unsigned ShareBits = 12;
  // A prediction is of less than all entries, and no more than a share, rounded up, and a rank can have by their widths.
  localparam int unsigned MostShare = (((1 << CountWidth) - 1) * ShareFactor + (1 << ShareBits) - 1) >> ShareBits;
  localparam int unsigned MostNeed = MostShare + ((RankWidth > 0) ? (1 << RankWidth) - 1 : 0);
  localparam int unsigned MostWidth = (MostNeed > 1) ? $clog2(MostNeed + 1) : 1;
  localparam int unsigned NeedWidth = ($clog2(MshrEntries) < MostWidth) ? $clog2(MshrEntries) : MostWidth;
  // More than all entries could never be free at once.
  localparam int unsigned Cap = (MshrEntries < (1 << NeedWidth)) ? MshrEntries : (1 << NeedWidth) - 1;
  localparam int unsigned SumWidth = (RankWidth == 0) ? CountWidth + 1 : ((RankWidth > CountWidth + 1) ? RankWidth : CountWidth + 1) + 1;

  logic [NumWarps-1:0] known_q, stale_q, entry_q, fits_q;
  logic [NumWarps-1:0] selected_q, read_q, counted_q;  // the warp that is in each stage
  logic [NumWarps-1:0] forget;  // the next instruction is another one
  logic [NumWarps-1:0] fits_now;

  assign forget = issue_i | start_i;
  assign qualified_o = ready_i & (~load_i | (known_q & fits_q));

  // A warp is selected.
  logic [IdxWidth-1:0] start_d, start_q;
  logic [NumWarps-1:0] wanted, select_any, select_new;
  assign wanted = stale_q & load_i & may_predict_i;
  heddle_rotating_selector #(
    .Inputs(NumWarps)
  ) i_any (
    .request_i (wanted),
    .passable_i('0),
    .start_i   (start_q),
    .select_o  (select_any),
    .passed_o  ()
  );
  heddle_rotating_selector #(
    .Inputs(NumWarps)
  ) i_new (
    .request_i (wanted & ~known_q),
    .passable_i('0),
    .start_i   (start_q),
    .select_o  (select_new),
    .passed_o  ()
  );
  assign predict_o = ((wanted & ~known_q) != '0) ? select_new : select_any;
  always_comb begin
    start_d = (predict_o == '0) ? start_q : '0;
    for (int unsigned n = 0; n < NumWarps; n++) begin
      start_d |= {IdxWidth{predict_o[n]}} & ((n + 1 < NumWarps) ? IdxWidth'(n + 1) : '0);
    end
  end

  // Its PC and lanes are read; the classifier is asked, and its rank.
  logic [PcWidth-1:0] pc;
  logic [Lanes-1:0] lanes_d, lanes_q;
  logic divergent_q, cached_q, second_q;
  logic [RankPort-1:0] rank_q;
  always_comb begin
    pc = '0;
    lanes_d = '0;
    for (int unsigned n = 0; n < NumWarps; n++) begin
      pc |= {PcWidth{selected_q[n]}} & pc_i[n*PcWidth+:PcWidth];
      lanes_d |= {Lanes{selected_q[n]}} & lanes_i[n*Lanes+:Lanes];
    end
  end
  assign pc_o = pc;
  assign read_o = selected_q;

  // The lanes of each group are counted, and the warp may be a locality warp.
  logic [Groups*GroupWidth-1:0] counts_d, counts_q;
  logic divergent_counted_q, cached_counted_q, second_counted_q;
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    heddle_population_count #(
      .Inputs(Lanes / Groups)
    ) i_count (
      .bits_i (lanes_q[g*(Lanes/Groups)+:Lanes/Groups]),
      .count_o(counts_d[g*GroupWidth+:GroupWidth])
    );
  end

  logic locality;
  logic [RankPort-1:0] rank_counted_q;
  if (RankWidth > 0) begin : gen_rank
    heddle_comparator #(
      .Width(RankWidth + 1)
    ) i_locality (
      .a_i    ({1'b0, rank_q}),
      .b_i    (ocw_i),
      .less_o (locality),
      .equal_o()
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        rank_q <= '0;
        rank_counted_q <= '0;
      end else begin
        rank_q <= rank_i;
        rank_counted_q <= rank_q;
      end
    end
  end else begin : gen_no_rank
    assign locality = 1'b0;
    assign rank_q = '0;
    assign rank_counted_q = '0;
  end

  // The share of all of them and the rank, cut at what can be free.
  logic [CountWidth-1:0] count;
  logic [CountWidth+ShareBits:0] share;
  logic [CountWidth:0] rounded;
  logic [SumWidth-1:0] sum;
  logic [NeedWidth-1:0] need;
  always_comb begin
    count = '0;
    for (int unsigned g = 0; g < Groups; g++) count = count + CountWidth'(counts_q[g*GroupWidth+:GroupWidth]);
  end
  assign share = (CountWidth + ShareBits + 1)'(count) * (CountWidth + ShareBits + 1)'(ShareFactor);
  assign rounded = share[CountWidth+ShareBits:ShareBits] + (CountWidth + 1)'(share[ShareBits-1:0] != '0);
  assign sum = SumWidth'(rounded) + SumWidth'(rank_counted_q);
  always_comb begin
    need = NeedWidth'(sum);
    if (32'(sum) > Cap) need = NeedWidth'(Cap);
    if (!divergent_counted_q) need = NeedWidth'(1);
    if (!cached_counted_q || ShareFactor == 0) need = '0;
  end

  // Two predictions per warp, for the two instructions of its I-buffer.
  logic [2*NumWarps*NeedWidth-1:0] stored_q;
  logic [NumWarps*NeedWidth-1:0] needs;  // of the next instruction
  for (genvar n = 0; n < NumWarps; n++) begin : gen_warp
    for (genvar e = 0; e < 2; e++) begin : gen_entry
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) stored_q[(2*n+e)*NeedWidth+:NeedWidth] <= '0;
        else if (counted_q[n] && second_counted_q == 1'(e)) stored_q[(2*n+e)*NeedWidth+:NeedWidth] <= need;
      end
    end
    assign needs[n*NeedWidth+:NeedWidth] =
        entry_q[n] ? stored_q[(2*n+1)*NeedWidth+:NeedWidth] : stored_q[2*n*NeedWidth+:NeedWidth];
  end

  // What loads in flight are predicted to take, and the room beside that.
  logic [NeedWidth-1:0] taken, carried;
  logic [Carried*NeedWidth-1:0] in_flight_of;
  logic [FreeWidth-1:0] available_q;
  logic [RoomWidth-1:0] in_flight_q, more, in_flight_d, room;
  always_comb begin
    taken = '0;
    for (int unsigned n = 0; n < NumWarps; n++) begin
      taken |= {NeedWidth{take_i[n] & known_q[n]}} & needs[n*NeedWidth+:NeedWidth];
    end
  end
  heddle_counter_array #(
    .Entries   (Carried),
    .Width     (NeedWidth),
    .ReadPorts (1),
    .WritePorts(1),
    .Adders    (0)
  ) i_carried (
    .clk_i,
    .rst_ni,
    .read_index_i  (left_tag_i),
    .read_data_o   (carried),
    .write_i       (|take_i),
    .write_index_i (tag_i),
    .write_data_i  (taken),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       ('0),
    .count_amount_i('0),
    .clear_i       ('0),
    .values_o      (in_flight_of),
    .next_o        ()
  );
  heddle_adder #(
    .Width      (RoomWidth),
    .AmountWidth(NeedWidth),
    .Saturate   (1'b1)
  ) i_more (
    .a_i       (in_flight_q),
    .amount_i  (taken),
    .subtract_i(1'b0),
    .sum_o     (more),
    .overflow_o()
  );
  heddle_adder #(
    .Width      (RoomWidth),
    .AmountWidth(NeedWidth),
    .Saturate   (1'b1)
  ) i_less (
    .a_i       (more),
    .amount_i  (left_i ? carried : '0),
    .subtract_i(1'b1),
    .sum_o     (in_flight_d),
    .overflow_o()
  );
  heddle_adder #(
    .Width      (RoomWidth),
    .AmountWidth(RoomWidth),
    .Saturate   (1'b1)
  ) i_room (
    .a_i       (RoomWidth'(available_q)),
    .amount_i  (in_flight_q),
    .subtract_i(1'b1),
    .sum_o     (room),
    .overflow_o()
  );
  for (genvar n = 0; n < NumWarps; n++) begin : gen_fit
    logic more_than_room;
    heddle_comparator #(
      .Width(FreeWidth)
    ) i_compare (
      .a_i    (room[FreeWidth-1:0]),
      .b_i    (FreeWidth'(needs[n*NeedWidth+:NeedWidth])),
      .less_o (more_than_room),
      .equal_o()
    );
    assign fits_now[n] = known_q[n] & ~more_than_room;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      known_q <= '0;
      stale_q <= '1;
      entry_q <= '0;
      fits_q <= '0;
      selected_q <= '0;
      read_q <= '0;
      counted_q <= '0;
      start_q <= '0;
      lanes_q <= '0;
      counts_q <= '0;
      {divergent_q, cached_q, second_q} <= '0;
      {divergent_counted_q, cached_counted_q, second_counted_q} <= '0;
      available_q <= FreeWidth'(MshrEntries);
      in_flight_q <= '0;
    end else begin
      known_q <= (known_q | counted_q) & ~forget;
      stale_q <= (stale_q & ~predict_o) | forget | {NumWarps{again_i}};
      entry_q <= (entry_q & ~counted_q) | (counted_q & {NumWarps{second_counted_q}});
      fits_q <= fits_now & ~issue_i;
      selected_q <= predict_o & ~forget;
      read_q <= selected_q & ~forget;
      counted_q <= read_q & ~forget;
      start_q <= start_d;
      lanes_q <= lanes_d;
      divergent_q <= known_to_diverge_i;
      cached_q <= |(cached_i & selected_q);
      second_q <= pc[PcBit];
      counts_q <= counts_d;
      divergent_counted_q <= divergent_q;
      cached_counted_q <= cached_q & ~locality;
      second_counted_q <= second_q;
      if (room_valid_i) available_q <= room_i;
      in_flight_q <= in_flight_d;
    end
  end

  if (NumWarps < 1 || NumWarps > 64) begin : gen_illegal_warps
    $error("heddle_oaws_core: expected NumWarps from 1 to 64");
  end
  if (MshrEntries < 2) begin : gen_illegal_entries
    $error("heddle_oaws_core: expected MshrEntries from 2 on");
  end
  if (Carried < 1 || Carried > 1024) begin : gen_illegal_carried
    $error("heddle_oaws_core: expected Carried from 1 to 1024");
  end
  if (PcWidth < 1 || PcWidth > 64 || PcBit >= PcWidth) begin : gen_illegal_pc
    $error("heddle_oaws_core: expected PcWidth from 1 to 64 and PcBit below it");
  end
  if (ShareFactor > 4096 || RankWidth > 7) begin : gen_illegal_share
    $error("heddle_oaws_core: expected ShareFactor of at most 4096 and RankWidth of at most 7");
  end
  if (Lanes < 4 || Lanes > 32 || Lanes % 4 != 0) begin : gen_illegal_lanes
    $error("heddle_oaws_core: expected Lanes of 4 to 32, a multiple of 4");
  end

  logic _unused;
  assign _unused = ^{room[RoomWidth-1], in_flight_of, rank_i, ocw_i, rank_q};

`ifndef SYNTHESIS
  logic [Carried-1:0] flying_q;  // loads in flight, by their numbers
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      flying_q <= '0;
    end else begin
      for (int unsigned t = 0; t < Carried; t++) begin
        if (left_i && 32'(left_tag_i) == t) flying_q[t] <= 1'b0;
        if (take_i != '0 && 32'(tag_i) == t) flying_q[t] <= 1'b1;
      end
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      LeftWasInFlight_M: assert (!left_i || flying_q[left_tag_i]);
      NumberIsFree_M: assert (take_i == '0 || !flying_q[tag_i]);
    end
  end
  always_comb begin
    if (rst_ni) begin
      OneTakes_M: assert final ((take_i & (take_i - 1'b1)) == '0);
      TakenIsIssued_M: assert final ((take_i & ~issue_i) == '0);
      TagInRange_M: assert final (take_i == '0 || 32'(tag_i) < Carried);
      LeftTagInRange_M: assert final (!left_i || 32'(left_tag_i) < Carried);
      RoomInRange_M: assert final (!room_valid_i || 32'(room_i) <= MshrEntries);
      QualifiedIsReady_A: assert final ((qualified_o & ~ready_i) == '0);
      OthersQualify_A: assert final ((ready_i & ~load_i & ~qualified_o) == '0);
      LoadsHavePredictions_A: assert final ((qualified_o & load_i & ~known_q) == '0);
      PredictOnehot_A: assert final ((predict_o & (predict_o - 1'b1)) == '0);
      PredictIfWanted_A: assert final ((stale_q & load_i & may_predict_i) == '0 || predict_o != '0);
      OnlyWanted_A: assert final ((predict_o & ~may_predict_i) == '0);
      NewOnesFirst_A: assert final ((wanted & ~known_q) == '0 || (predict_o & known_q) == '0);
      StagesOnehot_A: assert final ((selected_q & (selected_q - 1'b1)) == '0 && (read_q & (read_q - 1'b1)) == '0 &&
                                    (counted_q & (counted_q - 1'b1)) == '0);
      StartInRange_A: assert final (32'(start_q) < NumWarps);
      AvailableInRange_A: assert final (32'(available_q) <= MshrEntries);
      // Each next load has a prediction, or is to get one.
      NoneIsLeftOut_A: assert final ((known_q | stale_q | selected_q | read_q | counted_q) == '1);
    end
  end
`ifdef FORMAL
  // A warp, whichever it is, gets the prediction that its PC, lanes and instruction had when it was begun; and its load
  // fits when the prediction and those of all loads in flight find free entries.
  (* anyconst *) logic [IdxWidth-1:0] watched;
  logic [CountWidth-1:0] watched_lanes;
  logic [NeedWidth-1:0] expected, from_read, needed;
  logic [3:0] stage_q;  // selected, read, counted, there
  logic [NeedWidth-1:0] expected_q, expected_counted_q, expected_known_q;
  logic second_read_q, second_at_count_q, second_known_q;
  logic fits_expected_q;
  logic [RankPort-1:0] watched_rank_q;  // when it was read; it is compared a cycle later
  function automatic [NeedWidth-1:0] need_of(input is_cached, input is_divergent, input [CountWidth-1:0] of_lanes,
                                             input [RankPort-1:0] of_rank);
    reg [31:0] whole;
    begin
      whole = (of_lanes * ShareFactor + 4095) / 4096 + (RankWidth > 0 ? 32'(of_rank) : 0);
      if (whole > (MshrEntries < (1 << NeedWidth) ? MshrEntries : (1 << NeedWidth) - 1))
        whole = MshrEntries < (1 << NeedWidth) ? MshrEntries : (1 << NeedWidth) - 1;
      if (!is_divergent) whole = 1;
      if (!is_cached || ShareFactor == 0) whole = 0;
      need_of = whole[NeedWidth-1:0];
    end
  endfunction
  logic [CountWidth-1:0] lanes_read;
  heddle_population_count #(
    .Inputs(Lanes)
  ) i_watched (
    .bits_i (lanes_i[watched*Lanes+:Lanes]),
    .count_o(watched_lanes)
  );
  heddle_population_count #(
    .Inputs(Lanes)
  ) i_read (
    .bits_i (lanes_q),
    .count_o(lanes_read)
  );
  assign expected = need_of(cached_i[watched], known_to_diverge_i, watched_lanes, rank_i);
  assign from_read = need_of(cached_q, divergent_q, lanes_read, rank_q);
  assign needed = needs[watched*NeedWidth+:NeedWidth];
  logic [31:0] flying_need;  // of loads in flight
  always_comb begin
    flying_need = '0;
    for (int unsigned t = 0; t < Carried; t++) begin
      if (flying_q[t]) flying_need = flying_need + 32'(in_flight_of[t*NeedWidth+:NeedWidth]);
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stage_q <= '0;
      fits_expected_q <= 1'b0;
      {expected_q, expected_counted_q, expected_known_q} <= '0;
      {second_read_q, second_at_count_q, second_known_q} <= '0;
      watched_rank_q <= '0;
    end else begin
      stage_q <= forget[watched] ? '0 : {stage_q[3] | stage_q[2], stage_q[1:0], predict_o[watched]};
      watched_rank_q <= rank_i;
      expected_q <= expected;
      second_read_q <= pc_i[watched*PcWidth+PcBit];
      expected_counted_q <= (RankWidth > 0 && {1'b0, watched_rank_q} < ocw_i) ? '0 : expected_q;
      second_at_count_q <= second_read_q;
      if (stage_q[2]) begin
        expected_known_q <= expected_counted_q;
        second_known_q <= second_at_count_q;
      end
      fits_expected_q <= known_q[watched] && !issue_i[watched] &&
                         (needed == '0 || 32'(needed) + 32'(in_flight_q) <= 32'(available_q));
    end
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni && 32'(watched) < NumWarps) begin
      StagesOfOne_A: assert (stage_q == {known_q[watched], counted_q[watched], read_q[watched], selected_q[watched]});
      ReadIsOfIt_A: assert (!stage_q[1] || (from_read == expected_q && (RankWidth == 0 || rank_q == watched_rank_q) && second_q == second_read_q));
      CountedIsOfIt_A: assert (!stage_q[2] || (need == expected_counted_q && second_counted_q == second_at_count_q));
      PredictionIsOfIt_A: assert (!stage_q[3] || (needed == expected_known_q && entry_q[watched] == second_known_q));
      InFlightIsCarried_A: assert (32'(in_flight_q) == flying_need);
      FitsByEquationOne_A: assert (fits_q[watched] == fits_expected_q);
    end
  end
`endif
`endif

endmodule
