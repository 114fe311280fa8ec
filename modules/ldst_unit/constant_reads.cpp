#include "modules/ldst_unit/constant_reads.h"

#include <algorithm>

namespace heddle {

bool ConstantReads::line_full(std::uint64_t line) const {
  const auto reads = std::count_if(waiting_.begin(), waiting_.end(),
                                   [line](const Waiting& waiting) { return waiting.line == line; });
  return static_cast<std::size_t>(reads) == merges_;
}

void ConstantReads::line_arrived(std::uint64_t line, Cycle now) {
  auto kept = waiting_.begin();
  for (const Waiting& waiting : waiting_) {
    if (waiting.line == line) {
      arrived_.push_back({waiting.instruction, now});
    } else {
      *kept++ = waiting;
    }
  }
  waiting_.erase(kept, waiting_.end());
}

WarpInstruction& ConstantReads::pop() {
  WarpInstruction& instruction = *arrived_[first_].instruction;
  if (++first_ == arrived_.size()) {
    arrived_.clear();
    first_ = 0;
  }
  return instruction;
}

}  // namespace heddle
