#include "top/rtl/choice/twin_choice.h"

#include <fmt/format.h>

#include "modules/config/setting_error.h"
#include "top/config/config_error.h"
#include "top/config/config_origin.h"
#include "top/rtl/dispatch/slicing_design.h"
#include "top/rtl/dispatch/warp_man_design.h"
#include "top/rtl/rtl_error.h"
#include "top/rtl/twins/scheduler_design.h"

namespace heddle {

namespace {

struct DispatchTwin {
  const char* name;
  TwinDesign (*design)(const GpuConfig& gpu);
};
constexpr DispatchTwin kDispatchTwins[] = {{kSimpleSlicingTwin, &slicing_design},
                                           {kWorkloadBufferTwin, &warp_man_design}};

}  // namespace

std::string twin_choices() {
  std::string names = kSchedulerTwin;
  for (const DispatchTwin& twin : kDispatchTwins) names += fmt::format(", {}", twin.name);
  return names;
}

TwinDesign checked_design_of(const LoadedConfig& loaded, const std::string& twin) {
  if (twin.empty() || twin == kSchedulerTwin) return checked_twin_design(loaded);
  for (const DispatchTwin& known : kDispatchTwins) {
    if (twin != known.name) continue;
    try {
      return known.design(loaded.config);
    } catch (const SettingError& error) {
      throw ConfigError(origin_of(loaded, error.keys()) + error.what());
    }
  }
  throw RtlError(fmt::format("--twin {}: there is no such twin; there are: {}", twin, twin_choices()));
}

}  // namespace heddle
