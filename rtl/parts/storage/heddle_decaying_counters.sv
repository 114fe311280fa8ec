// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Counters that all count down by one in every cycle until they reach a floor (hw::DecayingCounters).
///
/// Latency: what is written in a cycle has already lost one in values_o of the next. An entry that is reset and
/// written at once is written.
module heddle_decaying_counters #(
  /// Counters, 1 to 1024.
  parameter int unsigned Entries = 48,
  /// Bits of a counter, 1 to 63.
  parameter int unsigned Width = 16,
  /// Where the counters start, and stop.
  parameter logic [Width-1:0] Floor = '0,
  /// What is written may be below the floor.
  parameter bit Clamps = 1'b1,
  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Sets an entry; below the floor it is the floor, without Clamps it is not.
  input  logic write_i,
  input  logic [IdxWidth-1:0] write_index_i,
  input  logic [Width-1:0] write_data_i,
  /// Sets entries to the floor.
  input  logic [Entries-1:0] reset_i,
  /// Counter e from bit e * Width on.
  output logic [Entries*Width-1:0] values_o,
  /// Some entry was above the floor in the cycle before, with what that wrote and reset.
  output logic above_o
);

  logic [Entries*Width-1:0] values_q;
  logic [Width-1:0] written;
  logic [Entries-1:0] at_floor;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_o <= 1'b0;
    else above_o <= at_floor != '1;
  end
  assign values_o = values_q;
  if (Floor == '0 || !Clamps) begin : gen_no_floor
    assign written = write_data_i;
  end else begin : gen_floor
    assign written = (write_data_i < Floor) ? Floor : write_data_i;
  end

  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    logic [Width-1:0] value;
    always_comb begin
      value = values_q[e*Width+:Width];
      if (reset_i[e]) value = Floor;
      if (write_i && write_index_i == IdxWidth'(e)) value = written;
    end
    assign at_floor[e] = value == Floor;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) values_q[e*Width+:Width] <= Floor;
      else values_q[e*Width+:Width] <= at_floor[e] ? Floor : value - 1'b1;
    end
  end

  if (Entries < 1 || Entries > 1024) begin : gen_illegal_entries
    $error("heddle_decaying_counters: expected Entries from 1 to 1024");
  end
  if (Width < 1 || Width > 63) begin : gen_illegal_width
    $error("heddle_decaying_counters: expected Width from 1 to 63");
  end

`ifndef SYNTHESIS
  logic [Entries-1:0] below, over;
  always_comb begin
    below = '0;
    over = '0;
    if (values_q != {Entries{Floor}}) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        below[e] = values_q[e*Width+:Width] < Floor;
        over[e] = values_q[e*Width+:Width] > Floor;
      end
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      WrittenIsNotBelow_M: assert (Clamps || !write_i || write_data_i >= Floor);
      NotBelowFloor_A: assert (below == '0);
      AboveIsTold_A: assert (above_o || over == '0);
    end
  end
`endif

endmodule
