// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The order in which entries came, from which the oldest request is selected (hw::AgeOrder, AgeForm::kMatrix
/// with passes_over). Any entries are appended or removed in a cycle; of entries appended together the lower
/// index counts as the older.
///
/// Latency: from request_i to select_o in the same cycle; what is appended or removed in a cycle counts from the
/// next one on. State: that of heddle_age_matrix.
module heddle_age_order #(
  /// Entries, 1 to 64.
  parameter int unsigned Entries = 24
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Become the youngest at the clock edge; one that is in the order leaves its old place.
  input  logic [Entries-1:0] append_i,
  /// Leave the order at the clock edge, unless they are appended at the same one.
  input  logic [Entries-1:0] remove_i,
  /// Who may be selected.
  input  logic [Entries-1:0] request_i,
  /// Of whom it is told whether they come before the selected one; none of them is in request_i.
  input  logic [Entries-1:0] passable_i,
  /// The oldest of request_i that is in the order: at most one bit.
  output logic [Entries-1:0] select_o,
  /// Those of passable_i in the order that are older than the selected one; all in it when none is selected.
  output logic [Entries-1:0] passed_o,
  /// Who is in the order.
  output logic [Entries-1:0] present_o
);

  logic [Entries*Entries-1:0] first;
  logic [Entries-1:0] among;
  logic [Entries-1:0] behind;  // a request is older

  heddle_age_matrix #(
    .Entries(Entries)
  ) i_matrix (
    .clk_i,
    .rst_ni,
    .append_i,
    .remove_i,
    .first_o(first),
    .present_o
  );

  assign among = request_i & present_o;
  heddle_age_select #(
    .Entries(Entries)
  ) i_select (
    .first_i (first),
    .among_i (among),
    .oldest_o(select_o),
    .behind_o(behind)
  );
  assign passed_o = passable_i & present_o & ~behind;

  if (Entries < 1 || Entries > 64) begin : gen_illegal
    $error("heddle_age_order: expected Entries from 1 to 64");
  end

`ifndef SYNTHESIS
  always_comb begin
    if (rst_ni) begin
      SelectOnehot_A: assert final ((select_o & (select_o - 1'b1)) == '0);
      SelectIsRequested_A: assert final ((select_o & ~among) == '0);
      SelectIfAny_A: assert final (among == '0 || select_o != '0);
      PassedIsPassable_A: assert final ((passed_o & ~(passable_i & present_o)) == '0);
      PassesAllWithoutRequest_A: assert final (among != '0 || passed_o == (passable_i & present_o));
    end
  end
`endif

endmodule
