#pragma once

#include "base/observe.h"
#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/storage/register.h"
#include "modules/config/gpu_config.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"

namespace heddle {

/// OAWS's estimate of the Optimal number of Cached Warps (OAWS 4.3.1, figure 7), learnt from whether
/// divergent loads are fully cached. Plain C++.
class OcwEstimator {
 public:
  /// OCW stays between its least value and `warps`, and starts at the lower end. The least value is
  /// config.ocw_min, but no less than one warp for each of the `schedulers` (OAWS 4.3.1: "each warp scheduler
  /// needs at least one active warp"). Throws std::invalid_argument when config.ocw_min is not 1 to `warps`,
  /// or cnt_start is beyond cnt_max.
  OcwEstimator(const hw::Owner& owner, const OawsParameters& config, unsigned warps, unsigned schedulers);

  /// A divergent load was looked up. True when OCW changed.
  bool load_done(hw::Cycle cycle, bool fully_cached, bool associativity_sensitive);

  unsigned ocw() const { return static_cast<unsigned>(ocw_.value()); }
  unsigned cnt() const { return static_cast<unsigned>(cnt_.value()); }

  void report(StatSink& sink) const;
  void trace(WaveSink& sink) const;

 private:
  /// CNT - Delta. Half of a CNT of 1 would be 0 and CNT never fall to 0: Delta is at least 1.
  std::uint64_t lowered(hw::Cycle cycle, bool associativity_sensitive);

  const OawsParameters config_;
  const unsigned min_ocw_;
  const unsigned max_ocw_;
  hw::Register ocw_;
  hw::Register cnt_;
  hw::Adder cnt_adder_;
  hw::Adder ocw_adder_;
  hw::Comparator at_end_;
  std::uint64_t raised_ = 0;
  std::uint64_t lowered_ = 0;
};

}  // namespace heddle
