#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "modules/sm/sm.h"
#include "top/profile/kernel_book.h"

namespace heddle {

/// Listens to an SM and counts what its warps do, by scheduler, launch and instruction. On the thread of its
/// SM.
///
/// Schedulers' cycles are counted from the masks of their warps by state, those of launches and instructions
/// warp by warp, when a warp's state changes: two ways that must come to the same sums.
class SmProfile {
 public:
  struct KernelLines {
    const KernelText* text = nullptr;
    std::vector<LineCounts> lines;
  };

  /// Before the simulation starts. References are kept.
  SmProfile(Sm& sm, KernelBook& book);
  SmProfile(const SmProfile&) = delete;
  SmProfile& operator=(const SmProfile&) = delete;

  /// Counts the cycles before `until` that are not counted yet.
  void settle(Cycle until);

  unsigned schedulers() const { return static_cast<unsigned>(schedulers_.size()); }
  const WarpAccount& scheduler(unsigned index) const { return schedulers_[index].account; }
  const std::map<std::uint64_t, WarpAccount>& launches() const { return launches_; }
  const std::vector<std::unique_ptr<KernelLines>>& kernels() const { return kernels_; }

 private:
  struct Scheduler {
    WarpAccount account;
    WarpsByState warps{};   ///< since its last turn
    WarpMask resident = 0;  ///< on the SM, since then
    Cycle since = 0;        ///< first cycle not counted
  };
  /// A warp slot.
  struct Slot {
    unsigned state = kNumWarpStates;  ///< that: no warp
    Cycle since = 0;                  ///< first cycle not counted
    KernelLines* kernel = nullptr;
    LineCounts* next = nullptr;  ///< of the instruction that it wants
    LineCounts* last = nullptr;  ///< of the one that it issued last
    WarpAccount* launch = nullptr;
  };
  struct Present {
    WarpAccount* launch = nullptr;
    WarpMask warps = 0;
  };

  void listen();
  void start_warp(unsigned warp, const TbTransaction& tb, Cycle cycle);
  void take_turn(Scheduler& scheduler, const SchedulerTurn& turn);
  void issue(const WarpInstruction& instruction, bool finished);
  void count(Scheduler& scheduler, Cycle until);
  void count(Slot& slot, Cycle until) const;
  void set_launch(WarpMask warp, WarpAccount& launch);
  KernelLines& lines_of(const KernelLaunch& launch);
  LineCounts& line_at(std::uint64_t pc);

  Sm& sm_;
  KernelBook& book_;
  std::vector<Scheduler> schedulers_;
  std::array<Slot, kMaxWarps> slots_{};
  std::vector<Present> present_;  ///< launches with a warp here
  std::map<std::uint64_t, WarpAccount> launches_;
  std::vector<std::unique_ptr<KernelLines>> kernels_;
  std::size_t last_kernel_ = 0;  ///< found by line_at()
};

}  // namespace heddle
