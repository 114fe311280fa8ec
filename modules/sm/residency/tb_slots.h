#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/messages/ids.h"
#include "modules/messages/tb_transaction.h"
#include "modules/messages/warp_mask.h"
#include "modules/sm/residency/workload_buffer.h"
#include "modules/tb_dispatcher/resources/sm_account.h"
#include "tlm/clock_domain.h"

namespace heddle {

/// One resident thread block.
struct ResidentTb {
  TbSlot slot;
  TbTransaction* transaction = nullptr;  ///< nullptr: the slot is free
  std::unique_ptr<ThreadBlock> block;    ///< from its start on
  TbShare* share = nullptr;
  WarpMask warps = 0;                  ///< warp slots that it has
  std::vector<WarpSlot> first_slots;   ///< of the warps that start with it, by WarpInTb
  unsigned num_warps = 0;              ///< warps of the TB
  unsigned unretired = 0;              ///< warps that have not ended, those without a warp slot included
  std::uint64_t lifetimes_cycles = 0;  ///< of its ended warps, added up
  std::uint64_t longest_cycles = 0;    ///< of these lifetimes
  bool started = false;
  Ticks accepted_at = 0;
};

/// A warp of a TB and the slot that it was given.
struct PlacedWarp {
  ResidentTb& tb;
  WarpSlot slot;
  WarpInTb warp_in_tb;
};

/// The TB slots and warp slots of an SM and its other resources. A TB takes the lowest free TB slot. Managed
/// by TB, its warps take the lowest free warp slots in the order of their ids and keep them until it ends:
/// with TBs of one size, TB slot k always has the same warp slots (gtx480.md, "Clocks, size, occupancy").
///
/// Managed by warp, a warp slot is free when its warp has ended. Free slots may then be mostly one
/// scheduler's, and a TB with one scheduler's warps only waits for it at every barrier. So warp w of the TB
/// in TB slot k takes the lowest free slot of scheduler (w + k) mod schedulers, and only without one the
/// lowest free slot of all, whether it starts with its TB or later: schedulers take turns over the warps of a
/// TB, and over the warps of one id, which may all be long ones.
///
/// Slots that are given back at t are found free at once; what resources there are is counted by the account.
class TbSlots {
 public:
  /// `core` is kept. `hardware` owns the workload buffer and the parts of the account.
  explicit TbSlots(const CoreConfig& core, const hw::Owner& hardware = {});
  TbSlots(CoreConfig&& core, const hw::Owner& hardware = {}) = delete;

  /// Takes slots and resources for the TB; nullptr when something lacks for transaction.start_warps warps.
  ResidentTb* accept(TbTransaction& transaction, Ticks now, std::uint64_t cycle);
  /// A warp of the TB, in `warp`, has ended.
  void end_warp(ResidentTb& tb, WarpSlot warp, Ticks now);
  /// The TB has ended: frees everything that it has.
  void release(ResidentTb& tb, Ticks now);

  /// Takes back what ended before `now`; how many unissued warps place_next() can place with it.
  unsigned advance(Ticks now) {
    const unsigned warps = account_.advance(now);
    return warps == 0 || watcher_ == nullptr ? warps : watcher_->on_issue(warps);
  }
  /// Tells `watcher` what starts and ends, and lets it say how many unissued warps issue.
  void watch(WarpWatcher& watcher) { watcher_ = &watcher; }
  /// Gives the next unissued warp of the partial TB a slot.
  PlacedWarp place_next(std::uint64_t cycle);
  /// The TB that has unissued warps; nullptr when there is none.
  const ResidentTb* partial() const {
    return buffer_ != nullptr && buffer_->valid() ? &slots_[buffer_->tb_slot().value()] : nullptr;
  }
  const WorkloadBuffer* buffer() const { return buffer_.get(); }

  /// All slots, also those without a TB.
  std::vector<ResidentTb>::iterator begin() { return slots_.begin(); }
  std::vector<ResidentTb>::iterator end() { return slots_.end(); }
  ResidentTb& operator[](TbSlot slot) { return slots_[slot.value()]; }
  /// Number of TBs that have a slot.
  unsigned resident() const { return resident_; }
  /// Accepted and not yet started.
  unsigned waiting() const { return waiting_; }
  /// Creates the functional state of an accepted TB.
  void start(ResidentTb& tb);
  /// Something has ended that advance() has not yet taken back.
  bool pending() const { return account_.pending(); }
  /// What neither TBs nor warps use.
  const SmResources& free() const { return account_.unused(); }

 private:
  [[nodiscard]] WarpSlot take_warp_slot(ResidentTb& tb, WarpInTb warp);

  const CoreConfig& core_;
  SmAccount account_;
  std::unique_ptr<WorkloadBuffer> buffer_;
  WarpWatcher* watcher_ = nullptr;
  std::vector<WarpMask> supervised_;  ///< warp slots of each scheduler
  std::vector<ResidentTb> slots_;
  WarpMask used_warps_ = 0;
  unsigned resident_ = 0;
  unsigned waiting_ = 0;
};

}  // namespace heddle
