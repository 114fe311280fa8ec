#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workloads/launch/kernel_launch.h"

namespace heddle {

/// All warps of a TB wait at barriers that can never be met. what() says which warp waits where.
class BarrierDeadlock : public ExecutionFault {
 public:
  using ExecutionFault::ExecutionFault;
};

/// Told of what TBs access in global memory, for caches that are to hold what they would.
class MemoryWatch {
 public:
  static constexpr std::uint64_t kBlockBytes = 128;
  static constexpr std::uint64_t kSectorBytes = 32;

  virtual ~MemoryWatch() = default;
  /// Sectors of the block at `address`, which is a multiple of its size; bit i: that at i * kSectorBytes.
  virtual void accessed(std::uint64_t address, unsigned sectors, bool writes) = 0;
};

/// A TB that is executed without timing: its warps in turn, some instructions each.
class FunctionalTb {
 public:
  /// One that has not ended after so many warp instructions waits for another.
  static constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 26U;
  /// For which such ones take turns: more than most TBs have in all.
  static constexpr std::uint64_t kTurnInstructions = 32768;
  /// Warp instructions of a warp before it is another one's turn, or another TB's of those side by side: a
  /// warp may wait for what another stores.
  static constexpr std::uint64_t kTurn = 32;

  /// `site`: what special registers read, but %clock and the warp slot. `launch` outlives this.
  FunctionalTb(KernelLaunch& launch, std::uint64_t tb, const ExecutionSite& site,
               MemoryWatch* watch = nullptr);

  /// Executes `warp_instructions` more at most, one a cycle from `cycle` on as %clock reads it. True when the
  /// TB has ended. Throws ExecutionFault, BarrierDeadlock, Stopped.
  bool run(std::uint64_t warp_instructions, std::uint64_t cycle);
  bool ended() const { return unfinished_ == 0; }
  /// What it has executed so far.
  const TbWork& work() const { return work_; }

 private:
  static constexpr unsigned kBarriers = 16;
  struct Warp {
    bool finished = false;
    bool waiting = false;
    unsigned barrier = 0;
  };

  /// At most so many; how many it were.
  std::uint64_t turn(unsigned warp, std::uint64_t instructions);
  std::uint64_t watched_turn(unsigned warp, std::uint64_t instructions, Step& last);
  bool is_row(const Step& done, unsigned bytes) const;
  void tell_accesses(const Instruction& instruction, const Step& done);
  bool release_barriers();
  std::string deadlock() const;

  KernelLaunch& launch_;
  std::uint64_t tb_;
  ExecutionSite site_;
  MemoryWatch* watch_;
  std::unique_ptr<ThreadBlock> block_;
  std::vector<Warp> warps_;
  unsigned unfinished_;
  std::array<unsigned, kBarriers> arrived_{};
  bool arrived_at_all_ = false;  ///< a warp waits
  std::array<unsigned, kBarriers> expected_{};
  LaneAddresses addresses_{};
  TbWork work_;
};

}  // namespace heddle
