#pragma once

#include <memory>

#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/order/age_order.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/register.h"
#include "modules/warp_scheduler/shared_policy.h"

namespace heddle {

/// Static wavefront limiting (scheduler-details.md, "Baselines"): only the `scheduler.swl.warps` oldest
/// unfinished warps of the SM, or of the stream that it is for (per_stream), may issue. Warps that wait at a
/// barrier don't count, so that the set extends past them and those they wait for may come.
///
/// A walk from the oldest warp on finds the set: a step takes the oldest of those that count, and those that
/// wait before it. In hardware timing a change begins a walk in the next cycle, and a step takes the cycles
/// of its path; the last set stays in force until the walk has ended. What changes during a walk begins
/// another one behind it.
class Swl final : public SharedPolicy {
 public:
  /// Throws std::invalid_argument when no warp may issue.
  explicit Swl(const SmContext& context);

  void on_warp_start(const WarpEvent& event) override;
  void on_warp_finish(const WarpEvent& event) override;
  void on_barrier_arrive(const BarrierEvent& event) override;
  void on_barrier_release(const BarrierEvent& event) override;
  std::uint64_t update(std::uint64_t cycle) override;
  void settle(std::uint64_t cycle) override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;
  void trace_state(WaveSink& sink) override { allowed_.trace(sink); }

  /// The warps that may issue.
  WarpMask allowed() const { return allowed_.value(); }
  /// Cycles of a step; 0 in ideal timing.
  unsigned step_cycles() const { return step_cycles_; }

 private:
  void changed(std::uint64_t cycle);
  void walk_at_once(std::uint64_t cycle);
  /// Makes up the steps up to and including `cycle`, whose own see what was there at its begin.
  void advance(std::uint64_t cycle);
  bool step(std::uint64_t cycle);
  void put_in_force(std::uint64_t cycle);
  void charge(std::uint64_t until);
  hw::TimingPath step_path() const;

  const unsigned limit_;
  const unsigned warps_;  ///< slots of the SM
  ServedWarps served_;
  hw::Owner owner_;
  hw::AgeOrder age_;      ///< unfinished warps
  hw::BitVector waits_;   ///< at a barrier
  hw::BitVector found_;   ///< the set that the walk builds
  hw::Register counted_;  ///< warps of it that count; 0 between walks
  hw::Adder next_;
  hw::Comparator enough_;
  hw::BitVector changed_;  ///< since the last walk began
  hw::BitVector allowed_;
  unsigned step_cycles_ = 0;  ///< 0 in ideal timing
  // What a step that takes several cycles looks at, as it was in its first.
  std::unique_ptr<hw::BitVector> held_left_;
  std::unique_ptr<hw::BitVector> held_among_;

  std::uint64_t step_at_ = kNever;      ///< of the next step; kNever between walks
  std::uint64_t in_force_at_ = kNever;  ///< when what has been found becomes the set
  std::uint64_t walks_ = 0;
  std::uint64_t held_warp_cycles_ = 0;
  std::uint64_t charged_until_ = 0;  ///< last cycle charged
};

}  // namespace heddle
