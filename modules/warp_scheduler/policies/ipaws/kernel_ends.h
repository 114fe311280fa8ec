#pragma once

#include <array>

#include "hw/logic/comparator.h"
#include "hw/logic/priority_selector.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/counter_array.h"
#include "modules/config/gpu_config.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// The two ends of a kernel's order of age on an SM, between which the Recover phase evens out (iPAWS 3.4):
/// the warp that came first and the one that came last while the pattern was watched, a bit per warp each,
/// and two counters of what they have issued, so that no counter has to be looked up when it is asked which
/// has more. Of warps that come in one cycle the lower slot is the older.
class KernelEnds {
 public:
  /// `owner` gets the parts.
  KernelEnds(const hw::Owner& owner, const GpuConfig& gpu);

  /// A kernel begins, of which no warp is there.
  void begin();
  void start(std::uint64_t cycle, unsigned warp);
  /// `watched`: the oldest one's instructions are still counted.
  void issued(unsigned warp, bool watched);
  void finished(unsigned warp);

  /// The warp that came first, also when it has finished; none: 0.
  WarpMask oldest() const { return oldest_.value(); }
  /// The newest one has finished, or issued as many instructions as the oldest.
  bool caught_up(std::uint64_t cycle);

  void trace(WaveSink& sink) const;

 private:
  enum End : unsigned { kOldest, kNewest };

  hw::BitVector oldest_;
  hw::BitVector newest_;  ///< as long as it runs
  hw::PrioritySelector first_;
  hw::PrioritySelector last_;
  hw::CounterArray issued_;
  hw::Comparator comparator_;
  std::array<std::uint64_t, 2> changed_at_{};  ///< by End
};

}  // namespace heddle
