#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workloads/launch/instruction.h"

namespace heddle {

/// What will write a pending register, from the fastest to the slowest: the scoreboard stall's sub-cause.
enum class Producer : std::uint8_t { kAlu, kSfu, kShared, kMemory };

/// Pending destination registers of every warp of an SM; an instruction that reads or writes one must wait
/// (RAW, WAW). Registers are the numbers of Instruction: general ones and predicates.
class Scoreboard {
 public:
  explicit Scoreboard(unsigned warps) : warps_(warps) {}

  struct Check {
    bool blocked = false;
    Producer waits_for = Producer::kAlu;  ///< the slowest kind among the pending registers that it meets
  };
  Check check(unsigned warp, const Instruction& instruction) const {
    const Pending& pending = warps_[warp];
    std::uint8_t slowest = kFree;
    for (unsigned i = 0; i < instruction.num_sources; ++i) {
      const std::uint8_t writer = pending[instruction.sources[i]];
      slowest = writer > slowest ? writer : slowest;
    }
    for (unsigned i = 0; i < instruction.num_destinations; ++i) {
      const std::uint8_t writer = pending[instruction.destinations[i]];
      slowest = writer > slowest ? writer : slowest;
    }
    if (slowest == kFree) return {};
    return {true, static_cast<Producer>(slowest - 1)};
  }

  /// Marks the destinations of an instruction that issues; requires that check() passed.
  void reserve(unsigned warp, const Instruction& instruction, Producer producer) {
    set(warp, instruction, static_cast<std::uint8_t>(static_cast<unsigned>(producer) + 1));
  }
  /// The results of an instruction that was reserved have been written.
  void release(unsigned warp, const Instruction& instruction) { set(warp, instruction, kFree); }

 private:
  static constexpr std::uint8_t kFree = 0;
  /// By register: kFree, or 1 + the kind of its one pending writer.
  using Pending = std::array<std::uint8_t, Instruction::kNumScoreboardBits>;

  void set(unsigned warp, const Instruction& instruction, std::uint8_t writer) {
    Pending& pending = warps_[warp];
    for (unsigned i = 0; i < instruction.num_destinations; ++i) pending[instruction.destinations[i]] = writer;
  }

  std::vector<Pending> warps_;
};

}  // namespace heddle
