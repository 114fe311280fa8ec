// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Takes the request that stands first in an order of indices which another block keeps (hw::PrioritySelector,
/// SelectorForm::kOrdered, with lines that tell who was passed over). Combinational, without state. What an
/// input may have to wait for is a matter of the order.
module heddle_ordered_selector #(
  /// Requests, 1 to 64.
  parameter int unsigned Inputs = 24,
  localparam int unsigned IdxWidth = (Inputs > 1) ? $clog2(Inputs) : 1,
  localparam int unsigned SizeWidth = $clog2(Inputs + 1)
) (
  /// Who may be selected, by number.
  input  logic [Inputs-1:0] request_i,
  /// Of whom it is told whether they come before the selected one; none of them is in request_i.
  input  logic [Inputs-1:0] passable_i,
  /// Place p from bit p * IdxWidth on: the number of the input that stands there. No number twice.
  input  logic [Inputs*IdxWidth-1:0] order_i,
  /// Places that are filled, from place 0 on: up to Inputs.
  input  logic [SizeWidth-1:0] size_i,
  /// One is selected.
  output logic valid_o,
  /// Its number; 0 when none is.
  output logic [IdxWidth-1:0] index_o,
  /// The same as a line: at most one bit of request_i.
  output logic [Inputs-1:0] select_o,
  /// Those of passable_i that stand before the selected one; all that stand anywhere when none is selected.
  output logic [Inputs-1:0] passed_o
);

  logic [Inputs-1:0] at_place;  // by place: a request stands there
  logic [Inputs-1:0] filled;
  logic [Inputs-1:0] first;
  logic [Inputs-1:0] ahead;  // places before the first request

  for (genvar p = 0; p < Inputs; p++) begin : gen_place
    logic requested;
    heddle_multiplexer #(
      .Inputs(Inputs),
      .Width (1)
    ) i_request (
      .data_i (request_i),
      .index_i(order_i[p*IdxWidth+:IdxWidth]),
      .data_o (requested)
    );
    assign filled[p] = (SizeWidth'(p) < size_i);
    assign at_place[p] = requested & filled[p];
  end

  heddle_fixed_selector #(
    .Inputs(Inputs)
  ) i_first (
    .request_i (at_place),
    .passable_i(filled),
    .select_o  (first),
    .passed_o  (ahead)
  );

  assign valid_o = |at_place;
  always_comb begin
    index_o = '0;
    for (int unsigned p = 0; p < Inputs; p++) begin
      index_o |= {IdxWidth{first[p]}} & order_i[p*IdxWidth+:IdxWidth];
    end
  end

  always_comb begin
    select_o = '0;
    passed_o = '0;
    for (int unsigned i = 0; i < Inputs; i++) begin
      select_o[i] = valid_o && index_o == IdxWidth'(i);
      for (int unsigned p = 0; p < Inputs; p++) begin
        if (ahead[p] && order_i[p*IdxWidth+:IdxWidth] == IdxWidth'(i)) passed_o[i] = passable_i[i];
      end
    end
  end

  if (Inputs < 1 || Inputs > 64) begin : gen_illegal
    $error("heddle_ordered_selector: expected Inputs from 1 to 64");
  end

`ifndef SYNTHESIS
  logic stands;  // a request, in a filled place
  logic [IdxWidth-1:0] first_of_all;
  always_comb begin
    stands = 1'b0;
    first_of_all = '0;
    for (int unsigned p = 0; p < Inputs; p++) begin
      if (!stands && SizeWidth'(p) < size_i && request_i[order_i[p*IdxWidth+:IdxWidth]]) begin
        stands = 1'b1;
        first_of_all = order_i[p*IdxWidth+:IdxWidth];
      end
    end
  end
  always_comb begin
    FirstIsTaken_A: assert final (valid_o == stands && (!stands || index_o == first_of_all));
    GrantOnehot_A: assert final ((select_o & (select_o - 1'b1)) == '0);
    GrantIsRequested_A: assert final ((select_o & ~request_i) == '0);
    GrantIfAny_A: assert final (valid_o == (at_place != '0));
    PassedIsPassable_A: assert final ((passed_o & ~passable_i) == '0);
  end
`endif

endmodule
