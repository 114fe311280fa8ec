#include "modules/warp_scheduler/policies/basic/least_issued_order.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

/// The counters of all warps of an SM.
class LeastIssuedCounters final : public SharedPolicy {
 public:
  explicit LeastIssuedCounters(const SmContext& context)
      : order_(context.hardware.child("least_issued"), context.gpu) {}

  void on_warp_start(const WarpEvent& event) override { order_.start(event.warp); }
  void on_issue(const IssueEvent& event) override { order_.count_issue(event.warp); }
  void trace(WaveSink& sink) override { order_.trace(sink); }

  LeastIssuedOrder& order() { return order_; }

 private:
  LeastIssuedOrder order_;
};

/// The ready warp that has issued the fewest instructions (iPAWS 3.4, the scheduler of the Recover phase).
class LeastIssued final : public Prioritizer {
 public:
  explicit LeastIssued(const PolicyContext& context)
      : order_(context.shared_as<LeastIssuedCounters>().order()) {}

  unsigned select(std::uint64_t cycle, WarpMask issuable) override { return order_.select(cycle, issuable); }
  hw::TimingPath choice_path() const override { return order_.choice_path(); }

 private:
  LeastIssuedOrder& order_;
};

std::unique_ptr<Prioritizer> create_least_issued(const PolicyContext& context) {
  return std::make_unique<LeastIssued>(context);
}

constexpr SharedPolicyEntry least_issued_shared = shared_policy<LeastIssuedCounters>("least_issued");

}  // namespace

extern const PrioritizerEntry least_issued_entry;
const PrioritizerEntry least_issued_entry{
    "least_issued", "the ready warp that has issued the fewest instructions (iPAWS 3.4)",
    &create_least_issued, &least_issued_shared};

}  // namespace heddle
