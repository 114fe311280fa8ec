#pragma once

#include <array>
#include <cstdint>

#include "workloads/launch/instruction.h"

namespace heddle {

/// One access of a warp's memory instruction to the L1D.
struct Access {
  std::uint64_t address = 0;  ///< aligned to `bytes`
  std::uint16_t bytes = 0;    ///< 32, 64 or 128
  std::uint8_t sectors = 0;   ///< touched sectors of the 128-byte line (bit 0: lowest)
  LaneMask lanes = 0;
  /// Words (4 bytes) of the 128-byte line that lanes touch: kept for atomics only.
  std::uint32_t words = 0;
};

/// The accesses of one instruction, in the order in which they are made. Fixed capacity: a lane moves at most
/// 16 bytes, which in local memory are four words in four lines.
class AccessList {
 public:
  static constexpr unsigned kCapacity = kWarpSize * 5;  ///< a misaligned lane would touch one more

  void clear() { size_ = 0; }
  unsigned size() const { return size_; }
  const Access& operator[](unsigned i) const { return accesses_[i]; }
  Access& operator[](unsigned i) { return accesses_[i]; }
  Access& add() {
    accesses_[size_] = {};
    return accesses_[size_++];
  }
  /// Orders the accesses by descending address; those of one address, the last added first.
  void descend();

 private:
  std::array<Access, kCapacity> accesses_;
  unsigned size_ = 0;
};

}  // namespace heddle
