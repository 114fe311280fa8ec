#pragma once

#include <algorithm>
#include <vector>

#include "base/observe.h"
#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/register.h"
#include "modules/config/gpu_config.h"

namespace heddle {

/// The right side of OAWS's equation 1: MSHR entries that are free, less what loads that have issued and not
/// yet left the L1D are predicted to take. Plain C++.
class MshrForecast {
 public:
  MshrForecast(const hw::Owner& owner, const GpuConfig& gpu, unsigned need_bits);

  /// The MSHRs told how many entries are free.
  void set_available(hw::Cycle cycle, unsigned entries) { available_.write(cycle, entries); }
  /// Load `id` issued; it was predicted to need `need` entries. It is followed if its prediction finds a
  /// place and the sum of those in flight fits.
  void issued(hw::Cycle cycle, std::uint64_t id, unsigned need);
  /// Load `id` has left the L1D: what it needs it has taken. Its prediction, or 0 for an unknown load.
  unsigned left(std::uint64_t id);
  /// Brings the register of predictions in flight up to date; once a cycle, before room() is asked.
  void update(hw::Cycle cycle) {
    if (plus_ != 0 || minus_ != 0) add_up(cycle);
  }

  /// Entries that a load may be predicted to need, now.
  unsigned room(hw::Cycle cycle);
  /// The same, for inspection.
  unsigned entries_left() const {
    const std::uint64_t spoken_for = in_flight_.value() + plus_;
    return static_cast<unsigned>(available_.value() - std::min(available_.value(), spoken_for));
  }
  /// What so many loads need is compared with the room.
  void count_comparisons(hw::Cycle cycle, unsigned loads) { compare_.count(cycle, loads); }
  /// True when one more load can be followed on its way.
  bool can_follow() const { return loads_.size() < carried_.entries(); }

  unsigned available() const { return static_cast<unsigned>(available_.value()); }
  unsigned in_flight() const { return static_cast<unsigned>(in_flight_.value() + plus_ - minus_); }
  std::size_t loads_in_flight() const { return loads_.size(); }

  /// Of the loads in flight each has a number, below carried(): that of the next one to issue, and that of
  /// load `id`; kNoLoad for an unknown load.
  static constexpr unsigned kNoLoad = ~0U;
  unsigned carried() const { return carried_.entries(); }
  unsigned next_number() const { return free_entries_.back(); }
  unsigned number_of(std::uint64_t id) const;

  void trace(WaveSink& sink) const;

 private:
  void add_up(hw::Cycle cycle);

  struct Load {
    std::uint64_t id;
    unsigned entry;
  };

  hw::Register available_;
  hw::Register in_flight_;
  std::uint64_t most_in_flight_;  ///< that the register holds, MSHR entries
  hw::Adder in_flight_adders_;
  hw::Adder room_;
  hw::Comparator compare_;
  hw::CounterArray carried_;  ///< the predictions that loads carry through the LD/ST unit and the L1D
  std::vector<Load> loads_;
  std::vector<unsigned> free_entries_;
  unsigned plus_ = 0;   ///< issued and not yet in the register
  unsigned minus_ = 0;  ///< likewise, left
};

}  // namespace heddle
