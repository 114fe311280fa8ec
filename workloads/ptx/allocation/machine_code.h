#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ptx/program/cfg.h"
#include "workloads/ptx/program/virtual_code.h"

namespace heddle::ptx {

/// What the machine makes of a PTX operation, as far as registers go.
struct MachineOperation {
  std::vector<std::uint32_t> reads;    ///< registers, each once; predicates have no slots
  std::vector<std::uint32_t> address;  ///< of these, what is read as a memory address
  std::vector<std::uint32_t> writes;
  bool is_load = false;     ///< may go before what does not change its memory
  bool is_store = false;    ///< changes memory, or orders what does
  bool is_barrier = false;  ///< no access of memory goes past it
  bool is_branch = false;
  bool is_call = false;  ///< a sequence with a branch of its own: nothing goes past it
  bool is_step = false;  ///< writes[0] = reads[0] + a constant
  bool is_dead = false;  ///< the machine does without it: its value is an operand elsewhere, or unused
  Space space = Space::kNone;
  unsigned latency = 0;      ///< operations that should come between it and who reads its result
  unsigned temporaries = 0;  ///< registers for the time of the operation
};

/// A kernel as Fermi or Kepler would have it: kernel parameters, sizes of grid and block, and constants are
/// operands; a copy is the original; addresses of shared and local memory have 32 bits; a product that is
/// only ever added to something belongs to the additions. Operations are those of the PTX, one to one.
struct MachineCode {
  std::vector<MachineOperation> operations;
  /// 32-bit registers that each virtual register takes, and after these one that holds a multiplier.
  std::vector<std::uint8_t> slots;
};

MachineCode select_machine_code(const VirtualCode& code, const ControlFlowGraph& graph);

}  // namespace heddle::ptx
