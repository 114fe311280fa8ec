#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/storage/bit_vector.h"
#include "hw/storage/counter_array.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/ids.h"
#include "modules/warp_scheduler/policy_events.h"

namespace heddle {

/// States of a thread block (PRO III.B, figure 3). In the fast phase the TB dispatcher still has TBs of the
/// kernel waiting, in the slow phase it has none.
enum class ProState : std::uint8_t {
  kNoWait,        ///< fast phase; where every TB starts
  kBarrierWait,   ///< fast phase: a warp waits at a barrier
  kFinishWait,    ///< fast phase: a warp has finished
  kBarrierWait1,  ///< slow phase: a warp waits at a barrier
  kFinishNoWait,  ///< slow phase: no warp does
  kFinish,        ///< all warps have finished
  kFree,          ///< no TB in the slot
};
constexpr unsigned kNumProStates = 7;
const std::vector<std::string>& pro_state_names();

/// Place of a state's TBs before those of other states: 0 is the highest priority (PRO III.C and III.D).
constexpr unsigned pro_rank(ProState state) {
  constexpr std::array<unsigned, kNumProStates> kRanks{2, 1, 0, 1, 3, 4, 4};
  return kRanks[static_cast<unsigned>(state)];
}

/// What PRO keeps of the thread blocks and warps of an SM: their progress, how many warps wait at barriers
/// and how many have finished (PRO III.E). The state of a TB follows from these and from the phase. Where the
/// paper's states overlap, since a warp has finished and another one waits at a barrier, the one of higher
/// priority holds: finishWait, and barrierWait1 in the slow phase.
class ProBlocks {
 public:
  ProBlocks(const hw::Owner& owner, const GpuConfig& gpu);

  void start(const TbEvent& event);
  /// A warp of the TB starts, the last in the order of its warps.
  void add_warp(TbSlot slot, WarpSlot warp);
  /// The warp has ended, and another one has its warp slot.
  void remove_warp(TbSlot slot, WarpSlot warp) { tbs_[slot.value()].warps &= ~warp_bit(warp.value()); }
  /// The TB whose ended warp still has a place under `warp`; slots() when there is none.
  unsigned left_in(unsigned warp) const;
  void end(unsigned slot) { resident_ &= ~bit(slot); }
  /// The TB dispatcher has no TBs of `launch` left. Returns the resident TBs whose phase that changes.
  std::uint64_t grid_dispatched(std::uint64_t launch);

  void issue(std::uint64_t cycle, unsigned warp, unsigned lanes);
  /// When progress that is being added is in its register; CounterArray::kNever: none is.
  std::uint64_t next_landing() const {
    return std::min(warp_progress_.next_landing(), tb_progress_.next_landing());
  }
  void land(std::uint64_t cycle);
  void arrive(std::uint64_t cycle, unsigned slot) { at_barrier_.add(cycle, slot, 1); }
  void release(std::uint64_t cycle, unsigned slot, unsigned warps);
  void finish(std::uint64_t cycle, unsigned slot) { finished_.add(cycle, slot, 1); }

  ProState state(unsigned slot) const;
  std::uint64_t resident() const { return resident_; }
  bool slow(unsigned slot) const { return slow_.test(slot); }
  const hw::BitVector& slow_phase() const { return slow_; }
  unsigned at_barrier(unsigned slot) const { return static_cast<unsigned>(at_barrier_.value(slot)); }
  unsigned finished(unsigned slot) const { return static_cast<unsigned>(finished_.value(slot)); }
  std::uint64_t progress(unsigned slot) const { return tb_progress_.value(slot); }
  std::uint64_t warp_progress(unsigned warp) const { return warp_progress_.value(warp); }
  WarpMask warps(unsigned slot) const { return tbs_[slot].warps; }
  /// The core cycle in which the TB of `slot` has started.
  std::uint64_t start_cycle(unsigned slot) const { return tbs_[slot].start_cycle; }
  std::uint64_t tb(unsigned slot) const { return tbs_[slot].tb; }
  unsigned slot_of(unsigned warp) const { return slot_of_[warp]; }
  unsigned slots() const { return static_cast<unsigned>(tbs_.size()); }
  /// Additions to the progress of a TB that were lost to another scheduler's in the same cycle.
  std::uint64_t lost_additions() const { return tb_progress_.lost(); }
  /// Progress registers that went through 0.
  std::uint64_t wraps() const {
    return tb_progress_.activity().overflows + warp_progress_.activity().overflows;
  }

  /// The order of two TBs of one rank: whether the one in slot `a` goes before the one in `b`.
  bool tb_before(unsigned a, unsigned b) const;
  bool warp_before(unsigned a, unsigned b, bool ascending) const;

  void trace(WaveSink& sink) const;

 private:
  struct Tb {
    std::uint64_t tb = 0;
    std::uint64_t launch = 0;
    WarpMask warps = 0;
    unsigned num_warps = 0;
    std::uint64_t start_cycle = 0;
  };

  static std::uint64_t bit(unsigned slot) { return std::uint64_t{1} << slot; }

  hw::CounterArray warp_progress_;  ///< instructions x active lanes
  hw::CounterArray tb_progress_;
  hw::CounterArray at_barrier_;
  hw::CounterArray finished_;
  hw::BitVector slow_;
  // What the SM knows without PRO: identity and place of its TBs.
  std::vector<Tb> tbs_;
  std::uint64_t resident_ = 0;  ///< slots with a TB
  std::array<std::uint8_t, kMaxWarps> slot_of_{};
  std::vector<std::uint64_t> dispatched_;  ///< launches of which no TB waits
};

}  // namespace heddle
