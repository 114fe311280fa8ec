#include <fmt/format.h>

#include "hw/pricing/bits.h"
#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/ccws/ccws.h"
#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "top/rtl/twins/twin_entry.h"

namespace heddle {

namespace {

/// What the policy's own objects make of a configuration in hardware timing.
Ccws ccws_of(const GpuConfig& gpu, const WarpTable& no_warps) {
  return Ccws({no_warps, gpu, 0, nullptr, nullptr, twin_owner(gpu)});
}

std::vector<TwinDesign::Parameter> of_ccws(const GpuConfig& gpu) {
  if (gpu.core.warps < 2) {
    throw SettingError("core.warps", "the SystemVerilog twin of ccws has 2 or more, found 1");
  }
  const CcwsParameters& own = gpu.scheduler.settings.of(ccws_parameters);
  const WarpTable no_warps;
  const Ccws ccws = ccws_of(gpu, no_warps);
  return {{"LineWidth", ccws.detector().line_bits(), "bits of a line's number (l1d.cache.line_bytes)"},
          {"VtaSets", ccws.detector().sets(), "sets of a warp's victim tags (scheduler.ccws.vta_entries)"},
          {"VtaWays", own.vta_ways, "their associativity (scheduler.ccws.vta_ways)"},
          {"BaseScore", own.base_score, "score of a warp that loses no locality (scheduler.ccws.base_score)"},
          {"Throttle", own.k_throttle, "how strongly hits raise a score (scheduler.ccws.k_throttle)"},
          {"CyclesPerCompare", ccws.cutoff().compare_cycles(), "cycles of a comparison of the sort"},
          {"CyclesPerWalk", ccws.cutoff().walk_cycles(), "cycles of an addition of the walk"},
          {"SettleCycles", ccws.cutoff().settle_cycles(), "cycles from the warps to the cutoff"},
          {"CyclesPerStep", ccws.scoring().step_cycles(), "cycles of a step of the score's ratio"}};
}

void finish_ccws(const GpuConfig& /*gpu*/, TwinDesign& design) {
  design.qualifier->outputs.push_back(TwinOutput::kEligible);
  design.qualifier->parameters.emplace_back("NumSchedulers");
  design.settle_cycles = 4;  // what goes on longer is asked of the model
}

unsigned ccws_input_bits(TwinInput input, const GpuConfig& gpu) {
  switch (input) {
    case TwinInput::kClear:
    case TwinInput::kLookUp:
    case TwinInput::kLookUpStore:
    case TwinInput::kEvict:
      return 1;
    case TwinInput::kLookUpWarp:
    case TwinInput::kEvictWarp:
      return hw::index_bits(gpu.core.warps);
    case TwinInput::kLookUpLine:
    case TwinInput::kEvictLine: {
      const WarpTable no_warps;
      return ccws_of(gpu, no_warps).detector().line_bits();
    }
    default:
      return 0;
  }
}

}  // namespace

const TwinEntry& ccws_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{
      "ccws",
      "heddle_ccws",
      {twin_source::kAdder, twin_source::kComparator, twin_source::kPrefixOr, twin_source::kFixedSelector,
       twin_source::kMultiplexer, twin_source::kPopulationCount, "parts/logic/heddle_ratio_unit.sv",
       twin_source::kCounterArray, "parts/storage/heddle_decaying_counters.sv", twin_source::kTable,
       "parts/order/heddle_in_place_sorter.sv", "schedulers/ccws/heddle_ccws_warp_tags.sv",
       "schedulers/ccws/heddle_ccws_tags.sv", "schedulers/ccws/heddle_ccws_scores.sv",
       "schedulers/ccws/heddle_ccws_cutoff.sv", "schedulers/ccws/heddle_ccws.sv"},
      {In::kStart, In::kFinish, In::kIssue, In::kClear, In::kLookUp, In::kLookUpStore, In::kLookUpWarp,
       In::kLookUpLine, In::kEvict, In::kEvictWarp, In::kEvictLine, In::kLoad, In::kReady},
      &of_ccws,
      &finish_ccws,
      &ccws_input_bits};
  return kTwin;
}

}  // namespace heddle
