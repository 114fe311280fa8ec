#include <fmt/format.h>

#include <cstring>

#include "workloads/ptx/execution/execute_rows.h"
#include "workloads/ptx/execution/thread_block.h"

namespace heddle::ptx {

void BlockState::barrier(Warp& warp, const BoundOperation& bound, Step& out) {
  const Operation& operation = *bound.operation;
  const auto lane = static_cast<unsigned>(__builtin_ctz(warp.context.active));
  const bool reduces = bound.kind == StepKind::kBarrierReduction;
  const std::uint64_t id = operation.num_src > 0 ? source_value(warp.context, bound, 0, lane) : 0;
  if (id >= kNumBarriers)
    fault(warp, bound, lane, fmt::format("barrier {}: expected 0 to {}", id, kNumBarriers - 1));
  out.at_barrier = true;
  out.barrier = static_cast<std::uint8_t>(id);
  if (operation.num_src >= (reduces ? 3U : 2U)) {
    const std::uint64_t threads = source_value(warp.context, bound, 1, lane);
    if (threads == 0 || threads % kWarpSize != 0) {
      fault(warp, bound, lane,
            fmt::format("barrier of {} threads: expected a multiple of {}", threads, kWarpSize));
    }
    if (threads > warps_.size() * kWarpSize) {
      fault(warp, bound, lane,
            fmt::format("barrier of {} threads: the block has {}", threads, launch_.threads_per_tb()));
    }
    out.barrier_warps = static_cast<std::uint16_t>(threads / kWarpSize);
  }
  if (reduces) join_reduction(warp, bound, static_cast<unsigned>(id));
}

void BlockState::join_reduction(Warp& warp, const BoundOperation& bound, unsigned barrier) {
  const Operation& operation = *bound.operation;
  const Operand& predicate = operation.src[operation.num_src - 1U];
  LaneMask value = predicate.kind == Operand::Kind::kPredicate ? warp.predicates[predicate.slot]
                   : predicate.value != 0                      ? kAllLanes
                                                               : 0;
  if (predicate.inverted) value = ~value;
  value &= warp.context.active;
  Reduction& reduction = reductions_[barrier];
  reduction.all = reduction.all && value == warp.context.active;
  reduction.any = reduction.any || value != 0;
  reduction.count += static_cast<std::uint32_t>(__builtin_popcount(value));
  warp.reduction = &bound;
  warp.reduction_lanes = warp.context.active;
  warp.reduction_barrier = barrier;
}

void BlockState::finish_reduction(unsigned barrier) {
  const Reduction result = reductions_[barrier];
  reductions_[barrier] = {};
  for (Warp& warp : warps_) {
    if (warp.reduction_lanes == 0 || warp.reduction_barrier != barrier) continue;
    const Operation& operation = *warp.reduction->operation;
    const Operand& destination = operation.dst[0];
    const LaneMask lanes = warp.reduction_lanes;
    warp.reduction_lanes = 0;
    if (destination.kind == Operand::Kind::kPredicate) {
      const bool value = operation.bool_op == Bool::kAnd ? result.all : result.any;
      LaneMask& predicate = warp.predicates[destination.slot];
      predicate = value ? predicate | lanes : predicate & ~lanes;
    } else {
      set_lanes(warp.context.bases[kRegisterRows] + std::size_t{destination.slot} * kRowBytes, lanes,
                result.count);
    }
  }
}

}  // namespace heddle::ptx
