#pragma once

#include <cstdint>

namespace heddle {

/// A copy from the host to the device. The reference machine installs its lines in the L2
/// (gtx480.md, "Clocks, size, occupancy").
struct HostCopy {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

}  // namespace heddle
