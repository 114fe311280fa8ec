// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The fewest instructions first (docs/schedulers/least_issued.md, prioritizer `least_issued`; iPAWS 3.4), one
/// scheduler: of the warps that may issue the one that has issued the fewest since it started; of equals the lower
/// slot.
///
/// Latency: from ready_i to grant_o in the same cycle, through the whole tree; an instruction counts from the cycle
/// after issue_i on.
/// State: a counter of Width bits per warp, which wraps. Not free of starvation: a warp that is far ahead waits as long
/// as another one is ready.
module heddle_least_issued #(
  /// Warps of the scheduler, 1 to 64.
  parameter int unsigned Warps = 24,
  /// Bits of a counter, 1 to 62.
  parameter int unsigned Width = 32
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Warps that start in this cycle: their counters become 0.
  input  logic [Warps-1:0] start_i,
  /// Warps that may issue in this cycle.
  input  logic [Warps-1:0] ready_i,
  /// Warps whose I-buffer is stale, and is emptied when the scheduler comes to them; none of ready_i.
  input  logic [Warps-1:0] stale_i,
  /// The warp that issues in this cycle, at most one bit: the choice, or an earlier one when choosing is a
  /// pipeline. May depend on grant_o.
  input  logic [Warps-1:0] issue_i,
  /// The choice, at most one bit; not held when it does not issue.
  output logic [Warps-1:0] grant_o,
  /// Stale warps that come before the choice.
  output logic [Warps-1:0] passed_o
);

  localparam int unsigned IdxWidth = (Warps > 1) ? $clog2(Warps) : 1;

  logic [Warps*Width-1:0] issued, unused_next;
  logic [Width-1:0] unused_read, fewest;
  logic [IdxWidth-1:0] least;
  logic found;
  logic [Warps-1:0] below, earlier, unused_equal;

  heddle_counter_array #(
    .Entries      (Warps),
    .Width        (Width),
    .AmountWidth  (1),
    .ReadPorts    (0),
    .WritePorts   (0),
    .Adders       (0),
    .Clear        (1'b1),
    .CountsInPlace(1'b1)
  ) i_issued (
    .clk_i,
    .rst_ni,
    .read_index_i  ('0),
    .read_data_o   (unused_read),
    .write_i       ('0),
    .write_index_i ('0),
    .write_data_i  ('0),
    .add_i         ('0),
    .subtract_i    ('0),
    .add_index_i   ('0),
    .add_amount_i  ('0),
    .count_i       (issue_i),
    .count_amount_i('1),
    .clear_i       (start_i),
    .values_o      (issued),
    .next_o        (unused_next)
  );

  heddle_minimum_tree #(
    .Inputs(Warps),
    .Width (Width)
  ) i_tree (
    .valid_i(ready_i),
    .keys_i (issued),
    .valid_o(found),
    .index_o(least),
    .key_o  (fewest)
  );

  // Who comes before the choice: a comparator per warp, of equals the lower slot.
  assign below = (Warps'(1) << least) - 1'b1;
  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    heddle_comparator #(
      .Width(Width + 1)
    ) i_before (
      .a_i    ({issued[w*Width+:Width], !below[w]}),
      .b_i    ({fewest, 1'b1}),
      .less_o (earlier[w]),
      .equal_o(unused_equal[w])
    );
    assign grant_o[w] = found && least == IdxWidth'(w);
  end
  assign passed_o = stale_i & (found ? earlier : '1);

  if (Warps < 1 || Warps > 64) begin : gen_illegal_warps
    $error("heddle_least_issued: expected Warps from 1 to 64");
  end
  if (Width < 1 || Width > 62) begin : gen_illegal_width
    $error("heddle_least_issued: expected Width from 1 to 62");
  end

  logic _unused;
  assign _unused = ^{unused_next, unused_read, unused_equal};

`ifndef SYNTHESIS
  always_comb begin
    if (rst_ni) begin
      GrantOnehot_A: assert final ((grant_o & (grant_o - 1'b1)) == '0);
      GrantIsReady_A: assert final ((grant_o & ~ready_i) == '0);
      GrantIfAny_A: assert final (ready_i == '0 || grant_o != '0);
      PassedIsStale_A: assert final ((passed_o & ~stale_i) == '0);
    end
  end
`ifdef FORMAL
  // Of any two warps the one that has issued more, or as many and is the higher slot, is not chosen before the other.
  (* anyconst *) logic [IdxWidth-1:0] one, other;
  logic other_first;
  assign other_first = issued[other*Width+:Width] < issued[one*Width+:Width] ||
                       (issued[other*Width+:Width] == issued[one*Width+:Width] && other < one);
  // What issued is what counts, from the start of the warp on.
  logic counted_q;
  logic [Width-1:0] count_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) counted_q <= 1'b0;
    else counted_q <= 1'b1;
  end
  always_ff @(posedge clk_i) count_q <= start_i[one] ? '0 : issued[one*Width+:Width] + Width'(issue_i[one]);
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni && 32'(one) < Warps && 32'(other) < Warps) begin
      CountsIssues_A: assert (!counted_q || issued[one*Width+:Width] == count_q);
      FewestFirst_A: assert (!(grant_o[one] && ready_i[other] && other_first));
      PassedComeBefore_A: assert (!(grant_o[one] && stale_i[other]) || passed_o[other] == other_first);
    end
  end
`endif
`endif

endmodule
