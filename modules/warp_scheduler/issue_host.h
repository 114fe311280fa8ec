#pragma once

#include "modules/messages/warp_instruction.h"

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
  /// Takes what the operand collector answers on the scheduler's socket: BEGIN_RESP when an instruction's
  /// results are written. May act on it at a strictly later edge only.
  virtual tlm::tlm_bw_transport_if<IssueProtocol>& answers() = 0;
};

}  // namespace heddle
