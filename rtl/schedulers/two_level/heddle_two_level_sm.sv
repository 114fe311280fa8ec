// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The heddle_two_level of an SM: scheduler s supervises the warps w with w mod NumSchedulers == s. Ports are
/// heddle_two_level's, by the warp slots of the SM.
module heddle_two_level_sm #(
  /// Warp slots of the SM, 1 to 64.
  parameter int unsigned NumWarps = 48,
  /// Warp schedulers of the SM, 1 to NumWarps.
  parameter int unsigned NumSchedulers = 2,
  /// Warps of a fetch group, 1 to 64.
  parameter int unsigned GroupWarps = 8
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [NumWarps-1:0] runs_i,
  input  logic [NumWarps-1:0] ready_i,
  input  logic [NumWarps-1:0] stale_i,
  input  logic [NumWarps-1:0] issue_i,
  output logic [NumWarps-1:0] grant_o,
  output logic [NumWarps-1:0] passed_o
);

  for (genvar s = 0; s < NumSchedulers; s++) begin : gen_scheduler
    localparam int unsigned Own = (NumWarps - s + NumSchedulers - 1) / NumSchedulers;
    logic [Own-1:0] runs, ready, stale, issue, grant, passed;
    always_comb begin
      for (int unsigned n = 0; n < Own; n++) begin
        runs[n] = runs_i[s+n*NumSchedulers];
        ready[n] = ready_i[s+n*NumSchedulers];
        stale[n] = stale_i[s+n*NumSchedulers];
        issue[n] = issue_i[s+n*NumSchedulers];
      end
    end
    for (genvar n = 0; n < Own; n++) begin : gen_warp
      assign grant_o[s+n*NumSchedulers] = grant[n];
      assign passed_o[s+n*NumSchedulers] = passed[n];
    end
    heddle_two_level #(
      .Warps     (Own),
      .GroupWarps(GroupWarps)
    ) i_two_level (
      .clk_i,
      .rst_ni,
      .runs_i  (runs),
      .ready_i (ready),
      .stale_i (stale),
      .issue_i (issue),
      .grant_o (grant),
      .passed_o(passed)
    );
  end

  if (NumWarps < 1 || NumWarps > 64) begin : gen_illegal_warps
    $error("heddle_two_level_sm: expected NumWarps from 1 to 64");
  end
  if (NumSchedulers < 1 || NumSchedulers > NumWarps) begin : gen_illegal_schedulers
    $error("heddle_two_level_sm: expected NumSchedulers from 1 to NumWarps");
  end

endmodule
