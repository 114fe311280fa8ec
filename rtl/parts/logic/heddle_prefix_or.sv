// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Whether there is a bit at or below each place: the OR of all bits up to it, as a prefix tree, whose depth grows with the
/// logarithm of the inputs and whose gates with the inputs. Combinational.
module heddle_prefix_or #(
  /// Bits, 1 to 64.
  parameter int unsigned Inputs = 24
) (
  input  logic [Inputs-1:0] bits_i,
  output logic [Inputs-1:0] any_o
);

  localparam int unsigned Levels = (Inputs > 1) ? $clog2(Inputs) : 1;
  localparam int unsigned Places = 2 ** Levels;

  // Upwards each place that ends a block of a power of two has the OR of its block; downwards those in the middle of
  // a block have that of the blocks before it, too. Which places these are is constant: each takes one gate, the others
  // none.
  for (genvar l = 0; l <= Levels; l++) begin : gen_up
    logic [Inputs-1:0] block;
    if (l == 0) begin : gen_bits
      assign block = bits_i;
    end else begin : gen_blocks
      localparam int unsigned Half = 2 ** (l - 1);
      localparam logic [Places-1:0] Ends = {(Places / (2 * Half)) {1'b1, {(2 * Half - 1) {1'b0}}}};
      assign block = gen_up[l-1].block | ((gen_up[l-1].block << Half) & Ends[Inputs-1:0]);
    end
  end
  for (genvar l = Levels; l >= 0; l--) begin : gen_down
    logic [Inputs-1:0] any;
    if (l == Levels) begin : gen_top
      assign any = gen_up[Levels].block;
    end else begin : gen_blocks
      localparam int unsigned Half = 2 ** l;
      localparam logic [2*Half-1:0] Middle = {{(2 * Half - 1) {1'b0}}, 1'b1} << (Half - 1);
      localparam logic [Places-1:0] Middles = {(Places / (2 * Half)) {Middle}};
      assign any = gen_down[l+1].any | ((gen_down[l+1].any << Half) & Middles[Inputs-1:0]);
    end
  end
  assign any_o = gen_down[0].any;

  if (Inputs < 1 || Inputs > 64) begin : gen_illegal
    $error("heddle_prefix_or: expected Inputs from 1 to 64");
  end

`ifndef SYNTHESIS
  // Minus a number has its lowest one, and the inverse of what is above that.
  always_comb AnyUpToIt_A: assert final (any_o == (bits_i | -bits_i));
`endif

endmodule
