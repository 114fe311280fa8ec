// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// A table of lines with a tag and fields in flip-flops (hw::Table): an array that is indexed (TagWidth 0),
/// direct-mapped (Ways 1), set-associative, or fully associative, a CAM (Sets 1 and several Ways). Line set * Ways
/// + way. Ports name a line by its number; those of a CAM have a line each instead, as its comparators do.
///
/// Latency: lookups, reads and the victim show what is kept; changes are kept from the next cycle on. Of changes of
/// a line in one cycle the write with the highest number comes last, after invalidation.
module heddle_table #(
  /// Sets, 1 to 1024; more without tags.
  parameter int unsigned Sets = 1,
  /// Lines of a set, 1 to 1024.
  parameter int unsigned Ways = 16,
  /// Bits of a tag, 0 (only with Ways 1) to 64.
  parameter int unsigned TagWidth = 32,
  /// Bits of all fields of a line together, from 0 on.
  parameter int unsigned FieldsWidth = 32,
  /// The line that came first is replaced; otherwise the one that was used longest ago.
  parameter bit Fifo = 1'b0,
  /// Per cycle. A count of 0 leaves a port of the kind, which is ignored.
  parameter int unsigned LookupPorts = 1,
  parameter int unsigned ReadPorts = 1,
  parameter int unsigned WritePorts = 1,
  localparam bit Cam = (TagWidth > 0) && (Sets == 1) && (Ways > 1),
  localparam int unsigned Lines = Sets * Ways,
  localparam int unsigned SetWidth = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned NumberWidth = (Lines > 1) ? $clog2(Lines) : 1,
  /// What names a line.
  localparam int unsigned SelWidth = Cam ? Lines : NumberWidth,
  localparam int unsigned TagPort = (TagWidth > 0) ? TagWidth : 1,
  localparam int unsigned FieldsPort = (FieldsWidth > 0) ? FieldsWidth : 1,
  localparam int unsigned Lookups = (LookupPorts > 0) ? LookupPorts : 1,
  localparam int unsigned Reads = (ReadPorts > 0) ? ReadPorts : 1,
  localparam int unsigned Writes = (WritePorts > 0) ? WritePorts : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Lookup port l: which line of a set has the tag, if one has.
  input  logic [Lookups*SetWidth-1:0] lookup_set_i,
  input  logic [Lookups*TagPort-1:0] lookup_tag_i,
  output logic [Lookups-1:0] lookup_hit_o,
  output logic [Lookups*SelWidth-1:0] lookup_line_o,
  /// Read port r: all fields of a line.
  input  logic [Reads*SelWidth-1:0] read_line_i,
  output logic [Reads*FieldsPort-1:0] read_fields_o,
  /// Write port w: sets the bits of the fields that are in its mask.
  input  logic [Writes-1:0] write_i,
  input  logic [Writes*SelWidth-1:0] write_line_i,
  input  logic [Writes*FieldsPort-1:0] write_mask_i,
  input  logic [Writes*FieldsPort-1:0] write_fields_i,
  /// With write port 0: the line is given to a tag, becomes the youngest of its set, and its other bits 0.
  input  logic insert_i,
  input  logic [TagPort-1:0] insert_tag_i,
  /// The line of a set that is to be replaced: the first invalid one, otherwise by Fifo.
  input  logic [SetWidth-1:0] victim_set_i,
  output logic [SelWidth-1:0] victim_line_o,
  /// The line was used: the youngest of its set. Ignored with Fifo; not in a cycle of an insertion.
  input  logic touch_i,
  input  logic [SelWidth-1:0] touch_line_i,
  /// Drops lines, by number.
  input  logic [Lines-1:0] invalidate_i,
  /// By number; without tags all are valid.
  output logic [Lines-1:0] valid_o,
  /// Fields of line n from bit n * FieldsPort on.
  output logic [Lines*FieldsPort-1:0] fields_o
);

  localparam int unsigned RankWidth = (Ways > 1) ? $clog2(Ways) : 1;

  logic [Lines*TagPort-1:0] tags;
  logic [Lines*FieldsPort-1:0] fields;
  logic [Lines*RankWidth-1:0] ranks;  // in its set: 0 is the next to be replaced
`ifndef SYNTHESIS
  logic [Lines-1:0] left_by_other;  // has the rank that another line of its set leaves
`endif

  logic [Lines-1:0] inserted;
  logic [Lookups-1:0] ambiguous;  // several lines of the set have the tag
  assign fields_o = fields;

  for (genvar n = 0; n < Lines; n++) begin : gen_line
    logic [Writes-1:0] writes;
    for (genvar w = 0; w < Writes; w++) begin : gen_write
      logic named;
      if (Cam) begin : gen_select
        assign named = write_line_i[w*SelWidth+n];
      end else begin : gen_number
        assign named = write_line_i[w*SelWidth+:SelWidth] == SelWidth'(n);
      end
      assign writes[w] = (WritePorts > 0) && write_i[w] && named;
    end
    assign inserted[n] = writes[0] && insert_i;

    if (TagWidth > 0) begin : gen_tag
      logic valid_q;
      logic [TagWidth-1:0] tag_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) valid_q <= 1'b0;
        else valid_q <= (valid_q && !invalidate_i[n]) || inserted[n];
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) tag_q <= '0;
        else if (inserted[n]) tag_q <= insert_tag_i;
      end
      assign valid_o[n] = valid_q;
      assign tags[n*TagPort+:TagPort] = tag_q;
    end else begin : gen_no_tag
      assign valid_o[n] = 1'b1;
      assign tags[n*TagPort+:TagPort] = '0;
    end

    if (FieldsWidth > 0) begin : gen_fields
      logic [FieldsWidth-1:0] fields_d, fields_q;
      always_comb begin
        fields_d = inserted[n] ? '0 : fields_q;
        for (int unsigned w = 0; w < Writes; w++) begin
          if (writes[w]) begin
            fields_d = (fields_d & ~write_mask_i[w*FieldsPort+:FieldsPort]) |
                       (write_fields_i[w*FieldsPort+:FieldsPort] & write_mask_i[w*FieldsPort+:FieldsPort]);
          end
        end
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) fields_q <= '0;
        else fields_q <= fields_d;
      end
      assign fields[n*FieldsPort+:FieldsPort] = fields_q;
    end else begin : gen_no_fields
      assign fields[n*FieldsPort+:FieldsPort] = '0;
    end
  end

  for (genvar l = 0; l < Lookups; l++) begin : gen_lookup
    logic [Ways*TagPort-1:0] tags_of_set;
    logic [Ways-1:0] valid_of_set, match;
    if (TagWidth == 0 || LookupPorts == 0) begin : gen_none
      assign tags_of_set = '0;
      assign valid_of_set = '0;
    end else if (Sets == 1) begin : gen_all
      assign tags_of_set = tags;
      assign valid_of_set = valid_o;
    end else begin : gen_set
      heddle_multiplexer #(
        .Inputs(Sets),
        .Width (Ways * TagPort)
      ) i_tags (
        .data_i (tags),
        .index_i(lookup_set_i[l*SetWidth+:SetWidth]),
        .data_o (tags_of_set)
      );
      heddle_multiplexer #(
        .Inputs(Sets),
        .Width (Ways)
      ) i_valid (
        .data_i (valid_o),
        .index_i(lookup_set_i[l*SetWidth+:SetWidth]),
        .data_o (valid_of_set)
      );
    end
    for (genvar w = 0; w < Ways; w++) begin : gen_way
      logic equal;
      heddle_comparator #(
        .Width   (TagPort),
        .Equality(1'b1)
      ) i_compare (
        .a_i    (tags_of_set[w*TagPort+:TagPort]),
        .b_i    (lookup_tag_i[l*TagPort+:TagPort]),
        .less_o (),
        .equal_o(equal)
      );
      assign match[w] = valid_of_set[w] && equal;
    end
    assign lookup_hit_o[l] = |match;
    assign ambiguous[l] = (match & (match - 1'b1)) != '0;
    if (Cam) begin : gen_select
      assign lookup_line_o[l*SelWidth+:SelWidth] = match;
    end else begin : gen_number
      always_comb begin
        lookup_line_o[l*SelWidth+:SelWidth] = '0;
        for (int unsigned w = 0; w < Ways; w++) begin
          if (match[w]) begin
            lookup_line_o[l*SelWidth+:SelWidth] =
                SelWidth'(lookup_set_i[l*SetWidth+:SetWidth]) * SelWidth'(Ways) + SelWidth'(w);
          end
        end
      end
    end
  end

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    if (ReadPorts == 0 || FieldsWidth == 0) begin : gen_none
      assign read_fields_o[r*FieldsPort+:FieldsPort] = '0;
    end else if (Cam) begin : gen_select
      always_comb begin
        read_fields_o[r*FieldsPort+:FieldsPort] = '0;
        for (int unsigned n = 0; n < Lines; n++) begin
          read_fields_o[r*FieldsPort+:FieldsPort] |=
              {FieldsPort{read_line_i[r*SelWidth+n]}} & fields[n*FieldsPort+:FieldsPort];
        end
      end
    end else begin : gen_number
      heddle_multiplexer #(
        .Inputs(Lines),
        .Width (FieldsPort)
      ) i_read (
        .data_i (fields),
        .index_i(read_line_i[r*SelWidth+:SelWidth]),
        .data_o (read_fields_o[r*FieldsPort+:FieldsPort])
      );
    end
  end

  if (Ways > 1) begin : gen_replacement
    for (genvar s = 0; s < Sets; s++) begin : gen_set
      logic [Ways-1:0] youngest;  // becomes it
      logic [RankWidth-1:0] from;  // the rank that it has
      for (genvar w = 0; w < Ways; w++) begin : gen_way
        localparam int unsigned Line = s * Ways + w;
        logic touched;
        if (Fifo) begin : gen_never
          assign touched = 1'b0;
        end else if (Cam) begin : gen_select
          assign touched = touch_i && touch_line_i[Line];
        end else begin : gen_number
          assign touched = touch_i && touch_line_i == SelWidth'(Line);
        end
        assign youngest[w] = inserted[Line] || touched;
      end
      always_comb begin
        from = '0;
        for (int unsigned w = 0; w < Ways; w++) begin
          from |= {RankWidth{youngest[w]}} & ranks[(s*Ways+w)*RankWidth+:RankWidth];
        end
      end
      // The places that it leaves behind move up.
      for (genvar w = 0; w < Ways; w++) begin : gen_rank
        logic [RankWidth-1:0] rank_q;
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) rank_q <= RankWidth'(w);
          else if (youngest[w]) rank_q <= RankWidth'(Ways - 1);
          else if (youngest != '0 && rank_q > from) rank_q <= rank_q - 1'b1;
        end
        assign ranks[(s*Ways+w)*RankWidth+:RankWidth] = rank_q;
      end
`ifndef SYNTHESIS
      always_comb begin
        left_by_other[s*Ways+:Ways] = '0;
        if (youngest != '0) begin
          for (int unsigned w = 0; w < Ways; w++) begin
            left_by_other[s*Ways+w] = !youngest[w] && ranks[(s*Ways+w)*RankWidth+:RankWidth] == from;
          end
        end
      end
`endif
    end

    logic [Ways-1:0] valid_of_victims, first_of_victims, invalid, victim;
    logic [Lines-1:0] first;
    for (genvar n = 0; n < Lines; n++) begin : gen_first
      assign first[n] = ranks[n*RankWidth+:RankWidth] == '0;
    end
    logic [2*Lines-1:0] victim_data;
    for (genvar s = 0; s < Sets; s++) begin : gen_victims
      assign victim_data[s*2*Ways+:2*Ways] = {valid_o[s*Ways+:Ways], first[s*Ways+:Ways]};
    end
    heddle_multiplexer #(
      .Inputs(Sets),
      .Width (2 * Ways)
    ) i_victims (
      .data_i (victim_data),
      .index_i(victim_set_i),
      .data_o ({valid_of_victims, first_of_victims})
    );
    heddle_fixed_selector #(
      .Inputs(Ways)
    ) i_invalid (
      .request_i (~valid_of_victims),
      .passable_i('0),
      .select_o  (invalid),
      .passed_o  ()
    );
    assign victim = (invalid != '0) ? invalid : first_of_victims;
    if (Cam) begin : gen_select
      assign victim_line_o = victim;
    end else begin : gen_number
      always_comb begin
        victim_line_o = '0;
        for (int unsigned w = 0; w < Ways; w++) begin
          if (victim[w]) victim_line_o = SelWidth'(victim_set_i) * SelWidth'(Ways) + SelWidth'(w);
        end
      end
    end
  end else begin : gen_direct
    assign ranks = '0;
`ifndef SYNTHESIS
    assign left_by_other = '0;
`endif
    assign victim_line_o = SelWidth'(victim_set_i);
  end

  if (Sets < 1 || Ways < 1 || Ways > 1024 || (TagWidth > 0 && Sets > 1024)) begin : gen_illegal_lines
    $error("heddle_table: expected Sets and Ways from 1 to 1024");
  end
  if (TagWidth > 64 || (Ways > 1 && TagWidth < 1)) begin : gen_illegal_tag
    $error("heddle_table: expected TagWidth from 0 to 64, from 1 with several Ways");
  end

`ifndef SYNTHESIS
  // No two lines of a set have one tag: who inserts has looked.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneMatch_M: assert (ambiguous == '0);
      LeavesItsOwnRank_A: assert (left_by_other == '0);
    end
  end
  if (Cam) begin : gen_names
    logic [Writes-1:0] several;
    for (genvar w = 0; w < Writes; w++) begin : gen_write
      assign several[w] = write_i[w] && (write_line_i[w*SelWidth+:SelWidth] &
                                         (write_line_i[w*SelWidth+:SelWidth] - 1'b1)) != '0;
    end
    always @(posedge clk_i) begin
      if (rst_ni) begin
        OneLineIsWritten_M: assert (several == '0);
        OneLineIsTouched_M: assert (!touch_i || (touch_line_i & (touch_line_i - 1'b1)) == '0);
      end
    end
  end
  if (Ways > 1) begin : gen_check
    // Ranks are an order of the lines of a set: looked at when they have changed, for proofs always.
    logic look;
`ifdef FORMAL
    assign look = 1'b1;
`else
    logic [Lines*RankWidth-1:0] looked_q;
    assign look = ranks != looked_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) looked_q <= '0;
      else looked_q <= ranks;
    end
`endif
    logic beyond, shared;
    always_comb begin
      beyond = 1'b0;
      shared = 1'b0;
      if (look) begin
        for (int unsigned n = 0; n < Lines; n++) begin
          if (32'(ranks[n*RankWidth+:RankWidth]) >= Ways) beyond = 1'b1;
          for (int unsigned other = n / Ways * Ways; other < n; other++) begin
            if (ranks[n*RankWidth+:RankWidth] == ranks[other*RankWidth+:RankWidth]) shared = 1'b1;
          end
        end
      end
    end
    always @(posedge clk_i) begin
      if (rst_ni) begin
        TouchOrInsert_M: assert (Fifo || !touch_i || !insert_i || !write_i[0]);
        RanksDiffer_A: assert (!shared);
        RankInRange_A: assert (!beyond);
      end
    end
  end
`endif

endmodule
