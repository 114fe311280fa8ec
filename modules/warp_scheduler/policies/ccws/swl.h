#pragma once

#include "hw/order/age_order.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/register.h"
#include "modules/warp_scheduler/shared_policy.h"

namespace heddle {

/// Static wavefront limiting (scheduler-details.md, "Baselines"): only the `scheduler.swl.warps` oldest
/// unfinished warps of the SM, or of the stream that it is for (per_stream), may issue. Warps that wait at a
/// barrier don't count, so that the set extends past them and those they wait for may come.
///
/// A walk from the oldest warp on, one warp a step, finds the set. In hardware timing a step takes the cycles
/// of the age order's selection; the last set stays in force meanwhile, and what changes during a walk is
/// seen by the next one.
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

 private:
  void changed(std::uint64_t cycle);
  void finish_walk(std::uint64_t cycle);
  void walk(std::uint64_t cycle);
  void charge(std::uint64_t until);

  const unsigned limit_;
  ServedWarps served_;
  hw::Owner owner_;
  hw::AgeOrder age_;      ///< unfinished warps
  hw::BitVector waits_;   ///< at a barrier
  hw::BitVector left_;    ///< not yet walked over
  hw::BitVector found_;   ///< the set that the walk builds
  hw::Register counted_;  ///< warps of it that count
  hw::BitVector allowed_;

  bool dirty_ = false;
  std::uint64_t due_ = kNever;  ///< when the walk under way ends
  std::uint64_t walks_ = 0;
  std::uint64_t held_warp_cycles_ = 0;
  std::uint64_t charged_until_ = 0;  ///< last cycle charged
};

}  // namespace heddle
