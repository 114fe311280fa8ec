#pragma once

#include "workloads/ptx/allocation/machine_code.h"
#include "workloads/ptx/program/cfg.h"
#include "workloads/ptx/program/virtual_code.h"

namespace heddle::ptx {

/// How many rounds of the loop that a block is a compiler takes at once: four, of a loop of one block that a
/// constant step of a register ends, is not too long, calls nothing and has no .pragma "nounroll"; else one.
unsigned rounds_at_once(const VirtualCode& code, const MachineCode& machine, const ControlFlowGraph& graph,
                        std::uint32_t block);

}  // namespace heddle::ptx
