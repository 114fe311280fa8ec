#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "modules/tb_dispatcher/occupancy.h"

namespace heddle {

/// A kernel launch as the dispatcher sees it. Cycles are of the core clock.
struct LaunchRecord {
  KernelLaunch* launch = nullptr;
  std::uint64_t launch_id = 0;
  Occupancy occupancy;
  std::uint64_t tbs = 0;
  std::uint64_t tbs_started = 0;
  std::uint64_t tbs_ended = 0;
  std::uint64_t launched_at = 0;  ///< launch() was called
  std::uint64_t ready_at = 0;     ///< first cycle at which a TB may start: after the launch latency
  std::uint64_t first_tb_at = 0;
  std::uint64_t ended_at = 0;  ///< the end of the last TB was seen

  std::uint64_t tbs_waiting() const { return tbs - tbs_started; }
};

/// What a dispatch policy may look at.
class DispatchView {
 public:
  virtual ~DispatchView() = default;
  /// Launches that have not ended, in the order in which they were launched.
  virtual const std::vector<std::unique_ptr<LaunchRecord>>& launches() const = 0;
  /// True when a TB of the launch can start on `sm` now: one waits, its launch latency is over, the SM has
  /// the resources, holds fewer TBs of it than its residency limit and none of another launch.
  virtual bool can_start(const LaunchRecord& launch, unsigned sm) const = 0;
};

/// Chooses which launch an SM gets its next thread block from. Plain C++; created by name.
class DispatchPolicy {
 public:
  DispatchPolicy() = default;
  virtual ~DispatchPolicy() = default;
  DispatchPolicy(const DispatchPolicy&) = delete;
  DispatchPolicy& operator=(const DispatchPolicy&) = delete;

  /// One of view.launches() for which can_start() holds, or nullptr to leave the SM as it is. Asked once per
  /// SM and cycle while a TB waits and something has changed.
  virtual LaunchRecord* select(const DispatchView& view, unsigned sm) = 0;

  virtual void on_tb_start(const LaunchRecord& /*launch*/, unsigned /*sm*/, std::uint64_t /*cycle*/) {}
  virtual void on_tb_end(const LaunchRecord& /*launch*/, unsigned /*sm*/, std::uint64_t /*cycle*/) {}
};

/// A policy that users can name; each policy's file defines one, the table in dispatch_policy.cpp lists them.
struct DispatchPolicyEntry {
  const char* name;
  const char* description;
  std::unique_ptr<DispatchPolicy> (*create)();
};
const std::vector<const DispatchPolicyEntry*>& dispatch_policies();
/// Throws std::invalid_argument naming what was found and what is known.
std::unique_ptr<DispatchPolicy> make_dispatch_policy(const std::string& name);

}  // namespace heddle
