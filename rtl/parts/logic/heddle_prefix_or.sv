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

  // Upwards each place that ends a block of a power of two has the OR of its block; downwards those in the middle of
  // a block have that of the blocks before it, too.
  for (genvar l = 0; l <= Levels; l++) begin : gen_up
    localparam int unsigned Half = (l > 0) ? 2 ** (l - 1) : 1;
    logic [Inputs-1:0] block;
    if (l == 0) begin : gen_bits
      assign block = bits_i;
    end else begin : gen_blocks
      for (genvar i = 0; i < Inputs; i++) begin : gen_place
        if ((i + 1) % (2 * Half) == 0) begin : gen_end
          assign block[i] = gen_up[l-1].block[i] | gen_up[l-1].block[i-Half];
        end else begin : gen_inside
          assign block[i] = gen_up[l-1].block[i];
        end
      end
    end
  end
  for (genvar l = Levels; l >= 0; l--) begin : gen_down
    localparam int unsigned Half = 2 ** l;
    logic [Inputs-1:0] any;
    if (l == Levels) begin : gen_top
      assign any = gen_up[Levels].block;
    end else begin : gen_blocks
      for (genvar i = 0; i < Inputs; i++) begin : gen_place
        if ((i + 1) % (2 * Half) == Half && i > Half) begin : gen_middle
          assign any[i] = gen_down[l+1].any[i] | gen_down[l+1].any[i-Half];
        end else begin : gen_other
          assign any[i] = gen_down[l+1].any[i];
        end
      end
    end
  end
  assign any_o = gen_down[0].any;

  if (Inputs < 1 || Inputs > 64) begin : gen_illegal
    $error("heddle_prefix_or: expected Inputs from 1 to 64");
  end

`ifndef SYNTHESIS
  logic [Inputs-1:0] wrong;
  for (genvar i = 0; i < Inputs; i++) begin : gen_check
    assign wrong[i] = any_o[i] != |bits_i[i:0];
  end
  always_comb AnyUpToIt_A: assert (wrong == '0);
`endif

endmodule
