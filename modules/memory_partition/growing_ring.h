#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

/// First-in first-out queue that allocates only when it becomes longer than ever before.
template <class T>
class GrowingRing {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const T& front() const { return slots_[head_]; }
  T& front() { return slots_[head_]; }
  /// The element `index` places after the front.
  const T& at(std::size_t index) const { return slots_[(head_ + index) & (slots_.size() - 1)]; }

  void push(const T& value) {
    if (size_ == slots_.size()) grow();
    slots_[(head_ + size_++) & (slots_.size() - 1)] = value;
  }
  void pop() {
    head_ = (head_ + 1) & (slots_.size() - 1);
    --size_;
  }

 private:
  void grow() {
    std::vector<T> larger(slots_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = at(i);
    slots_.swap(larger);
    head_ = 0;
  }

  static constexpr std::size_t kInitialSlots = 16;  // a power of two, as all its sizes
  std::vector<T> slots_ = std::vector<T>(kInitialSlots);
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace heddle
