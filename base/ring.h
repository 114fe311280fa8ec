#pragma once

#include <utility>
#include <vector>

namespace heddle {

/// First-in first-out queue of a number of places that is given when it is made: push() never allocates, and
/// push_growing() only when the queue becomes longer than ever before. Element 0 is the oldest.
template <class T>
class Ring {
 public:
  explicit Ring(unsigned capacity) : capacity_(capacity), slots_(slots_for(capacity)), mask_(last_slot()) {}

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  unsigned size() const { return size_; }
  unsigned capacity() const { return capacity_; }

  /// Require that it is not empty.
  T& front() { return slots_[head_]; }
  const T& front() const { return slots_[head_]; }
  /// 0 <= index < size().
  T& operator[](unsigned index) { return slots_[slot(index)]; }
  const T& operator[](unsigned index) const { return slots_[slot(index)]; }

  /// Requires that it is not full.
  void push(const T& value) { slots_[slot(size_++)] = value; }
  /// Doubles the capacity first when it is full.
  void push_growing(const T& value) {
    if (full()) grow();
    push(value);
  }
  /// Before the oldest. Requires that it is not full.
  void push_front(const T& value) {
    head_ = (head_ - 1) & mask_;
    ++size_;
    front() = value;
  }
  /// The newest; requires that it is not empty.
  void pop_back() { --size_; }
  /// Requires that it is not empty. The element's place is overwritten later, not destroyed.
  void pop() {
    // An empty ring starts over, so that one which rarely holds more than an element stays in a cache line.
    head_ = --size_ == 0 ? 0 : slot(1);
  }
  /// The oldest becomes the newest; requires that it is not empty.
  void rotate() {
    const T oldest = front();
    head_ = slot(1);
    slots_[slot(size_ - 1)] = oldest;
  }
  void clear() { head_ = size_ = 0; }

 private:
  /// A power of two, so that the wrap is a mask.
  static unsigned slots_for(unsigned capacity) {
    unsigned slots = 1;
    while (slots < capacity) slots *= 2;
    return slots;
  }
  unsigned last_slot() const { return static_cast<unsigned>(slots_.size()) - 1; }
  unsigned slot(unsigned index) const { return (head_ + index) & mask_; }
  void grow() {
    Ring larger(capacity_ == 0 ? 1 : capacity_ * 2);
    for (unsigned i = 0; i < size_; ++i) larger.push((*this)[i]);
    *this = std::move(larger);
  }

  unsigned head_ = 0;
  unsigned size_ = 0;
  unsigned capacity_;
  std::vector<T> slots_;
  unsigned mask_;
};

}  // namespace heddle
