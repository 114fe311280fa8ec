#include "modules/warp_scheduler/warp_states.h"

namespace heddle {

namespace {

/// Moves warps from those without a state into states.
class Sorter {
 public:
  Sorter(WarpMask left, WarpsByState& warps) : left_(left), warps_(warps) {}
  void put(WarpState state, WarpMask warps) {
    warps_[static_cast<unsigned>(state)] |= left_ & warps;
    left_ &= ~warps;
  }
  WarpMask left() const { return left_; }

 private:
  WarpMask left_;
  WarpsByState& warps_;
};

WarpState waits_for_ldst(Space space) {
  switch (space) {
    case Space::kShared:
      return WarpState::kPipelineShared;
    case Space::kConst:
    case Space::kParam:
      return WarpState::kPipelineConstant;
    case Space::kTexture:
      return WarpState::kPipelineTexture;
    default:
      return WarpState::kPipelineGlobal;
  }
}

}  // namespace

WarpsByState states_of(const SchedulerTurn& turn) {
  const WarpTable& table = *turn.table;
  WarpsByState warps{};
  warps[static_cast<unsigned>(WarpState::kEnded)] = turn.supervised & table.ended;
  Sorter sorter(turn.supervised & table.resident, warps);
  if (turn.issued != nullptr) sorter.put(WarpState::kSelected, warp_bit(turn.issued->warp));
  sorter.put(WarpState::kDrain, table.finished);
  sorter.put(WarpState::kBarrier, table.at_barrier);
  sorter.put(WarpState::kMembar, table.at_membar);
  sorter.put(WarpState::kFlush, turn.off_path);
  sorter.put(WarpState::kFetch, ~table.valid);
  sorter.put(WarpState::kScoreboardMemory, table.blocked_memory);
  sorter.put(WarpState::kScoreboardShared, table.blocked_shared);
  sorter.put(WarpState::kScoreboardSfu, table.blocked_sfu);
  sorter.put(WarpState::kScoreboardAlu, table.blocked);
  sorter.put(WarpState::kHeldByPolicy, turn.barred);
  sorter.put(turn.issued != nullptr ? WarpState::kNotSelected : WarpState::kHeldByPolicy, turn.issuable);
  // What is left lacks a free input register.
  sorter.put(WarpState::kPipelineSp, table.needs[static_cast<unsigned>(Unit::kSp)]);
  sorter.put(WarpState::kPipelineSfu, table.needs[static_cast<unsigned>(Unit::kSfu)]);
  for (WarpMask left = sorter.left(); left != 0; left &= left - 1) {
    const unsigned warp = lowest_warp(left);
    sorter.put(waits_for_ldst(table.next[warp]->space), warp_bit(warp));
  }
  return warps;
}

unsigned state_index(const WarpsByState& warps, unsigned warp) {
  unsigned state = 0;
  while (state < kNumWarpStates && (warps[state] >> warp & 1U) == 0) ++state;
  return state;
}

}  // namespace heddle
