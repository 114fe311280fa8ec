#pragma once

#include <cstdint>
#include <limits>

#include "modules/config/gpu_config.h"
#include "modules/warp_scheduler/shared_policy.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// What a qualifier or prioritizer is created for: one scheduler of an SM.
struct PolicyContext : SmContext {
  unsigned scheduler = 0;          ///< supervises the warps w with w mod core.schedulers == scheduler
  SharedPolicy* shared = nullptr;  ///< made by the entry's `shared`; nullptr when it has none

  /// The shared half as what the policy's own entry made it.
  template <class Shared>
  Shared& shared_as() const {
    return dynamic_cast<Shared&>(*shared);
  }
  WarpMask supervised() const {
    WarpMask mask = 0;
    for (unsigned w = scheduler; w < gpu.core.warps; w += gpu.core.schedulers) mask |= warp_bit(w);
    return mask;
  }
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

  /// Into the scope of the policy's name inside the scheduler's.
  virtual void report(StatSink& /*sink*/) const {}
  virtual void trace(WaveSink& /*sink*/) {}
  /// See SharedPolicy.
  virtual void trace_state(WaveSink& /*sink*/) {}
};

}  // namespace heddle
