#pragma once

#include <cstdint>

#include "modules/messages/memory_request.h"
#include "tlm/clock_domain.h"
#include "workloads/launch/instruction.h"

namespace heddle {

// What the LD/ST unit, the L1D and the MSHRs of an SM publish. `warp` is a slot of the SM; `pc` is the
// address of the instruction, unique over all kernels; `instruction` numbers the instructions that the SM has
// issued, from 0; `cycle` is the core cycle at which it happened; `set` is the L1D's.

struct CacheLine {
  std::uint64_t address = 0;  ///< of its first byte
  unsigned set = 0;
};

/// A global or local load was coalesced: its accesses will go to the L1D one a cycle from `cycle` on.
struct LoadCoalesced {
  Cycle cycle = 0;
  unsigned warp = 0;
  std::uint64_t pc = 0;
  std::uint64_t instruction = 0;
  LaneMask lanes = 0;               ///< that access memory
  bool bypasses_l1d = false;        ///< no look-up will follow
  unsigned lines = 0;               ///< accesses
  const CacheLine* line = nullptr;  ///< that many, in order; gone when the call returns
};

enum class L1dOutcome : std::uint8_t {
  kHit,
  kMerged,   ///< the line was being fetched: the access joined its MSHR entry
  kMiss,     ///< the access fetches the line
  kQueued,   ///< the MSHRs can't take the access: it waits in the re-execution queue
  kRefused,  ///< held up at the exit of the L1D's pipe; told once for each reason in turn
};

/// A load's access to one line was looked up in the L1D.
struct L1dAccess {
  Cycle cycle = 0;
  L1dOutcome outcome = L1dOutcome::kHit;
  Refusal refusal = Refusal::kNone;
  bool last = false;      ///< the last access of its load
  bool replayed = false;  ///< it came from the re-execution queue
  unsigned warp = 0;
  unsigned line_warp = 0;  ///< hit: who had the line filled; merged: who fetches it; otherwise `warp`
  std::uint64_t pc = 0;
  std::uint64_t instruction = 0;
  CacheLine line;
};

/// A line was replaced in the L1D, when its place was reserved (allocate on miss) or filled (on fill).
struct L1dEviction {
  Cycle cycle = 0;
  unsigned filled_by = 0;   ///< the warp that had it filled
  unsigned evicted_by = 0;  ///< the warp whose access took its place
  CacheLine line;
};

/// A store or atomic left the L1D for the memory; the L1D dropped the line if it held it. Not fired for
/// stores to local memory that the L1D holds: they stay there.
struct L1dStore {
  Cycle cycle = 0;
  unsigned warp = 0;
  std::uint64_t pc = 0;
  bool local = false;
  bool invalidated = false;  ///< the L1D held the line
  CacheLine line;
};

/// All accesses of a load have left the L1D: what it may take of the MSHRs it has taken.
struct LoadLookedUp {
  Cycle cycle = 0;
  unsigned warp = 0;
  std::uint64_t pc = 0;
  std::uint64_t instruction = 0;
  unsigned lines = 0;  ///< hits + merged + misses
  unsigned hits = 0;
  unsigned merged = 0;
  unsigned misses = 0;
};

/// All data of a global or local load are back, and it goes to write-back.
struct LoadReturned {
  Cycle cycle = 0;
  unsigned warp = 0;
  std::uint64_t pc = 0;
  std::uint64_t instruction = 0;
};

/// A line, or the data of a load that bypasses the L1D, came back to the SM from the L2.
struct L2Reply {
  Cycle cycle = 0;
  unsigned warp = 0;                        ///< of the load that asked for it
  LineOrigin origin = LineOrigin::kNobody;  ///< who had brought it into the L2; kNobody: from DRAM
};

/// The room that the MSHRs have after a cycle in which it changed.
struct MshrRoom {
  Cycle cycle = 0;
  unsigned free_entries = 0;
  unsigned free_queue = 0;  ///< places of the miss queue
};

}  // namespace heddle
