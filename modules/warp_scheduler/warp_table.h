#pragma once

#include <array>
#include <cstdint>

#include "modules/messages/warp_mask.h"
#include "workloads/launch/instruction.h"

namespace heddle {

struct LaunchCounts;

/// What the warp schedulers of an SM see of its warps: kept up to date by the issue stage as things happen,
/// never recomputed per cycle.
struct WarpTable {
  unsigned slots = kMaxWarps;  ///< warp slots that the SM has

  WarpMask resident = 0;  ///< holds a warp that has not retired
  WarpMask finished = 0;  ///< its exit has issued; it waits for its instructions in flight
  WarpMask ended = 0;     ///< its warp has retired, and its thread block keeps the slot until it ends
  WarpMask valid = 0;     ///< the I-buffer holds the instruction that the warp executes next
  WarpMask off_path = 0;  ///< fetches straight on after a taken branch, until a scheduler comes to the warp
  WarpMask stale = 0;     ///< of these, those whose I-buffer has received instructions
  WarpMask at_barrier = 0;
  WarpMask at_membar = 0;

  /// The next instruction is valid and reads or writes a pending register: of any instruction, and of those
  /// the ones that wait for a load or atomic beyond the SM's shared memory, for shared memory, for the SFU.
  WarpMask blocked = 0;
  WarpMask blocked_memory = 0;
  WarpMask blocked_shared = 0;
  WarpMask blocked_sfu = 0;

  bool counted = false;  ///< launches are counted: see `counts`

  /// Unit of the next instruction; meaningful where `valid`.
  std::array<WarpMask, kNumUnits> needs{};
  std::array<const Instruction*, kMaxWarps> next{};

  /// Dynamic warp id: counts the warps launched on the SM; a smaller one is older.
  std::array<std::uint64_t, kMaxWarps> age{};
  std::array<std::uint16_t, kMaxWarps> tb_slot{};
  /// Of the warp's launch; nullptr: not counted.
  std::array<LaunchCounts*, kMaxWarps> counts{};

  /// Those of `among`, which must be valid, whose next instruction is a load that goes to the L1D or past it:
  /// global, local, or generic as long as its space is not known.
  WarpMask l1d_loads(WarpMask among) const {
    WarpMask loads = 0;
    for (WarpMask left = among & needs[static_cast<unsigned>(Unit::kLdst)]; left != 0; left &= left - 1) {
      const Instruction& instruction = *next[lowest_warp(left)];
      const bool global = instruction.space == Space::kGlobal || instruction.space == Space::kLocal ||
                          instruction.space == Space::kGeneric;
      if (instruction.mem == MemOp::kLoad && global) loads |= left & -left;
    }
    return loads;
  }

  /// Warps with an instruction that only the scoreboard, a unit or a policy can hold back.
  WarpMask ready_for_scoreboard() const { return valid & ~(at_barrier | at_membar); }
  /// Warps that cannot issue for long: what two-level policies call a long-latency wait.
  WarpMask waits_long() const { return blocked_memory | at_barrier | at_membar | finished; }
};

}  // namespace heddle
