#pragma once

#include "hw/logic/multiplexer.h"
#include "hw/pricing/gates.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/register.h"
#include "modules/warp_scheduler/policies/basic/own_warps.h"
#include "modules/warp_scheduler/policies/basic/warp_ages.h"

namespace heddle {

/// Greedy then oldest (scheduler-details.md, "Baselines"): takes the warp that issued last while it may
/// issue, otherwise the oldest. Its parts, per scheduler: an age matrix, a register with the last warp's
/// number, a bit for whether that one still runs, and what takes it or the oldest. A selection fits into a
/// cycle in hardware timing too.
class GreedyOldest {
 public:
  GreedyOldest(const hw::Owner& owner, const PolicyContext& context);

  void update(std::uint64_t cycle) { cycle_ = cycle; }
  unsigned select(WarpMask among) {
    const WarpMask greedy = among & last_running_;
    return greedy != 0 ? lowest_warp(greedy) : ages_.oldest(cycle_, among);
  }
  /// Warps that start between two updates start in one cycle: the scheduler runs whenever one starts.
  void start(unsigned warp) { ages_.start(cycle_ + 1, warp); }
  void finish(unsigned warp) {
    ages_.finish(warp);
    if (last_running_ != warp_bit(warp)) return;
    runs_.load(0);
    last_running_ = 0;
  }
  void issued(unsigned warp, std::uint64_t cycle) {
    either_.read(cycle);
    if (last_running_ == warp_bit(warp)) return;
    const unsigned number = own_.number(warp);
    if (last_.value() != number) last_.write(cycle, number);
    if (last_running_ == 0) runs_.load(1);
    last_running_ = warp_bit(warp);
  }
  /// The oldest one is found beside the question whether the last one is among them.
  hw::TimingPath choice_path() const {
    return ages_.choice_path().through("last or oldest",
                                       hw::gates::enable_fo4() + hw::gates::fan_out_fo4(own_.count()));
  }
  void trace(WaveSink& sink) const;

 private:
  std::uint64_t cycle_ = 0;
  WarpMask last_running_ = 0;  ///< what last_ and runs_ say, beside what every selection needs
  OwnWarps own_;
  hw::Register last_;
  hw::BitVector runs_;
  WarpAges ages_;
  hw::Multiplexer either_;
};

}  // namespace heddle
