#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

/// Reads of collector units that wait for the single-ported register banks, oldest first per bank.
class RegisterReadQueues {
 public:
  /// At most 64 banks; `capacity` reads in all.
  RegisterReadQueues(unsigned banks, unsigned capacity);

  void push(unsigned bank, unsigned collector_unit) {
    Queue& queue = queues_[bank];
    slots_[queue.base + ((queue.head + queue.size++) & mask_)] = static_cast<std::uint8_t>(collector_unit);
    waiting_ |= std::uint64_t{1} << bank;
  }

  /// The collector unit whose read the bank grants; requires that some wait there.
  unsigned pop(unsigned bank) {
    Queue& queue = queues_[bank];
    const unsigned unit = slots_[queue.base + queue.head];
    queue.head = (queue.head + 1) & mask_;
    if (--queue.size == 0) waiting_ &= ~(std::uint64_t{1} << bank);
    return unit;
  }

  /// Bit b: reads wait for bank b.
  std::uint64_t waiting() const { return waiting_; }

 private:
  struct Queue {
    unsigned base = 0;
    unsigned head = 0;
    unsigned size = 0;
  };

  std::uint64_t waiting_ = 0;
  unsigned mask_;
  std::vector<Queue> queues_;
  std::vector<std::uint8_t> slots_;
};

}  // namespace heddle
