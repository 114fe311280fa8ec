// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Single bits, each with a set and a clear line of its own (hw::BitVector): any of them change in a cycle, and
/// all are visible. A bit that is set and cleared at once is set; clear_i all ones and set_i the new value load.
///
/// Latency: what is set or cleared in a cycle is in value_o from the next one on.
module heddle_bit_vector #(
  /// Bits, 1 to 64.
  parameter int unsigned Width = 48
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [Width-1:0] set_i,
  input  logic [Width-1:0] clear_i,
  output logic [Width-1:0] value_o
);

  logic [Width-1:0] value_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) value_q <= '0;
    else value_q <= (value_q & ~clear_i) | set_i;
  end
  assign value_o = value_q;

  if (Width < 1 || Width > 64) begin : gen_illegal
    $error("heddle_bit_vector: expected Width from 1 to 64");
  end

endmodule
