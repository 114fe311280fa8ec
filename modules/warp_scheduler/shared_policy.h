#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "base/observe.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/miss_replay.h"
#include "modules/warp_scheduler/policy_board.h"
#include "modules/warp_scheduler/policy_events.h"
#include "modules/warp_scheduler/policy_host.h"

namespace heddle {

/// What the policies of an SM are created for. `table`, `gpu` and what is pointed to outlive them.
struct SmContext {
  const WarpTable& table;
  const GpuConfig& gpu;
  unsigned sm = 0;
  const PolicyHost* host = nullptr;  ///< nullptr: nothing will run (checks, cost)
  PolicyBoard* board = nullptr;      ///< likewise
  hw::Owner hardware = {};           ///< the SM, as owner of the parts that its policies are built of
};

/// The half of a warp-scheduling policy that the schedulers of an SM share: plain C++, created once per SM,
/// told what happens on the SM once, and read by the policy's qualifiers and prioritizers.
///
/// Events of the issue stage itself (kernels to results) are told at the cycle at which they happen, before
/// the facets are told: a scheduler that chooses later in the same cycle sees them. What the LD/ST unit, the
/// L1D, the MSHRs and other SMs do at t is told at t + 1, before anything else of that cycle. After every
/// event but a stall the schedulers run: an issue is followed by the next cycle, the others by their own.
class SharedPolicy {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  SharedPolicy() = default;
  virtual ~SharedPolicy() = default;
  SharedPolicy(const SharedPolicy&) = delete;
  SharedPolicy& operator=(const SharedPolicy&) = delete;

  /// The events that it overrides, from namespace wants. Asked once.
  virtual EventMask wanted_events() const { return 0; }

  virtual void on_kernel_start(const KernelEvent& /*event*/) {}  ///< wants::kKernel
  virtual void on_grid_dispatched(const GridDispatched& /*event*/) {}
  virtual void on_tb_start(const TbEvent& /*event*/) {}  ///< wants::kTb
  virtual void on_tb_end(const TbEvent& /*event*/) {}
  /// Warps of a TB are named in the order of their age.
  virtual void on_warp_start(const WarpEvent& /*event*/) {}         ///< wants::kWarp
  virtual void on_warp_finish(const WarpEvent& /*event*/) {}        ///< it issued its exit
  virtual void on_warp_retire(const WarpEvent& /*event*/) {}        ///< nothing of it is in flight
  virtual void on_issue(const IssueEvent& /*event*/) {}             ///< wants::kIssue
  virtual void on_barrier_arrive(const BarrierEvent& /*event*/) {}  ///< wants::kBarrier
  /// Told when the schedulers have run; the warps may issue in the next cycle.
  virtual void on_barrier_release(const BarrierEvent& /*event*/) {}
  /// Has to add up: n cycles may be told at once or one by one, at the latest before the first event behind
  /// them. What follows from them in time is up to update().
  virtual void on_stall(const StallEvent& /*event*/) {}    ///< wants::kStall
  virtual void on_result(const ResultEvent& /*event*/) {}  ///< wants::kResult

  virtual void on_load_coalesced(const LoadCoalesced& /*event*/) {}  ///< wants::kCoalesced
  virtual void on_l1d_access(const L1dAccess& /*event*/) {}          ///< wants::kL1dAccess
  virtual void on_eviction(const L1dEviction& /*event*/) {}          ///< wants::kEviction
  virtual void on_store(const L1dStore& /*event*/) {}                ///< wants::kStore
  virtual void on_load_looked_up(const LoadLookedUp& /*event*/) {}   ///< wants::kLookedUp
  virtual void on_load_returned(const LoadReturned& /*event*/) {}    ///< wants::kReturned
  virtual void on_mshr_room(const MshrRoom& /*event*/) {}            ///< wants::kMshr
  virtual void on_l2_reply(const L2Reply& /*event*/) {}              ///< wants::kL2Reply
  /// Always told: who posts wants to be read.
  virtual void on_note(const PolicyNote& /*note*/) {}

  /// A policy's re-execution queue beside the L1D, which uses it when there is one.
  virtual MissReplay* miss_replay() { return nullptr; }

  /// Called once before the schedulers choose, at every cycle at which they run. As SchedulingPolicy::update:
  /// a second call with nothing new must change nothing, unless its time has come.
  virtual std::uint64_t update(std::uint64_t /*cycle*/) { return kNever; }

  /// Charges what it counts per cycle up to and including `cycle`, before statistics are read.
  virtual void settle(std::uint64_t /*cycle*/) {}
  /// Into a scope of the policy's name inside the SM's.
  virtual void report(StatSink& /*sink*/) const {}
  virtual void trace(WaveSink& /*sink*/) {}
};

/// A kind of shared policy. A qualifier's and a prioritizer's entry that point to the same one share one
/// object per SM; different ones have one each.
struct SharedPolicyEntry {
  const char* name;  ///< scope in statistics and waves
  /// `channel` posts notes to the same kind on all SMs.
  std::unique_ptr<SharedPolicy> (*create)(const SmContext& context, const PolicyChannel& channel);
};

}  // namespace heddle
