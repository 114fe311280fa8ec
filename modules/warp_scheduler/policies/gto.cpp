#include "modules/warp_scheduler/policy_registry.h"
#include "modules/warp_scheduler/warp_list.h"

namespace heddle {
namespace {

/// Greedy then oldest (scheduler-details.md, "Baselines"): the warp that issued last while it is ready, else
/// the oldest ready warp.
class Gto final : public Prioritizer {
 public:
  unsigned select(WarpMask issuable) override {
    return (issuable & greedy_) != 0 ? lowest_warp(greedy_) : by_age_.first_of(issuable);
  }
  void on_start(unsigned warp) override { by_age_.append(warp); }
  void on_finish(unsigned warp) override {
    by_age_.remove(warp);
    greedy_ &= ~warp_bit(warp);
  }
  void on_issue(const IssueEvent& event) override { greedy_ = warp_bit(event.warp); }

 private:
  WarpMask greedy_ = 0;  ///< the warp that issued last, while it runs
  WarpList by_age_;
};

std::unique_ptr<Prioritizer> create(const PolicyContext& /*context*/) { return std::make_unique<Gto>(); }

}  // namespace

extern const PrioritizerEntry gto_entry;
const PrioritizerEntry gto_entry{
    "gto", "greedy then oldest: the last issued warp while it is ready, else the oldest", &create};

}  // namespace heddle
