#include "modules/sm/residency/tb_slots.h"

namespace heddle {

TbSlots::TbSlots(const CoreConfig& core, const hw::Owner& hardware)
    : core_(core), account_(core, hardware), supervised_(core.schedulers), slots_(core.tb_slots) {
  for (unsigned s = 0; s < core.tb_slots; ++s) slots_[s].slot = TbSlot(s);
  for (unsigned w = 0; w < core.warps; ++w) supervised_[w % core.schedulers] |= warp_bit(w);
  if (manages_warps(core))
    buffer_ = std::make_unique<WorkloadBuffer>(hardware.child("workload_buffer"), core.tb_slots);
}

ResidentTb* TbSlots::accept(TbTransaction& transaction, Ticks now, std::uint64_t cycle) {
  const TbDemand demand = TbDemand::of(*transaction.launch, core_);
  const unsigned warps = transaction.start_warps == 0 ? demand.warps : transaction.start_warps;
  account_.advance(now);  // nothing is left to: the SM did so at this edge
  if (account_.room(transaction.launch_id, demand, transaction.use_fragments) < warps) return nullptr;
  auto free = slots_.begin();
  while (free->transaction != nullptr) ++free;
  ResidentTb& tb = *free;
  if (watcher_ != nullptr) watcher_->on_accept(tb.slot, transaction.tb, demand, warps);
  tb.transaction = &transaction;
  tb.share = &account_.start(transaction.launch_id, demand, warps, transaction.use_fragments);
  tb.warps = 0;
  tb.num_warps = tb.unretired = demand.warps;
  tb.first_slots.clear();
  for (unsigned warp = 0; warp < warps; ++warp) {
    tb.first_slots.push_back(take_warp_slot(tb, WarpInTb(warp)));
  }
  tb.lifetimes_cycles = tb.longest_cycles = 0;
  tb.started = false;
  tb.accepted_at = now;
  if (warps != demand.warps) {
    buffer_->store(cycle, tb.slot, transaction.tb, WarpInTb(warps), WarpInTb(demand.warps - 1));
  }
  ++resident_;
  ++waiting_;
  transaction.tb_slot = tb.slot;
  return &tb;
}

void TbSlots::start(ResidentTb& tb) {
  tb.block = tb.transaction->launch->start(tb.transaction->tb);
  tb.started = true;
  --waiting_;
}

WarpSlot TbSlots::take_warp_slot(ResidentTb& tb, WarpInTb warp) {
  WarpMask free = ~used_warps_;
  if (account_.early_release()) {
    const WarpMask of_turn = free & supervised_[(warp.value() + tb.slot.value()) % supervised_.size()];
    if (of_turn != 0) free = of_turn;
  }
  const WarpMask lowest = free & -free;
  used_warps_ |= lowest;
  tb.warps |= lowest;
  return WarpSlot(lowest_warp(lowest));
}

PlacedWarp TbSlots::place_next(std::uint64_t cycle) {
  ResidentTb& tb = (*this)[buffer_->tb_slot()];
  const WarpInTb warp = buffer_->issue(cycle);
  return {tb, take_warp_slot(tb, warp), warp};
}

void TbSlots::end_warp(ResidentTb& tb, WarpSlot warp, Ticks now) {
  --tb.unretired;
  if (watcher_ != nullptr) watcher_->on_warp_end(warp);
  if (!account_.early_release()) return;
  account_.warp_ended(*tb.share, now);
  used_warps_ &= ~warp_bit(warp.value());
  tb.warps &= ~warp_bit(warp.value());
}

void TbSlots::release(ResidentTb& tb, Ticks now) {
  account_.tb_ended(*tb.share, now);
  if (watcher_ != nullptr) watcher_->on_tb_end(tb.slot);
  used_warps_ &= ~tb.warps;
  tb.transaction = nullptr;
  tb.block.reset();
  --resident_;
}

}  // namespace heddle
