// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Which of some groups have a member among the requests (hw::RequestGroups). Combinational. Lines that never
/// change make it the OR of each group alone (RequestGroupsShape::wired).
module heddle_request_groups #(
  /// Groups, 1 to 64.
  parameter int unsigned Groups = 8,
  /// Requests, 1 to 64.
  parameter int unsigned Inputs = 24
) (
  input  logic [Inputs-1:0] request_i,
  /// Bit g * Inputs + i: input i is a member of group g.
  input  logic [Groups*Inputs-1:0] member_i,
  output logic [Groups-1:0] group_o
);

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    assign group_o[g] = |(request_i & member_i[g*Inputs+:Inputs]);
  end

  if (Groups < 1 || Groups > 64) begin : gen_illegal_groups
    $error("heddle_request_groups: expected Groups from 1 to 64");
  end
  if (Inputs < 1 || Inputs > 64) begin : gen_illegal_inputs
    $error("heddle_request_groups: expected Inputs from 1 to 64");
  end

endmodule
