#include <array>

#include "modules/warp_scheduler/policies/oaws/locality.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

/// OAWS's OCW throttling alone (OAWS 4.3.2): only locality warps may issue. As with SWL, a warp that waits at
/// a barrier is passed over, so that those it waits for are among them. In hardware timing the warps that may
/// issue are a register, and follow a cycle later.
class OcwThrottling final : public SharedPolicy {
 public:
  explicit OcwThrottling(const SmContext& context)
      : context_(context.child("ocw_throttling")),
        served_(context.share),
        classifier_(context_.hardware, context.values_of(oaws_parameters),
                    DivergentLoadClassifier::History::kKept),
        locality_(context_, classifier_, GtoOrder::Use::kOldest),
        may_issue_(context_.hardware, "may_issue", context.gpu.core.warps) {}

  void on_kernel_start(const KernelEvent& /*event*/) override { classifier_.clear(); }
  void on_warp_start(const WarpEvent& event) override {
    if (served_.start(event)) locality_.order.start(event.cycle, event.warp);
  }
  void on_warp_finish(const WarpEvent& event) override {
    if (!served_.has(event.warp)) return;
    locality_.order.finish(event.warp);
    found_for_ = {};  // the slot may be taken again before anybody looks
  }
  void on_load_coalesced(const LoadCoalesced& event) override { classify(classifier_, event); }
  void on_l1d_access(const L1dAccess& event) override { locality_.access(event); }
  void on_load_looked_up(const LoadLookedUp& event) override { locality_.looked_up(event); }

  std::uint64_t update(std::uint64_t cycle) override {
    locality_.update(cycle);
    std::uint64_t next = locality_.next_time(cycle);
    const bool hardware = context_.hardware.timing == hw::Timing::kHardware;
    if (hardware && cycle != next_since_) set(next_);
    const WarpMask now = locality_warps();
    if (!hardware) {
      set(now);
    } else if (now != next_) {
      next_ = now;
      next_since_ = cycle;
    }
    if (hardware && next_ != may_issue_.value()) next = cycle + 1;
    return next;
  }
  void report(StatSink& sink) const override {
    locality_.report(sink);
    classifier_.report(sink);
  }
  void trace(WaveSink& sink) override {
    if (!sink.wanted()) return;
    may_issue_.trace(sink);
    locality_.trace(sink);
    classifier_.trace(sink);
  }
  void trace_state(WaveSink& sink) override {
    may_issue_.trace(sink);
    locality_.ocw.trace(sink);
  }

  WarpMask may_issue() const { return may_issue_.value(); }

 private:
  /// Found anew when what it follows from has changed.
  WarpMask locality_warps() {
    const std::array<std::uint64_t, 3> inputs{locality_.order.ranked(), locality_.ocw.ocw(),
                                              context_.table.at_barrier};
    if (inputs != found_for_) {
      found_for_ = inputs;
      found_ = locality_.order.oldest(locality_.ocw.ocw(), context_.table.at_barrier);
    }
    return found_;
  }
  void set(WarpMask warps) {
    if (warps != may_issue_.value()) may_issue_.load(warps);
  }

  const SmContext context_;
  ServedWarps served_;
  DivergentLoadClassifier classifier_;
  LocalityWarps locality_;
  hw::BitVector may_issue_;
  std::array<std::uint64_t, 3> found_for_{};  ///< the ranked warps, OCW and warps at barriers of found_
  WarpMask found_ = 0;
  WarpMask next_ = 0;  ///< hardware timing: what may_issue_ becomes after next_since_
  std::uint64_t next_since_ = 0;
};

class OcwQualifier final : public Qualifier {
 public:
  explicit OcwQualifier(const OcwThrottling& shared) : shared_(shared) {}
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask issuable) override {
    return issuable & shared_.may_issue();
  }

 private:
  const OcwThrottling& shared_;
};

std::unique_ptr<Qualifier> create_ocw_throttling(const PolicyContext& context) {
  return std::make_unique<OcwQualifier>(context.shared_as<OcwThrottling>());
}

constexpr SharedPolicyEntry kOcwThrottlingShared = shared_policy<OcwThrottling>("ocw_throttling");

}  // namespace

extern const QualifierEntry ocw_throttling_entry;
const QualifierEntry ocw_throttling_entry{
    "ocw_throttling", "only the estimated optimal number of cached warps may issue, oldest first (OAWS)",
    &create_ocw_throttling, &kOcwThrottlingShared, &oaws_parameters};

}  // namespace heddle
