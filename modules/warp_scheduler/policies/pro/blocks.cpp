#include "modules/warp_scheduler/policies/pro/blocks.h"

#include <algorithm>

#include "modules/warp_scheduler/policies/pro/parameters.h"

namespace heddle {

namespace {

hw::CounterArrayShape progress_shape(const GpuConfig& gpu, unsigned entries) {
  const ProParameters& pro = gpu.scheduler.settings.of(pro_parameters);
  hw::CounterArrayShape shape;
  shape.entries = entries;
  shape.bits = pro.progress_bits;
  shape.read_ports = shape.write_ports = 0;
  shape.adders = std::min(gpu.core.schedulers, entries);  // one per scheduler
  shape.amount_bits = std::min(shape.bits, hw::index_bits(kWarpSize + 1));
  shape.clear = true;
  shape.add_cycles = pro.add_cycles;
  return shape;
}

/// Several schedulers may issue from one TB, each warp from its own.
hw::CounterArrayShape tb_progress_shape(const GpuConfig& gpu) {
  hw::CounterArrayShape shape = progress_shape(gpu, gpu.core.tb_slots);
  shape.adders = gpu.core.schedulers;  // all of them, however few TBs there are
  switch (gpu.scheduler.settings.of(pro_parameters).same_tb) {
    case ProSameTb::kMerge:
      shape.same_entry = hw::SameEntry::kMerged;
      break;
    case ProSameTb::kBank:
      shape.same_entry = hw::SameEntry::kBanked;
      break;
    case ProSameTb::kLose:
      shape.same_entry = hw::SameEntry::kLost;
      break;
  }
  return shape;
}

/// A TB must not lose count of its warps. `adders`: warps that are counted in a cycle.
hw::CounterArrayShape warp_count_shape(const GpuConfig& gpu, unsigned adders) {
  hw::CounterArrayShape shape = progress_shape(gpu, gpu.core.tb_slots);
  shape.bits = kProWarpCountBits;
  shape.adders = adders;
  shape.amount_bits = hw::index_bits(kMaxWarps);
  shape.same_entry = hw::SameEntry::kMerged;
  shape.add_cycles = 1;
  return shape;
}

}  // namespace

const std::vector<std::string>& pro_state_names() {
  static const std::vector<std::string> names{"noWait",       "barrierWait", "finishWait", "barrierWait1",
                                              "finishNoWait", "finish",      "free"};
  return names;
}

// The paper has one register for both counts, since it takes it that either all warps of a TB come to a
// barrier or they finish. Kernels in which some exit before others meet a barrier need the second one.
ProBlocks::ProBlocks(const hw::Owner& owner, const GpuConfig& gpu)
    : warp_progress_(owner, "warp_progress", progress_shape(gpu, gpu.core.warps), hw::PaperCount::kBits),
      tb_progress_(owner, "tb_progress", tb_progress_shape(gpu), hw::PaperCount::kBits),
      // One of each scheduler's warps arrives, and one barrier of a TB that has more of them is met.
      at_barrier_(owner, "warps_at_barrier", warp_count_shape(gpu, gpu.core.schedulers + 1),
                  hw::PaperCount::kBits),
      finished_(owner, "warps_finished", warp_count_shape(gpu, gpu.core.schedulers)),
      slow_(owner, "slow_phase", gpu.core.tb_slots),
      tbs_(gpu.core.tb_slots) {
  owner.note("warps_finished",
             "the paper has one register per TB for warps at a barrier and for finished ones, "
             "taking it that they do not occur together; here they may");
  owner.note("slow_phase", "the phase of each TB's kernel: the paper has one kernel at a time");
}

void ProBlocks::start(const TbEvent& event) {
  const unsigned slot = event.slot;
  tbs_[slot] = {event.tb, event.launch_id, 0, event.num_warps, event.cycle};
  resident_ |= bit(slot);
  tb_progress_.clear(slot);
  at_barrier_.clear(slot);
  finished_.clear(slot);
  for (WarpMask left = event.warps; left != 0; left &= left - 1)
    add_warp(TbSlot(slot), WarpSlot(lowest_warp(left)));
  const bool none_left =
      std::find(dispatched_.rbegin(), dispatched_.rend(), event.launch_id) != dispatched_.rend();
  if (none_left) {
    slow_.set_bits(bit(slot));
  } else {
    slow_.clear_bits(bit(slot));
  }
}

void ProBlocks::add_warp(TbSlot slot, WarpSlot warp) {
  tbs_[slot.value()].warps |= warp_bit(warp.value());
  warp_progress_.clear(warp.value());
  slot_of_[warp.value()] = static_cast<std::uint8_t>(slot.value());
}

unsigned ProBlocks::left_in(unsigned warp) const {
  const unsigned slot = slot_of_[warp];
  return (resident_ & bit(slot)) != 0 && (tbs_[slot].warps & warp_bit(warp)) != 0 ? slot : slots();
}

std::uint64_t ProBlocks::grid_dispatched(std::uint64_t launch) {
  dispatched_.push_back(launch);
  std::uint64_t changed = 0;
  for (std::uint64_t left = resident_; left != 0; left &= left - 1) {
    if (tbs_[lowest_warp(left)].launch == launch) changed |= left & -left;
  }
  slow_.set_bits(changed);
  return changed;
}

void ProBlocks::issue(std::uint64_t cycle, unsigned warp, unsigned lanes) {
  warp_progress_.add(cycle, warp, lanes);
  tb_progress_.add(cycle, slot_of_[warp], lanes);
}

void ProBlocks::land(std::uint64_t cycle) {
  warp_progress_.land(cycle);
  tb_progress_.land(cycle);
}

void ProBlocks::release(std::uint64_t cycle, unsigned slot, unsigned warps) {
  if (at_barrier(slot) == warps) {
    at_barrier_.clear(slot);
  } else {  // others wait at another barrier of the TB
    at_barrier_.subtract(cycle, slot, warps);
  }
}

ProState ProBlocks::state(unsigned slot) const {
  if ((resident_ & bit(slot)) == 0) return ProState::kFree;
  if (finished(slot) == tbs_[slot].num_warps) return ProState::kFinish;
  if (slow(slot)) return at_barrier(slot) != 0 ? ProState::kBarrierWait1 : ProState::kFinishNoWait;
  if (finished(slot) != 0) return ProState::kFinishWait;
  return at_barrier(slot) != 0 ? ProState::kBarrierWait : ProState::kNoWait;
}

bool ProBlocks::tb_before(unsigned a, unsigned b) const {
  const ProState state_of_a = state(a);
  if (pro_rank(state_of_a) == pro_rank(ProState::kFinishWait) && finished(a) != finished(b)) {
    return finished(a) > finished(b);
  }
  if (pro_rank(state_of_a) == pro_rank(ProState::kBarrierWait) && at_barrier(a) != at_barrier(b)) {
    return at_barrier(a) > at_barrier(b);
  }
  // Text over line 59 of Algorithm 1: more progress first, less progress first in the slow phase (PRO III.D).
  if (progress(a) != progress(b)) {
    return state_of_a == ProState::kFinishNoWait ? progress(a) < progress(b) : progress(a) > progress(b);
  }
  return tbs_[a].launch != tbs_[b].launch ? tbs_[a].launch < tbs_[b].launch : tbs_[a].tb < tbs_[b].tb;
}

bool ProBlocks::warp_before(unsigned a, unsigned b, bool ascending) const {
  if (warp_progress(a) == warp_progress(b)) return a < b;
  return (warp_progress(a) < warp_progress(b)) == ascending;
}

void ProBlocks::trace(WaveSink& sink) const {
  slow_.trace(sink);
  warp_progress_.trace(sink);
  tb_progress_.trace(sink);
  at_barrier_.trace(sink);
  finished_.trace(sink);
}

}  // namespace heddle
