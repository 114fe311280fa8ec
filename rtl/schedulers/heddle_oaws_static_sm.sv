// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// A heddle_oaws_static whose I-buffers say the PC and the lanes of one warp only: of that which predict_o named in the
/// cycle before. Other ports are heddle_oaws_static's.
module heddle_oaws_static_sm #(
  parameter int unsigned NumWarps = 48,
  parameter int unsigned MshrEntries = 32,
  parameter int unsigned Carried = 42,
  parameter int unsigned DlcEntries = 32,
  parameter int unsigned PcWidth = 40,
  parameter int unsigned PcBit = 3,
  parameter int unsigned CoherentLines = 2,
  parameter int unsigned ShareFactor = 2048,
  localparam int unsigned FreeWidth = $clog2(MshrEntries + 1),
  localparam int unsigned TagWidth = (Carried > 1) ? $clog2(Carried) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [NumWarps-1:0] start_i,
  input  logic [NumWarps-1:0] issue_i,
  input  logic [NumWarps-1:0] load_i,
  input  logic [NumWarps-1:0] cached_i,
  input  logic [PcWidth-1:0] predict_pc_i,
  input  logic [31:0] predict_lanes_i,
  input  logic coalesced_i,
  input  logic [PcWidth-1:0] coalesced_pc_i,
  input  logic [5:0] coalesced_lines_i,
  input  logic clear_i,
  input  logic room_valid_i,
  input  logic [FreeWidth-1:0] room_i,
  input  logic [NumWarps-1:0] take_i,
  input  logic [TagWidth-1:0] tag_i,
  input  logic left_i,
  input  logic [TagWidth-1:0] left_tag_i,
  input  logic [NumWarps-1:0] ready_i,
  output logic [NumWarps-1:0] qualified_o,
  output logic [NumWarps-1:0] predict_o
);

  heddle_oaws_static #(
    .NumWarps     (NumWarps),
    .MshrEntries  (MshrEntries),
    .Carried      (Carried),
    .DlcEntries   (DlcEntries),
    .PcWidth      (PcWidth),
    .PcBit        (PcBit),
    .CoherentLines(CoherentLines),
    .ShareFactor  (ShareFactor)
  ) i_oaws (
    .clk_i,
    .rst_ni,
    .start_i,
    .issue_i,
    .load_i,
    .cached_i,
    .pc_i   ({NumWarps{predict_pc_i}}),
    .lanes_i({NumWarps{predict_lanes_i}}),
    .coalesced_i,
    .coalesced_pc_i,
    .coalesced_lines_i,
    .clear_i,
    .room_valid_i,
    .room_i,
    .take_i,
    .tag_i,
    .left_i,
    .left_tag_i,
    .ready_i,
    .qualified_o,
    .predict_o
  );

endmodule
