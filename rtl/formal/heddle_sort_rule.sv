// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Why a sort that compares adjacent pairs, of even and of odd places in turn, ends sorted, for proofs alone. Members are
/// called high or low, high being those from some one on in the order that is wanted. It is sorted for that one when no
/// low one stands behind a high one; an order for which this holds whichever that one is, is sorted.
///
/// Of m high ones, the (i+1)-th from the end stands after t turns at place t + s - 2i at least, s being the largest even
/// number below m, or i places before the last: the line goes up by a place a turn, and one that stands on it is compared in
/// this turn, with a low one, as the next high one is two places before the line of its own.
module heddle_sort_rule #(
  /// Places, from 2 on.
  parameter int unsigned Entries = 8,
  localparam int unsigned SizeWidth = $clog2(Entries + 1),
  localparam int unsigned LineWidth = SizeWidth + 1
) (
  input logic clk_i,
  input logic rst_ni,
  /// Nothing but the sort has changed the order since the sort began, with this cycle or before.
  input logic calm_i,
  input logic begins_i,
  input logic busy_i,
  input logic [SizeWidth-1:0] size_i,
  /// Turns that are over, and the place below which pairs of this turn have been compared.
  input logic [SizeWidth-1:0] turns_i,
  input logic [SizeWidth-1:0] place_i,
  /// A pair was exchanged in this turn; none in the turn before.
  input logic swapped_i,
  input logic clean_i,
  /// By place who is high, below size_i.
  input logic [Entries-1:0] high_i
);

  // Bit x * Counts + c: there are c high ones from place x on.
  localparam int unsigned Counts = Entries + 1;
  logic [Counts*Counts-1:0] has, has_q;
  logic [Entries-1:0] high_q, rose, fell, lost, wrong;
  for (genvar x = 0; x <= Entries; x++) begin : gen_place
    for (genvar c = 0; c <= Entries; c++) begin : gen_count
      if (c == 0) begin : gen_none
        assign has[x*Counts+c] = 1'b1;
      end else if (x == Entries) begin : gen_last
        assign has[x*Counts+c] = 1'b0;
      end else begin : gen_more
        assign has[x*Counts+c] = has[(x+1)*Counts+c] || (high_i[x] && has[(x+1)*Counts+c-1]);
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      has_q <= '0;
      high_q <= '0;
    end else begin
      has_q <= has;
      high_q <= high_i;
    end
  end

  // High ones move by one place, to where a low one was.
  assign rose = high_i & ~high_q;
  assign fell = high_q & ~high_i;
  logic [Counts*Counts-1:0] unlike, gaps;
  for (genvar x = 0; x <= Entries; x++) begin : gen_moved
    for (genvar c = 0; c <= Entries; c++) begin : gen_count
      if (x == Entries || c == 0) begin : gen_none
        assign unlike[x*Counts+c] = 1'b0;
        assign gaps[x*Counts+c] = 1'b0;
      end else begin : gen_one
        if (x == 0) begin : gen_first
          assign unlike[x*Counts+c] = has[x*Counts+c] != has_q[x*Counts+c];
        end else begin : gen_other
          assign unlike[x*Counts+c] = has[x*Counts+c] != (rose[x] ? has_q[(x-1)*Counts+c] : has_q[x*Counts+c]);
        end
        // Who has c more has c, and from the next place on one less at least.
        assign gaps[x*Counts+c] = has[x*Counts+c] && (!has[x*Counts+c-1] || !has[(x+1)*Counts+c-1]);
      end
    end
  end

  // The line.
  logic [SizeWidth-1:0] start;  // the largest even number below the number of high ones
  logic [LineWidth-1:0] line;
  logic [2*Entries:0] at;  // the line of the last one
  logic [Entries-1:0] last, is_last, full, behind;
  always_comb begin
    start = '0;
    for (int unsigned c = 1; c <= Entries; c++) begin
      if (has[c]) start = SizeWidth'((c - 1) / 2 * 2);
    end
  end
  assign line = LineWidth'(turns_i) + LineWidth'(start);
  for (genvar v = 0; v <= 2 * Entries; v++) begin : gen_at
    assign at[v] = 32'(line) == v;
  end
  for (genvar i = 0; i < Entries; i++) begin : gen_high
    logic [2*Entries:0] reached;
    logic [Entries:0] ends_in, counts_in;
    for (genvar s = 0; s <= Entries; s++) begin : gen_size
      assign ends_in[s] = 32'(size_i) == s && s > i && high_i[(s > i) ? s-1-i : 0];
      assign counts_in[s] = 32'(size_i) == s && s > i && has[((s > i) ? s-1-i : 0)*Counts+i+1];
    end
    assign last[i] = ends_in != '0;
    if (i == 0) begin : gen_first
      assign is_last[i] = last[i];
    end else begin : gen_other
      assign is_last[i] = is_last[i-1] && last[i];
    end
    assign full[i] = (counts_in != '0) == is_last[i];
    for (genvar v = 0; v <= 2 * Entries; v++) begin : gen_reached
      if (v < 2 * i) begin : gen_below
        assign reached[v] = at[v];
      end else if (v - 2 * i < Entries) begin : gen_at
        assign reached[v] = at[v] && ((v - 2 * i < 32'(place_i)) ? has[(v-2*i+1)*Counts+i+1] : has[(v-2*i)*Counts+i+1]);
      end else begin : gen_beyond
        assign reached[v] = 1'b0;
      end
    end
    assign behind[i] = has[i+1] && !is_last[i] && reached == '0;
  end

  // Pairs in their order: those that this turn has compared without an exchange, and those of the turn before.
  for (genvar x = 0; x < Entries; x++) begin : gen_pair
    if (x + 1 < Entries) begin : gen_one
      assign wrong[x] = x + 1 < 32'(size_i) && high_i[x] && !high_i[x+1];
      assign lost[x] = fell[x] != rose[x+1];
    end else begin : gen_end
      assign wrong[x] = 1'b0;
      assign lost[x] = fell[x];
    end
  end
  logic [Entries-1:0] compared, other;
  for (genvar x = 0; x < Entries; x++) begin : gen_parity
    assign compared[x] = x < 32'(place_i) && ((x % 2 == 1) == turns_i[0]);
    assign other[x] = (x % 2 == 1) != turns_i[0];
  end

  always_comb begin
    if (rst_ni) begin
      Gaps_A: assert (gaps == '0);
      Full_A: assert (full == '1);
      if (calm_i) begin
        if (!begins_i) Exchanged_A: assert (lost == '0 && !rose[0]);
        if (!begins_i) Counts_A: assert (unlike == '0);
        OnTheLine_A: assert (behind == '0);
        if (busy_i) begin
          TurnsAreLeft_A: assert (turns_i < size_i);
          if (!swapped_i) ComparedAreInOrder_A: assert ((wrong & compared) == '0);
          if (!swapped_i && clean_i) OthersAreInOrder_A: assert ((wrong & other) == '0);
        end else begin
          Sorted_A: assert (wrong == '0);
        end
      end
    end
  end

endmodule
