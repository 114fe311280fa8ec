#include "modules/warp_scheduler/policies/pro/order.h"

#include <fmt/format.h>

#include <algorithm>

#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/pro/parameters.h"

namespace heddle {

namespace {

constexpr unsigned kStateBits = 3;
constexpr unsigned kMaxRemovals = 16;

/// Of a sorter of `entries`, in which `entries_key` says how many there are.
unsigned checked_comparators(unsigned comparators, const char* key, unsigned entries,
                             const char* entries_key) {
  const unsigned most = std::max(1U, entries / 2);
  if (comparators > most) {
    throw SettingError({key, entries_key}, fmt::format("expected at most {}, half of {} ({}), found {}", most,
                                                       entries_key, entries, comparators));
  }
  return comparators;
}

}  // namespace

hw::GroupSorterShape ProSorters::of_tbs(const GpuConfig& gpu) {
  const ProParameters& pro = gpu.scheduler.settings.of(pro_parameters);
  hw::GroupSorterShape shape;
  shape.entries = gpu.core.tb_slots;
  shape.groups = 1;
  shape.key_bits = kStateBits + kProWarpCountBits + pro.progress_bits;
  shape.class_bits = kStateBits;  // of one state TBs are compared only when that is being sorted
  shape.removals = std::min(gpu.core.tb_slots, kMaxRemovals);  // what ends is retired, not issued
  // PRO III.C.1: of equal progress by their global indices; of several kernels by the order of their
  // launches.
  shape.tie_bits = kProLaunchBits + kProTbIndexBits;
  if (pro.same_tb == ProSameTb::kBank) {
    shape.key_banks = gpu.core.schedulers;
    shape.banked_bits = pro.progress_bits;
  }
  shape.comparators = checked_comparators(pro.tb_comparators, "scheduler.pro.tb_comparators",
                                          gpu.core.tb_slots, "core.tb_slots");
  shape.cycles_per_compare = pro.cycles_per_compare;
  return shape;
}

hw::GroupSorterShape ProSorters::of_warps(const GpuConfig& gpu) {
  const ProParameters& pro = gpu.scheduler.settings.of(pro_parameters);
  hw::GroupSorterShape shape;
  shape.entries = gpu.core.warps;
  shape.groups = gpu.core.tb_slots;
  shape.key_bits = pro.progress_bits;
  shape.removals =
      gpu.core.resources.management == "tb" ? 0 : 1;  // else their slots are reused before the TB's end
  shape.comparators = checked_comparators(pro.warp_comparators, "scheduler.pro.warp_comparators",
                                          gpu.core.warps, "core.warps");
  shape.cycles_per_compare = pro.cycles_per_compare;
  return shape;
}

ProOrder::ProOrder(const hw::Owner& owner, const GpuConfig& gpu, const ProBlocks& blocks)
    : blocks_(blocks),
      // One byte per TB in the paper's total; the array of warps is there without PRO (PRO III.E).
      tb_sorter_(owner, "tb_order", ProSorters::of_tbs(gpu), tb_rule_, hw::PaperCount::kBytes),
      warp_sorter_(owner, "warp_order", ProSorters::of_warps(gpu), warp_rule_),
      arrivals_(owner, gpu.core.warps, true),
      // TBs that have ended are not sorted.
      sorted_ranks_(owner, "sorted_states", hw::Wires{hw::low_bits(pro_rank(ProState::kFinish))}),
      placed_tbs_(owner, "placed_tbs", gpu.core.tb_slots),
      ascending_(owner, "least_progress_first", gpu.core.tb_slots) {
  owner.note("warp_order",
             "a scheduler without PRO has an array of its warps in order, too (PRO III.E); the second "
             "one is what the sorter works on, beside the order in force");
  owner.note("sorted_states", "which states the sort under way is about: state of the sorter");
  owner.note("placed_tbs", "TBs that the sort under way puts in their place: state of the sorter");
  owner.note("least_progress_first",
             "the direction in which the warps of each TB are sorted: state of the sorter");
}

void ProOrder::add(std::uint64_t cycle, unsigned slot) {
  add_warps(cycle, blocks_.warps(slot));
  tb_sorter_.append(cycle, 0, slot);
}

void ProOrder::add_warps(std::uint64_t cycle, WarpMask warps) {
  arrivals_.start(cycle, warps, [this](std::uint64_t at, unsigned warp) { enter(at, warp); });
}

void ProOrder::enter(std::uint64_t cycle, unsigned warp) {
  warp_sorter_.append(cycle, blocks_.slot_of(warp), warp);
}

void ProOrder::remove_warp(std::uint64_t cycle, TbSlot slot, WarpSlot warp) {
  advance(cycle);
  if (!arrivals_.drop(warp.value())) warp_sorter_.remove(cycle, slot.value(), warp.value());
}

void ProOrder::remove(std::uint64_t cycle, unsigned slot) {
  advance(cycle);
  tb_sorter_.remove(cycle, 0, slot);
  for (WarpMask left = blocks_.warps(slot) & arriving(); left != 0; left &= left - 1) {
    arrivals_.drop(lowest_warp(left));
  }
  warp_sorter_.clear(cycle, slot);
}

void ProOrder::sort_tbs(std::uint64_t cycle, unsigned ranks) {
  tb_sorter_.advance(cycle);
  sorted_ranks_.set_bits(ranks);
  tb_sorter_.request(cycle, 0);
}

void ProOrder::place_tb(std::uint64_t cycle, unsigned slot) {
  tb_sorter_.advance(cycle);
  placed_tbs_.set_bits(std::uint64_t{1} << slot);
  tb_sorter_.request(cycle, 0);
}

void ProOrder::sort_warps(std::uint64_t cycle, unsigned slot, bool ascending) {
  warp_sorter_.advance(cycle);
  if (ascending_.test(slot) == ascending) return warp_sorter_.request(cycle, slot);
  if (ascending) {
    ascending_.set_bits(std::uint64_t{1} << slot);
  } else {
    ascending_.clear_bits(std::uint64_t{1} << slot);
  }
  warp_sorter_.restart(cycle, slot);
}

std::uint64_t ProOrder::next_done() const {
  const std::uint64_t sorted = std::min(tb_sorter_.next_done(), warp_sorter_.next_done());
  return std::min(sorted, arrivals_.next());
}

bool ProOrder::TbRule::swap_needed(unsigned /*group*/, unsigned first, unsigned second) const {
  const ProBlocks& blocks = order.blocks_;
  const unsigned rank = pro_rank(blocks.state(first));
  const unsigned rank_of_second = pro_rank(blocks.state(second));
  if (rank != rank_of_second) return rank_of_second < rank;
  const bool compared =
      order.sorted_ranks_.test(rank) || order.placed_tbs_.test(first) || order.placed_tbs_.test(second);
  return compared && blocks.tb_before(second, first);
}

void ProOrder::TbRule::sorted(unsigned /*group*/, std::uint64_t /*cycle*/, bool again) {
  if (again) return;
  order.sorted_ranks_.load(0);
  order.placed_tbs_.load(0);
}

bool ProOrder::WarpRule::swap_needed(unsigned group, unsigned first, unsigned second) const {
  return order.blocks_.warp_before(second, first, order.ascending_.test(group));
}

void ProOrder::trace(WaveSink& sink) const {
  tb_sorter_.trace(sink);
  sorted_ranks_.trace(sink);
  placed_tbs_.trace(sink);
  ascending_.trace(sink);
  warp_sorter_.trace(sink);
}

}  // namespace heddle
