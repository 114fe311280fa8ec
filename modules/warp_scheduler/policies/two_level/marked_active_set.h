#pragma once

#include <array>

#include "hw/logic/comparator.h"
#include "hw/logic/population_count.h"
#include "hw/logic/priority_selector.h"
#include "hw/order/age_order.h"
#include "modules/warp_scheduler/policies/two_level/long_marks.h"
#include "modules/warp_scheduler/prioritizer.h"

namespace heddle {

/// Two-level scheduling with an active set as the reference machine does it (gtx480.md, "Schedulers"): N warp
/// slots of a scheduler are active, the others queue, whether they hold a warp or not. In every cycle in
/// which the SM has warps, an active slot goes to the tail of the queue when it is empty or its warp has
/// finished, waits at a barrier or membar, or will read a marked register next (LongMarks). The head of the
/// queue takes its place, even if it waits too: it may issue in this one cycle. Warps that the qualifier held
/// back while it let others through leave likewise. Active warps issue in loose round robin.
///
/// Two age matrices hold the active slots by their turn and the queue; a count of those that stay says
/// whether there is room. In hardware timing one slot becomes active per cycle, and of slots that go to the
/// end of either at once the lower is first.
class MarkedActiveSet final : public Prioritizer {
 public:
  explicit MarkedActiveSet(const PolicyContext& context);

  std::uint64_t update(std::uint64_t cycle) override;
  unsigned select(std::uint64_t cycle, WarpMask issuable) override;
  /// From the slots that make room, through the slot that comes, which may be chosen at once.
  hw::TimingPath choice_path() const override;
  void on_start(unsigned warp) override { others_ &= ~warp_bit(warp); }
  void on_finish(unsigned warp) override { others_ |= warp_bit(warp); }
  void on_issue(const IssueEvent& event) override;
  bool pass_over(std::uint64_t cycle, WarpMask held) override;
  std::uint64_t rest(std::uint64_t cycle, WarpMask issuable, std::uint64_t next) override;
  std::uint64_t show(std::uint64_t cycle) override;
  WarpMask waiting(WarpMask slots) const override {
    const WarpMask waiting =
        slots & (held_ | others_ | ~table_.resident | table_.finished | table_.at_barrier | table_.at_membar);
    return waiting | marks_.reading_marked(table_, slots & table_.valid & ~waiting);
  }
  bool keeps_active_set() const override { return true; }
  WarpMask active() const override { return active_.present(); }
  std::uint64_t cycles_with_active(WarpMask among, std::uint64_t first, std::uint64_t last) const override;
  void trace(WaveSink& sink) override;
  void trace_state(WaveSink& sink) override { active_.trace_present(sink); }

 private:
  /// Moves the active slots that wait or are held to the tail of the queue, and its head into their places.
  /// Returns whether the next cycle moves some too.
  bool turn(std::uint64_t cycle);
  /// In hardware timing, in which one slot comes. Returns whether any moves.
  bool exchange_one(std::uint64_t cycle, WarpMask leave);
  /// Makes the turns up to and including `cycle` when it rests.
  void catch_up(std::uint64_t cycle);
  using Slots = std::array<std::uint8_t, kMaxWarps>;
  /// While it rests, active slots that wait and the queue go round as one ring: as it was at the last turn,
  /// the active ones first.
  const Slots& ring() const;
  unsigned slots_in_ring() const { return moving_ + queue_.size(); }
  /// The place of the ring that is the first active one after so many turns.
  unsigned first_after(std::uint64_t turns) const {
    return static_cast<unsigned>(turns % slots_in_ring() * moving_ % slots_in_ring());
  }

  const WarpTable& table_;
  LongMarks& marks_;
  bool one_a_cycle_;  ///< comes in
  unsigned warps_of_sm_;
  WarpMask slots_;  ///< all
  unsigned capacity_;
  hw::AgeOrder active_;          ///< slots, the next one in turn first
  hw::AgeOrder queue_;           ///< slots
  hw::PopulationCount staying_;  ///< active slots that do not leave
  hw::Comparator room_;          ///< they are fewer than may be active
  hw::PrioritySelector back_;    ///< without a queue, the one of those that leave that comes back
  /// Slots without an unfinished warp of its own: of streams that take turns, another one may have a warp
  /// there.
  WarpMask others_ = ~WarpMask{0};
  WarpMask waits_ = 0;  ///< at the last turn
  WarpMask held_ = 0;   ///< back by the qualifier when nothing else was wanted: leave at the next turn
  std::uint64_t turned_at_ = 0;  ///< last cycle in which slots were moved
  bool turns_on_ = true;         ///< the cycle after moves some too
  std::uint64_t asked_at_ = 0;   ///< last cycle in which one was selected
  bool rests_ = false;           ///< since turned_at_: turns are made when they are asked for
  unsigned moving_ = 0;          ///< while it rests: active slots that each turn moves
  mutable Slots ring_{};         ///< likewise: see ring(), once it was asked for
  mutable bool ring_known_ = false;
};

}  // namespace heddle
