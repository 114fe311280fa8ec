#pragma once

#include "base/observe.h"
#include "hw/logic/population_count.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/register.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/memory_events.h"

namespace heddle {

/// OAWS's three registers at the L1D (OAWS 4.3.1): Div, is the load diverged; FCL, how many of its accesses
/// missed (unset: it is fully cached); Sets, the L1D sets that it touched. Accesses of a load come one after
/// the other. Plain C++.
///
/// An access that joins a fetch under way found no data in the cache and counts as a miss. With more than 64
/// sets, several share a bit.
class LoadWatch {
 public:
  LoadWatch(const hw::Owner& owner, const GpuConfig& gpu);

  /// Not for refused accesses.
  void access(hw::Cycle cycle, const L1dAccess& access);
  /// The load whose accesses were told is complete.
  void complete(hw::Cycle cycle, bool divergent) { div_.write(cycle, divergent); }

  bool divergent() const { return div_.value() != 0; }
  bool fully_cached() const { return fcl_.value() == 0; }
  unsigned sets() { return set_count_.count(sets_.value()); }

  void trace(WaveSink& sink) const;

 private:
  static constexpr std::uint64_t kNoLoad = ~std::uint64_t{0};

  const unsigned set_bits_;
  hw::Register div_;
  hw::Register fcl_;
  hw::BitVector sets_;
  hw::PopulationCount set_count_;
  std::uint64_t load_ = kNoLoad;
};

}  // namespace heddle
