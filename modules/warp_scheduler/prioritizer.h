#pragma once

#include "modules/warp_scheduler/policy.h"

namespace heddle {

/// Orders the warps that may issue: the second half of a warp scheduler.
class Prioritizer : public SchedulingPolicy {
 public:
  /// The warp to issue in `cycle`, one of `issuable`, or kNoWarp to leave the cycle unused. `issuable` is not
  /// empty. A warp in it has a valid instruction that passed the scoreboard and the qualifier and whose unit
  /// has a free slot, or its I-buffer is stale (WarpTable::stale): when the answer is such a warp, the
  /// scheduler empties its I-buffer and asks again without it, in the same cycle. Changes nothing.
  virtual unsigned select(std::uint64_t cycle, WarpMask issuable) = 0;

  /// Of `offered`, which have a valid instruction, those that qualifiers inside it admit in `cycle`. When a
  /// choice takes several cycles it is asked in each, before select(), which is then offered some of these:
  /// a choice that arrives must be among them.
  virtual WarpMask admitted(std::uint64_t /*cycle*/, WarpMask offered) { return offered; }

  /// The logic of select(), from the warps that may issue to the chosen one: into how many stages a choice is
  /// cut (scheduler.choice_cycles). Empty: not known, in one cycle.
  virtual hw::TimingPath choice_path() const { return {}; }

  /// Called when select() wanted none of the warps that it was offered in `cycle`, while the qualifier held
  /// back `held`, each of which could issue without it. A prioritizer that takes only some of these must then
  /// make room for others, or nothing would ever issue again. Returns true when it wants others from the next
  /// cycle on, in which the scheduler then runs.
  virtual bool pass_over(std::uint64_t /*cycle*/, WarpMask /*held*/) { return false; }

  /// Called last in a cycle in which select() wanted none of `issuable`, nothing was held back, and the
  /// policy's next update() is due in the cycle after: until then only these warps can issue, whose table
  /// entries stay as they are. Returns the cycle at which the update is due if those before can be made up
  /// for, in none of which it wants one of `issuable`; `next`, which is the cycle after, if not.
  virtual std::uint64_t rest(std::uint64_t /*cycle*/, WarpMask /*issuable*/, std::uint64_t next) {
    return next;
  }

  /// See SharedPolicy; with waves, and before statistics over time look at its state. A scheduler that rests
  /// is charged up to `cycle` before.
  virtual std::uint64_t show(std::uint64_t /*cycle*/) { return kNever; }

  /// Of `slots`, those that make room for others by what the SM knows of them at update(): an input of the
  /// policy's hardware.
  virtual WarpMask waiting(WarpMask /*slots*/) const { return 0; }

  /// Whether it looks at a set of active warps only, which active() tells after update().
  virtual bool keeps_active_set() const { return false; }
  virtual WarpMask active() const { return ~WarpMask{0}; }
  /// Of `issuable`, from which select() has been asked to choose in `cycle`, those that it would not take
  /// whoever else could issue. For those that watch the scheduler.
  virtual WarpMask barred(std::uint64_t /*cycle*/, WarpMask issuable) const { return issuable & ~active(); }
  /// In how many of the cycles from `first` to `last` one of `among` is active, when it rests since `first`
  /// or before.
  virtual std::uint64_t cycles_with_active(WarpMask among, std::uint64_t first, std::uint64_t last) const {
    return (active() & among) == 0 ? 0 : last + 1 - first;
  }
};

}  // namespace heddle
