// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The least of several keys, of equal keys the one of the lower number (hw::MinimumTree, one of its count): a
/// tree of nodes, each of which passes on the lesser of two. Combinational: its user cuts it into stages.
module heddle_minimum_tree #(
  /// Keys, 1 to 64.
  parameter int unsigned Inputs = 24,
  /// Bits of a key, 1 to 64.
  parameter int unsigned Width = 32,
  localparam int unsigned IdxWidth = (Inputs > 1) ? $clog2(Inputs) : 1
) (
  /// Whose keys count.
  input  logic [Inputs-1:0] valid_i,
  /// Key i from bit i * Width on.
  input  logic [Inputs*Width-1:0] keys_i,
  /// There is one.
  output logic valid_o,
  /// Which one; 0 when there is none.
  output logic [IdxWidth-1:0] index_o,
  /// Its key; 0 when there is none.
  output logic [Width-1:0] key_o
);

  // After each round entry i, a multiple of twice the distance, holds the least of itself and those up to the next
  // such entry.
  always_comb begin
    logic [Inputs-1:0] valid;
    logic [Inputs*Width-1:0] keys;
    logic [Inputs*IdxWidth-1:0] index;
    valid = valid_i;
    keys = keys_i;
    for (int unsigned i = 0; i < Inputs; i++) index[i*IdxWidth+:IdxWidth] = IdxWidth'(i);
    for (int unsigned distance = 1; distance < Inputs; distance = distance * 2) begin
      for (int unsigned i = 0; i + distance < Inputs; i = i + 2 * distance) begin
        if (valid[i+distance] &&
            (!valid[i] || keys[(i+distance)*Width+:Width] < keys[i*Width+:Width])) begin
          keys[i*Width+:Width] = keys[(i+distance)*Width+:Width];
          index[i*IdxWidth+:IdxWidth] = index[(i+distance)*IdxWidth+:IdxWidth];
          valid[i] = 1'b1;
        end
      end
    end
    valid_o = valid[0];
    index_o = valid[0] ? index[0+:IdxWidth] : '0;
    key_o = valid[0] ? keys[0+:Width] : '0;
  end

  if (Inputs < 1 || Inputs > 64) begin : gen_illegal_inputs
    $error("heddle_minimum_tree: expected Inputs from 1 to 64");
  end
  if (Width < 1 || Width > 64) begin : gen_illegal_width
    $error("heddle_minimum_tree: expected Width from 1 to 64");
  end

`ifndef SYNTHESIS
  logic [Inputs-1:0] less;
  for (genvar i = 0; i < Inputs; i++) begin : gen_check
    assign less[i] = valid_i[i] && keys_i[i*Width+:Width] < keys_i[index_o*Width+:Width];
  end
  always_comb begin
    FoundIfAny_A: assert final (valid_o == (valid_i != '0));
    FoundIsValid_A: assert final (!valid_o || valid_i[index_o]);
    NoneIsLess_A: assert final (!valid_o || less == '0);
    KeyIsItsOwn_A: assert final (!valid_o || key_o == keys_i[index_o*Width+:Width]);
  end
`endif

endmodule
