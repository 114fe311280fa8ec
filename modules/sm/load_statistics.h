#pragma once

#include <array>
#include <vector>

#include "base/observe.h"
#include "modules/messages/memory_events.h"
#include "modules/messages/warp_instruction.h"

namespace heddle {

/// What happened to the global and local loads of an SM that looked for their lines in its L1D. Plain C++.
///
/// A load of up to two lines is coherent, otherwise divergent (OAWS 2.2). Its latency is from issue to
/// write-back. Its memory occlusion time (OAWS 3.2) is the part of that, up to the look-up of its last
/// access, in which the access at the L1D's exit, its own or one before it, was held up by the MSHRs. It is
/// fully cached when all its accesses hit. The age of a warp is the number of older unfinished ones on the
/// SM; how often warps of each age issue is counted too (OAWS 3.3).
class LoadStatistics {
 public:
  static constexpr unsigned kCoherentLines = 2;
  static constexpr unsigned kPcs = 8;  ///< loads whose MSHR entries are told apart, the first that come

  /// Of an SM with `warps` slots.
  explicit LoadStatistics(unsigned warps) : warps_(warps) {}

  /// A warp of this age issued an instruction, a load or another.
  void executed(unsigned age) { ++issued_[age]; }
  /// A load issued. `occluded`: L1d::occluded_cycles().
  void issued(const WarpInstruction& load, unsigned age, Cycle occluded);
  void accessed(const L1dAccess& access, Cycle occluded);
  void completed(const WarpInstruction& load, Cycle now);

  void report(StatSink& sink) const;

 private:
  struct Load {
    std::uint64_t id = 0;
    unsigned age = 0;
    Cycle occluded_at_issue = 0;
    Cycle occluded = 0;
    unsigned lines = 0;
    unsigned hits = 0;
    unsigned misses = 0;  ///< entries taken
  };
  struct Sums {
    std::uint64_t loads = 0;
    std::uint64_t latency = 0;
    std::uint64_t occlusion = 0;
    std::uint64_t fully_cached = 0;
    std::uint64_t accesses = 0;
    std::uint64_t entries = 0;
  };
  struct Use {
    std::uint64_t loads = 0;
    std::uint64_t entries = 0;
  };
  struct ByPc {
    std::uint64_t address = 0;
    std::uint64_t pc = 0;
    std::array<Use, 64> by_age{};
  };

  Load* find(std::uint64_t id);
  void count_use(const WarpInstruction& instruction, const Load& load);

  unsigned warps_;
  std::vector<Load> under_way_;
  Sums coherent_;
  Sums divergent_;
  std::array<std::uint64_t, 64> issued_{};  ///< by age
  std::array<ByPc, kPcs> by_pc_{};
  unsigned pcs_ = 0;
};

}  // namespace heddle
