#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "hw/logic/comparator.h"
#include "hw/logic/multiplexer.h"
#include "hw/logic/request_groups.h"
#include "hw/order/age_order.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/register.h"
#include "modules/warp_scheduler/policies/mascar/replay_queue.h"
#include "modules/warp_scheduler/served_warps.h"
#include "modules/warp_scheduler/shared_policy.h"

namespace heddle {

/// Memory-aware scheduling and cache access re-execution (scheduler-details.md, "MASCAR"; OAWS 5).
///
/// While the L1D's MSHRs have at most scheduler.mascar.free_entries free entries, or the miss queue at most
/// scheduler.mascar.free_queue free places, the memory is saturated: instructions that don't access global or
/// local memory go first, then those of one owner warp, then the others', and only the owner's loads may send
/// misses. Otherwise instructions that access memory go first and all warps are equal.
///
/// The owner is the oldest warp that has accesses in the re-execution queue or could issue an access. It
/// stays owner until it waits for its own loads, with none of them in the queue, or at a barrier, or has
/// finished. Where policies share the warps of the SM out it is one of its own. In hardware timing
/// comparisons and the selection of an owner take their cycles.
class Mascar final : public SharedPolicy, private MissReplay {
 public:
  explicit Mascar(const SmContext& context);

  void on_warp_start(const WarpEvent& event) override;
  void on_warp_finish(const WarpEvent& event) override;
  void on_l1d_access(const L1dAccess& event) override;
  void on_mshr_room(const MshrRoom& event) override;
  MissReplay* miss_replay() override { return this; }
  bool calls_for_run() override;
  /// Only a warp's first access into the re-execution queue and its last one out of it tell something new.
  bool can_wait(const L1dAccess& event) override;
  /// Room that makes no difference to the mode; a comparison that takes cycles begins on time.
  bool can_wait(const MshrRoom& event) override;
  std::uint64_t update(std::uint64_t cycle) override;
  void settle(std::uint64_t cycle) override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override { trace_state(sink); }
  void trace_state(WaveSink& sink) override;

  /// Those of `issuable` that go first.
  WarpMask preferred(WarpMask issuable) const;
  hw::TimingPath preferred_path() const;
  bool saturated() const { return saturated_.test(0); }
  /// Of `among`, which have a valid instruction, those that access global or local memory next.
  WarpMask accessing(WarpMask among) const;
  /// Of the room, and of an owner's selection.
  unsigned compare_cycles() const { return std::max(entries_low_.cycles(), queue_low_.cycles()); }
  unsigned select_cycles() const { return age_.cycles(); }
  /// kNoWarp when there is none.
  unsigned owner() const { return owner_valid_.test(0) ? static_cast<unsigned>(owner_.value()) : kNoWarp; }

 private:
  bool may_miss(unsigned warp) const override { return !saturated() || owner() == warp; }
  bool can_take(const MemoryRequest& request) const override { return queue_.can_take(request); }
  void push(tlm::tlm_generic_payload& payload, Cycle cycle) override { queue_.push(payload, cycle); }
  bool empty() const override { return queue_.empty(); }
  tlm::tlm_generic_payload& front() override { return queue_.front(); }
  void pop(Cycle cycle) override { queue_.pop(cycle); }
  bool one_push_a_cycle() const override { return hardware_.timing == hw::Timing::kHardware; }
  void rotate(Cycle cycle, bool looked_up) override { queue_.rotate(cycle, looked_up); }
  void rotate_each(Cycle first, Cycle last) override { queue_.rotate_each(first, last); }

  bool is_low(unsigned free_entries, unsigned free_queue) const {
    return free_entries <= entry_limit_ || free_queue <= queue_limit_;
  }
  void compare(std::uint64_t cycle);
  void end_compare();
  WarpMask candidates() const;
  void choose_owner(std::uint64_t cycle);
  void take_ownership(std::uint64_t cycle);
  void charge(std::uint64_t until);
  void show_mode();

  const WarpTable& table_;
  ServedWarps served_;
  const unsigned entry_limit_;
  const unsigned queue_limit_;
  hw::Owner hardware_;
  ReplayQueue queue_;
  hw::BitVector queued_;  ///< warps with accesses in the queue, as far as the schedulers have heard
  hw::Register free_entries_;
  hw::Register free_queue_;
  hw::Comparator entries_low_;
  hw::Comparator queue_low_;
  hw::BitVector saturated_;  ///< one bit: the mode
  hw::AgeOrder age_;         ///< unfinished warps, of its own
  hw::Register owner_;
  hw::BitVector owner_valid_;
  hw::Multiplexer owner_has_;  ///< something for the memory, or nothing but waiting
  hw::RequestGroups kinds_;    ///< of each scheduler: others, accesses, the owner's
  hw::Multiplexer goes_first_;
  std::unique_ptr<hw::BitVector> owner_new_;  ///< hardware timing: it was selected in the cycle before

  std::array<std::uint16_t, kMaxWarps> queued_accesses_{};
  std::array<std::uint16_t, kMaxWarps> asked_accesses_{};  ///< likewise, with those that may wait to be told
  bool asked_low_ = false;  ///< the mode that the last room asked about leads to
  bool low_ = false;        ///< what the comparison under way will find
  bool room_changed_ = false;
  bool calls_for_run_ = false;          ///< since it was asked
  std::uint64_t compared_at_ = kNever;  ///< when the comparison under way ends
  unsigned chosen_ = kNoWarp;           ///< what the selection under way will find
  std::uint64_t chosen_at_ = kNever;

  std::uint64_t saturations_ = 0;
  std::uint64_t saturated_cycles_ = 0;
  std::uint64_t owners_ = 0;
  std::uint64_t owned_cycles_ = 0;
  std::uint64_t charged_until_ = 0;  ///< last cycle charged
  struct Wave {
    std::uint64_t mode = 0;
    std::uint64_t owner = 0;
  } wave_;
};

}  // namespace heddle
