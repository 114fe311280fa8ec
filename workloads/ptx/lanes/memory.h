#pragma once

#include "workloads/ptx/lanes/lane_build.h"
#include "workloads/ptx/lanes/rows.h"

namespace heddle::ptx::HEDDLE_LANES {

/// LaneBuild::addresses.
void lane_addresses(const LaneContext& context, const BoundOperation& bound, std::uint64_t* address);

/// LaneBuild::probe.
Probe probe_addresses(LaneMask active, const std::uint64_t* address, std::uint64_t begin, std::uint64_t bytes,
                      std::uint64_t access_bytes);

}  // namespace heddle::ptx::HEDDLE_LANES
