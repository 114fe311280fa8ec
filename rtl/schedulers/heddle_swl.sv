// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Static wavefront limiting (docs/schedulers/swl.md, qualifier `swl`) for all schedulers of an SM: the limit_i oldest
/// unfinished warps may issue. Warps at a barrier do not count, so that the set extends past them.
///
/// A walk over the warps, the oldest first, builds the set: each step takes the oldest warp that counts, and those
/// before it, until enough are counted or none is left. A change begins a walk in the next cycle, one during a walk when
/// that has ended; the former set is in force meanwhile.
///
/// Latency: from ready_i to qualified_o in the same cycle; n steps that begin in the cycle after a change take n cycles,
/// and the set is in force in the next one. State: that of heddle_age_matrix, and per warp whether it is at a barrier,
/// taken by the walk, in the set; how many the walk has counted, 0 between walks; whether something has changed.
/// A warp that is held back waits until enough older ones have finished or are at a barrier.
module heddle_swl #(
  /// Warp slots of the SM, 1 to 64.
  parameter int unsigned NumWarps = 48,
  localparam int unsigned CountWidth = $clog2(NumWarps + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// How many warps, 1 to NumWarps; does not change.
  input  logic [CountWidth-1:0] limit_i,
  /// Warps that start in this cycle.
  input  logic [NumWarps-1:0] start_i,
  /// Warps that issue their exit in this cycle. May depend on qualified_o.
  input  logic [NumWarps-1:0] finish_i,
  /// Warps that come to a barrier in this cycle. May depend on qualified_o.
  input  logic [NumWarps-1:0] arrive_i,
  /// Warps that a barrier lets go on, from the next cycle on. May depend on qualified_o.
  input  logic [NumWarps-1:0] release_i,
  /// Warps that may issue in this cycle if they qualify.
  input  logic [NumWarps-1:0] ready_i,
  /// Those of them that do.
  output logic [NumWarps-1:0] qualified_o
);

  logic [NumWarps*NumWarps-1:0] first;
  logic [NumWarps-1:0] present;
  logic [NumWarps-1:0] waits_d, waits_q;  // at a barrier
  logic [NumWarps-1:0] found_d, found_q;  // taken by the walk
  logic [NumWarps-1:0] allowed_d, allowed_q;  // the set in force
  logic [CountWidth-1:0] counted_d, counted_q, next;  // warps that count among those taken
  logic changed_d, changed_q;
  logic [NumWarps-1:0] left, among, behind, unused_oldest, taken;
  logic steps, ends;

  heddle_age_matrix #(
    .Entries(NumWarps)
  ) i_age (
    .clk_i,
    .rst_ni,
    .append_i (start_i),
    .remove_i (finish_i),
    .first_o  (first),
    .present_o(present)
  );

  // A step: the oldest of those that count, and those before it.
  assign left = present & ~found_q;
  assign among = left & ~waits_q;
  heddle_age_select #(
    .Entries(NumWarps)
  ) i_select (
    .first_i (first),
    .among_i (among),
    .oldest_o(unused_oldest),
    .behind_o(behind)
  );
  assign taken = found_q | (left & ~behind);
  heddle_adder #(
    .Width      (CountWidth),
    .AmountWidth(1)
  ) i_next (
    .a_i       (counted_q),
    .amount_i  (1'b1),
    .subtract_i(1'b0),
    .sum_o     (next),
    .overflow_o()
  );
  assign steps = changed_q || counted_q != '0;
  assign ends = steps && (next == limit_i || among == '0);

  always_comb begin
    counted_d = counted_q;
    if (ends) counted_d = '0;
    else if (steps) counted_d = next;
    found_d = found_q;
    if (ends) found_d = '0;
    else if (steps) found_d = taken;
    found_d &= ~finish_i;
    allowed_d = (ends ? taken : allowed_q) & ~finish_i;
    waits_d = (waits_q | arrive_i) & ~release_i;
    changed_d = (changed_q && counted_q != '0) || (start_i | finish_i | arrive_i | release_i) != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= '0;
      found_q <= '0;
      allowed_q <= '0;
      counted_q <= '0;
      changed_q <= 1'b0;
    end else begin
      waits_q <= waits_d;
      found_q <= found_d;
      allowed_q <= allowed_d;
      counted_q <= counted_d;
      changed_q <= changed_d;
    end
  end

  assign qualified_o = ready_i & allowed_q;

  if (NumWarps < 1 || NumWarps > 64) begin : gen_illegal
    $error("heddle_swl: expected NumWarps from 1 to 64");
  end

  logic _unused;
  assign _unused = ^unused_oldest;

`ifndef SYNTHESIS
  always_comb begin
    if (rst_ni) begin
      LimitInRange_M: assert final (!steps || (limit_i != '0 && 32'(limit_i) < NumWarps + 1));
      QualifiedIsReady_A: assert final ((qualified_o & ~ready_i) == '0);
      AllowedIsPresent_A: assert final ((allowed_q & ~present) == '0);
      FoundIsPresent_A: assert final ((found_q & ~present) == '0);
      CountedBelowLimit_A: assert final (counted_q == '0 || counted_q < limit_i);
      NothingFoundBetweenWalks_A: assert final (counted_q != '0 || found_q == '0);
    end
  end
`ifdef FORMAL
  // What has been taken is the oldest, as long as nothing changes: none that is left is older. A set that a walk
  // without a change has built is the one that is asked for, whatever happened before.
  logic [CountWidth-1:0] limit_q;
  logic [CountWidth-1:0] found_count, taken_count, allowed_count, present_count;
  logic [NumWarps-1:0] older_found, older_allowed;  // entries than which one outside the set is older
  logic [NumWarps-1:0] unused_found, unused_allowed, unused_last, not_last;
  heddle_population_count #(
    .Inputs(NumWarps)
  ) i_found_count (
    .bits_i (found_q & ~waits_q),
    .count_o(found_count)
  );
  heddle_population_count #(
    .Inputs(NumWarps)
  ) i_taken_count (
    .bits_i (taken & ~waits_q),
    .count_o(taken_count)
  );
  heddle_population_count #(
    .Inputs(NumWarps)
  ) i_allowed_count (
    .bits_i (allowed_q & ~waits_q),
    .count_o(allowed_count)
  );
  heddle_population_count #(
    .Inputs(NumWarps)
  ) i_present_count (
    .bits_i (present & ~waits_q),
    .count_o(present_count)
  );
  heddle_age_select #(
    .Entries(NumWarps)
  ) i_older_found (
    .first_i (first),
    .among_i (left),
    .oldest_o(unused_found),
    .behind_o(older_found)
  );
  heddle_age_select #(
    .Entries(NumWarps)
  ) i_older_allowed (
    .first_i (first),
    .among_i (present & ~allowed_q),
    .oldest_o(unused_allowed),
    .behind_o(older_allowed)
  );
  // Those of the set than which one of it is younger: all but the youngest.
  for (genvar w = 0; w < NumWarps; w++) begin : gen_last
    logic [NumWarps-1:0] younger;
    for (genvar v = 0; v < NumWarps; v++) begin : gen_pair
      assign younger[v] = (v < w) ? !first[v*NumWarps+w] : (v != w) && first[w*NumWarps+v];
    end
    assign not_last[w] = (younger & allowed_q) != '0;
  end
  logic [NumWarps-1:0] unfinished_q, at_barrier_q;  // as it is told
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      limit_q <= '0;
      unfinished_q <= '0;
      at_barrier_q <= '0;
    end else begin
      limit_q <= limit_i;
      unfinished_q <= (unfinished_q & ~finish_i) | start_i;
      at_barrier_q <= (at_barrier_q | arrive_i) & ~release_i;
    end
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni) begin
      LimitStays_M: assert (limit_i != '0 && 32'(limit_i) < NumWarps + 1 && (limit_q == '0 || limit_i == limit_q));
      PresentAreUnfinished_A: assert (present == unfinished_q);
      WaitAtBarriers_A: assert (waits_q == at_barrier_q);
      // A step counts one warp more, if one is left that counts.
      OneMoreCounts_A: assert (among == '0 || taken_count == found_count + 1'b1);
      if (!changed_q && counted_q != '0) begin
        FoundAreOldest_A: assert ((found_q & older_found) == '0);
        CountedAreFound_A: assert (found_count == counted_q);
      end
      if (!changed_q && counted_q == '0) begin
        AllowedAreOldest_A: assert ((allowed_q & older_allowed) == '0);
        AsManyAsTheLimit_A: assert (allowed_count == limit_i || (allowed_q == present && present_count < limit_i));
        // No more than are asked for: the youngest counts, unless all are in the set.
        NoneBehind_A: assert (allowed_q == present || (allowed_q & ~not_last & waits_q) == '0);
      end
    end
  end
`endif
`endif

endmodule
