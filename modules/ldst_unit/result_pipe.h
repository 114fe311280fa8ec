#pragma once

#include <vector>

#include "modules/messages/warp_instruction.h"

namespace heddle {

/// A pipeline of fixed latency whose exit may have to wait for the write-back slot: it holds as many
/// instructions as it has stages, and then takes no more.
class ResultPipe {
 public:
  /// `latency` >= 1 cycles from push() to the exit.
  explicit ResultPipe(unsigned latency) : latency_(latency), slots_(latency) {}

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == slots_.size(); }
  bool ready(Cycle now) const { return size_ != 0 && slots_[head_].due <= now; }
  Cycle latency() const { return latency_; }

  /// Requires that it is not full.
  void push(WarpInstruction& instruction, Cycle now) {
    std::size_t tail = head_ + size_;
    if (tail >= slots_.size()) tail -= slots_.size();
    slots_[tail] = {&instruction, now + latency_};
    ++size_;
  }
  WarpInstruction& pop() {
    WarpInstruction& first = *slots_[head_].instruction;
    if (++head_ == slots_.size()) head_ = 0;
    --size_;
    return first;
  }

 private:
  struct Slot {
    WarpInstruction* instruction = nullptr;
    Cycle due = 0;
  };
  Cycle latency_;
  std::vector<Slot> slots_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace heddle
