// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Greedy then oldest among those that go first under MASCAR (docs/schedulers/mascar.md, prioritizer `mascar`), for all
/// schedulers of an SM, behind heddle_mascar, whose mode it has. Of a scheduler's ready warps either all access the memory
/// or none does. Stale warps count among those that don't: while the memory is saturated the scheduler comes to all of
/// them earlier it comes to one that accesses it, and else to none of them. Other ports are heddle_gto_sm's.
module heddle_mascar_sm #(
  parameter int unsigned NumWarps = 48,
  parameter int unsigned NumSchedulers = 2
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [NumWarps-1:0] start_i,
  input  logic [NumWarps-1:0] finish_i,
  /// heddle_mascar's.
  input  logic saturated_i,
  input  logic [NumWarps-1:0] memory_i,
  input  logic [NumWarps-1:0] ready_i,
  input  logic [NumWarps-1:0] stale_i,
  input  logic [NumWarps-1:0] issue_i,
  output logic [NumWarps-1:0] grant_o,
  output logic [NumWarps-1:0] passed_o
);

  logic [NumWarps-1:0] accesses, among_stale, earlier, passed;

  // A line per scheduler that goes to each of its warps.
  assign accesses = ready_i & memory_i;
  for (genvar s = 0; s < NumSchedulers; s++) begin : gen_scheduler
    localparam int unsigned Own = (NumWarps - s + NumSchedulers - 1) / NumSchedulers;
    logic [Own-1:0] own;
    logic any;
    for (genvar i = 0; i < Own; i++) begin : gen_warp
      assign own[i] = accesses[i*NumSchedulers+s];
      assign among_stale[i*NumSchedulers+s] = stale_i[i*NumSchedulers+s] & ~any;
      assign earlier[i*NumSchedulers+s] = stale_i[i*NumSchedulers+s] & any & saturated_i;
    end
    assign any = own != '0;
  end
  heddle_gto_sm #(
    .NumWarps     (NumWarps),
    .NumSchedulers(NumSchedulers)
  ) i_gto (
    .clk_i,
    .rst_ni,
    .start_i,
    .finish_i,
    .ready_i,
    .stale_i (among_stale),
    .issue_i,
    .grant_o,
    .passed_o(passed)
  );
  assign passed_o = passed | earlier;

endmodule
