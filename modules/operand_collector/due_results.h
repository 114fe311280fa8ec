#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "modules/messages/instruction_queue.h"

namespace heddle {

/// Holds the results that execution units have announced, by the cycle in which they are due. A result port
/// (WarpInstruction::result_port) has at most one per cycle; those of one cycle leave in the order of their
/// ports.
class DueResults {
 public:
  static constexpr unsigned kMaxPorts = 16;
  /// Throws std::invalid_argument when there are more than kMaxPorts.
  explicit DueResults(unsigned ports);

  bool empty() const { return count_ == 0; }
  /// Enters, at cycle `now`, what is due `ahead` >= 1 cycles later.
  void put(Cycle now, Cycle ahead, WarpInstruction& instruction) {
    ++count_;
    if (is_near(ahead)) {
      enter(now + ahead, instruction);
    } else {
      far_.push_back({now + ahead, &instruction});
    }
  }
  /// `port` has a result `ahead` >= 1 cycles after cycle `now`, for which take() has been called.
  bool carries(Cycle now, Cycle ahead, unsigned port) const {
    if (is_near(ahead) && (ports_due_[(now + ahead) % kNear] >> port & 1U) != 0) return true;
    return !far_.empty() && far_carries(now + ahead, port);
  }
  /// There may be some in `cycle`.
  bool any(Cycle cycle) const { return ports_due_[cycle % kNear] != 0 || !far_.empty(); }
  /// Moves the results of `cycle` to the end of `queue`. To be called for every cycle that has some, at the
  /// next one.
  void take(Cycle cycle, InstructionQueue& queue) {
    if (!far_.empty()) bring_near(cycle);
    WarpInstruction** const row = row_of(cycle);
    for (unsigned due = std::exchange(ports_due_[cycle % kNear], 0); due != 0; due &= due - 1) {
      queue.push(*row[__builtin_ctz(due)]);
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
  /// Those of the cycle before may not have been taken yet, and have their row.
  static bool is_near(Cycle ahead) { return ahead < kNear - 1; }

  WarpInstruction** row_of(Cycle cycle) { return results_.data() + (cycle % kNear << row_shift_); }
  void enter(Cycle cycle, WarpInstruction& instruction) {
    ports_due_[cycle % kNear] |= static_cast<std::uint16_t>(1U << instruction.result_port);
    row_of(cycle)[instruction.result_port] = &instruction;
  }
  bool far_carries(Cycle cycle, unsigned port) const;
  /// Enters the far results of `cycle` among the near ones.
  void bring_near(Cycle cycle);

  unsigned row_shift_ = 0;  ///< a row is a power of two, so that few lie in two cache lines
  unsigned count_ = 0;
  std::array<std::uint16_t, kNear> ports_due_{};  ///< by cycle: bit p: port p has a result
  std::vector<WarpInstruction*> results_;         ///< a row per cycle: by port
  std::vector<Far> far_;
};

}  // namespace heddle
