// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Compares two unsigned values (hw::Comparator, one of its count). Combinational: when a comparison takes
/// several cycles its user holds the operands so long.
module heddle_comparator #(
  /// Bits, 1 to 128; 64 in the model, whose sorters compare more.
  parameter int unsigned Width = 32,
  /// Compares for equality only, which is smaller: less_o is 0.
  parameter bit Equality = 1'b0
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  /// a_i < b_i.
  output logic less_o,
  output logic equal_o
);

  assign equal_o = (a_i == b_i);
  assign less_o = !Equality && (a_i < b_i);

  if (Width < 1 || Width > 128) begin : gen_illegal
    $error("heddle_comparator: expected Width from 1 to 128");
  end

endmodule
