#pragma once

#include <cstdint>

#include "modules/config/gpu_config.h"
#include "workloads/launch/kernel_launch.h"

namespace heddle {

/// Banks of the shared memory: how many cycles a warp's access takes (gtx480.md, "Memory instructions,
/// coalescing").
///
/// Loads and stores take the largest number of distinct words that any one bank holds of the access; lanes on
/// the same word share it (broadcast). The same rule covers wide accesses: 32 consecutive 8-byte elements
/// take 2 cycles, 16-byte ones 4. Atomics are served as loads are, as on GPGPU-Sim, where a word takes the
/// operations of all lanes at once; with shared_atomic_turns they share nothing: each lane's operation needs
/// its bank alone.
class SharedBanks {
 public:
  static constexpr unsigned kMaxBanks = 64;

  /// Throws std::invalid_argument unless the number of banks (up to 64) and their width are powers of two.
  explicit SharedBanks(const LdstConfig& config);

  /// Cycles that `lanes` occupy the banks; at least 1.
  unsigned cycles(const LaneAddresses& offsets, LaneMask lanes, const Instruction& instruction) const;

 private:
  bool one_word_per_bank(const LaneAddresses& offsets, LaneMask lanes, unsigned bytes) const;

  unsigned banks_;
  bool atomic_turns_;
  unsigned word_shift_ = 0;
};

}  // namespace heddle
