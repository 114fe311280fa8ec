#include "modules/warp_scheduler/policies/pro/pro_policy.h"

#include <algorithm>

#include "modules/warp_scheduler/note_link.h"
#include "modules/warp_scheduler/policies/pro/parameters.h"

namespace heddle {

namespace {

constexpr unsigned kUnsortedRanks =  // sorted by the clock only
    1U << pro_rank(ProState::kNoWait) | 1U << pro_rank(ProState::kFinishNoWait);

/// Low bits of a cycle that name each until the next sort.
unsigned due_bits(std::uint64_t threshold_cycles) {
  unsigned bits = 1;
  while (threshold_cycles >> bits != 0) ++bits;
  return bits;
}

/// Of these, bits that are 0 in every multiple of the threshold, and are not kept.
unsigned zero_bits(std::uint64_t threshold_cycles) {
  return static_cast<unsigned>(__builtin_ctzll(threshold_cycles));
}

hw::RegisterShape due_shape(std::uint64_t threshold_cycles) {
  hw::RegisterShape shape;
  shape.bits = due_bits(threshold_cycles) - zero_bits(threshold_cycles);
  return shape;
}

/// What is due next is there long before it is.
hw::AdderShape due_adder(std::uint64_t threshold_cycles) {
  hw::AdderShape shape;
  shape.bits = due_shape(threshold_cycles).bits;
  return shape;
}

hw::ComparatorShape due_comparator(std::uint64_t threshold_cycles) {
  hw::ComparatorShape shape;
  shape.bits = due_bits(threshold_cycles);
  shape.equality = true;
  return shape;
}

}  // namespace

ProPolicy::ProPolicy(const SmContext& context)
    : config_(context.values_of(pro_parameters)),
      due_zero_bits_(zero_bits(config_.threshold_cycles)),
      blocks_(context.hardware.child("pro"), context.gpu),
      order_(context.hardware.child("pro"), context.gpu, blocks_),
      sort_due_(context.hardware.child("pro"), "sort_due", due_shape(config_.threshold_cycles)),
      next_sort_(context.hardware.child("pro"), "next_sort", due_adder(config_.threshold_cycles)),
      sort_is_due_(context.hardware.child("pro"), "sort_is_due", due_comparator(config_.threshold_cycles)),
      phase_way_(context.hardware.child("pro"), "phase_way",
                 broadcast_shape(context.gpu, hw::index_bits(context.gpu.tb_dispatcher.max_kernels))) {
  context.hardware.child("pro").note("sort_due", "the timer of THRESHOLD, which the paper does not count");
  context.hardware.child("pro").note(
      "phase_way", "along the wires from the TB dispatcher on which an SM hears of the slow phase");
  log_.reserve(config_.logged_sorts);
}

/// Before anything that is compared changes: sums that are there by `cycle` are kept, each after the
/// comparisons that saw the old value.
void ProPolicy::advance(std::uint64_t cycle) {
  for (std::uint64_t at = blocks_.next_landing(); at <= cycle; at = blocks_.next_landing()) {
    order_.advance(at);
    blocks_.land(at);
  }
  order_.advance(cycle);
}

void ProPolicy::on_grid_dispatched(const GridDispatched& event) {
  const std::uint64_t now = event.cycle + 1;
  phase_way_.enter(now);
  advance(now);
  const std::uint64_t changed = blocks_.grid_dispatched(event.launch_id);
  if (changed == 0) return;
  order_.sort_tbs(now, kUnsortedRanks | 1U << pro_rank(ProState::kBarrierWait1));
  for (std::uint64_t left = changed; left != 0; left &= left - 1) {
    if (blocks_.state(lowest_warp(left)) != ProState::kFinish)
      order_.sort_warps(now, lowest_warp(left), true);
  }
  if (traced_) show_states();
}

void ProPolicy::on_tb_start(const TbEvent& event) {
  advance(event.cycle);
  if (blocks_.resident() == 0) {  // which the register went on to meanwhile
    const std::uint64_t threshold = config_.threshold_cycles;
    sort_due_.write(event.cycle, (event.cycle + threshold - event.cycle % threshold) >> due_zero_bits_);
  }
  for (WarpMask left = event.warps; left != 0; left &= left - 1) drop_ended(event.cycle, lowest_warp(left));
  blocks_.start(event);
  order_.add(event.cycle, event.slot);
  order_.place_tb(event.cycle, event.slot);
  if (traced_) show_states();
}

/// Frees a warp slot that was given back before the end of its TB.
void ProPolicy::drop_ended(std::uint64_t cycle, unsigned warp) {
  const unsigned slot = blocks_.left_in(warp);
  if (slot == blocks_.slots()) return;
  order_.remove_warp(cycle, TbSlot(slot), WarpSlot(warp));
  blocks_.remove_warp(TbSlot(slot), WarpSlot(warp));
}

void ProPolicy::on_warp_start(const WarpEvent& event) {
  // Those of the TB's first cycle have come with it. Later on the warp slot may be one that an ended warp of
  // the same TB has left.
  const bool with_its_tb = (blocks_.warps(event.tb_slot) >> event.warp & 1U) != 0 &&
                           blocks_.start_cycle(event.tb_slot) == event.cycle;
  if (with_its_tb) return;
  advance(event.cycle);
  drop_ended(event.cycle, event.warp);
  const TbSlot slot(event.tb_slot);
  const WarpSlot warp(event.warp);
  blocks_.add_warp(slot, warp);
  order_.add_warp(event.cycle, warp);
  if (traced_) show_states();
}

void ProPolicy::on_tb_end(const TbEvent& event) {
  advance(event.cycle);
  order_.remove(event.cycle, event.slot);
  blocks_.end(event.slot);
  if (traced_) show_states();
}

void ProPolicy::on_issue(const IssueEvent& event) {
  advance(event.cycle);
  const unsigned slot = blocks_.slot_of(event.warp);
  ++issues_[static_cast<unsigned>(blocks_.state(slot))];
  tb_stale_issues_ += order_.tbs_stale() ? 1 : 0;
  warp_stale_issues_ += order_.warps_stale(slot) ? 1 : 0;
  blocks_.issue(event.cycle, event.warp, static_cast<unsigned>(__builtin_popcount(event.active)));
}

void ProPolicy::on_barrier_arrive(const BarrierEvent& event) {
  advance(event.cycle);
  blocks_.arrive(event.cycle, event.tb_slot);
  if (blocks_.at_barrier(event.tb_slot) == 1) order_.sort_warps(event.cycle, event.tb_slot, true);
  order_.sort_tbs(event.cycle, 1U << pro_rank(ProState::kBarrierWait));
  if (traced_) show_states();
}

void ProPolicy::on_barrier_release(const BarrierEvent& event) {
  advance(event.cycle);
  const ProState before = blocks_.state(event.tb_slot);
  blocks_.release(event.cycle, event.tb_slot, static_cast<unsigned>(__builtin_popcountll(event.warps)));
  if (blocks_.state(event.tb_slot) != before) order_.place_tb(event.cycle, event.tb_slot);
  order_.sort_tbs(event.cycle, 1U << pro_rank(ProState::kBarrierWait));
  if (traced_) show_states();
}

void ProPolicy::on_warp_finish(const WarpEvent& event) {
  advance(event.cycle);
  blocks_.finish(event.cycle, event.tb_slot);
  if (blocks_.finished(event.tb_slot) == 1) order_.sort_warps(event.cycle, event.tb_slot, true);
  order_.sort_tbs(event.cycle, 1U << pro_rank(ProState::kFinishWait));
  if (traced_) show_states();
}

std::uint64_t ProPolicy::cycles_to_sort(std::uint64_t cycle) const {
  return (sort_due() - cycle) & hw::low_bits(due_bits(config_.threshold_cycles));
}

std::uint64_t ProPolicy::update(std::uint64_t cycle) {
  advance(cycle);
  log_when_sorted();
  std::uint64_t next = kNever;
  if (blocks_.resident() != 0) {
    if (sort_is_due_.equal(cycle, cycle, sort_due())) sort_everything(cycle);
    next = cycle + cycles_to_sort(cycle);
  }
  if (traced_) show_states();
  return std::min(next, order_.next_done());
}

/// A sum shows when it is there, and a comparison's end when the next one has begun.
std::uint64_t ProPolicy::show(std::uint64_t cycle) {
  if (!traced_) return kNever;
  advance(cycle);
  show_states();
  return std::min(blocks_.next_landing(), order_.next_event());
}

/// Algorithm 1, lines 57 to 61: the noWait and finishNoWait TBs, and their warps.
void ProPolicy::sort_everything(std::uint64_t cycle) {
  ++threshold_sorts_;
  sort_due_.write(cycle,
                  next_sort_.add(cycle, sort_due_.value(), config_.threshold_cycles >> due_zero_bits_));
  order_.sort_tbs(cycle, kUnsortedRanks);
  for (std::uint64_t left = blocks_.resident(); left != 0; left &= left - 1) {
    const unsigned slot = lowest_warp(left);
    const ProState state = blocks_.state(slot);
    if (state == ProState::kNoWait || state == ProState::kFinishNoWait) {
      order_.sort_warps(cycle, slot, state == ProState::kFinishNoWait);
    }
  }
  if (log_.size() < config_.logged_sorts) log_from_ = cycle;
  log_when_sorted();
}

void ProPolicy::log_when_sorted() {
  if (log_from_ == kNever || order_.tbs_stale()) return;
  LoggedSort row;
  row.cycle = log_from_;
  for (unsigned i = 0; i < order_.num_tbs(); ++i) row.tbs.push_back(blocks_.tb(order_.tbs()[i]));
  log_.push_back(std::move(row));
  log_from_ = kNever;
}

}  // namespace heddle
