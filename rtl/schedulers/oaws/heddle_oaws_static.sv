// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Memory-occlusion-aware warp scheduling with static prediction (docs/schedulers/oaws.md, qualifier `oaws_static`) for
/// all schedulers of an SM: a load may issue when the MSHR entries that it is predicted to take are free, less those
/// that loads in flight are predicted to take.
///
/// A load is known to diverge when one of its PC has coalesced into more lines than CoherentLines, and has not been
/// replaced in the classifier since.
///
/// Latency, order of service: of heddle_oaws_core. State: the classifier, and that of heddle_oaws_core.
module heddle_oaws_static #(
  /// Warp slots of the SM, 1 to 64.
  parameter int unsigned NumWarps = 48,
  /// MSHR entries, from 2 on.
  parameter int unsigned MshrEntries = 32,
  /// Loads in flight at most, from 1 on.
  parameter int unsigned Carried = 42,
  /// PCs that the classifier has, from 2 on.
  parameter int unsigned DlcEntries = 32,
  /// Bits of a PC; one instruction after the other changes PcBit.
  parameter int unsigned PcWidth = 40,
  parameter int unsigned PcBit = 3,
  /// A load of more lines is divergent, 1 to 32.
  parameter int unsigned CoherentLines = 2,
  /// Lanes of a divergent load that are predicted to miss, in 4096ths, rounded up; 0: no load needs entries.
  parameter int unsigned ShareFactor = 2048,
  /// Lanes of a warp, a multiple of 4 up to 32.
  parameter int unsigned Lanes = 32,
  localparam int unsigned FreeWidth = $clog2(MshrEntries + 1),
  localparam int unsigned TagWidth = (Carried > 1) ? $clog2(Carried) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Warps that start in this cycle.
  input  logic [NumWarps-1:0] start_i,
  /// Warps that issue in this cycle. May depend on qualified_o.
  input  logic [NumWarps-1:0] issue_i,
  /// Warps whose next instruction is a load that goes to the L1D or past it; of these, those that look for their lines
  /// in it.
  input  logic [NumWarps-1:0] load_i,
  input  logic [NumWarps-1:0] cached_i,
  /// The next PC of each warp, and its active lanes.
  input  logic [NumWarps*PcWidth-1:0] pc_i,
  input  logic [NumWarps*Lanes-1:0] lanes_i,
  /// A load that looks for its lines in the L1D was coalesced: its PC and lines.
  input  logic coalesced_i,
  input  logic [PcWidth-1:0] coalesced_pc_i,
  input  logic [5:0] coalesced_lines_i,
  /// A kernel starts: no load is known to diverge. Before what coalesces in the same cycle.
  input  logic clear_i,
  /// So many MSHR entries are free from the next cycle on.
  input  logic room_valid_i,
  input  logic [FreeWidth-1:0] room_i,
  /// The warp that issues a load which looks for its lines in the L1D, at most one, and the number that it has until it
  /// has left. May depend on qualified_o.
  input  logic [NumWarps-1:0] take_i,
  input  logic [TagWidth-1:0] tag_i,
  /// A load has left the L1D: its number.
  input  logic left_i,
  input  logic [TagWidth-1:0] left_tag_i,
  /// Warps that may issue in this cycle if they qualify.
  input  logic [NumWarps-1:0] ready_i,
  /// Those of them that do.
  output logic [NumWarps-1:0] qualified_o,
  /// The warp of which a prediction is begun, at most one: its PC and lanes are read in the next cycle.
  output logic [NumWarps-1:0] predict_o
);

  logic [PcWidth-1:0] pc;
  logic known_to_diverge, diverges;
  logic hit_recorded, new_pc, again;
  logic [DlcEntries-1:0] unused_asked, recorded_line, victim_line;
  logic [NumWarps-1:0] unused_read;

  heddle_oaws_core #(
    .NumWarps   (NumWarps),
    .MshrEntries(MshrEntries),
    .Carried    (Carried),
    .PcWidth    (PcWidth),
    .PcBit      (PcBit),
    .ShareFactor(ShareFactor),
    .Lanes      (Lanes)
  ) i_core (
    .clk_i,
    .rst_ni,
    .start_i,
    .issue_i,
    .load_i,
    .cached_i,
    .pc_i,
    .lanes_i,
    .may_predict_i     ('1),
    .again_i           (again),
    .known_to_diverge_i(known_to_diverge),
    .rank_i            ('0),
    .ocw_i             ('0),
    .room_valid_i,
    .room_i,
    .take_i,
    .tag_i,
    .left_i,
    .left_tag_i,
    .ready_i,
    .qualified_o,
    .predict_o,
    .read_o            (unused_read),
    .pc_o              (pc)
  );
  heddle_table #(
    .Sets       (1),
    .Ways       (DlcEntries),
    .TagWidth   (PcWidth),
    .FieldsWidth(0),
    .LookupPorts(2),
    .ReadPorts  (0),
    .WritePorts (1)
  ) i_dlc (
    .clk_i,
    .rst_ni,
    .lookup_i      ({diverges, 1'b1}),
    .lookup_set_i  ('0),
    .lookup_tag_i  ({coalesced_pc_i, pc}),
    .lookup_hit_o  ({hit_recorded, known_to_diverge}),
    .lookup_line_o ({recorded_line, unused_asked}),
    .read_line_i   ('0),
    .read_fields_o (),
    .write_i       (new_pc),
    .write_line_i  (victim_line),
    .write_mask_i  ('0),
    .write_fields_i('0),
    .insert_i      (1'b1),
    .insert_tag_i  (coalesced_pc_i),
    .victim_i      (diverges),
    .victim_set_i  ('0),
    .victim_line_o (victim_line),
    .touch_i       (diverges && !new_pc),
    .touch_line_i  (recorded_line),
    .invalidate_i  ({DlcEntries{clear_i}}),
    .valid_o       (),
    .fields_o      ()
  );
  assign diverges = coalesced_i && 32'(coalesced_lines_i) > CoherentLines;
  assign again = clear_i | new_pc;
  assign new_pc = diverges && (!hit_recorded || clear_i);

  if (DlcEntries < 2 || DlcEntries > 64) begin : gen_illegal_dlc
    $error("heddle_oaws_static: expected DlcEntries from 2 to 64");
  end
  if (CoherentLines < 1 || CoherentLines > 32) begin : gen_illegal_lines
    $error("heddle_oaws_static: expected CoherentLines from 1 to 32");
  end

  logic _unused;
  assign _unused = ^{unused_asked, unused_read};

`ifdef FORMAL
  logic seen_q;  // a known load has diverged again
  logic [DlcEntries-1:0] seen_line_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seen_q <= 1'b0;
      seen_line_q <= '0;
    end else begin
      seen_q <= diverges && hit_recorded && !clear_i;
      seen_line_q <= recorded_line;
    end
  end
  always_comb begin
    if (rst_ni) begin
      LastSeenIsKept_A: assert (!seen_q || victim_line != seen_line_q);
      NewLoadsAreTold_A: assert (!diverges || hit_recorded || again);
    end
  end
`endif

endmodule
