#pragma once

#include <cstdint>
#include <limits>

#include "modules/gpu_config.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// What a policy is created for: one scheduler of one SM. `table` and `config` outlive it.
struct PolicyContext {
  const WarpTable& table;
  const WarpSchedulerConfig& config;
  unsigned scheduler = 0;  ///< supervises the warps w with w mod schedulers == scheduler
  unsigned schedulers = 2;
  unsigned warps = 48;  ///< warp slots of the SM, at most kMaxWarps

  WarpMask supervised() const {
    WarpMask mask = 0;
    for (unsigned w = scheduler; w < warps; w += schedulers) mask |= warp_bit(w);
    return mask;
  }
};

/// One warp instruction that was issued.
struct IssueEvent {
  unsigned warp = 0;
  const Instruction* instruction = nullptr;
  LaneMask active = 0;      ///< lanes that execute it
  std::uint64_t cycle = 0;  ///< core clock
};

/// What qualifiers and prioritizers are told; a policy overrides what it needs. Only warps that its scheduler
/// supervises are named.
class SchedulingPolicy {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  SchedulingPolicy() = default;
  virtual ~SchedulingPolicy() = default;
  SchedulingPolicy(const SchedulingPolicy&) = delete;
  SchedulingPolicy& operator=(const SchedulingPolicy&) = delete;

  /// A warp was launched; warps are named in the order of their age.
  virtual void on_start(unsigned /*warp*/) {}
  /// The warp issued its exit.
  virtual void on_finish(unsigned /*warp*/) {}
  virtual void on_issue(const IssueEvent& /*event*/) {}

  /// Called before a warp is chosen, at every cycle at which the scheduler runs; long-latency waits are seen
  /// here, in WarpTable::waits_long(). A scheduler sleeps while nothing changes, so that a second call with
  /// the same table must change nothing, unless its time has come: returns the cycle after `cycle` at which
  /// the policy must be called again even if nothing happens, or kNever.
  virtual std::uint64_t update(std::uint64_t /*cycle*/) { return kNever; }
};

}  // namespace heddle
