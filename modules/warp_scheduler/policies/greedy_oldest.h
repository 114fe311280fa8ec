#pragma once

#include "hw/bit_vector.h"
#include "hw/register.h"
#include "modules/warp_scheduler/policies/own_warps.h"
#include "modules/warp_scheduler/policies/warp_ages.h"

namespace heddle {

/// Greedy then oldest (scheduler-details.md, "Baselines") for one scheduler: the warp that issued last while
/// it may, else the oldest. An age matrix, a register with the last one's number, and a bit for whether it
/// still runs. Its selection fits in a cycle in hardware timing too.
class GreedyOldest {
 public:
  GreedyOldest(const hw::Owner& owner, const PolicyContext& context);

  void update(std::uint64_t cycle) { ages_.update(cycle); }
  unsigned select(WarpMask among) {
    const unsigned last = own_.warp(static_cast<unsigned>(last_.value()));
    return runs_.value() != 0 && (among >> last & 1U) != 0 ? last : ages_.oldest(among);
  }
  void start(unsigned warp) { ages_.start(warp); }
  void finish(unsigned warp) {
    ages_.finish(warp);
    if (runs_.value() != 0 && last_.value() == own_.number(warp)) runs_.load(0);
  }
  void issued(unsigned warp, std::uint64_t cycle) {
    const unsigned number = own_.number(warp);
    if (last_.value() != number) last_.write(cycle, number);
    if (runs_.value() == 0) runs_.load(1);
  }
  void trace(WaveSink& sink) const;

 private:
  OwnWarps own_;
  hw::Register last_;
  hw::BitVector runs_;
  WarpAges ages_;
};

}  // namespace heddle
