#include <fmt/format.h>

#include <algorithm>

#include "hw/pricing/bits.h"
#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "modules/warp_scheduler/policies/ccws/swl.h"
#include "top/rtl/twins/twin_entry.h"

namespace heddle {

namespace {

void finish_swl(const GpuConfig& gpu, TwinDesign& design) {
  const unsigned limit = gpu.scheduler.settings.of(swl_parameters).warps;
  design.constants.push_back({TwinInput::kLimit, std::min(limit, gpu.core.warps)});
  const WarpTable no_warps;
  const Swl swl({no_warps, gpu, 0, nullptr, nullptr, twin_owner(gpu)});
  if (swl.step_cycles() != 1) {
    throw SettingError("scheduler.clock_fo4",
                       fmt::format("the SystemVerilog twin of swl takes a step in a cycle, which takes {} "
                                   "with core.warps {} at a clock of {:g} FO4",
                                   swl.step_cycles(), gpu.core.warps, gpu.scheduler.clock_fo4));
  }
}

unsigned swl_input_bits(TwinInput input, const GpuConfig& gpu) {
  return input == TwinInput::kLimit ? hw::index_bits(gpu.core.warps + 1) : 0;
}

}  // namespace

const TwinEntry& swl_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{"swl",
                               "heddle_swl",
                               {twin_source::kAdder, twin_source::kPopulationCount, twin_source::kAgeMatrix,
                                twin_source::kAgeSelect, "schedulers/heddle_swl.sv"},
                               {In::kLimit, In::kStart, In::kFinish, In::kArrive, In::kRelease, In::kReady},
                               nullptr,
                               &finish_swl,
                               &swl_input_bits};
  return kTwin;
}

}  // namespace heddle
