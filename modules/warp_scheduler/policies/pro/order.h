#pragma once

#include <algorithm>
#include <vector>

#include "hw/order/group_sorter.h"
#include "hw/storage/bit_vector.h"
#include "modules/warp_scheduler/policies/basic/arrivals.h"
#include "modules/warp_scheduler/policies/pro/blocks.h"

namespace heddle {

/// What sorts an SM's TBs, and the warps of each.
struct ProSorters {
  /// Throws SettingError for more comparators than pairs.
  static hw::GroupSorterShape of_tbs(const GpuConfig& gpu);
  static hw::GroupSorterShape of_warps(const GpuConfig& gpu);
};

/// Bits that say which of two TBs was launched first, and which is first in its grid
/// (GroupSorterShape::tie_bits).
constexpr unsigned kProLaunchBits = 16;
constexpr unsigned kProTbIndexBits = 26;  ///< of up to 1024 x 1024 x 64 TBs in a grid, as WarpMan keeps it

/// The order of an SM's thread blocks, and of the warps in each (PRO III.C, Algorithm 1): one comparator
/// sorts the TBs, one per TB its warps, in place and beside execution. TBs of different states are ordered by
/// state; those of one state are compared only when that state is sorted, and keep their order otherwise. A
/// TB that comes to a state that is not sorted is put in its place by its present progress.
///
/// In hardware timing the warps that start enter the order of their TB one a cycle, the lowest slot first,
/// from the next cycle on, which a bit per warp and a selector see to. A warp that has not entered can't be
/// selected.
class ProOrder {
 public:
  ProOrder(const hw::Owner& owner, const GpuConfig& gpu, const ProBlocks& blocks);

  void add(std::uint64_t cycle, unsigned slot);
  /// The TB ends, and its warps leave with it.
  void remove(std::uint64_t cycle, unsigned slot);
  void add_warp(std::uint64_t cycle, WarpSlot warp) { add_warps(cycle, warp_bit(warp.value())); }
  void remove_warp(std::uint64_t cycle, TbSlot slot, WarpSlot warp);
  /// Warps that have not entered the order of their TB.
  WarpMask arriving() const { return arrivals_.waiting(); }

  /// Sorts the TBs of the states of `ranks` (bit r: pro_rank r) among themselves.
  void sort_tbs(std::uint64_t cycle, unsigned ranks);
  /// Puts one TB where it belongs.
  void place_tb(std::uint64_t cycle, unsigned slot);
  void sort_warps(std::uint64_t cycle, unsigned slot, bool ascending);

  /// See GroupSorter: before anything that is compared changes.
  void advance(std::uint64_t cycle) {
    if (arriving() != 0) arrivals_.advance(cycle, [this](auto at, auto warp) { enter(at, warp); });
    tb_sorter_.advance(cycle);
    warp_sorter_.advance(cycle);
  }
  /// When an order can come into force.
  std::uint64_t next_done() const;
  /// When advance() next has something to do; kNever when nothing is sorted and no warp waits.
  std::uint64_t next_event() const {
    return std::min({tb_sorter_.next_event(), warp_sorter_.next_event(), arrivals_.next()});
  }
  /// Hardware timing: in `cycle` something is sorted or enters an order, or may.
  bool restless(std::uint64_t cycle) const {
    return arrivals_.restless(cycle) || tb_sorter_.restless(cycle) || warp_sorter_.restless(cycle);
  }
  /// A newer order was asked for than the one in force: of the TBs, of the warps of a TB.
  bool tbs_stale() const { return tb_sorter_.busy(); }
  bool warps_stale(unsigned slot) const { return warp_sorter_.busy(slot); }

  /// In force: slots of the resident TBs, highest priority first.
  const std::uint8_t* tbs() const { return tb_sorter_.order(0); }
  unsigned num_tbs() const { return tb_sorter_.size(0); }
  /// In force: warps of a TB.
  const std::uint8_t* warps(unsigned slot) const { return warp_sorter_.order(slot); }
  unsigned num_warps(unsigned slot) const { return warp_sorter_.size(slot); }
  bool ascending(unsigned slot) const { return ascending_.test(slot); }

  /// The TB slots' and warps' ranks in the orders in force.
  const std::uint64_t* tb_ranks() const { return tb_sorter_.ranks(); }
  const std::uint64_t* warp_ranks() const { return warp_sorter_.ranks(); }

  const hw::GroupSorter& tb_sorter() const { return tb_sorter_; }
  const hw::GroupSorter& warp_sorter() const { return warp_sorter_; }
  void trace(WaveSink& sink) const;

 private:
  struct TbRule final : hw::SortRule {
    explicit TbRule(ProOrder& owner) : order(owner) {}
    bool swap_needed(unsigned group, unsigned first, unsigned second) const override;
    void sorted(unsigned group, std::uint64_t cycle, bool again) override;
    ProOrder& order;
  };
  struct WarpRule final : hw::SortRule {
    explicit WarpRule(const ProOrder& owner) : order(owner) {}
    bool swap_needed(unsigned group, unsigned first, unsigned second) const override;
    const ProOrder& order;
  };

  void add_warps(std::uint64_t cycle, WarpMask warps);
  void enter(std::uint64_t cycle, unsigned warp);

  const ProBlocks& blocks_;
  TbRule tb_rule_{*this};
  WarpRule warp_rule_{*this};
  hw::GroupSorter tb_sorter_;
  hw::GroupSorter warp_sorter_;  ///< a group per TB slot
  Arrivals arrivals_;
  hw::BitVector sorted_ranks_;  ///< that the sort under way compares
  hw::BitVector placed_tbs_;    ///< that it compares with all of their rank
  hw::BitVector ascending_;     ///< by TB slot: least progress first among its warps
};

}  // namespace heddle
