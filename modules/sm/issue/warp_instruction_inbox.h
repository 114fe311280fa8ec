#pragma once

#include "modules/messages/instruction_queue.h"

namespace heddle {

/// Instructions handed over to a block that may act on them at a strictly later time only. Arrivals come in
/// the order of time and leave in it.
class WarpInstructionInbox {
 public:
  void push(WarpInstruction& instruction, Ticks now) {
    if (now != newest_at_) visible_.append(newest_);
    newest_at_ = now;
    newest_.push(instruction);
  }

  /// All that arrived before `now`; the caller empties it.
  InstructionQueue& visible(Ticks now) {
    if (newest_at_ < now) visible_.append(newest_);
    return visible_;
  }

 private:
  InstructionQueue visible_;
  InstructionQueue newest_;  ///< arrived at newest_at_
  Ticks newest_at_ = 0;
};

}  // namespace heddle
