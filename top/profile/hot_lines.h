#pragma once

#include "top/profile/profile_counts.h"
#include "top/text/table.h"

namespace heddle {

/// The ten instructions that take most warp cycles, with what holds warps up there; empty when nothing ran.
Table hot_lines(const ProfileCounts& counts);

}  // namespace heddle
