// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// What heddle_counter_array promises, for proofs alone: any counter, whichever it is, takes what is written, added,
/// subtracted, counted and cleared, in whole numbers, and wraps or saturates where that does not fit.
module heddle_counter_array_proof #(
  parameter int unsigned Entries = 8,
  parameter int unsigned Width = 6,
  parameter int unsigned AmountWidth = 4,
  parameter int unsigned Adders = 2,
  parameter bit Saturate = 1'b1,
  parameter bit CountsInPlace = 1'b0,
  parameter int unsigned SameEntry = 1,
  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [IdxWidth-1:0] read_index_i,
  input logic write_i,
  input logic [IdxWidth-1:0] write_index_i,
  input logic [Width-1:0] write_data_i,
  input logic [Adders-1:0] add_i,
  input logic [Adders-1:0] subtract_i,
  input logic [Adders*IdxWidth-1:0] add_index_i,
  input logic [Adders*AmountWidth-1:0] add_amount_i,
  input logic [Entries-1:0] count_i,
  input logic [Entries*AmountWidth-1:0] count_amount_i,
  input logic [Entries-1:0] clear_i
);

  localparam int unsigned WideWidth = Width + AmountWidth + 4;

  logic [Entries*Width-1:0] values;
  logic [Width-1:0] read_data;

  heddle_counter_array #(
    .Entries      (Entries),
    .Width        (Width),
    .AmountWidth  (AmountWidth),
    .Adders       (Adders),
    .Saturate     (Saturate),
    .Clear        (1'b1),
    .CountsInPlace(CountsInPlace),
    .SameEntry    (SameEntry)
  ) i_counters (
    .clk_i,
    .rst_ni,
    .read_index_i,
    .read_data_o(read_data),
    .write_i,
    .write_index_i,
    .write_data_i,
    .add_i,
    .subtract_i,
    .add_index_i,
    .add_amount_i,
    .count_i,
    .count_amount_i,
    .clear_i,
    .values_o   (values),
    .next_o     ()
  );

  (* anyconst *) logic [IdxWidth-1:0] watched;
  logic [WideWidth-1:0] held, added, lowered, total;
  logic [Width-1:0] expected, kept_q;
  logic overflow, underflow;

  always_comb begin
    held = WideWidth'(values[watched*Width+:Width]);
    added = '0;
    lowered = '0;
    for (int unsigned a = 0; a < Adders; a++) begin
      if (add_i[a] && add_index_i[a*IdxWidth+:IdxWidth] == watched) begin
        if (SameEntry == 3) added = '0;
        if (SameEntry == 3) lowered = '0;
        if (subtract_i[a]) lowered = lowered + WideWidth'(add_amount_i[a*AmountWidth+:AmountWidth]);
        else added = added + WideWidth'(add_amount_i[a*AmountWidth+:AmountWidth]);
      end
    end
    if (CountsInPlace && count_i[watched]) begin
      added = added + WideWidth'(count_amount_i[watched*AmountWidth+:AmountWidth]);
    end
    total = held + added - lowered;
    underflow = held + added < lowered;
    overflow = !underflow && total > WideWidth'({Width{1'b1}});
    expected = total[Width-1:0];
    if (Saturate && overflow) expected = '1;
    if (Saturate && underflow) expected = '0;
    if (write_i && write_index_i == watched && added == '0 && lowered == '0) expected = write_data_i;
    if (clear_i[watched]) expected = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) kept_q <= '0;
    else kept_q <= expected;
  end
  always_comb begin
    assume (32'(watched) < Entries);
    // A write and an addition do not meet.
    assume (!write_i || add_i == '0);
    if (rst_ni) begin
      Kept_A: assert (values[watched*Width+:Width] == kept_q);
      Read_A: assert (read_index_i != watched || read_data == kept_q);
    end
  end

endmodule
