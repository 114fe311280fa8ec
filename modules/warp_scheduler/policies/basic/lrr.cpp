#include "modules/warp_scheduler/policies/basic/round_robin.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

/// Loose round robin (scheduler-details.md, "Baselines"): starts after the warp that issued last and takes
/// the first ready warp in slot order.
class Lrr final : public Prioritizer {
 public:
  explicit Lrr(const PolicyContext& context)
      : turns_(context.hardware.child("lrr"), std::to_string(context.scheduler), OwnWarps(context)) {}

  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override { return turns_.select(issuable); }
  hw::TimingPath choice_path() const override { return turns_.choice_path(); }
  void on_issue(const IssueEvent& event) override { turns_.issued(event.warp, event.cycle); }
  void trace(WaveSink& sink) override { turns_.trace(sink); }

 private:
  RoundRobin turns_;
};

std::unique_ptr<Prioritizer> create_lrr(const PolicyContext& context) {
  return std::make_unique<Lrr>(context);
}

}  // namespace

extern const PrioritizerEntry lrr_entry;
const PrioritizerEntry lrr_entry{"lrr", "loose round robin: the first ready warp after the last issued",
                                 &create_lrr};

}  // namespace heddle
