#pragma once

#include "modules/messages/warp_instruction.h"

namespace heddle {

/// FIFO of warp instructions, linked through WarpInstruction::next: no allocation, no limit. An instruction
/// is in one such queue at a time.
class InstructionQueue {
 public:
  bool empty() const { return head_ == nullptr; }
  WarpInstruction& front() const { return *head_; }

  void push(WarpInstruction& instruction) {
    instruction.next = nullptr;
    *tail_ = &instruction;
    tail_ = &instruction.next;
  }

  WarpInstruction& pop() {
    WarpInstruction& first = *head_;
    head_ = first.next;
    if (head_ == nullptr) tail_ = &head_;
    return first;
  }

  /// Takes over all instructions of `other`, after its own.
  void append(InstructionQueue& other) {
    if (other.empty()) return;
    *tail_ = other.head_;
    tail_ = other.tail_;
    other.head_ = nullptr;
    other.tail_ = &other.head_;
  }

  InstructionQueue() = default;
  InstructionQueue(const InstructionQueue&) = delete;
  InstructionQueue& operator=(const InstructionQueue&) = delete;

 private:
  WarpInstruction* head_ = nullptr;
  WarpInstruction** tail_ = &head_;
};

}  // namespace heddle
