// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Takes the first request from a start on, going around (hw::PrioritySelector, SelectorForm::kRotating, with
/// lines that tell who was passed over). Combinational, without state.
module heddle_rotating_selector #(
  /// Requests, 1 to 64.
  parameter int unsigned Inputs = 24,
  localparam int unsigned IdxWidth = (Inputs > 1) ? $clog2(Inputs) : 1
) (
  /// Who may be selected.
  input  logic [Inputs-1:0] request_i,
  /// Of whom it is told whether they come before the selected one; none of them is in request_i.
  input  logic [Inputs-1:0] passable_i,
  /// Where the search begins, below Inputs.
  input  logic [IdxWidth-1:0] start_i,
  /// At most one bit of request_i.
  output logic [Inputs-1:0] select_o,
  /// Those of passable_i between the start and the selected one; all when none is selected.
  output logic [Inputs-1:0] passed_o
);

  logic [Inputs-1:0] from_start;     // from the start to the last input
  logic [Inputs-1:0] upper;          // requests there
  logic [Inputs-1:0] reached_upper;  // one of these is below or at it
  logic [Inputs-1:0] reached_lower;  // any request is
  logic any_upper;

  assign upper = request_i & from_start;
  heddle_prefix_or #(
    .Inputs(Inputs)
  ) i_upper (
    .bits_i(upper),
    .any_o (reached_upper)
  );
  heddle_prefix_or #(
    .Inputs(Inputs)
  ) i_lower (
    .bits_i(request_i),
    .any_o (reached_lower)
  );
  assign any_upper = reached_upper[Inputs-1];
  for (genvar i = 0; i < Inputs; i++) begin : gen_input
    assign from_start[i] = (IdxWidth'(i) >= start_i);
  end
  assign select_o = (upper & ~(reached_upper << 1)) | (request_i & ~((reached_lower << 1) | {Inputs{any_upper}}));
  assign passed_o = passable_i & ((from_start & ~reached_upper) | ~(reached_lower | {Inputs{any_upper}}));

  if (Inputs < 1 || Inputs > 64) begin : gen_illegal
    $error("heddle_rotating_selector: expected Inputs from 1 to 64");
  end

`ifndef SYNTHESIS
  always_comb begin
    GrantOnehot_A: assert final ((select_o & (select_o - 1'b1)) == '0);
    GrantIsRequested_A: assert final ((select_o & ~request_i) == '0);
    GrantIfAny_A: assert final (request_i == '0 || select_o != '0);
    PassedIsPassable_A: assert final ((passed_o & ~passable_i) == '0);
    PassesAllWithoutRequest_A: assert final (request_i != '0 || passed_o == passable_i);
  end
`endif

endmodule
