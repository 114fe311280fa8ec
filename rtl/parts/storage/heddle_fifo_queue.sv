// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// A queue with a push and a pop port, whose first entry is visible (hw::FifoQueue in flip-flops).
///
/// Latency: what is pushed in a cycle can be popped from the next one on. A push into a full queue needs a pop in
/// the same cycle; an empty queue has nothing to pop. Clearing comes before a push of the same cycle.
module heddle_fifo_queue #(
  /// Entries, 1 to 1024.
  parameter int unsigned Entries = 8,
  /// Bits of an entry, 1 to 64.
  parameter int unsigned Width = 32
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic push_i,
  input  logic [Width-1:0] data_i,
  input  logic pop_i,
  /// The first entry; without meaning, but defined, while empty_o.
  output logic [Width-1:0] data_o,
  output logic empty_o,
  output logic full_o,
  /// Empties the queue.
  input  logic clear_i
);

  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1;
  localparam logic [IdxWidth-1:0] Last = IdxWidth'(Entries - 1);

  logic [Entries*Width-1:0] values_q;
  logic [IdxWidth-1:0] head_d, head_q;  // of the first entry
  logic [IdxWidth-1:0] tail_d, tail_q;  // where the next one goes
  logic full_d, full_q;

  assign full_o = full_q;
  assign empty_o = (head_q == tail_q) && !full_q;

  heddle_multiplexer #(
    .Inputs(Entries),
    .Width (Width)
  ) i_first (
    .data_i (values_q),
    .index_i(head_q),
    .data_o (data_o)
  );

  always_comb begin
    head_d = head_q;
    tail_d = tail_q;
    full_d = full_q;
    if (pop_i) head_d = (head_q == Last) ? '0 : head_q + 1'b1;
    if (clear_i) head_d = '0;
    if (clear_i) tail_d = '0;
    if (push_i) tail_d = (tail_d == Last) ? '0 : tail_d + 1'b1;
    if (push_i != pop_i) full_d = push_i && head_d == tail_d;
    if (clear_i) full_d = push_i && Entries == 1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      full_q <= 1'b0;
    end else begin
      head_q <= head_d;
      tail_q <= tail_d;
      full_q <= full_d;
    end
  end

  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) values_q[e*Width+:Width] <= '0;
      else if (push_i && (clear_i ? e == 0 : tail_q == IdxWidth'(e))) values_q[e*Width+:Width] <= data_i;
    end
  end

  if (Entries < 1 || Entries > 1024) begin : gen_illegal_entries
    $error("heddle_fifo_queue: expected Entries from 1 to 1024");
  end
  if (Width < 1 || Width > 64) begin : gen_illegal_width
    $error("heddle_fifo_queue: expected Width from 1 to 64");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      PushHasRoom_M: assert (!push_i || !full_q || pop_i || clear_i);
      PopHasOne_M: assert (!pop_i || !empty_o);
      HeadInRange_A: assert (head_q <= Last);
      TailInRange_A: assert (tail_q <= Last);
      FullIsWhole_A: assert (!full_q || head_q == tail_q);
    end
  end
`ifdef FORMAL
  // Any entry, whichever it is, comes out as it went in, after those that were before it and no others: nothing is
  // lost or doubled.
  localparam int unsigned SizeWidth = IdxWidth + 1;
  (* anyseq *) logic watch;
  logic watched_q;
  logic [Width-1:0] datum_q;
  logic [SizeWidth-1:0] size_q;  // counted by what is pushed and popped
  logic [SizeWidth-1:0] ahead_q;  // entries before the watched one
  logic [SizeWidth-1:0] place, distance;
  assign distance = {1'b0, tail_q} - {1'b0, head_q} + ((tail_q < head_q) ? SizeWidth'(Entries) : '0);
  assign place = {1'b0, head_q} + ahead_q - (({1'b0, head_q} + ahead_q > SizeWidth'(Entries - 1)) ? SizeWidth'(Entries) : '0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      watched_q <= 1'b0;
      datum_q <= '0;
      ahead_q <= '0;
      size_q <= '0;
    end else begin
      size_q <= (clear_i ? '0 : size_q - SizeWidth'(pop_i)) + SizeWidth'(push_i);
      if (push_i && watch && !watched_q) begin
        watched_q <= 1'b1;
        datum_q <= data_i;
        ahead_q <= clear_i ? '0 : size_q - SizeWidth'(pop_i);
      end else if (clear_i || (pop_i && ahead_q == '0)) begin
        watched_q <= 1'b0;
      end else if (pop_i) begin
        ahead_q <= ahead_q - 1'b1;
      end
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      SizeIsThatOfThePointers_A: assert (size_q == (full_q ? SizeWidth'(Entries) : distance));
      WatchedIsInside_A: assert (!watched_q || ahead_q < size_q);
      WatchedIsKept_A: assert (!watched_q || values_q[place*Width+:Width] == datum_q);
      WatchedComesOut_A: assert (!watched_q || ahead_q != '0 || data_o == datum_q);
    end
  end
`endif
`endif

endmodule
