// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Adds or subtracts unsigned values of a declared width (hw::Adder, one of its count). Combinational: when an
/// operation takes several cycles its user holds the operands so long.
module heddle_adder #(
  /// Bits of the first operand and of the sum, 1 to 64.
  parameter int unsigned Width = 32,
  /// Bits of the second operand, 1 to Width.
  parameter int unsigned AmountWidth = Width,
  /// Sums stay at the highest value and differences at 0; otherwise both wrap.
  parameter bit Saturate = 1'b0
) (
  input  logic [Width-1:0] a_i,
  input  logic [AmountWidth-1:0] amount_i,
  /// a_i - amount_i instead of a_i + amount_i.
  input  logic subtract_i,
  output logic [Width-1:0] sum_o,
  /// The result does not fit: it has wrapped, or is saturated.
  output logic overflow_o
);

  logic [Width:0] amount;
  logic [Width:0] sum;

  assign amount = {{(Width + 1 - AmountWidth) {1'b0}}, amount_i};
  // The two's complement of the amount makes the upper bit a borrow.
  assign sum = {1'b0, a_i} + (amount ^ {(Width + 1) {subtract_i}}) + {{Width{1'b0}}, subtract_i};
  assign overflow_o = sum[Width];
  assign sum_o = (Saturate && overflow_o) ? {Width{~subtract_i}} : sum[Width-1:0];

  if (Width < 1 || Width > 64) begin : gen_illegal_width
    $error("heddle_adder: expected Width from 1 to 64");
  end
  if (AmountWidth < 1 || AmountWidth > Width) begin : gen_illegal_amount
    $error("heddle_adder: expected AmountWidth from 1 to Width");
  end

`ifndef SYNTHESIS
  logic [Width:0] wide, wide_sum;
  assign wide = {1'b0, a_i};
  assign wide_sum = {1'b0, sum_o};
  always_comb begin
    // As of whole numbers: what was added is what is more, what was subtracted what is missing.
    SumIsExact_A: assert final (overflow_o || subtract_i || wide_sum == wide + amount);
    DifferenceIsExact_A: assert final (overflow_o || !subtract_i || wide_sum + amount == wide);
    OverflowIfTooLarge_A: assert final (subtract_i || overflow_o == (wide + amount > {1'b0, {Width{1'b1}}}));
    OverflowIfNegative_A: assert final (!subtract_i || overflow_o == (amount > wide));
    if (Saturate) begin
      SaturatesHigh_A: assert final (!overflow_o || subtract_i || sum_o == '1);
      SaturatesLow_A: assert final (!overflow_o || !subtract_i || sum_o == '0);
    end
  end
`endif

endmodule
