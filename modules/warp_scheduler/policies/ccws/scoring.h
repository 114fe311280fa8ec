#pragma once

#include "hw/logic/comparator.h"
#include "hw/logic/multiplexer.h"
#include "hw/logic/population_count.h"
#include "hw/logic/priority_selector.h"
#include "hw/logic/ratio_unit.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/register.h"
#include "modules/config/gpu_config.h"
#include "modules/warp_scheduler/policies/ccws/cutoff.h"

namespace heddle {

/// Scores warps that have lost locality (scheduler-details.md, "CCWS"): victim tag hits x k_throttle x cutoff
/// / instructions issued, both counted since the last kernel launch, at least the base.
///
/// In hardware timing one warp is scored at a time, the lowest first of those that wait, each once however
/// often it has lost locality. The unit takes a step per bit; a cycle later the score is in a register, and
/// from there it is set.
class CcwsScoring {
 public:
  static constexpr std::uint64_t kNever = CcwsCutoff::kNever;

  CcwsScoring(const hw::Owner& owner, const GpuConfig& gpu, CcwsCutoff& cutoff);

  void on_kernel_start();
  void on_issue() {
    issued_.count(0);
    if (any_issued_.value() == 0) any_issued_.set_bits(1);
  }
  void on_finish(unsigned warp);

  /// A victim tag hit. Ideal timing: the warp is scored at once.
  void count_hit() { hits_.count(0); }
  void lose(std::uint64_t cycle, unsigned warp);

  /// Hardware timing: when something happens next by itself.
  std::uint64_t next() const;
  /// Makes up next(), with what was told of the cycles before.
  void step();

  /// Of an operation of the unit.
  unsigned step_cycles() const { return ratio_.step_cycles(); }

  void trace(WaveSink& sink) const { hits_.trace(sink); }

 private:
  std::uint64_t ratio(std::uint64_t cycle);

  const std::uint64_t base_;
  const bool hardware_;
  CcwsCutoff& cutoff_;
  hw::CounterArray hits_;       ///< one: victim tag hits of this kernel
  hw::PopulationCount issues_;  ///< schedulers that issue in a cycle
  hw::CounterArray issued_;     ///< one: instructions of this kernel
  hw::BitVector any_issued_;    ///< a bit: there is one
  hw::BitVector hit_;           ///< warps that wait
  hw::PrioritySelector next_hit_;
  hw::RatioUnit ratio_;
  hw::Register scored_warp_;
  hw::BitVector
      scoring_;  ///< bits: the unit is at work; for a warp that has not finished; its score is to be set
  hw::Multiplexer finishes_;  ///< of the warps that finish, whether the one that is scored does
  hw::Comparator below_base_;
  hw::Register score_;

  std::uint64_t hit_from_ = 0;          ///< when the last warp that waits has come
  std::uint64_t free_from_ = 0;         ///< when the unit can begin
  std::uint64_t quotient_at_ = kNever;  ///< when it has one
  std::uint64_t set_at_ = kNever;       ///< when score_ is set
  std::uint64_t quotient_ = 0;
  bool unfinished_ = false;  ///< the warp that is scored
};

}  // namespace heddle
