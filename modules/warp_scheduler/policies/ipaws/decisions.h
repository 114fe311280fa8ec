#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/storage/table.h"
#include "modules/config/gpu_config.h"

namespace heddle {

/// Bits of a launch's number that iPAWS tells kernels apart by; it wraps.
constexpr unsigned kIpawsLaunchBits = 16;

/// What an SM knows of decisions about kernels, also of those that it has not come to yet: a direct-mapped
/// table of as many entries as kernels run at once, found by the number of the launch. In hardware timing a
/// decision takes the place of an older one that is a multiple of the entries before it; in ideal timing the
/// last 64 are known.
class IpawsDecisions {
 public:
  /// `owner` gets the parts.
  IpawsDecisions(const hw::Owner& owner, const GpuConfig& gpu);

  /// Whether the kernel of `launch` is convex; nothing when that is not known. For inspection: no port, no
  /// count.
  std::optional<bool> about(std::uint64_t launch) const;
  /// The same by a lookup in `cycle`.
  std::optional<bool> look_up(std::uint64_t cycle, std::uint64_t launch);
  void remember(std::uint64_t cycle, std::uint64_t launch, bool convex);

  /// Of the table.
  unsigned entries() const { return static_cast<unsigned>(sets_); }
  void trace(WaveSink& sink) const { table_.trace(sink); }

 private:
  struct Decision {
    std::uint64_t launch = 0;
    bool convex = false;
  };
  static constexpr std::size_t kDecisions = 64;  ///< ideal timing: kernels that may be on the GPU

  unsigned set_of(std::uint64_t launch) const { return static_cast<unsigned>(launch & (sets_ - 1)); }
  std::uint64_t tag_of(std::uint64_t launch) const;
  std::optional<bool> recent(std::uint64_t launch) const;

  const bool hardware_;
  const std::uint64_t sets_;
  hw::Table table_;
  std::vector<Decision> recent_;  ///< ideal timing: the latest
};

}  // namespace heddle
