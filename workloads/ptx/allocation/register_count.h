#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ptx/program/virtual_code.h"

namespace heddle::ptx {

struct RegisterCount {
  unsigned registers = 0;  ///< 32-bit registers of a thread
  /// The virtual registers that have one where the most are taken.
  std::vector<std::uint32_t> at_most;
};

/// How many registers a kernel needs: the most that are live at once. 64 bits count two, 8 and 16 bits one,
/// predicates nothing; a result that is never read counts while it is written.
RegisterCount count_registers(const VirtualCode& code);

}  // namespace heddle::ptx
