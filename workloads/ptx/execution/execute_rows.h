#pragma once

#include <cstdint>
#include <cstring>

#include "workloads/ptx/lanes/bound_operation.h"

namespace heddle::ptx {

/// Writes `value` to lanes of a row of 32-bit lanes.
inline void set_lanes(std::uint8_t* row, LaneMask lanes, std::uint32_t value) {
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    std::memcpy(row + static_cast<unsigned>(__builtin_ctz(left)) * sizeof(value), &value, sizeof(value));
  }
}

}  // namespace heddle::ptx
