#pragma once

#include <cstdint>

namespace heddle {

/// Index of a clock edge of one domain; edge k is at time k * period.
using Cycle = std::uint64_t;
/// Simulated time in units of the SystemC time resolution (1 fs in Heddle's own executables).
using Ticks = std::uint64_t;

}  // namespace heddle
