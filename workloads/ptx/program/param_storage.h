#pragma once

#include <cstdint>
#include <map>

#include "workloads/ptx/text/ast.h"

namespace heddle::ptx {

/// Where a .param variable of a call lives: in registers, one for each piece that is accessed, or in local
/// memory when it is accessed by address or in overlapping pieces.
struct ParamStorage {
  bool in_memory = false;
  std::uint64_t local_offset = 0;
  std::map<std::uint64_t, std::uint32_t> registers;  ///< virtual register of the piece at an offset
};

}  // namespace heddle::ptx
