// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Reads one of several inputs by address (hw::Multiplexer, one of its count). Combinational.
module heddle_multiplexer #(
  /// Inputs, 1 to 1024.
  parameter int unsigned Inputs = 48,
  /// Bits of an input, 1 to 1024.
  parameter int unsigned Width = 32,
  localparam int unsigned IdxWidth = (Inputs > 1) ? $clog2(Inputs) : 1
) (
  /// Input i from bit i * Width on.
  input  logic [Inputs*Width-1:0] data_i,
  /// Which one.
  input  logic [IdxWidth-1:0] index_i,
  /// Zero for an index from Inputs on.
  output logic [Width-1:0] data_o
);

  // Inputs stand a power of two of bits apart, so that an address is no product.
  localparam int unsigned Places = 1 << IdxWidth;
  localparam int unsigned ShiftWidth = (Width > 1) ? $clog2(Width) : 1;
  localparam int unsigned Stride = 1 << ShiftWidth;

  logic [Places*Stride-1:0] places;

  for (genvar i = 0; i < Places; i++) begin : gen_place
    if (i < Inputs) begin : gen_input
      assign places[i*Stride+:Stride] = {{(Stride - Width) {1'b0}}, data_i[i*Width+:Width]};
    end else begin : gen_none
      assign places[i*Stride+:Stride] = '0;
    end
  end
  assign data_o = places[{index_i, {ShiftWidth{1'b0}}}+:Width];

  if (Inputs < 1 || Inputs > 1024) begin : gen_illegal_inputs
    $error("heddle_multiplexer: expected Inputs from 1 to 1024");
  end
  if (Width < 1 || Width > 1024) begin : gen_illegal_width
    $error("heddle_multiplexer: expected Width from 1 to 1024");
  end

endmodule
