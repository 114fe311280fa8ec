#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "top/rtl/twins/twin_entry.h"

namespace heddle {

namespace {

std::vector<TwinDesign::Parameter> of_two_level_active(const GpuConfig& gpu) {
  const TwoLevelActiveParameters& own = gpu.scheduler.settings.of(two_level_active_parameters);
  if (own.long_wait != LongWait::kMarked) {
    throw SettingError("scheduler.two_level_active.long_wait",
                       "the SystemVerilog twin has 'marked' only, found 'until_data'");
  }
  return {{"ActiveWarps", own.active_warps,
           "active warps of a scheduler (scheduler.two_level_active.active_warps)"}};
}

std::vector<TwinDesign::Parameter> of_two_level(const GpuConfig& gpu) {
  return {{"GroupWarps", gpu.scheduler.settings.of(two_level_parameters).fetch_group_warps,
           "warps of a fetch group (scheduler.two_level.fetch_group_warps)"}};
}

}  // namespace

const TwinEntry& two_level_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{
      "two_level",
      "heddle_two_level_sm",
      {twin_source::kPrefixOr, twin_source::kRotatingSelector, "schedulers/heddle_lrr.sv",
       "schedulers/two_level/heddle_two_level.sv", "schedulers/two_level/heddle_two_level_sm.sv"},
      {In::kReady, In::kStale, In::kIssue, In::kRuns},
      &of_two_level};
  return kTwin;
}

const TwinEntry& two_level_active_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{
      "two_level_active",
      "heddle_two_level_active_sm",
      {twin_source::kPrefixOr, twin_source::kFixedSelector, twin_source::kPopulationCount,
       twin_source::kAgeMatrix, twin_source::kAgeSelect, "schedulers/two_level/heddle_two_level_active.sv",
       "schedulers/two_level/heddle_two_level_active_sm.sv"},
      {In::kReady, In::kStale, In::kIssue, In::kWaits, In::kResident},
      &of_two_level_active};
  return kTwin;
}

}  // namespace heddle
