#pragma once

#include <deque>

#include "hw/storage/table.h"
#include "modules/config/gpu_config.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// The lost-locality detector of CCWS (scheduler-details.md, "CCWS"): a victim tag array per warp with the
/// tags of lines that it had filled and that were evicted. A warp that misses on one of them has lost
/// locality to other warps.
///
/// A tag that is found is dropped, since the line is fetched again; so no array holds a tag twice.
class CcwsDetector {
 public:
  /// Throws std::invalid_argument for entries that are not ways times a power of two.
  CcwsDetector(const hw::Owner& owner, const GpuConfig& gpu);

  /// `warp` misses on `line_address`: whether its victim tags hold the line.
  bool probe(std::uint64_t cycle, unsigned warp, std::uint64_t line_address);
  /// A line that `warp` had filled was evicted.
  void insert(std::uint64_t cycle, unsigned warp, std::uint64_t line_address);
  /// A store changed the line: no warp can have lost it.
  void invalidate(std::uint64_t cycle, std::uint64_t line_address);
  /// Another warp takes the slot.
  void clear(unsigned warp) { arrays_[warp].clear(); }

 private:
  unsigned set_of(std::uint64_t line_address) const;
  std::uint64_t tag_of(std::uint64_t line_address) const;

  unsigned line_bytes_;
  unsigned sets_;
  std::deque<hw::Table> arrays_;  ///< by warp
};

}  // namespace heddle
