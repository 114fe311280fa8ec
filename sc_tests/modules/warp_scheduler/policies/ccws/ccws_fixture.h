#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "modules/warp_scheduler/policies/ccws/ccws.h"

namespace heddle::test {

constexpr std::uint64_t kLine = 0x10000;

/// CCWS that is told what a test makes happen, cycle by cycle.
class CcwsTest : public ::testing::Test {
 protected:
  void create(unsigned warps, hw::Timing timing = hw::Timing::kIdeal) {
    hw::Owner owner;
    owner.timing = timing;
    owner.strict = true;
    ccws_ = std::make_unique<Ccws>(SmContext{table_, config_, 0, nullptr, nullptr, owner});
    ccws_->on_kernel_start({0, cycle_});
    for (unsigned w = 0; w < warps; ++w) ccws_->on_warp_start({w, 0, 0, w, ++cycle_});
    run();
  }
  void issue(unsigned n) {
    for (unsigned i = 0; i < n; ++i) ccws_->on_issue({0, nullptr, kAllLanes, ++cycle_});
  }
  // Told at cycle_, one after they happened.
  void miss(unsigned warp, std::uint64_t line) {
    L1dAccess access;
    access.cycle = cycle_ - 1;
    access.outcome = L1dOutcome::kMiss;
    access.warp = warp;
    access.line.address = line;
    ccws_->on_l1d_access(access);
  }
  void evict(unsigned filled_by, std::uint64_t line) {
    ccws_->on_eviction({cycle_ - 1, filled_by, 0, {line, 0}});
  }
  /// Takes locality from `warp`, which it finds out at cycle_.
  void lose(unsigned warp) {
    evict(warp, kLine);
    miss(warp, kLine);
  }
  /// Until nothing is under way, as long as nothing decays.
  void run() {
    for (std::uint64_t due = ccws_->update(cycle_); due != Ccws::kNever; due = ccws_->update(cycle_)) {
      cycle_ = due;
    }
  }
  /// Goes on to the cycle in which something holds.
  template <class Holds>
  std::uint64_t when(Holds holds) {
    for (std::uint64_t due = ccws_->update(cycle_); !holds(); due = ccws_->update(cycle_)) {
      EXPECT_NE(due, Ccws::kNever);
      if (due == Ccws::kNever) break;
      cycle_ = due;
    }
    return cycle_;
  }
  /// In hardware timing, from the miss to the score: the look-up, the count, the unit, its register.
  std::uint64_t score_cycles() const {
    constexpr unsigned kSteps = 2 * 16 + 32;
    return 2 + kSteps * ccws_->scoring().step_cycles() + 1;
  }
  std::uint64_t score(unsigned warp) { return ccws_->cutoff().score(cycle_, warp); }
  WarpMask eligible(std::uint64_t cycle) {
    cycle_ = cycle;
    ccws_->update(cycle);
    return ccws_->cutoff().eligible();
  }

  WarpTable table_;
  GpuConfig config_;
  std::unique_ptr<Ccws> ccws_;
  std::uint64_t cycle_ = 1;
};

}  // namespace heddle::test
