// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Greedy then oldest (docs/schedulers/gto.md, prioritizer `gto`), one scheduler: the warp that issued last
/// while it may issue, otherwise the one that started first; of those that started in one cycle the lower slot.
///
/// Latency: from ready_i to grant_o in the same cycle; a warp is in the order from the cycle after start_i on.
/// State: that of heddle_age_order, the number of the warp that issued last, and whether that one still runs.
/// Not free of starvation: a warp waits as long as the last one or older ones are ready.
module heddle_gto #(
  /// Warps of the scheduler, 1 to 64.
  parameter int unsigned Warps = 24
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Warps that start in this cycle.
  input  logic [Warps-1:0] start_i,
  /// Warps that issue their exit in this cycle. May depend on grant_o.
  input  logic [Warps-1:0] finish_i,
  /// Warps that may issue in this cycle; they have started and not finished.
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

  logic [IdxWidth-1:0] last_d, last_q;
  logic runs_d, runs_q;
  logic [Warps-1:0] last;  // the warp that issued last, if it still runs
  logic [Warps-1:0] oldest, before_oldest, running;
  logic greedy;

  heddle_age_order #(
    .Entries(Warps)
  ) i_age (
    .clk_i,
    .rst_ni,
    .append_i  (start_i),
    .remove_i  (finish_i),
    .request_i (ready_i),
    .passable_i(stale_i),
    .select_o  (oldest),
    .passed_o  (before_oldest),
    .present_o (running)
  );

  for (genvar n = 0; n < Warps; n++) begin : gen_warp
    assign last[n] = runs_q & (last_q == IdxWidth'(n));
  end
  assign greedy = |(ready_i & last);
  assign grant_o = greedy ? last : oldest;
  assign passed_o = greedy ? '0 : before_oldest | (stale_i & last);

  always_comb begin
    last_d = last_q;
    runs_d = runs_q;
    for (int unsigned n = 0; n < Warps; n++) begin
      if (issue_i[n]) begin
        last_d = IdxWidth'(n);
        runs_d = 1'b1;
      end
    end
    for (int unsigned n = 0; n < Warps; n++) begin
      if (finish_i[n] && last_d == IdxWidth'(n)) runs_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_q <= '0;
      runs_q <= 1'b0;
    end else begin
      last_q <= last_d;
      runs_q <= runs_d;
    end
  end

  if (Warps < 1 || Warps > 64) begin : gen_illegal
    $error("heddle_gto: expected Warps from 1 to 64");
  end

`ifndef SYNTHESIS
  always_comb begin
    if (rst_ni) begin
      GrantOnehot_A: assert final ((grant_o & (grant_o - 1'b1)) == '0);
      GrantIsReady_A: assert final ((grant_o & ~ready_i) == '0);
      GrantIfAny_A: assert final ((ready_i & running) == '0 || grant_o != '0);
      PassedIsStale_A: assert final ((passed_o & ~stale_i) == '0);
      LastIsGranted_A: assert final ((ready_i & last) == '0 || grant_o == last);
      LastInRange_A: assert final (32'(last_q) < Warps);
    end
  end
`ifdef FORMAL
  // What issued last and has not finished is taken again while it is ready; without it the order of starts
  // holds, which heddle_age_matrix keeps.
  (* anyconst *) logic [IdxWidth-1:0] watched;
  logic issued_last_q;
  logic sane_q;  // one warp has issued in a cycle at most so far, and none finished without
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issued_last_q <= 1'b0;
      sane_q <= 1'b1;
    end else begin
      if (finish_i[watched]) issued_last_q <= 1'b0;
      else if (issue_i != '0) issued_last_q <= issue_i[watched];
      if ((issue_i & (issue_i - 1'b1)) != '0 || (finish_i & ~issue_i) != '0) sane_q <= 1'b0;
    end
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni && sane_q && 32'(watched) < Warps) begin
      LastIsKept_A: assert (issued_last_q == last[watched]);
      Greedy_A: assert (!(issued_last_q && ready_i[watched]) || grant_o[watched]);
      OldestElse_A: assert ((ready_i & last) != '0 || grant_o == oldest);
    end
  end
`endif
`else
  logic _unused;
  assign _unused = ^running;
`endif

endmodule
