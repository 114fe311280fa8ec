#pragma once

#include <cstdint>

#include "modules/messages/memory_events.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// Kinds of events, as bits: what a SharedPolicy asks for.
using EventMask = std::uint32_t;
namespace wants {
constexpr EventMask kKernel = 1U << 0;
constexpr EventMask kTb = 1U << 1;
constexpr EventMask kWarp = 1U << 2;
constexpr EventMask kIssue = 1U << 3;
constexpr EventMask kBarrier = 1U << 4;
constexpr EventMask kStall = 1U << 5;
constexpr EventMask kResult = 1U << 6;
constexpr EventMask kCoalesced = 1U << 7;
constexpr EventMask kL1dAccess = 1U << 8;
constexpr EventMask kEviction = 1U << 9;
constexpr EventMask kStore = 1U << 10;
constexpr EventMask kLookedUp = 1U << 11;
constexpr EventMask kReturned = 1U << 12;
constexpr EventMask kMshr = 1U << 13;
constexpr EventMask kL2Reply = 1U << 14;
/// Not an event: L1dAccess::line_warp of hits or L1dEviction::filled_by is used, so that the L1D has to keep
/// a warp with each line. The origin in an L2Reply takes the same of the L2 without being asked for.
constexpr EventMask kLineWarp = 1U << 15;
}  // namespace wants

// `cycle`: core clock, when it happened. `tb`: linear index in the grid of launch `launch_id`.

/// A kernel was launched on the GPU. Told before the first of its TBs starts on the SM.
struct KernelEvent {
  std::uint64_t launch_id = 0;
  std::uint64_t cycle = 0;
};

/// The TB dispatcher gave the last waiting TB of a launch to an SM. Told before that TB starts.
struct GridDispatched {
  std::uint64_t launch_id = 0;
  std::uint64_t cycle = 0;
};

struct TbEvent {
  unsigned slot = 0;
  std::uint64_t tb = 0;
  std::uint64_t launch_id = 0;
  WarpMask warps = 0;  ///< its warp slots, as far as warps have one and have not given it back
  std::uint64_t cycle = 0;
  unsigned num_warps = 0;  ///< of the whole TB
};

struct WarpEvent {
  unsigned warp = 0;
  unsigned tb_slot = 0;
  std::uint64_t tb = 0;
  unsigned warp_in_tb = 0;
  std::uint64_t cycle = 0;
  std::uint64_t launch_id = 0;
};

/// One warp instruction that was issued.
struct IssueEvent {
  unsigned warp = 0;
  const Instruction* instruction = nullptr;
  LaneMask active = 0;         ///< lanes that execute it
  std::uint64_t cycle = 0;     ///< core clock
  std::uint64_t id = 0;        ///< numbers the instructions that the SM has issued, from 0
  std::uint64_t pc = 0;        ///< address of the instruction; no two kernels share any
  Space space = Space::kNone;  ///< resolved space of a memory instruction
  LaneMask access = 0;         ///< lanes that access memory; with none it goes to no cache

  /// A load that goes through the LD/ST unit to the L1D or past it.
  bool is_l1d_load() const {
    return instruction->mem == MemOp::kLoad && access != 0 &&
           (space == Space::kGlobal || space == Space::kLocal);
  }
};

struct BarrierEvent {
  unsigned tb_slot = 0;
  unsigned barrier = 0;
  WarpMask warps = 0;  ///< arrival: the one warp; release: all that go on
  std::uint64_t cycle = 0;
};

/// A scheduler issued nothing in `cycles` cycles, from `first_cycle` on.
struct StallEvent {
  unsigned scheduler = 0;
  WarpMask passed = 0;  ///< its warps whose next instruction was valid and had passed the scoreboard
  std::uint64_t first_cycle = 0;
  std::uint64_t cycles = 0;
};

/// The results of an instruction are in the registers; what depends on them may issue in this cycle.
struct ResultEvent {
  unsigned warp = 0;
  const Instruction* instruction = nullptr;
  std::uint64_t id = 0;  ///< as IssueEvent's
  std::uint64_t cycle = 0;
  bool direct = false;  ///< not through write-back: params and constants that were in the constant cache
};

}  // namespace heddle
