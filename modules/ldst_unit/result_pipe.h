#pragma once

#include "base/ring.h"
#include "modules/messages/warp_instruction.h"

namespace heddle {

/// A pipeline of fixed latency whose exit may have to wait for the write-back slot: it holds as many
/// instructions as it has stages, and then takes no more.
class ResultPipe {
 public:
  /// `latency` >= 1 cycles from push() to the exit.
  explicit ResultPipe(unsigned latency) : latency_(latency), results_(latency) {}

  bool empty() const { return results_.empty(); }
  bool full() const { return results_.full(); }
  bool ready(Cycle now) const { return !results_.empty() && results_.front().due <= now; }
  Cycle latency() const { return latency_; }

  /// Requires that it is not full.
  void push(WarpInstruction& instruction, Cycle now) { results_.push({&instruction, now + latency_}); }
  WarpInstruction& pop() {
    WarpInstruction& first = *results_.front().instruction;
    results_.pop();
    return first;
  }

 private:
  struct Result {
    WarpInstruction* instruction = nullptr;
    Cycle due = 0;
  };
  Cycle latency_;
  Ring<Result> results_;
};

}  // namespace heddle
