#include "top/rtl/twin_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/basic/least_issued_order.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "top/config/config_error.h"
#include "top/config/config_origin.h"
#include "top/rtl/rtl_error.h"

namespace heddle {

namespace {

/// A prioritizer's twin.
struct TwinEntry {
  const char* prioritizer;
  const char* module;
  std::vector<const char*> sources;
  std::vector<TwinInput> inputs;
  std::vector<TwinDesign::Parameter> (*own_parameters)(const GpuConfig& gpu) = nullptr;
};

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

std::vector<TwinDesign::Parameter> of_least_issued(const GpuConfig& /*gpu*/) {
  return {{"CounterWidth", LeastIssuedOrder::kCounterBits, "bits of a counter of issued instructions"}};
}

constexpr const char* kRotatingSelector = "parts/logic/heddle_rotating_selector.sv";
constexpr const char* kAgeMatrix = "parts/order/heddle_age_matrix.sv";
constexpr const char* kAgeSelect = "parts/order/heddle_age_select.sv";
constexpr const char* kAgeOrder = "parts/order/heddle_age_order.sv";

const std::vector<TwinEntry>& twins() {
  using In = TwinInput;
  static const std::vector<TwinEntry> kTwins{
      {"lrr",
       "heddle_lrr_sm",
       {kRotatingSelector, "schedulers/heddle_lrr.sv", "schedulers/heddle_lrr_sm.sv"},
       {In::kReady, In::kStale, In::kIssue}},
      {"oldest",
       "heddle_oldest_sm",
       {kAgeMatrix, kAgeSelect, kAgeOrder, "schedulers/heddle_oldest.sv", "schedulers/heddle_oldest_sm.sv"},
       {In::kStart, In::kFinish, In::kReady, In::kStale}},
      {"gto",
       "heddle_gto_sm",
       {kAgeMatrix, kAgeSelect, kAgeOrder, "schedulers/heddle_gto.sv", "schedulers/heddle_gto_sm.sv"},
       {In::kStart, In::kFinish, In::kReady, In::kStale, In::kIssue}},
      {"two_level",
       "heddle_two_level_sm",
       {kRotatingSelector, "schedulers/heddle_lrr.sv", "schedulers/heddle_two_level.sv",
        "schedulers/heddle_two_level_sm.sv"},
       {In::kReady, In::kStale, In::kIssue, In::kRuns},
       &of_two_level},
      {"two_level_active",
       "heddle_two_level_active_sm",
       {"parts/logic/heddle_fixed_selector.sv", "parts/logic/heddle_population_count.sv", kAgeMatrix,
        kAgeSelect, "schedulers/heddle_two_level_active.sv", "schedulers/heddle_two_level_active_sm.sv"},
       {In::kReady, In::kStale, In::kIssue, In::kWaits, In::kResident},
       &of_two_level_active},
      {"least_issued",
       "heddle_least_issued_sm",
       {"parts/logic/heddle_adder.sv", "parts/logic/heddle_comparator.sv",
        "parts/logic/heddle_minimum_tree.sv", "parts/logic/heddle_multiplexer.sv",
        "parts/storage/heddle_counter_array.sv", "schedulers/heddle_least_issued.sv",
        "schedulers/heddle_least_issued_sm.sv"},
       {In::kStart, In::kReady, In::kStale, In::kIssue},
       &of_least_issued},
  };
  return kTwins;
}

/// What the policies' own objects refuse is refused here.
void check_sizes(const GpuConfig& gpu) {
  const CoreConfig& core = gpu.core;
  if (core.warps == 0 || core.warps > kMaxWarps) {
    throw SettingError("core.warps", fmt::format("expected 1 to {}, found {}", kMaxWarps, core.warps));
  }
  if (core.schedulers == 0 || core.schedulers > core.warps) {
    throw SettingError("core.schedulers", fmt::format("a twin has a warp at least for each scheduler: "
                                                      "expected 1 to core.warps ({}), found {}",
                                                      core.warps, core.schedulers));
  }
  const WarpTable no_warps;
  static_cast<void>(SmPolicies({no_warps, gpu}));
}

}  // namespace

const char* port_name(TwinInput input) {
  static constexpr std::array<const char*, kNumTwinInputs> kNames{
      "start_i", "finish_i", "ready_i", "stale_i", "issue_i", "runs_i", "waits_i", "resident_i"};
  return kNames[static_cast<unsigned>(input)];
}

const char* port_name(TwinOutput output) {
  static constexpr std::array<const char*, kNumTwinOutputs> kNames{"grant_o", "passed_o"};
  return kNames[static_cast<unsigned>(output)];
}

std::string twin_names() {
  std::string names;
  for (const TwinEntry& twin : twins()) names += (names.empty() ? "" : ", ") + std::string(twin.prioritizer);
  return names;
}

TwinDesign twin_design(const GpuConfig& gpu) {
  const PolicyNames names = find_policies(gpu.scheduler.name);
  const auto found = std::find_if(twins().begin(), twins().end(), [&names](const TwinEntry& twin) {
    return twin.prioritizer == std::string_view(names.prioritizer->name);
  });
  if (!names.qualifier->admits_all || found == twins().end()) {
    throw RtlError(fmt::format("warp scheduler '{}' has no SystemVerilog twin; those that have one: {}",
                               gpu.scheduler.name, twin_names()));
  }
  check_sizes(gpu);
  TwinDesign design;
  design.scheduler = gpu.scheduler.name;
  design.module = found->module;
  design.sources.assign(found->sources.begin(), found->sources.end());
  design.inputs = found->inputs;
  design.warps = gpu.core.warps;
  design.parameters = {{"NumWarps", gpu.core.warps, "warp slots of an SM (core.warps)"},
                       {"NumSchedulers", gpu.core.schedulers, "warp schedulers of an SM (core.schedulers)"}};
  if (found->own_parameters != nullptr) {
    for (TwinDesign::Parameter& parameter : found->own_parameters(gpu))
      design.parameters.push_back(std::move(parameter));
  }
  return design;
}

TwinDesign checked_twin_design(const LoadedConfig& loaded) {
  try {
    return twin_design(loaded.config);
  } catch (const SettingError& error) {
    throw ConfigError(origin_of(loaded, error.keys()) + error.what());
  } catch (const std::invalid_argument& error) {
    throw ConfigError(error.what());
  }
}

}  // namespace heddle
