#include "modules/sm/tb_slots.h"

namespace heddle {

TbSlots::TbSlots(const CoreConfig& core, const hw::Owner& hardware)
    : core_(core), account_(core, hardware), supervised_(core.schedulers), slots_(core.tb_slots) {
  for (unsigned w = 0; w < core.warps; ++w) supervised_[w % core.schedulers] |= warp_bit(w);
  if (splits_tbs(core))
    buffer_ = std::make_unique<WorkloadBuffer>(hardware.child("workload_buffer"), core.tb_slots);
}

TbSlot* TbSlots::accept(TbTransaction& transaction, Ticks now, std::uint64_t cycle) {
  const TbDemand demand = TbDemand::of(*transaction.launch, core_);
  const unsigned warps = transaction.start_warps == 0 ? demand.warps : transaction.start_warps;
  account_.advance(now);  // nothing is left to: the SM did so at this edge
  if (account_.room(transaction.launch_id, demand, warps != demand.warps) < warps) return nullptr;
  unsigned index = 0;
  while (slots_[index].transaction != nullptr) ++index;
  TbSlot& slot = slots_[index];
  slot.transaction = &transaction;
  slot.share = &account_.start(transaction.launch_id, demand, warps);
  slot.barriers.reset(demand.warps);
  slot.warps = 0;
  slot.num_warps = slot.unretired = demand.warps;
  for (slot.next_warp = 0; slot.next_warp < warps; ++slot.next_warp) take_warp_slot(slot, slot.next_warp);
  slot.lifetimes_cycles = slot.longest_cycles = 0;
  slot.started = false;
  slot.accepted_at = now;
  if (warps != demand.warps) buffer_->store(cycle, index, transaction.tb, warps, demand.warps - 1);
  ++resident_;
  ++waiting_;
  transaction.tb_slot = static_cast<std::uint16_t>(index);
  return &slot;
}

void TbSlots::start(TbSlot& slot) {
  slot.block = slot.transaction->launch->start(slot.transaction->tb);
  slot.started = true;
  --waiting_;
}

unsigned TbSlots::take_warp_slot(TbSlot& slot, unsigned warp_in_tb) {
  WarpMask free = ~used_warps_;
  if (account_.early_release()) {
    const WarpMask of_turn = free & supervised_[warp_in_tb % supervised_.size()];
    if (of_turn != 0) free = of_turn;
  }
  const WarpMask lowest = free & -free;
  used_warps_ |= lowest;
  slot.warps |= lowest;
  return lowest_warp(lowest);
}

PlacedWarp TbSlots::place_next(std::uint64_t cycle) {
  TbSlot& slot = slots_[buffer_->tb_slot()];
  const unsigned warp = buffer_->issue(cycle);
  ++slot.next_warp;
  return {slot, take_warp_slot(slot, warp), warp};
}

void TbSlots::end_warp(TbSlot& slot, unsigned warp_slot, Ticks now) {
  --slot.unretired;
  if (!account_.early_release()) return;
  account_.warp_ended(*slot.share, now);
  used_warps_ &= ~warp_bit(warp_slot);
  slot.warps &= ~warp_bit(warp_slot);
}

void TbSlots::release(TbSlot& slot, Ticks now) {
  account_.tb_ended(*slot.share, now);
  used_warps_ &= ~slot.warps;
  slot.transaction = nullptr;
  slot.block.reset();
  --resident_;
}

}  // namespace heddle
