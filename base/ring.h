#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

/// First-in first-out queue of a fixed number of places: allocates when it is made, never after. Element 0 is
/// the oldest.
template <class T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : capacity_(capacity), slots_(slots_for(capacity)) {}

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

  /// Require that it is not empty.
  T& front() { return slots_[head_]; }
  const T& front() const { return slots_[head_]; }
  /// 0 <= index < size().
  T& operator[](std::size_t index) { return slots_[slot(index)]; }
  const T& operator[](std::size_t index) const { return slots_[slot(index)]; }

  /// Requires that it is not full.
  void push(const T& value) { slots_[slot(size_++)] = value; }
  /// Requires that it is not empty. The element's place is overwritten later, not destroyed.
  void pop() {
    head_ = slot(1);
    --size_;
  }
  void clear() { head_ = size_ = 0; }

 private:
  /// A power of two, so that the wrap is a mask.
  static std::size_t slots_for(std::size_t capacity) {
    std::size_t slots = 1;
    while (slots < capacity) slots *= 2;
    return slots;
  }
  std::size_t slot(std::size_t index) const { return (head_ + index) & (slots_.size() - 1); }

  std::size_t head_ = 0;
  std::size_t size_ = 0;
  std::size_t capacity_;
  std::vector<T> slots_;
};

}  // namespace heddle
