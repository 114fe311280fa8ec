#pragma once

#include <cstdint>

#include "hw/pricing/owner.h"
#include "hw/storage/register.h"
#include "modules/messages/ids.h"

namespace heddle {

/// The SM's record of the one TB that has unissued warps (WarpMan 4.2, figure 14).
class WorkloadBuffer {
 public:
  static constexpr unsigned kTbBits = 26;   ///< L_TBId: up to 1024 x 1024 x 64 TBs in a grid
  static constexpr unsigned kWarpBits = 5;  ///< up to 32 warps in a TB

  /// 40 bits for an SM of 8 TB slots.
  WorkloadBuffer(const hw::Owner& owner, unsigned tb_slots);

  bool valid() const { return valid_.value() != 0; }
  TbSlot tb_slot() const { return TbSlot(static_cast<unsigned>(tb_slot_.value())); }
  std::uint64_t tb() const { return tb_.value(); }
  WarpInTb first_warp() const { return WarpInTb(static_cast<unsigned>(start_.value())); }
  WarpInTb last_warp() const { return WarpInTb(static_cast<unsigned>(end_.value())); }

  /// The warps first_warp to last_warp of the TB are unissued.
  void store(std::uint64_t cycle, TbSlot tb_slot, std::uint64_t tb, WarpInTb first_warp, WarpInTb last_warp);
  /// The warp that is issued next; valid().
  WarpInTb issue(std::uint64_t cycle);

  void trace(WaveSink& sink) const;

 private:
  hw::Register tb_slot_;
  hw::Register tb_;
  hw::Register start_;
  hw::Register end_;
  hw::Register valid_;
};

}  // namespace heddle
