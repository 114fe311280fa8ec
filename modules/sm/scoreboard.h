#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workloads/instruction.h"

namespace heddle {

/// What will write a pending register: the scoreboard stall's sub-cause.
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
  Check check(unsigned warp, const Instruction& instruction) const;

  /// Marks the destinations of an instruction that issues; requires that check() passed.
  void reserve(unsigned warp, const Instruction& instruction, Producer producer);
  /// The results of an instruction that was reserved have been written.
  void release(unsigned warp, const Instruction& instruction);

  bool any_pending(unsigned warp) const;

 private:
  static constexpr unsigned kWordBits = 64;
  static constexpr unsigned kWords = Instruction::kNumScoreboardBits / kWordBits;
  static constexpr unsigned kNumProducers = 4;
  /// 64 registers, one bit each; a register has one pending writer at most. What is known of a register lies
  /// within one cache line.
  struct alignas(32) Word {
    std::uint64_t any = 0;
    std::array<std::uint64_t, kNumProducers - 1> by{};  ///< by producer; Producer::kAlu is what is left
  };
  using Pending = std::array<Word, kWords>;

  std::vector<Pending> warps_;
};

}  // namespace heddle
