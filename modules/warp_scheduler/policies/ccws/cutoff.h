#pragma once

#include <array>
#include <memory>

#include "base/observe.h"
#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/logic/multiplexer.h"
#include "hw/logic/population_count.h"
#include "hw/order/in_place_sorter.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/decaying_counters.h"
#include "hw/storage/register.h"
#include "modules/config/gpu_config.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// Keeps the lost-locality scores of CCWS and finds the cutoff (scheduler-details.md, "CCWS"). Scores rest at
/// the base and fall back to it by one a cycle. Warps are sorted by descending score, ties by the lower warp,
/// and their scores added up in that order. The cutoff is the number of unfinished warps times the base;
/// warps after the one at which the sum reaches it are not eligible. Slots without an unfinished warp are
/// sorted, too, and passed over by the sum.
///
/// In ideal timing the eligible warps are those of the present scores at every cycle. In hardware timing sort
/// and walk work on a copy of the scores, a comparison and an addition at a time, and begin anew when they
/// are done if a score was above the base at the copy or something has changed; the last result stays in
/// force.
/// Warps that come or go do not end what is under way: those that come meanwhile are in the set that it
/// finds. The cutoff is there when the count and the additions of count x base have had their time, and so
/// long no sort begins.
class CcwsCutoff {
 public:
  static constexpr std::uint64_t kNever = hw::InPlaceSorter::kNever;
  /// Larger scores saturate: they would hold a warp back for longer than core.watchdog_cycles allows
  /// (100,000).
  static constexpr unsigned kScoreBits = 16;

  CcwsCutoff(const hw::Owner& owner, const GpuConfig& gpu);

  // All of these require advance() to the cycle that they are told in.

  /// A new warp is eligible until a walk finds otherwise; its score is the base.
  void start(std::uint64_t cycle, unsigned warp);
  void finish(std::uint64_t cycle, unsigned warp);
  /// Sets a score, which is the base at least.
  void set_score(std::uint64_t cycle, unsigned warp, std::uint64_t score);

  /// Hardware timing: makes up what has happened by the begin of `cycle`, with what was told of the cycles
  /// before it.
  void advance(std::uint64_t cycle);
  /// Hardware timing: the cycle at which something happens next by itself.
  std::uint64_t next() const;
  /// Ideal timing: brings the eligible warps up to `cycle`; returns when they may change next by themselves.
  std::uint64_t update(std::uint64_t cycle);

  WarpMask eligible() const { return eligible_.value(); }
  WarpMask active() const { return active_.value(); }
  std::uint64_t score(std::uint64_t cycle, unsigned warp) const { return scores_.value(cycle, warp); }
  bool decaying(std::uint64_t cycle) const { return scores_.any_above(cycle); }
  /// Scores fall in `cycle`, or a sort goes on, one that was given up included.
  bool restless(std::uint64_t cycle) const {
    return decaying(cycle) || (sorter_.busy() && cycle <= sorter_.done_at_cycle());
  }
  /// Unfinished warps times the base; the base when there is none.
  std::uint64_t cutoff() const { return cutoff_.value() << static_cast<unsigned>(__builtin_ctzll(base_)); }
  /// k_throttle times that.
  std::uint64_t throttled_cutoff() const { return throttle_ * cutoff(); }
  std::uint64_t walks() const { return walks_; }
  /// A score was set or the warps have changed since the last copy; hardware timing: or that had a score
  /// above the base.
  bool unsorted() const { return unsorted_.value() != 0; }

  // Hardware timing: cycles of a comparison, of an addition of the walk, and from a change of the warps to
  // the new cutoff.
  unsigned compare_cycles() const { return sorter_.cycles_per_compare(); }
  unsigned walk_cycles() const { return walk_cycles_; }
  unsigned settle_cycles() const { return settle_cycles_; }

  void show(std::uint64_t cycle) { scores_.show(cycle); }
  void trace(WaveSink& sink) const;

 private:
  enum class State : std::uint8_t { kIdle, kSorting, kWalking };

  hw::TimingPath cutoff_path() const;
  hw::TimingPath walk_path() const;
  /// In `cycle` the cutoff is that of so many warps.
  void load_cutoff(std::uint64_t cycle, WarpMask warps);
  void change(std::uint64_t cycle);
  void changed(std::uint64_t cycle);
  /// When the scores are copied, for all that is known now; kNever when there is nothing to sort.
  std::uint64_t next_sort() const;
  void copy_scores(std::uint64_t cycle);
  void start_sort(std::uint64_t cycle);
  void walk_at_once(std::uint64_t cycle);
  void begin_walk(std::uint64_t cycle);
  void plan_walk(std::uint64_t cycle);
  void make_up_walk(std::uint64_t cycle);
  void count_walk(std::uint64_t cycle);
  void end_walk(std::uint64_t cycle);
  std::uint64_t next_change(std::uint64_t cycle) const;
  /// What a warp adds to the sum.
  std::uint64_t counted(unsigned warp) const {
    return (active_.value() & warp_bit(warp)) != 0 ? keys_[warp] : 0;
  }
  void enter(State state);

  const std::uint64_t base_;
  const std::uint64_t throttle_;
  const unsigned warps_;
  const bool hardware_;
  hw::DecayingCounters scores_;
  hw::BitVector active_;
  hw::PopulationCount active_count_;
  hw::Adder base_multiple_;  ///< active warps x base: shifted copies of the count added up
  hw::Register cutoff_;      ///< without the bits that the base has 0 at its end
  std::unique_ptr<hw::Adder> throttle_multiple_;    ///< times k_throttle, which is no power of two
  std::unique_ptr<hw::Register> throttled_cutoff_;  ///< likewise
  unsigned throttled_wires_ = 0;                    ///< lower bits of it that it does not keep
  hw::InPlaceSorter sorter_;
  hw::Multiplexer walk_order_;  ///< who stands at a place
  hw::Multiplexer walk_score_;  ///< its score, and whether it counts
  hw::Register walk_place_;
  hw::Adder next_place_;
  hw::Register walk_sum_;
  hw::Adder sum_;
  hw::Comparator reached_;
  hw::BitVector found_;  ///< the eligible warps that the walk finds
  hw::BitVector eligible_;
  hw::BitVector unsorted_;  ///< a bit: see unsorted()
  hw::BitVector phase_;     ///< idle, about to sort, sorting, walking
  unsigned settle_cycles_ = 0;
  unsigned walk_cycles_ = 0;
  std::unique_ptr<hw::Register> settling_;   ///< cycles until the cutoff is there
  std::unique_ptr<hw::Register> walk_wait_;  ///< of an addition

  State state_ = State::kIdle;
  std::uint64_t idle_from_ = 0;           ///< not before then are the scores copied
  std::uint64_t unsorted_from_ = kNever;  ///< hardware timing: when unsorted_ is seen
  std::uint64_t cutoff_at_ = kNever;      ///< hardware timing: when the new cutoff is there
  std::uint64_t counted_at_ = kNever;     ///< likewise, when the warps change in the cycle before
  WarpMask counted_warps_ = 0;            ///< of which it is then
  std::uint64_t due_ = kNever;  ///< when the sort or the walk ends; ideal timing: when the set changes next
  std::array<std::uint64_t, kMaxWarps> keys_{};  ///< the copy of the scores
  // The last walk: the additions that were made, what they come to, and the cycle in which the next begins.
  std::uint64_t walk_from_ = 0;
  unsigned walk_length_ = 0;
  std::uint64_t sum_reached_ = 0;
  std::uint64_t walks_ = 0;
};

}  // namespace heddle
