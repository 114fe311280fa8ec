// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// A table of lines with a tag and fields in flip-flops (hw::Table): an array that is indexed (TagWidth 0),
/// direct-mapped (Ways 1), set-associative, or fully associative, a CAM (Sets 1 and several Ways). Line set * Ways
/// + way. Ports name a line by its number; those of a CAM have a line each instead, as its comparators do.
///
/// Latency: lookups, reads and the victim show what is kept; changes are kept from the next cycle on. Of changes of
/// a line in one cycle the write with the highest number comes last, after invalidation.
module heddle_table #(
  /// Sets, 1 to 1024; more without tags. With read ports at most 1024 lines, but for a CAM.
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
  /// Lookup port l: which line of a set has the tag, if it looks and one has.
  input  logic [Lookups-1:0] lookup_i,
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
  /// The line of a set that is to be replaced, if it is asked for: the first invalid one, otherwise by Fifo.
  input  logic victim_i,
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
  localparam int unsigned WayWidth = RankWidth;
  // Sets stand a power of two of lines and of bits apart, so that an address is no product.
  localparam int unsigned Places = 1 << $clog2(Ways);
  localparam int unsigned Stride = 1 << $clog2(Ways * TagPort);
  localparam int unsigned AllSets = 1 << $clog2(Sets);

  logic [AllSets*Stride-1:0] tags;
  logic [AllSets*Places-1:0] valid;
  logic [Lines*FieldsPort-1:0] fields;
  logic [Lines*RankWidth-1:0] ranks;  // in its set: 0 is the next to be replaced
`ifndef SYNTHESIS
  logic [Lines-1:0] left_by_other;  // has the rank that another line of its set leaves
`endif

  logic [Writes*Lines-1:0] written;  // by write port
  logic [Lines-1:0] inserted;
  logic [Lookups-1:0] ambiguous;  // several lines of the set have the tag
  assign fields_o = fields;

  /// The ways whose numbers have this bit.
  function automatic logic [Ways-1:0] ways_with(input int unsigned bit_of);
    for (int unsigned w = 0; w < Ways; w++) ways_with[w] = ((w >> bit_of) & 1) != 0;
  endfunction

  // Simulators pass over a port that is not used: what follows from it alone stands behind whether it is.

  for (genvar w = 0; w < Writes; w++) begin : gen_write
    if (WritePorts == 0) begin : gen_none
      assign written[w*Lines+:Lines] = '0;
    end else if (Cam) begin : gen_select
      assign written[w*Lines+:Lines] = write_line_i[w*SelWidth+:SelWidth] & {Lines{write_i[w]}};
    end else begin : gen_number
      always_comb begin
        written[w*Lines+:Lines] = '0;
        if (write_i[w]) begin
          for (int unsigned n = 0; n < Lines; n++) begin
            written[w*Lines+n] = write_line_i[w*SelWidth+:SelWidth] == SelWidth'(n);
          end
        end
      end
    end
  end
  assign inserted = written[Lines-1:0] & {Lines{insert_i}};

  if (TagWidth > 0) begin : gen_tags
    logic [Lines-1:0] valid_q;
    logic [Lines*TagPort-1:0] tags_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= '0;
      else valid_q <= (valid_q & ~invalidate_i) | inserted;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) tags_q <= '0;
      else if (insert_i && write_i[0]) begin
        for (int unsigned n = 0; n < Lines; n++) begin
          if (inserted[n]) tags_q[n*TagPort+:TagPort] <= insert_tag_i;
        end
      end
    end
    assign valid_o = valid_q;
    for (genvar s = 0; s < AllSets; s++) begin : gen_places
      if (s < Sets) begin : gen_set
        assign valid[s*Places+:Places] = Places'(valid_q[s*Ways+:Ways]);
        assign tags[s*Stride+:Stride] = Stride'(tags_q[s*Ways*TagPort+:Ways*TagPort]);
      end else begin : gen_none
        assign valid[s*Places+:Places] = '0;
        assign tags[s*Stride+:Stride] = '0;
      end
    end
  end else begin : gen_no_tags
    assign valid_o = '1;
    assign valid = '0;
    assign tags = '0;
  end

  for (genvar n = 0; n < Lines; n++) begin : gen_line
    if (FieldsWidth > 0) begin : gen_fields
      logic [FieldsWidth-1:0] fields_d, fields_q;
      always_comb begin
        fields_d = inserted[n] ? '0 : fields_q;
        for (int unsigned w = 0; w < Writes; w++) begin
          if (written[w*Lines+n]) begin
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
    logic [Ways-1:0] match;
    if (TagWidth == 0 || LookupPorts == 0) begin : gen_none
      assign match = '0;
    end else begin : gen_match
      logic [SetWidth-1:0] set;
      assign set = (Sets == 1) ? '0 : lookup_set_i[l*SetWidth+:SetWidth];
      always_comb begin
        match = '0;
        if (lookup_i[l]) begin
          for (int unsigned w = 0; w < Ways; w++) begin
            match[w] = valid[32'(set)*Places|w] &&
                       tags[(32'(set)*Stride|(w*TagPort))+:TagPort] == lookup_tag_i[l*TagPort+:TagPort];
          end
        end
      end
    end
    assign lookup_hit_o[l] = match != '0;
    assign ambiguous[l] = (match & (match - 1'b1)) != '0;
    if (Cam) begin : gen_select
      assign lookup_line_o[l*SelWidth+:SelWidth] = match;
    end else begin : gen_number
      logic [WayWidth-1:0] way;
      for (genvar b = 0; b < WayWidth; b++) begin : gen_bit
        assign way[b] = (match & ways_with(b)) != '0;
      end
      assign lookup_line_o[l*SelWidth+:SelWidth] =
          lookup_hit_o[l] ? SelWidth'(lookup_set_i[l*SetWidth+:SetWidth]) * SelWidth'(Ways) + SelWidth'(way) : '0;
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
    logic [Lines*RankWidth-1:0] ranks_d, ranks_q;
    logic [Lines-1:0] touched, youngest;  // becomes it
    if (Fifo) begin : gen_never
      assign touched = '0;
    end else if (Cam) begin : gen_select
      assign touched = touch_line_i & {Lines{touch_i}};
    end else begin : gen_number
      always_comb begin
        touched = '0;
        if (touch_i) begin
          for (int unsigned n = 0; n < Lines; n++) touched[n] = touch_line_i == SelWidth'(n);
        end
      end
    end
    assign youngest = inserted | touched;
    for (genvar s = 0; s < Sets; s++) begin : gen_set
      logic [RankWidth-1:0] from;  // the rank that it has
      // The places that it leaves behind move up.
      always_comb begin
        from = '0;
        ranks_d[s*Ways*RankWidth+:Ways*RankWidth] = ranks_q[s*Ways*RankWidth+:Ways*RankWidth];
        if (youngest[s*Ways+:Ways] != '0) begin
          for (int unsigned w = 0; w < Ways; w++) begin
            from |= {RankWidth{youngest[s*Ways+w]}} & ranks_q[(s*Ways+w)*RankWidth+:RankWidth];
          end
          for (int unsigned n = s * Ways; n < (s + 1) * Ways; n++) begin
            if (youngest[n]) ranks_d[n*RankWidth+:RankWidth] = RankWidth'(Ways - 1);
            else if (ranks_q[n*RankWidth+:RankWidth] > from) begin
              ranks_d[n*RankWidth+:RankWidth] = ranks_q[n*RankWidth+:RankWidth] - 1'b1;
            end
          end
        end
      end
`ifndef SYNTHESIS
      always_comb begin
        left_by_other[s*Ways+:Ways] = '0;
        if (youngest[s*Ways+:Ways] != '0) begin
          for (int unsigned n = s * Ways; n < (s + 1) * Ways; n++) begin
            left_by_other[n] = !youngest[n] && ranks[n*RankWidth+:RankWidth] == from;
          end
        end
      end
`endif
    end
    /// Each line of a set at its own place.
    function automatic logic [Lines*RankWidth-1:0] in_turn();
      for (int unsigned n = 0; n < Lines; n++) in_turn[n*RankWidth+:RankWidth] = RankWidth'(n % Ways);
    endfunction
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ranks_q <= in_turn();
      else ranks_q <= ranks_d;
    end
    assign ranks = ranks_q;

    logic [SetWidth-1:0] victim_set;
    assign victim_set = (Sets == 1) ? '0 : victim_set_i;
    logic [AllSets*Places-1:0] first_of_all;
    logic [Ways-1:0] unfilled, first, victim;
    always_comb begin
      first_of_all = '0;
      first = '0;
      unfilled = '0;
      if (victim_i) begin
        for (int unsigned s = 0; s < Sets; s++) begin
          for (int unsigned w = 0; w < Ways; w++) begin
            first_of_all[s*Places+w] = ranks[(s*Ways+w)*RankWidth+:RankWidth] == '0;
          end
        end
        for (int unsigned w = 0; w < Ways; w++) begin
          unfilled[w] = !valid[32'(victim_set)*Places|w];
          first[w] = first_of_all[32'(victim_set)*Places|w];
        end
      end
    end
    assign victim = (unfilled != '0) ? unfilled & -unfilled : first;
    if (Cam) begin : gen_select
      assign victim_line_o = victim;
    end else begin : gen_number
      logic [WayWidth-1:0] way;
      for (genvar b = 0; b < WayWidth; b++) begin : gen_bit
        assign way[b] = (victim & ways_with(b)) != '0;
      end
      assign victim_line_o = victim_i ? SelWidth'(victim_set_i) * SelWidth'(Ways) + SelWidth'(way) : '0;
    end
  end else begin : gen_direct
    assign ranks = '0;
`ifndef SYNTHESIS
    assign left_by_other = '0;
`endif
    assign victim_line_o = victim_i ? SelWidth'(victim_set_i) : '0;
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
    // Ranks are an order of the lines of a set: each rank is some line's, which is looked at when they have changed; or,
    // of as many lines as ranks, no two share one, which a solver sees pair by pair.
    logic [Lines-1:0] taken;  // by set: ranks that a line has
`ifdef FORMAL
    always_comb begin
      taken = '1;
      for (int unsigned n = 0; n < Lines; n++) begin
        if (32'(ranks[n*RankWidth+:RankWidth]) >= Ways) taken[n] = 1'b0;
        for (int unsigned m = n / Ways * Ways; m < n; m++) begin
          if (ranks[n*RankWidth+:RankWidth] == ranks[m*RankWidth+:RankWidth]) taken[n] = 1'b0;
        end
      end
    end
`else
    logic [Lines*RankWidth-1:0] looked_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) looked_q <= '0;
      else looked_q <= ranks;
    end
    always_comb begin
      taken = '1;
      if (ranks != looked_q) begin
        taken = '0;
        for (int unsigned n = 0; n < Lines; n++) begin
          taken |= Lines'(1) << (n / Ways * Ways + 32'(ranks[n*RankWidth+:RankWidth]));
        end
      end
    end
`endif
    always @(posedge clk_i) begin
      if (rst_ni) begin
        TouchOrInsert_M: assert (Fifo || !touch_i || !insert_i || !write_i[0]);
        RanksAreAnOrder_A: assert (taken == '1);
      end
    end
  end
`endif

endmodule
