#pragma once

#include <string>

#include "top/config/config_loader.h"
#include "top/rtl/twin_design.h"

namespace heddle {

/// As --twin names the warp schedulers' twin, which is meant without it.
constexpr const char* kSchedulerTwin = "scheduler";

/// The design of the twin that `twin` names; "": the warp schedulers'. Throws RtlError for a name that there
/// is not, and as checked_twin_design does.
TwinDesign checked_design_of(const LoadedConfig& loaded, const std::string& twin);

/// "scheduler, simple_slicing, workload_buffer".
std::string twin_choices();

}  // namespace heddle
