#include "modules/warp_scheduler/policies/pro/choice.h"
#include "modules/warp_scheduler/policies/pro/parameters.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

std::unique_ptr<Prioritizer> create_pro(const PolicyContext& context) {
  return std::make_unique<Pro>(context);
}
constexpr SharedPolicyEntry kProShared = shared_policy<ProPolicy>("pro");

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
    &kProShared, &pro_parameters};

}  // namespace heddle
