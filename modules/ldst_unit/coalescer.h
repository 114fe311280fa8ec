#pragma once

#include <cstdint>

#include "modules/ldst_unit/access_list.h"
#include "workloads/launch/kernel_launch.h"

namespace heddle {

/// Where the local memory of one warp lies in the global address space: see KernelLaunch::local_base().
struct LocalWindow {
  std::uint64_t base = 0;
  std::uint64_t slots = 0;         ///< threads that the GPU can hold
  std::uint64_t first_thread = 0;  ///< index of the warp's lane 0 among them

  /// Address of byte `offset` of the local memory of `lane`; bytes of one word are adjacent.
  std::uint64_t address(unsigned lane, std::uint64_t offset) const {
    return base + ((offset >> 2U) * slots + first_thread + lane) * 4 + (offset & 3U);
  }
};

/// Merges the lanes of a warp's global or local access into accesses to the L1D, over the full warp
/// (gtx480.md, "Memory instructions, coalescing").
///
/// Lanes share an access when they touch the same segment: 128 bytes for elements of 4 bytes and more, 64 for
/// 2-byte and 32 for 1-byte elements, never more than a line of the L1D. Accesses are made from the highest
/// address down, as on the reference machine (docs/fidelity.md); atomics to the same word, from its last lane
/// to its first.
class Coalescer {
 public:
  enum class Shape : std::uint8_t {
    kLines,    ///< cached loads: each access asks for its whole line
    kTouched,  ///< stores and bypassing loads: shrunk to the aligned 32 or 64 bytes that are touched
    /// As kTouched, but lanes that touch the same word go to successive accesses, since the L2 applies one
    /// operation per word and pass: a line takes as many accesses as its most wanted word has lanes.
    kAtomic,
  };

  /// `line_bytes` is that of the L1D: 32, 64 or 128. Throws std::invalid_argument otherwise.
  explicit Coalescer(unsigned line_bytes);

  /// Absolute addresses. `instruction` says how many bytes each of `lanes` moves.
  void coalesce(const LaneAddresses& addresses, LaneMask lanes, const Instruction& instruction, Shape shape,
                AccessList& out) const;
  /// Offsets into the lanes' local memories, word by word.
  void coalesce_local(const LaneAddresses& offsets, LaneMask lanes, const Instruction& instruction,
                      Shape shape, const LocalWindow& window, AccessList& out) const;

 private:
  unsigned segment_bytes(unsigned element_bytes) const;
  static void touch(unsigned lane, std::uint64_t address, unsigned bytes, unsigned segment, Shape shape,
                    AccessList& out);
  void finish(Shape shape, AccessList& out) const;

  unsigned line_bytes_;
};

}  // namespace heddle
