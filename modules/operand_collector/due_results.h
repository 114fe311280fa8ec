#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "modules/instruction_queue.h"

namespace heddle {

/// Results that execution units have announced, by the cycle in which they are due. A result port
/// (WarpInstruction::result_port) has at most one per cycle; those of one cycle leave in the order of their
/// ports.
class DueResults {
 public:
  /// `ports` <= 32.
  explicit DueResults(unsigned ports) : ports_(ports), results_(std::size_t{kNear} * ports) {}

  bool empty() const { return count_ == 0; }
  /// Enters, at cycle `now`, what is due `ahead` >= 1 cycles later.
  void put(Cycle now, Cycle ahead, WarpInstruction& instruction) {
    ++count_;
    if (ahead < kNear) {
      enter(now + ahead, instruction);
    } else {
      far_.push_back({now + ahead, &instruction});
    }
  }
  /// There may be some in `cycle`.
  bool any(Cycle cycle) const { return ports_due_[cycle % kNear] != 0 || !far_.empty(); }
  /// Moves the results of `cycle` to the end of `queue`. To be called for every cycle that has some, at the
  /// next one.
  void take(Cycle cycle, InstructionQueue& queue) {
    if (!far_.empty()) bring_near(cycle);
    std::uint32_t& due = ports_due_[cycle % kNear];
    for (; due != 0; due &= due - 1) {
      queue.push(*results_[cycle % kNear * ports_ + static_cast<unsigned>(__builtin_ctz(due))]);
      --count_;
    }
  }

 private:
  struct Far {
    Cycle cycle = 0;
    WarpInstruction* instruction = nullptr;
  };
  /// Few, so that the results of all SMs stay in a cache: all but divisions are nearer.
  static constexpr unsigned kNear = 64;

  void enter(Cycle cycle, WarpInstruction& instruction) {
    ports_due_[cycle % kNear] |= 1U << instruction.result_port;
    results_[cycle % kNear * ports_ + instruction.result_port] = &instruction;
  }
  /// Enters the far results of `cycle` among the near ones.
  void bring_near(Cycle cycle);

  unsigned ports_;
  unsigned count_ = 0;
  std::array<std::uint32_t, kNear> ports_due_{};  ///< by cycle: bit p: port p has a result
  std::vector<WarpInstruction*> results_;         ///< by cycle and port
  std::vector<Far> far_;
};

}  // namespace heddle
