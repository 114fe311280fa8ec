#pragma once

#include <array>

#include "base/observe.h"
#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/logic/population_count.h"
#include "hw/order/in_place_sorter.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/decaying_counters.h"
#include "hw/storage/register.h"
#include "modules/config/gpu_config.h"
#include "modules/warp_scheduler/policies/basic/arrivals.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// Keeps the lost-locality scores of CCWS and finds the cutoff (scheduler-details.md, "CCWS"). Scores rest at
/// the base and fall back to it by one a cycle. Warps are sorted by descending score, ties by the lower warp,
/// and their scores added up in that order. The cutoff is the number of unfinished warps times the base;
/// warps after the one at which the sum reaches it are not eligible.
///
/// In ideal timing the eligible warps are those of the present scores at every cycle. In hardware timing sort
/// and walk work on a copy of the scores, a comparison and an addition at a time, and begin anew when they
/// are done for as long as a score is above the base or something changed; the last result stays in force.
class CcwsCutoff {
 public:
  static constexpr std::uint64_t kNever = hw::InPlaceSorter::kNever;
  /// Larger scores saturate: they would hold a warp back for longer than core.watchdog_cycles allows
  /// (100,000).
  static constexpr unsigned kScoreBits = 16;

  CcwsCutoff(const hw::Owner& owner, const GpuConfig& gpu);

  /// A new warp is eligible until a walk finds otherwise; its score is the base.
  void start(std::uint64_t cycle, unsigned warp);
  void finish(std::uint64_t cycle, unsigned warp);
  /// Sets a score; below the base it is the base.
  void set_score(std::uint64_t cycle, unsigned warp, std::uint64_t score);

  /// Brings the eligible warps up to `cycle`; returns when they may change next by themselves.
  std::uint64_t update(std::uint64_t cycle);

  WarpMask eligible() const { return eligible_.value(); }
  WarpMask active() const { return active_.value(); }
  std::uint64_t score(std::uint64_t cycle, unsigned warp) const { return scores_.value(cycle, warp); }
  bool decaying(std::uint64_t cycle) const { return scores_.any_above(cycle); }
  /// Unfinished warps times the base; the base when there is none.
  std::uint64_t cutoff() const { return cutoff_.value(); }
  std::uint64_t walks() const { return walks_; }

  void show(std::uint64_t cycle) { scores_.show(cycle); }
  void trace(WaveSink& sink) const;

 private:
  enum class State : std::uint8_t { kIdle, kSorting, kWalking };

  void update_cutoff(std::uint64_t cycle);
  void multiply(std::uint64_t cycle);
  /// Hardware timing. A sort waits for warps that are to enter the order. Without warps there is nothing to
  /// sort, however high the scores that they left are.
  bool sort_wanted(std::uint64_t cycle) const {
    return active_.value() != 0 && arrivals_.waiting() == 0 && (dirty_ || scores_.any_above(cycle));
  }
  void start_sort(std::uint64_t cycle);
  void walk(std::uint64_t cycle);
  void end_walk();
  void enter(std::uint64_t cycle, unsigned warp);
  void restart(std::uint64_t cycle);
  std::uint64_t next_change(std::uint64_t cycle, std::uint64_t sum, unsigned walked) const;

  const std::uint64_t base_;
  const bool hardware_;
  hw::DecayingCounters scores_;
  hw::BitVector active_;
  hw::PopulationCount active_count_;
  hw::Adder base_multiple_;  ///< active warps x base: shifted copies of the count added up
  hw::Register cutoff_;
  bool count_changed_ = true;           ///< since multiple_ was begun
  std::uint64_t multiple_ = 0;          ///< hardware timing: what is under way
  std::uint64_t multiple_at_ = kNever;  ///< when it is there
  Arrivals arrivals_;
  hw::InPlaceSorter sorter_;
  hw::Adder sum_;
  hw::Comparator reached_;
  hw::BitVector found_;  ///< the eligible warps that the walk finds
  hw::BitVector eligible_;

  State state_ = State::kIdle;
  bool dirty_ = false;
  std::uint64_t due_ = kNever;  ///< when the sort or the walk ends; ideal timing: when the set changes next
  std::array<std::uint64_t, kMaxWarps> keys_{};  ///< the sorter's copy of the scores
  std::uint64_t walks_ = 0;
};

}  // namespace heddle
