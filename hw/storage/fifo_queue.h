#pragma once

#include <vector>

#include "hw/pricing/bits.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

struct FifoQueueShape {
  unsigned entries = 8;                           ///< 1 to 1024
  unsigned bits = 32;                             ///< 1 to 64
  StorageKind storage = StorageKind::kFlipFlops;  ///< kFlipFlops or kRam
};

/// A queue with a push and a pop port. Its first entry is visible as wires.
class FifoQueue final : public Part {
 public:
  /// Throws std::invalid_argument for sizes outside the ranges of the shape.
  FifoQueue(const Owner& owner, std::string_view name, const FifoQueueShape& shape,
            PaperCount paper = PaperCount::kNot);

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == shape_.entries; }
  unsigned size() const { return static_cast<unsigned>(size_); }
  /// The entry `position` (< size()) places after the first. For inspection: only position 0 has wires.
  std::uint64_t at(unsigned position) const { return values_[place(position)]; }

  /// Appends; bits beyond the width are cut off. Throws std::logic_error when full.
  void push(Cycle cycle, std::uint64_t value) {
    if (full()) misuse("found a push, expected none while full");
    use(push_port_, cycle, "push port");
    ++activity_.writes;
    values_[place(size_)] = value & low_bits(shape_.bits);
    ++size_;
  }
  /// Removes and returns the first. Throws std::logic_error when empty.
  std::uint64_t pop(Cycle cycle) {
    if (empty()) misuse("found a pop, expected none while empty");
    use(pop_port_, cycle, "pop port");
    ++activity_.reads;
    const std::uint64_t value = values_[head_];
    head_ = head_ + 1 == shape_.entries ? 0 : head_ + 1;
    --size_;
    return value;
  }
  /// push() of what pop() gives: the first becomes the last.
  void rotate(Cycle cycle) {
    if (empty()) misuse("found a rotation, expected none while empty");
    use(pop_port_, cycle, "pop port");
    use(push_port_, cycle, "push port");
    ++activity_.reads;
    ++activity_.writes;
    values_[place(size_)] = values_[head_];
    head_ = place(1);
  }
  /// Empties the queue: its pointers are reset.
  void clear() {
    ++activity_.writes;
    head_ = 0;
    size_ = 0;
  }

  Structure structure() const override;
  /// Occupancy, the place of the first entry, and every place.
  void trace(WaveSink& sink) const override;

 private:
  /// Of the entry `position` places after the first, at most as many as there are: without a division.
  std::uint64_t place(std::uint64_t position) const {
    const std::uint64_t place = head_ + position;
    return place < shape_.entries ? place : place - shape_.entries;
  }

  FifoQueueShape shape_;
  std::vector<std::uint64_t> values_;
  std::uint64_t head_ = 0;
  std::uint64_t size_ = 0;
  Ports push_port_;
  Ports pop_port_;
};

}  // namespace heddle::hw
