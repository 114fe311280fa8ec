#pragma once

#include <cstdint>

namespace heddle {

/// Core cycles [from, to) of which something is written.
struct CycleWindow {
  std::uint64_t from = 0;
  std::uint64_t to = UINT64_MAX;
};

}  // namespace heddle
