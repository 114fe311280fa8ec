#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

/// Loose round robin (scheduler-details.md, "Baselines"): starts after the warp that issued last and takes
/// the first ready warp in slot order.
class Lrr final : public Prioritizer {
 public:
  unsigned select(WarpMask issuable) override { return first_warp_from(issuable, start_); }
  void on_issue(const IssueEvent& event) override { start_ = (event.warp + 1) % kMaxWarps; }

 private:
  unsigned start_ = 0;
};

std::unique_ptr<Prioritizer> create(const PolicyContext& /*context*/) { return std::make_unique<Lrr>(); }

}  // namespace

extern const PrioritizerEntry lrr_entry;
const PrioritizerEntry lrr_entry{"lrr", "loose round robin: the first ready warp after the last issued",
                                 &create};

}  // namespace heddle
