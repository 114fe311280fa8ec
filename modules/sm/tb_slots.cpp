#include "modules/sm/tb_slots.h"

namespace heddle {

TbSlots::TbSlots(const CoreConfig& core) : core_(core), free_(core), slots_(core.tb_slots) {}

TbSlot* TbSlots::accept(TbTransaction& transaction, Ticks now) {
  const TbDemand demand = TbDemand::of(*transaction.launch, core_);
  if (!free_.fits(demand)) return nullptr;
  unsigned index = 0;
  while (slots_[index].transaction != nullptr) ++index;
  TbSlot& slot = slots_[index];
  slot.block = transaction.launch->start(transaction.tb);
  slot.transaction = &transaction;
  slot.demand = demand;
  slot.barriers.reset(demand.warps);
  slot.warps = 0;
  WarpMask free_warps = ~used_warps_;
  for (unsigned w = 0; w < demand.warps; ++w) {
    slot.warps |= free_warps & -free_warps;
    free_warps &= free_warps - 1;
  }
  slot.unretired = demand.warps;
  slot.started = false;
  slot.accepted_at = now;
  used_warps_ |= slot.warps;
  free_.take(demand);
  ++resident_;
  ++waiting_;
  transaction.tb_slot = static_cast<std::uint16_t>(index);
  return &slot;
}

void TbSlots::release(TbSlot& slot) {
  free_.give_back(slot.demand);
  used_warps_ &= ~slot.warps;
  slot.transaction = nullptr;
  slot.block.reset();
  --resident_;
}

}  // namespace heddle
