#pragma once

#include <array>
#include <memory>
#include <vector>

#include "modules/messages/warp_instruction.h"

namespace heddle {

/// The warp instructions in flight of one SM; grows to the largest number ever in flight.
class InstructionPool {
 public:
  WarpInstruction& take() {
    if (free_ == nullptr) grow();
    WarpInstruction& instruction = *free_;
    free_ = instruction.next;
    instruction.next = nullptr;
    instruction.parts_awaited = 0;
    ++in_use_;
    return instruction;
  }
  void give_back(WarpInstruction& instruction) {
    instruction.next = free_;
    free_ = &instruction;
    --in_use_;
  }
  std::size_t in_use() const { return in_use_; }

 private:
  static constexpr std::size_t kChunk = 32;
  void grow() {
    chunks_.push_back(std::make_unique<std::array<WarpInstruction, kChunk>>());
    for (WarpInstruction& instruction : *chunks_.back()) {
      instruction.next = free_;
      free_ = &instruction;
    }
  }

  std::vector<std::unique_ptr<std::array<WarpInstruction, kChunk>>> chunks_;
  WarpInstruction* free_ = nullptr;
  std::size_t in_use_ = 0;
};

}  // namespace heddle
