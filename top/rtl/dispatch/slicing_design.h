#pragma once

#include "top/rtl/twin_design.h"

namespace heddle {

/// As --twin names it, and heddle cost its block.
constexpr const char* kSimpleSlicingTwin = "simple_slicing";

/// That of the Simple Slicing predictor of `gpu`. Throws RtlError for a dispatch policy without one,
/// SettingError for sizes that the twin can't have.
TwinDesign slicing_design(const GpuConfig& gpu);

/// TB slots of such a design.
unsigned slicing_tb_slots(const TwinDesign& design);

}  // namespace heddle
