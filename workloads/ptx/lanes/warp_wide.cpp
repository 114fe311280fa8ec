// Operations across the lanes of a warp: vote, match, shfl, activemask.

#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

template <class F>
void each_lane(LaneMask lanes, F f) {
  for (LaneMask left = lanes; left != 0; left &= left - 1) f(static_cast<unsigned>(__builtin_ctz(left)));
}

void fill(LaneContext& context, const BoundOperation& bound, std::uint32_t everywhere) {
  alignas(64) Row32 value[kWarpSize];
  for (Row32& lane : value) lane = everywhere;
  blend(context.active, row<Row32>(context, bound.dst[0]), static_cast<const Row32*>(value));
}

void vote(LaneContext& context, const BoundOperation& bound) {
  const Operation& operation = *bound.operation;
  const LaneMask yes = predicate_of(context, operation.src[0]) & context.active;
  const bool all = yes == context.active;
  switch (operation.vote) {
    case VoteMode::kBallot:
      fill(context, bound, yes);
      return;
    case VoteMode::kAll:
      write_predicate(context, operation.dst[0], all ? kAllLanes : 0);
      return;
    case VoteMode::kAny:
      write_predicate(context, operation.dst[0], yes != 0 ? kAllLanes : 0);
      return;
    default:
      write_predicate(context, operation.dst[0], all || yes == 0 ? kAllLanes : 0);
      return;
  }
}

/// match.any: which active lanes hold the same value. match.all: the active lanes when all do, else 0.
template <class R>
void match(LaneContext& context, const BoundOperation& bound) {
  const Operation& operation = *bound.operation;
  const R* source = row<R>(context, bound.src[0]);
  const LaneMask active = context.active;
  alignas(64) Row32 value[kWarpSize] = {};
  each_lane(active, [&](unsigned lane) {
    LaneMask same = 0;
    for (unsigned i = 0; i < kWarpSize; ++i) same |= LaneMask{source[i] == source[lane]} << i;
    same &= active;
    value[lane] = operation.vote == VoteMode::kAll && same != active ? 0 : same;
  });
  const bool all = value[__builtin_ctz(active)] == active;
  if (operation.num_dst > 1 && operation.dst[1].kind == Operand::Kind::kPredicate) {
    write_predicate(context, operation.dst[1], all ? kAllLanes : 0);
  }
  blend(active, row<Row32>(context, bound.dst[0]), static_cast<const Row32*>(value));
}

/// Lane that `lane` reads, and whether it lies in the lane's segment; c holds clamp and segment mask.
struct ShuffleSource {
  std::uint32_t lane;
  bool inside;
};
ShuffleSource shuffle_source(ShuffleMode mode, std::uint32_t lane, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t amount = b & 31U;
  const std::uint32_t clamp = c & 31U;
  const std::uint32_t segment = c >> 8U & 31U;
  const std::uint32_t last = (lane & segment) | (clamp & ~segment);
  switch (mode) {
    case ShuffleMode::kUp: {
      const bool inside = static_cast<std::int32_t>(lane - amount) >= static_cast<std::int32_t>(last);
      return {inside ? lane - amount : lane, inside};
    }
    case ShuffleMode::kDown:
      return {lane + amount <= last ? lane + amount : lane, lane + amount <= last};
    case ShuffleMode::kBfly:
      return {(lane ^ amount) <= last ? lane ^ amount : lane, (lane ^ amount) <= last};
    default: {
      const std::uint32_t target = (lane & segment) | (amount & ~segment);
      return {target <= last ? target : lane, target <= last};
    }
  }
}

void shuffle(LaneContext& context, const BoundOperation& bound) {
  const Operation& operation = *bound.operation;
  const Row32* source = row<Row32>(context, bound.src[0]);
  const Row32* amount = row<Row32>(context, bound.src[1]);
  const Row32* limits = row<Row32>(context, bound.src[2]);
  alignas(64) Row32 value[kWarpSize] = {};
  LaneMask inside = 0;
  each_lane(context.active, [&](unsigned lane) {
    const ShuffleSource from = shuffle_source(operation.shuffle, lane, amount[lane], limits[lane]);
    value[lane] = source[from.lane];
    inside |= LaneMask{from.inside} << lane;
  });
  if (operation.num_dst > 1 && operation.dst[1].kind == Operand::Kind::kPredicate) {
    write_predicate(context, operation.dst[1], inside);
  }
  blend(context.active, row<Row32>(context, bound.dst[0]), static_cast<const Row32*>(value));
}

void active_mask(LaneContext& context, const BoundOperation& bound) { fill(context, bound, context.active); }

}  // namespace

Handler select_warp_wide(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::kVote:
      return operation.vote == VoteMode::kNone ? nullptr : &vote;
    case Opcode::kMatch:
      return plain(operation.type) == Type::kU64 ? &match<Row64> : &match<Row32>;
    case Opcode::kShfl:
      return operation.shuffle == ShuffleMode::kNone ? nullptr : &shuffle;
    case Opcode::kActivemask:
      return &active_mask;
    default:
      return nullptr;
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
