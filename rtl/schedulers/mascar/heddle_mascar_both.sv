// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// heddle_mascar in front of heddle_mascar_sm: all of scheduler `mascar`, as one netlist. What qualifies may be chosen in
/// the same cycle. Ports are theirs; saturated_i is saturated_o.
module heddle_mascar_both #(
  parameter int unsigned NumWarps = 48,
  parameter int unsigned NumSchedulers = 2,
  parameter int unsigned MshrEntries = 32,
  parameter int unsigned MissQueue = 8,
  parameter int unsigned FreeEntries = 1,
  parameter int unsigned FreeQueue = 1,
  localparam int unsigned EntriesWidth = $clog2(MshrEntries + 1),
  localparam int unsigned QueueWidth = $clog2(MissQueue + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [NumWarps-1:0] start_i,
  input  logic [NumWarps-1:0] finish_i,
  input  logic room_valid_i,
  input  logic [EntriesWidth-1:0] room_i,
  input  logic [QueueWidth-1:0] queue_room_i,
  input  logic [NumWarps-1:0] queued_i,
  input  logic [NumWarps-1:0] drained_i,
  input  logic [NumWarps-1:0] memory_i,
  input  logic [NumWarps-1:0] candidate_i,
  input  logic [NumWarps-1:0] waiting_i,
  input  logic [NumWarps-1:0] ready_i,
  input  logic [NumWarps-1:0] stale_i,
  input  logic [NumWarps-1:0] issue_i,
  output logic saturated_o,
  output logic [NumWarps-1:0] owner_o,
  output logic [NumWarps-1:0] grant_o,
  output logic [NumWarps-1:0] passed_o
);

  logic [NumWarps-1:0] qualified;

  heddle_mascar #(
    .NumWarps     (NumWarps),
    .NumSchedulers(NumSchedulers),
    .MshrEntries  (MshrEntries),
    .MissQueue    (MissQueue),
    .FreeEntries  (FreeEntries),
    .FreeQueue    (FreeQueue)
  ) i_qualifier (
    .clk_i,
    .rst_ni,
    .start_i,
    .finish_i,
    .room_valid_i,
    .room_i,
    .queue_room_i,
    .queued_i,
    .drained_i,
    .memory_i,
    .candidate_i,
    .waiting_i,
    .ready_i,
    .qualified_o(qualified),
    .saturated_o,
    .owner_o
  );
  heddle_mascar_sm #(
    .NumWarps     (NumWarps),
    .NumSchedulers(NumSchedulers)
  ) i_scheduler (
    .clk_i,
    .rst_ni,
    .start_i,
    .finish_i,
    .saturated_i(saturated_o),
    .memory_i,
    .ready_i    (qualified),
    .stale_i,
    .issue_i,
    .grant_o,
    .passed_o
  );

endmodule
