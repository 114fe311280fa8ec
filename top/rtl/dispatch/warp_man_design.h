#pragma once

#include "top/rtl/twin_design.h"

namespace heddle {

/// As --twin names it, and heddle cost its block.
constexpr const char* kWorkloadBufferTwin = "workload_buffer";

/// That of WarpMan's dispatch checks and workload buffer. Throws RtlError for another management of
/// resources, SettingError for what the twin does not have.
TwinDesign warp_man_design(const GpuConfig& gpu);

}  // namespace heddle
