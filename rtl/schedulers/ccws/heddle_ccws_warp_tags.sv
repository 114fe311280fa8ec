// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Victim tags of one warp (heddle_ccws_tags): an array of the lines that it had filled and that were evicted, the first one
/// in replaced first.
///
/// Latency: has_o in the same cycle; tags change with the next edge. A line that comes as the array is emptied stays.
/// State: heddle_table.
module heddle_ccws_warp_tags #(
  /// Sets, a power of two, and lines of a set.
  parameter int unsigned Sets = 2,
  parameter int unsigned Ways = 8,
  parameter int unsigned TagWidth = 32,
  localparam int unsigned SetWidth = (Sets > 1) ? $clog2(Sets) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// All tags are dropped: another warp starts in the slot.
  input  logic start_i /*verilator public_flat_rd*/,
  /// A line is looked up, and dropped if it is there.
  input  logic look_up_i /*verilator public_flat_rd*/,
  input  logic [SetWidth-1:0] look_up_set_i /*verilator public_flat_rd*/,
  input  logic [TagWidth-1:0] look_up_tag_i /*verilator public_flat_rd*/,
  /// A line comes, which is not there.
  input  logic comes_i /*verilator public_flat_rd*/,
  input  logic [SetWidth-1:0] comes_set_i /*verilator public_flat_rd*/,
  input  logic [TagWidth-1:0] comes_tag_i /*verilator public_flat_rd*/,
`ifdef FORMAL
  /// Whether another line is there.
  input  logic [SetWidth-1:0] watched_set_i,
  input  logic [TagWidth-1:0] watched_tag_i,
  output logic watched_has_o,
`endif
  /// The line that is looked up is there.
  output logic has_o
);
  // One piece of a simulator's program for all warps, for which inputs must not become what drives each warp's.
  /* verilator no_inline_module */

  localparam int unsigned Lines = Sets * Ways;
  localparam bit Cam = Sets == 1 && Ways > 1;
  localparam int unsigned NumberWidth = (Lines > 1) ? $clog2(Lines) : 1;
  localparam int unsigned SelWidth = Cam ? Lines : NumberWidth;
`ifdef FORMAL
  localparam int unsigned Lookups = 2;
`else
  localparam int unsigned Lookups = 1;
`endif

  logic [Lookups-1:0] looks, hit;
  logic [Lookups*SetWidth-1:0] sets;
  logic [Lookups*TagWidth-1:0] tags;
  logic [Lookups*SelWidth-1:0] line;
  logic [SelWidth-1:0] victim;
  logic [Lines-1:0] dropped, unused_valid, unused_fields;
  logic unused_read;

`ifdef FORMAL
  assign looks = {1'b1, look_up_i};
  assign sets = {watched_set_i, look_up_set_i};
  assign tags = {watched_tag_i, look_up_tag_i};
  assign watched_has_o = hit[1];
`else
  assign looks = look_up_i;
  assign sets = look_up_set_i;
  assign tags = look_up_tag_i;
`endif
  assign has_o = hit[0];

  if (Cam) begin : gen_select
    assign dropped = {Lines{start_i}} | line[Lines-1:0];
  end else begin : gen_number
    always_comb begin
      dropped = {Lines{start_i}};
      if (hit[0]) begin
        for (int unsigned n = 0; n < Lines; n++) begin
          if (line[SelWidth-1:0] == SelWidth'(n)) dropped[n] = 1'b1;
        end
      end
    end
  end
  heddle_table #(
    .Sets       (Sets),
    .Ways       (Ways),
    .TagWidth   (TagWidth),
    .FieldsWidth(0),
    .Fifo       (1'b1),
    .LookupPorts(Lookups),
    .ReadPorts  (0),
    .WritePorts (1)
  ) i_tags (
    .clk_i,
    .rst_ni,
    .lookup_i      (looks),
    .lookup_set_i  (sets),
    .lookup_tag_i  (tags),
    .lookup_hit_o  (hit),
    .lookup_line_o (line),
    .read_line_i   ('0),
    .read_fields_o (unused_read),
    .write_i       (comes_i),
    .write_line_i  (victim),
    .write_mask_i  ('0),
    .write_fields_i('0),
    .insert_i      (comes_i),
    .insert_tag_i  (comes_tag_i),
    .victim_i      (comes_i),
    .victim_set_i  (comes_set_i),
    .victim_line_o (victim),
    .touch_i       (1'b0),
    .touch_line_i  ('0),
    .invalidate_i  (dropped),
    .valid_o       (unused_valid),
    .fields_o      (unused_fields)
  );

  logic _unused;
  assign _unused = ^{unused_valid, unused_fields, unused_read};

endmodule
