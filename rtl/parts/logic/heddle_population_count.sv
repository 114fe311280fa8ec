// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The number of set bits (hw::PopulationCount). Combinational.
module heddle_population_count #(
  /// Bits, 1 to 64.
  parameter int unsigned Inputs = 32,
  localparam int unsigned CountWidth = $clog2(Inputs + 1)
) (
  input  logic [Inputs-1:0] bits_i,
  output logic [CountWidth-1:0] count_o
);

  always_comb begin
    count_o = '0;
    for (int unsigned i = 0; i < Inputs; i++) begin
      count_o = count_o + CountWidth'(bits_i[i]);
    end
  end

  if (Inputs < 1 || Inputs > 64) begin : gen_illegal
    $error("heddle_population_count: expected Inputs from 1 to 64");
  end

`ifndef SYNTHESIS
  always_comb begin
    NoneIsZero_A: assert final ((count_o == '0) == (bits_i == '0));
    AllIsInputs_A: assert final ((32'(count_o) == Inputs) == (bits_i == '1));
  end
`endif

endmodule
