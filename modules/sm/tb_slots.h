#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "modules/sm/barrier_set.h"
#include "modules/tb_dispatcher/occupancy.h"
#include "modules/tb_transaction.h"
#include "modules/warp_scheduler/warp_table.h"
#include "tlm/clock_domain.h"

namespace heddle {

/// One resident thread block.
struct TbSlot {
  TbTransaction* transaction = nullptr;  ///< nullptr: the slot is free
  std::unique_ptr<ThreadBlock> block;
  TbDemand demand;
  BarrierSet barriers;
  WarpMask warps = 0;  ///< its warp slots; warp i of the TB is in the i-th lowest
  unsigned unretired = 0;
  bool started = false;
  Ticks accepted_at = 0;
};

/// The TB slots and warp slots of an SM and its other resources. A TB takes the lowest free TB slot and the
/// lowest free warp slots, which it keeps until it ends: with TBs of one size, TB slot k always has the same
/// warp slots (gtx480.md, "Clocks, size, occupancy").
class TbSlots {
 public:
  explicit TbSlots(const CoreConfig& core);

  /// Takes slots and resources for the TB and creates its functional state; nullptr when something lacks.
  TbSlot* accept(TbTransaction& transaction, Ticks now);
  /// Frees everything that the TB has.
  void release(TbSlot& slot);

  TbSlot& slot(unsigned index) { return slots_[index]; }
  const TbSlot& slot(unsigned index) const { return slots_[index]; }
  unsigned index_of(const TbSlot& slot) const { return static_cast<unsigned>(&slot - slots_.data()); }
  unsigned size() const { return static_cast<unsigned>(slots_.size()); }
  /// Number of TBs that have a slot.
  unsigned resident() const { return resident_; }
  /// Accepted and not yet started.
  unsigned waiting() const { return waiting_; }
  void mark_started(TbSlot& slot) {
    slot.started = true;
    --waiting_;
  }

 private:
  const CoreConfig& core_;
  SmResources free_;
  std::vector<TbSlot> slots_;
  WarpMask used_warps_ = 0;
  unsigned resident_ = 0;
  unsigned waiting_ = 0;
};

}  // namespace heddle
