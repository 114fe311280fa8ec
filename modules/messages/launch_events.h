#pragma once

#include <cstdint>

#include "base/observe.h"
#include "base/ticks.h"

namespace heddle {

/// What the SMs hear of the kernels that are launched on the GPU.
struct LaunchEvents {
  /// A launch was queued: its id, cycle. Its first TB comes to an SM at a strictly later edge.
  EventPort<std::uint64_t, Cycle> launched;
  /// A launch's last waiting TB was given to an SM: its id, cycle.
  EventPort<std::uint64_t, Cycle> grid_dispatched;
};

}  // namespace heddle
