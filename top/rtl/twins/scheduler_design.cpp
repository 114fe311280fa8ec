#include "top/rtl/twins/scheduler_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "top/config/config_error.h"
#include "top/config/config_origin.h"
#include "top/rtl/rtl_error.h"
#include "top/rtl/twins/twin_entry.h"

namespace heddle {

namespace {

/// What all modules of an SM's prioritizer have.
constexpr const char* kSmParameters[] = {"NumWarps", "NumSchedulers"};

const TwinEntry* find_twin(const std::vector<const TwinEntry*>& twins, const char* policy) {
  for (const TwinEntry* const twin : twins) {
    if (twin->policy == std::string_view(policy)) return twin;
  }
  return nullptr;
}

std::string names_of(const std::vector<const TwinEntry*>& twins) {
  std::string names;
  for (const TwinEntry* const twin : twins) names += (names.empty() ? "" : ", ") + std::string(twin->policy);
  return names;
}

template <class T>
void add_once(std::vector<T>& to, const T& value) {
  if (std::find(to.begin(), to.end(), value) == to.end()) to.push_back(value);
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

std::string twin_names() {
  std::string alone;
  for (const TwinEntry* const twin : prioritizer_twins()) {
    if (twin->alone) alone += fmt::format(", none in front of {}", twin->policy);
    if (twin->behind != nullptr) alone += fmt::format(", {} in front of {}", twin->behind, twin->policy);
  }
  return fmt::format("{}; qualifiers in front of them: {}{}", names_of(prioritizer_twins()),
                     names_of(qualifier_twins()), alone);
}

namespace {

/// Enters a port, with a bit per warp slot when the twin says nothing else of it.
void add_input(const TwinEntry& twin, TwinInput input, const GpuConfig& gpu, TwinDesign& design) {
  if (std::find(design.inputs.begin(), design.inputs.end(), input) != design.inputs.end()) return;
  const unsigned own_bits = twin.input_bits != nullptr ? twin.input_bits(input, gpu) : 0;
  design.inputs.push_back(input);
  design.input_bits.push_back(own_bits != 0 ? own_bits : gpu.core.warps);
}

void add_outputs(const TwinEntry& twin, const TwinDesign::Module& module, const GpuConfig& gpu,
                 TwinDesign& design) {
  for (const TwinOutput output : module.outputs) {
    const unsigned own_bits = twin.output_bits != nullptr ? twin.output_bits(output, gpu) : 0;
    design.outputs.push_back(output);
    design.output_bits.push_back(own_bits != 0 ? own_bits : gpu.core.warps);
  }
}

/// Enters the twin's files, ports and own parameters in the design.
TwinDesign::Module add_twin(const TwinEntry& twin, const GpuConfig& gpu, TwinDesign& design) {
  TwinDesign::Module module;
  module.name = twin.module;
  module.priced = twin.module;
  module.inputs = twin.inputs;
  module.from_qualifier = twin.from_qualifier;
  module.to_each_warp = twin.to_each_warp;
  for (const char* const source : twin.sources) add_once(design.sources, std::string(source));
  for (const TwinInput input : twin.inputs) add_input(twin, input, gpu, design);
  if (twin.own_parameters != nullptr) {
    for (TwinDesign::Parameter& parameter : twin.own_parameters(gpu)) {
      module.parameters.push_back(parameter.name);
      design.parameters.push_back(std::move(parameter));
    }
  }
  return module;
}

}  // namespace

TwinDesign twin_design(const GpuConfig& gpu) {
  const PolicyNames names = find_policies(gpu.scheduler.name);
  const TwinEntry* const prioritizer = find_twin(prioritizer_twins(), names.prioritizer->name);
  const bool qualifies = !names.qualifier->admits_all;
  const TwinEntry* const qualifier =
      qualifies ? find_twin(qualifier_twins(), names.qualifier->name) : nullptr;
  const bool fits = prioritizer != nullptr &&
                    (prioritizer->behind == nullptr ||
                     (qualifies && names.qualifier->name == std::string_view(prioritizer->behind)));
  if (!fits || (qualifies && (qualifier == nullptr || prioritizer->alone))) {
    throw RtlError(fmt::format("warp scheduler '{}' has no SystemVerilog twin; those that have one: {}",
                               gpu.scheduler.name, twin_names()));
  }
  check_sizes(gpu);
  TwinDesign design;
  design.scheduler = gpu.scheduler.name;
  design.warps = gpu.core.warps;
  design.parameters = {{"NumWarps", gpu.core.warps, "warp slots of an SM (core.warps)"},
                       {"NumSchedulers", gpu.core.schedulers, "warp schedulers of an SM (core.schedulers)"}};
  if (qualifies) {
    design.qualifier = add_twin(*qualifier, gpu, design);
    design.qualifier->outputs = {TwinOutput::kQualified};
    design.qualifier->parameters.insert(design.qualifier->parameters.begin(), kSmParameters[0]);
    add_input(*qualifier, TwinInput::kUnderWay, gpu, design);
  }
  design.prioritizer = add_twin(*prioritizer, gpu, design);
  design.prioritizer.outputs = prioritizer->outputs;
  design.prioritizer.parameters.insert(design.prioritizer.parameters.begin(), std::begin(kSmParameters),
                                       std::end(kSmParameters));
  for (const TwinEntry* const twin : {qualifier, prioritizer}) {
    if (twin != nullptr && twin->finish != nullptr) twin->finish(gpu, design);
  }
  add_outputs(*prioritizer, design.prioritizer, gpu, design);
  if (design.qualifier) add_outputs(*qualifier, *design.qualifier, gpu, design);
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
