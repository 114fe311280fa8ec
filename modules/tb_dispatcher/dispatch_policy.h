#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/observe.h"
#include "hw/pricing/owner.h"
#include "modules/messages/ids.h"
#include "modules/tb_dispatcher/launch_record.h"

namespace heddle {

/// A prediction of how long a kernel runs on an SM.
struct RuntimePrediction {
  std::uint64_t cycle = 0;  ///< when it was made
  std::uint64_t launch_id = 0;
  unsigned sm = 0;
  std::uint64_t tb_cycles = 0;  ///< duration of one TB that it builds on
  std::uint64_t predicted_cycles =
      0;  ///< cycles with a TB of the kernel on the SM, from its first to its last
};

/// A time in which a policy had an SM do something for a kernel.
struct PolicyInterval {
  enum class Kind : std::uint8_t {
    kToBeSampled,  ///< from when the kernel may be sampled to its first TB on the sampling SM
    kSampled,      ///< from then to its first prediction
    kHandOff       ///< the SM waits for room for the kernel that goes first, until its first TB there
  };
  Kind kind{};
  std::uint64_t launch_id = 0;
  unsigned sm = 0;
  std::uint64_t start = 0;  ///< cycles, both
  std::uint64_t end = 0;
};
/// "to_be_sampled", "sampled" or "hand_off".
const char* to_string(PolicyInterval::Kind kind);

/// What a dispatch policy is created for. References outlive it.
struct DispatchContext {
  const CoreConfig& core;
  const TbDispatcherConfig& config;
  hw::Owner hardware;                                    ///< owner of the parts that the policy is built of
  Probe<const RuntimePrediction&>* predicted = nullptr;  ///< told of each prediction
  Probe<const PolicyInterval&>* spent = nullptr;         ///< told of each interval when it ends
  unsigned gpu_sms = 0;  ///< SMs that what is there once per GPU is built for; 0: core.sms
};

/// What a dispatch policy may look at.
class DispatchView {
 public:
  using Launches = std::vector<std::unique_ptr<LaunchRecord>>;

  virtual ~DispatchView() = default;
  /// Launches that have arrived and not ended, in the order of their arrival.
  virtual const Launches& launches() const = 0;
  /// Launches that will arrive, in the order of their arrival: for oracles.
  virtual const Launches& coming() const = 0;
  /// True when a TB of the launch can start on `sm` now: one waits, its launch latency is over, the SM has
  /// the resources, holds fewer TBs of it than its residency limit and, unless SMs are mixed, none of another
  /// launch.
  virtual bool can_start(const LaunchRecord& launch, unsigned sm) const = 0;
  /// The present core cycle.
  virtual std::uint64_t cycle() const = 0;
};

/// A TB of `launch` that starts or ends.
struct DispatchEvent {
  const LaunchRecord& launch;
  SmId sm;
  TbSlot tb_slot;  ///< which no other TB of the SM has from its start to its end (HeardSlots)
  std::uint64_t cycle = 0;
};

/// A policy was given what it can't work with: an oracle without run times.
class DispatchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SlicingMachines;

/// Chooses which launch an SM gets its next thread block from. Plain C++; created by name.
class DispatchPolicy {
 public:
  DispatchPolicy() = default;
  virtual ~DispatchPolicy() = default;
  DispatchPolicy(const DispatchPolicy&) = delete;
  DispatchPolicy& operator=(const DispatchPolicy&) = delete;

  /// One of view.launches() for which can_start() holds, or nullptr to leave the SM as it is. Asked for each
  /// SM until all say no, in cycles in which a TB waits and something has changed.
  virtual LaunchRecord* select(const DispatchView& view, unsigned sm) = 0;

  /// How many of the `sms` SMs the launch has: its grid is spread over them (Occupancy::spread). Asked when
  /// launches have come or gone, before on_launch() and on_end(). 1 to `sms`.
  virtual unsigned sms_of(const DispatchView& /*view*/, const LaunchRecord& /*launch*/, unsigned sms) const {
    return sms;
  }
  /// The launch is in view.launches(). Throws DispatchError when the policy lacks what it needs to know of
  /// it.
  virtual void on_launch(const DispatchView& /*view*/, const LaunchRecord& /*launch*/) {}
  /// Its last TB has ended; it is no longer in view.launches().
  virtual void on_end(const DispatchView& /*view*/, const LaunchRecord& /*launch*/) {}
  virtual void on_tb_start(const DispatchView& /*view*/, const DispatchEvent& /*event*/) {}
  virtual void on_tb_end(const DispatchView& /*view*/, const DispatchEvent& /*event*/) {}

  /// The present cycle has begun, in which nothing has been told yet. True: select() may say something else
  /// than it did.
  virtual bool advance(const DispatchView& /*view*/) { return false; }
  /// The next cycle in which advance() may be true though nothing is told before; kNever.
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  virtual std::uint64_t next_change() const { return kNever; }
  /// The Simple Slicing predictors by which it chooses, in hardware timing; nullptr: there are none.
  virtual SlicingMachines* slicing_machines() { return nullptr; }

  /// Into a scope of the policy's name inside the dispatcher's.
  virtual void report(StatSink& /*sink*/) const {}
  virtual void trace(WaveSink& /*sink*/) {}
};

/// A policy that users can name; each policy's file defines one, the table in dispatch_policy.cpp lists them.
struct DispatchPolicyEntry {
  const char* name;
  const char* description;
  bool needs_mixed_sms;
  std::unique_ptr<DispatchPolicy> (*create)(const DispatchContext&);
};
const std::vector<const DispatchPolicyEntry*>& dispatch_policies();
/// Creates the policy that context.config.policy names. Throws std::invalid_argument naming what was found
/// and what is known, or that the policy needs tb_dispatcher.mixed_sms.
std::unique_ptr<DispatchPolicy> make_dispatch_policy(const DispatchContext& context);

}  // namespace heddle
