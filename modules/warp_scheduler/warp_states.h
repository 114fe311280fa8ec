#pragma once

#include <array>
#include <cstdint>

#include "modules/counts/warp_state.h"
#include "modules/messages/warp_instruction.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// What a scheduler found in a cycle, and did. The table is as it is after the scheduler's turn: of its warps
/// only the one that issued and those whose I-buffer was emptied differ from what it found.
struct SchedulerTurn {
  std::uint64_t cycle = 0;
  const WarpTable* table = nullptr;
  WarpMask supervised = 0;
  WarpMask issuable = 0;  ///< passed the scoreboard, and their unit had a free slot
  WarpMask barred = 0;    ///< of these, those that the policies would not let issue whoever else did
  WarpMask off_path = 0;  ///< as the scheduler found it
  const WarpInstruction* issued = nullptr;  ///< nullptr when nothing did
};

/// Warp slots by WarpState: no slot is in two of them. A slot that is in none holds no warp.
using WarpsByState = std::array<WarpMask, kNumWarpStates>;

/// The states of the scheduler's warps in the cycle of its turn. They hold until its next turn: a scheduler
/// runs whenever something changes that they depend on; but a warp that issued has another state in the next
/// cycle, in which its scheduler has a turn.
WarpsByState states_of(const SchedulerTurn& turn);

/// The state of one slot; kNumWarpStates, as a number, for one that holds no warp.
unsigned state_index(const WarpsByState& warps, unsigned warp);

}  // namespace heddle
