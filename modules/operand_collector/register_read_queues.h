#pragma once

#include <array>
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
    slots_[place(bank, queue.head + queue.size++)] = static_cast<std::uint8_t>(collector_unit);
    waiting_ |= std::uint64_t{1} << bank;
  }

  /// The collector unit whose read the bank grants; requires that some wait there.
  unsigned pop(unsigned bank) {
    Queue& queue = queues_[bank];
    const unsigned unit = slots_[place(bank, queue.head++)];
    if (--queue.size == 0) {
      queue.head = 0;  // starts over: the first places of all banks lie together
      waiting_ &= ~(std::uint64_t{1} << bank);
    }
    return unit;
  }

  /// Bit b: reads wait for bank b.
  std::uint64_t waiting() const { return waiting_; }

 private:
  struct Queue {
    std::uint16_t head = 0;
    std::uint16_t size = 0;
  };
  static constexpr unsigned kMaxBanks = 64;

  std::size_t place(unsigned bank, unsigned position) const {
    return std::size_t{position & mask_} << bank_shift_ | bank;
  }

  std::uint64_t waiting_ = 0;
  unsigned mask_;
  unsigned bank_shift_ = 0;
  std::array<Queue, kMaxBanks> queues_{};
  std::vector<std::uint8_t> slots_;  ///< place by place, in each all banks
};

}  // namespace heddle
