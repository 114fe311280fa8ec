// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Takes the request of the lowest number (hw::PrioritySelector, SelectorForm::kFixed, with lines that tell who
/// was passed over). Combinational, without state. Not fair: a low number that always asks is always taken.
module heddle_fixed_selector #(
  /// Requests, 1 to 64.
  parameter int unsigned Inputs = 24
) (
  /// Who may be selected.
  input  logic [Inputs-1:0] request_i,
  /// Of whom it is told whether they come before the selected one; none of them is in request_i.
  input  logic [Inputs-1:0] passable_i,
  /// At most one bit of request_i.
  output logic [Inputs-1:0] select_o,
  /// Those of passable_i before the selected one; all when none is selected.
  output logic [Inputs-1:0] passed_o
);

  logic [Inputs-1:0] any;    // a request is below or at it
  logic [Inputs-1:0] ahead;  // none is

  heddle_prefix_or #(
    .Inputs(Inputs)
  ) i_any (
    .bits_i(request_i),
    .any_o (any)
  );
  assign ahead = ~any;
  assign select_o = request_i & ~(any << 1);
  assign passed_o = passable_i & ahead;

  if (Inputs < 1 || Inputs > 64) begin : gen_illegal
    $error("heddle_fixed_selector: expected Inputs from 1 to 64");
  end

`ifndef SYNTHESIS
  always_comb begin
    GrantOnehot_A: assert final ((select_o & (select_o - 1'b1)) == '0);
    GrantIsRequested_A: assert final ((select_o & ~request_i) == '0);
    GrantIfAny_A: assert final (request_i == '0 || select_o != '0);
    GrantIsLowest_A: assert final ((request_i & (select_o - 1'b1)) == '0 || select_o == '0);
    PassedIsPassable_A: assert final ((passed_o & ~passable_i) == '0);
    PassesAllWithoutRequest_A: assert final (request_i != '0 || passed_o == passable_i);
  end
`endif

endmodule
