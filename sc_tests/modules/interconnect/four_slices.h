#pragma once

#include <cstddef>
#include <string>

#include "modules/config/gpu_config.h"

namespace heddle::test {

/// The partitions round the interconnects of tests: two channels of two slices.
constexpr unsigned kSlices = 4;
constexpr unsigned kBlock = 256;  ///< bytes after which addresses go on to the next slice

inline DramConfig two_channels() {
  DramConfig config;
  config.channels = 2;
  return config;
}

/// The name of a block of several.
inline std::string numbered(const char* base, std::size_t number) { return base + std::to_string(number); }

}  // namespace heddle::test
