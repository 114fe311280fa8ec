#pragma once

#include <string>

#include "top/config/config_loader.h"
#include "top/rtl/twin_design.h"

namespace heddle {

/// The twin of the warp schedulers of `gpu`. Throws RtlError for a scheduler without a twin, and as
/// SmPolicies does for a configuration that no SM can be built for.
TwinDesign twin_design(const GpuConfig& gpu);

/// Likewise; what the blocks refuse becomes a ConfigError that says where the value was given.
TwinDesign checked_twin_design(const LoadedConfig& loaded);

/// Prioritizers and qualifiers that have a twin: "lrr, gto; behind swl".
std::string twin_names();

}  // namespace heddle
