#pragma once

#include <cstdint>
#include <optional>

#include "hw/logic/comparator.h"
#include "hw/storage/table.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/ids.h"
#include "modules/messages/memory_request.h"

namespace heddle {

/// The cache whose lines' owners are kept.
struct LineOwnersShape {
  unsigned lines = 1;    ///< sets x ways
  unsigned warps = 1;    ///< warp slots of an SM
  unsigned sms = 1;      ///< that use the cache; 1: no SM number is kept
  unsigned readers = 1;  ///< lines whose owner is read in a cycle
  bool compares = true;  ///< it tells whether the owner is the one that asks (LineOwners::origin)

  static LineOwnersShape of_l1d(const GpuConfig& gpu);
  /// The shape for one L2 slice.
  static LineOwnersShape of_l2(const GpuConfig& gpu);
};

/// Keeps which warp had each line of a cache brought in, in a field beside the tags, for schedulers that need
/// it: CCWS the warp of an L1D line (OAWS 5: "a 6-bit Warp ID field in the tag of cache block"),
/// locality-based adaptation also the warp and SM of an L2 line (iPAWS 5.3). RAM, as the tags are, since it
/// is read and written with them. Lines that no warp brought in have the number after the last warp's.
class LineOwners {
 public:
  LineOwners(const hw::Owner& owner, const LineOwnersShape& shape);

  /// The line now holds what `warp` of `sm` asked for.
  void note(hw::Cycle cycle, LineIndex line, SmId sm, WarpSlot warp);
  /// The line now holds what no warp asked for.
  void note_nobody(hw::Cycle cycle, LineIndex line);
  /// The host has put the line there, which takes no time.
  void installed(LineIndex line) { table_.preset(line.value(), kWarp, nobody_); }
  /// The warp of its SM that had the line brought in.
  unsigned warp(hw::Cycle cycle, LineIndex line) {
    return static_cast<unsigned>(table_.read(cycle, line.value(), kWarp));
  }
  /// Who had the line brought in, as `warp` of `sm` sees it. Needs a shape that compares.
  LineOrigin origin(hw::Cycle cycle, LineIndex line, SmId sm, WarpSlot warp);

 private:
  enum Field : unsigned { kWarp, kSm };

  const unsigned nobody_;  ///< as it is kept
  const bool keeps_sm_;
  hw::Table table_;
  std::optional<hw::Comparator> same_;
};

}  // namespace heddle
