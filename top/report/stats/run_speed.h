#pragma once

#include <cstdint>
#include <string>

namespace heddle {

/// How fast a simulation ran; the only figures that depend on the machine that it ran on.
struct RunSpeed {
  double seconds = 0;      ///< wall clock, of the simulation alone (no loading, no checks)
  double cpu_seconds = 0;  ///< of this process, likewise
  std::uint64_t warp_instructions = 0;
  std::uint64_t cycles = 0;             ///< core
  std::uint64_t block_ticks = 0;        ///< ticks of all blocks: the work that sleeping saves
  std::uint64_t peak_memory_bytes = 0;  ///< largest resident set of the process
  unsigned threads = 1;                 ///< that ticked SMs
  bool processes = false;               ///< each block ticked in a SystemC process of its own

  double per_second(std::uint64_t count) const {
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
  }
};

/// The contents of speed.json.
std::string speed_json(const RunSpeed& speed);

/// Processor time that this process has used so far.
double cpu_seconds();

/// Largest resident set of this process so far, in bytes.
std::uint64_t peak_memory_bytes();

}  // namespace heddle
