#pragma once

#include <cstdint>

#include "modules/messages/memory_events.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

// `cycle`: core clock, when it happened. `tb`: linear index in the grid of launch `launch_id`.

/// A kernel was launched on the GPU. Told before the first of its TBs starts on the SM.
struct KernelEvent {
  std::uint64_t launch_id = 0;
  std::uint64_t cycle = 0;
};

/// The TB dispatcher gave the last waiting TB of a launch to an SM. Told before that TB starts; in hardware
/// timing scheduler.broadcast_cycles later, as if it had happened the cycle before.
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
  unsigned stream = 0;     ///< TbTransaction::stream
};

/// Warps of a TB are named in the order of their age. A warp finishes when it issues its exit, and retires
/// when nothing of it is in flight.
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

/// A release is told when the schedulers have run; the warps may issue in the next cycle.
struct BarrierEvent {
  unsigned tb_slot = 0;
  unsigned barrier = 0;
  WarpMask warps = 0;  ///< arrival: the one warp; release: all that go on
  std::uint64_t cycle = 0;
};

/// A scheduler issued nothing in `cycles` cycles, from `first_cycle` on. May come for n cycles at once or one
/// by one, at the latest before the next event: the effect must be the same. What changes with time is for
/// update(). Schedulers of an SM that stall in the same cycles are told of in equal spans, one after the
/// other: a span of one is over before another one's next begins.
struct StallEvent {
  unsigned scheduler = 0;
  WarpMask valid = 0;   ///< its warps with an instruction, that wait at no barrier and no membar
  WarpMask passed = 0;  ///< of these, those whose instruction had passed the scoreboard
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

// Every kind of event that a SharedPolicy can hear: its name in namespace `event`, what is told, and the
// handler. A line here makes a kind: handlers, who hears them, the queue of what is told a cycle later and
// the policies inside adaptive ones follow from it. When each is told is in docs/tutorial-scheduler.md.
#define HEDDLE_POLICY_EVENTS(EVENT)                         \
  EVENT(KernelStart, KernelEvent, on_kernel_start)          \
  EVENT(GridDispatched, GridDispatched, on_grid_dispatched) \
  EVENT(TbStart, TbEvent, on_tb_start)                      \
  EVENT(TbEnd, TbEvent, on_tb_end)                          \
  EVENT(WarpStart, WarpEvent, on_warp_start)                \
  EVENT(WarpFinish, WarpEvent, on_warp_finish)              \
  EVENT(WarpRetire, WarpEvent, on_warp_retire)              \
  EVENT(Issue, IssueEvent, on_issue)                        \
  EVENT(BarrierArrive, BarrierEvent, on_barrier_arrive)     \
  EVENT(BarrierRelease, BarrierEvent, on_barrier_release)   \
  EVENT(Stall, StallEvent, on_stall)                        \
  EVENT(Result, ResultEvent, on_result)                     \
  EVENT(LoadCoalesced, LoadCoalesced, on_load_coalesced)    \
  EVENT(L1dAccess, L1dAccess, on_l1d_access)                \
  EVENT(L1dEviction, L1dEviction, on_eviction)              \
  EVENT(L1dStore, L1dStore, on_store)                       \
  EVENT(LoadLookedUp, LoadLookedUp, on_load_looked_up)      \
  EVENT(LoadReturned, LoadReturned, on_load_returned)       \
  EVENT(MshrRoom, MshrRoom, on_mshr_room)                   \
  EVENT(L2Reply, L2Reply, on_l2_reply)

/// A set of kinds of events, a bit each.
using EventSet = std::uint32_t;

}  // namespace heddle
