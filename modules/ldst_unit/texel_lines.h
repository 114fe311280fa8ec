#pragma once

#include <array>
#include <cstdint>

#include "modules/config/gpu_config.h"
#include "workloads/launch/kernel_launch.h"

namespace heddle {

/// The lines of the texture cache that a fetch looks up, in the order in which it does.
///
/// The texture unit addresses `lanes_per_cycle` neighbouring lanes of the warp at a time: their texels in one
/// line are one look-up, those of other lanes are others. Lanes without a texel to read take no time. Each
/// look-up takes a cycle.
class TexelLines {
 public:
  explicit TexelLines(const TextureConfig& config)
      : lanes_(config.lanes_per_cycle), line_bytes_(config.cache.line_bytes) {}

  void find(const TexelAddresses& texels);
  unsigned size() const { return size_; }
  unsigned line_bytes() const { return static_cast<unsigned>(line_bytes_); }
  std::uint64_t operator[](unsigned i) const { return lines_.at(i); }

 private:
  static constexpr unsigned kTexelsPerLane = 8;

  unsigned lanes_;
  std::uint64_t line_bytes_;
  unsigned size_ = 0;
  std::array<std::uint64_t, std::size_t{kWarpSize} * kTexelsPerLane> lines_{};
};

}  // namespace heddle
