// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// One register of flip-flops with an enable (hw::Register). Its output is readable by any number.
///
/// Latency: what is written in a cycle is in value_o from the next one on.
module heddle_register #(
  /// Bits, 1 to 64.
  parameter int unsigned Width = 32,
  /// Bits of what is written, at least Width: what does not fit wraps or saturates.
  parameter int unsigned InWidth = Width,
  /// A value that does not fit becomes the highest one; otherwise its upper bits are cut off.
  parameter bit Saturate = 1'b0,
  /// Value after reset.
  parameter logic [Width-1:0] ResetValue = '0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic write_i,
  input  logic [InWidth-1:0] data_i,
  output logic [Width-1:0] value_o
);

  logic [Width-1:0] value_d, value_q;

  if (InWidth > Width) begin : gen_fit
    logic too_large;
    assign too_large = |data_i[InWidth-1:Width];
    assign value_d = (Saturate && too_large) ? '1 : data_i[Width-1:0];
  end else begin : gen_fits
    assign value_d = data_i[Width-1:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) value_q <= ResetValue;
    else if (write_i) value_q <= value_d;
  end
  assign value_o = value_q;

  if (Width < 1 || Width > 64) begin : gen_illegal_width
    $error("heddle_register: expected Width from 1 to 64");
  end
  if (InWidth < Width) begin : gen_illegal_in_width
    $error("heddle_register: expected InWidth of at least Width");
  end

endmodule
