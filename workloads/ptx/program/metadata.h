#pragma once

#include "workloads/launch/instruction.h"
#include "workloads/ptx/isa/operation.h"

namespace heddle::ptx {

/// What timing has to know of an operation whose registers are assigned: unit and latency row
/// (gtx480.md, "FUs"), space, bytes, and the registers that the scoreboard and the operand collector see.
/// Line and column stay 0.
Instruction describe(const Operation& operation, CacheOp cache);

}  // namespace heddle::ptx
