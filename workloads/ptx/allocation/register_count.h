#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ptx/allocation/block_schedule.h"
#include "workloads/ptx/program/virtual_code.h"

namespace heddle::ptx {

struct RegisterCount {
  unsigned registers = 0;  ///< 32-bit registers of a thread, the stack pointer included
  /// The virtual registers that have one where the most are taken.
  std::vector<std::uint32_t> at_most;
};

/// How many registers a compiler for the machine gives a kernel. With Effort::kSmall loops are taken round by
/// round, and 64-bit registers fit wherever two are free.
RegisterCount count_registers(const VirtualCode& code, Effort effort);

}  // namespace heddle::ptx
