// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Oldest first (docs/schedulers/oldest.md, prioritizer `oldest`), one scheduler: of the warps that may issue
/// the one that started first; of those that started in one cycle the lower slot.
///
/// Latency: from ready_i to grant_o in the same cycle; a warp is in the order from the cycle after start_i on.
/// State: that of heddle_age_order. Not free of starvation: a warp waits as long as older ones are ready.
module heddle_oldest #(
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
  /// The choice, at most one bit; not held when it does not issue.
  output logic [Warps-1:0] grant_o,
  /// Stale warps that come before the choice.
  output logic [Warps-1:0] passed_o
);

  logic [Warps-1:0] running;

  heddle_age_order #(
    .Entries(Warps)
  ) i_age (
    .clk_i,
    .rst_ni,
    .append_i  (start_i),
    .remove_i  (finish_i),
    .request_i (ready_i),
    .passable_i(stale_i),
    .select_o  (grant_o),
    .passed_o,
    .present_o (running)
  );

`ifndef SYNTHESIS
  always_comb begin
    if (rst_ni) begin
      GrantOnehot_A: assert final ((grant_o & (grant_o - 1'b1)) == '0);
      GrantIsReady_A: assert final ((grant_o & ~(ready_i & running)) == '0);
      GrantIfAny_A: assert final ((ready_i & running) == '0 || grant_o != '0);
      PassedIsStale_A: assert final ((passed_o & ~stale_i) == '0);
    end
  end
`ifdef FORMAL
  // That the order is that of the starts is proven of heddle_age_matrix.
  initial assume (!rst_ni);
`endif
`else
  logic _unused;
  assign _unused = ^running;
`endif

endmodule
