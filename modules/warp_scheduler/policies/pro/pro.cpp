#include "hw/logic/priority_selector.h"
#include "hw/logic/request_groups.h"
#include "modules/warp_scheduler/policies/basic/own_warps.h"
#include "modules/warp_scheduler/policies/pro/parameters.h"
#include "modules/warp_scheduler/policies/pro/pro_policy.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

/// One scheduler's part of PRO: of the TBs in their order the first with a warp that may issue, and of that
/// TB's warps in theirs the first (PRO III.E).
class Pro final : public Prioritizer {
 public:
  explicit Pro(const PolicyContext& context)
      : shared_(context.shared_as<ProPolicy>()),
        requests_(context.hardware.child("pro"), "tb_requests" + std::to_string(context.scheduler),
                  {context.gpu.core.tb_slots, own_warps(context), false}),
        tb_selector_(context.hardware.child("pro"), "tb_selector" + std::to_string(context.scheduler),
                     context.gpu.core.tb_slots, hw::SelectorForm::kOrdered, context.gpu.core.tb_slots),
        warp_selector_(context.hardware.child("pro"), "warp_selector" + std::to_string(context.scheduler),
                       context.gpu.core.warps, hw::SelectorForm::kOrdered, own_warps(context)),
        passed_over_(context.hardware.child("pro"), "warps_passed_over" + std::to_string(context.scheduler),
                     {own_warps(context), context.gpu.core.tb_slots, false}) {}

  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override {
    const ProOrder& order = shared_.order();
    issuable &= ~order.arriving();
    const std::uint64_t requests =
        requests_.with_any(issuable, [this](unsigned slot) { return shared_.blocks().warps(slot); });
    const unsigned slot = tb_selector_.select_in_order(requests, order.tbs(), order.num_tbs());
    if (slot == hw::kNoInput) return kNoWarp;
    return warp_selector_.select_in_order(issuable, order.warps(slot), order.num_warps(slot));
  }
  hw::TimingPath choice_path() const override {
    return hw::TimingPath()
        .then(requests_.structure().path)
        .then(tb_selector_.structure().path)
        .then(warp_selector_.structure().path);
  }

 private:
  static unsigned own_warps(const PolicyContext& context) { return OwnWarps(context).count(); }

  const ProPolicy& shared_;
  hw::RequestGroups requests_;  ///< TBs with a warp that may issue
  hw::PrioritySelector tb_selector_;
  hw::PrioritySelector warp_selector_;
  hw::RequestGroups passed_over_;  ///< warps of TBs before the chosen one, whose stale I-buffers are emptied
};

std::unique_ptr<Prioritizer> create_pro(const PolicyContext& context) {
  return std::make_unique<Pro>(context);
}
constexpr SharedPolicyEntry pro_shared = shared_policy<ProPolicy>("pro");

}  // namespace

constexpr double kMaxThresholdCycles = 1e12;
const ParametersOf<ProParameters> pro_parameters{
    "pro",
    {parameter::whole(&ProParameters::progress_bits, "progress_bits", 1, 48, "bits",
                      "Width of a progress register; it wraps"),
     parameter::whole(&ProParameters::threshold_cycles, "threshold_cycles", 1, kMaxThresholdCycles,
                      "core cycles", "Between sorts of the TBs that wait for nothing, and of their warps"),
     parameter::whole(&ProParameters::tb_comparators, "tb_comparators", 1, 16, "comparators",
                      "Comparators that sort the TBs of an SM"),
     parameter::whole(&ProParameters::warp_comparators, "warp_comparators", 1, 32, "comparators",
                      "Comparators per TB that sort its warps"),
     parameter::whole(&ProParameters::cycles_per_compare, "cycles_per_compare", 0, 1000, "core cycles",
                      "Of a comparison in hardware timing; 0: from the logic depth and the clock"),
     parameter::choice(&ProParameters::same_tb, "same_tb", {"merge", "bank", "lose"},
                       "Hardware timing: what two schedulers add to one TB's progress in a cycle is added up "
                       "before, kept in a register of each, or the last one alone counts"),
     parameter::whole(&ProParameters::add_cycles, "add_cycles", 0, 64, "core cycles",
                      "Of an adder of progress in hardware timing; 0: from the logic depth and the clock"),
     parameter::whole(&ProParameters::logged_sorts, "logged_sorts", 0, 10000, "sorts",
                      "First sorts of each SM whose TB order is put into the statistics")}};

extern const PrioritizerEntry pro_entry;
const PrioritizerEntry pro_entry{
    "pro", "progress-aware: TBs by what their warps wait for and by progress, warps by progress", &create_pro,
    &pro_shared, &pro_parameters};

}  // namespace heddle
