#pragma once

#include "modules/warp_instruction.h"

namespace heddle {

/// What a warp scheduler asks of the issue stage that it is part of.
class IssueHost {
 public:
  virtual ~IssueHost() = default;
  /// Executes the next instruction of `warp`, which is valid and passed the scoreboard, and brings the warp
  /// table up to date. Returns the instruction to hand to the operand collector.
  virtual WarpInstruction& execute(unsigned warp) = 0;
  /// Empties the I-buffer of `warp`, which is stale; the warp is fetched from where it goes on.
  virtual void flush(unsigned warp) = 0;
  /// The operand collector has written the instruction's results. May act at a strictly later edge only.
  virtual void completed(WarpInstruction& instruction) = 0;
};

}  // namespace heddle
