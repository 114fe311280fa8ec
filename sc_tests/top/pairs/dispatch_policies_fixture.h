#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "top/pairs/test_bed.h"

namespace heddle {

/// Dispatch policies on the dispatcher and SMs whose thread blocks last fixed times.
class DispatchPoliciesTest : public ::testing::Test {
 protected:
  struct Started {
    Cycle cycle;
    std::uint64_t launch;
    unsigned sm;
  };

  void build(const std::string& policy, unsigned sms, unsigned tb_slots, double interference = 0) {
    core_.sms = sms;
    core_.tb_slots = tb_slots;
    dispatch_.policy = policy;
    dispatch_.mixed_sms = true;
    bed_ =
        std::make_unique<TestBed>("bed", core_, dispatch_, sc_core::sc_time(1, sc_core::SC_NS), interference);
    bed_->dispatcher().tb_dispatched.listen([this](const TbTransaction& tb, Cycle cycle) {
      started_.push_back({cycle, tb.launch_id, tb.sm.value()});
    });
  }
  static TimedKernel kernel(const std::string& name, std::uint64_t tbs, double cycles,
                            unsigned threads = 32) {
    TimedKernel result;
    result.name = name;
    result.tbs = tbs;
    result.mean_cycles = cycles;
    result.threads_per_tb = threads;
    return result;
  }
  void run() {
    sc_core::sc_start();
    bed_->rethrow_fault();
    ASSERT_TRUE(bed_->done());
  }
  /// Cycle of the first TB of a launch on an SM; 0 for none.
  Cycle first_on(std::uint64_t launch, unsigned sm) const {
    for (const Started& start : started_) {
      if (start.launch == launch && start.sm == sm) return start.cycle;
    }
    return 0;
  }
  Cycle last_of(std::uint64_t launch) const {
    Cycle last = 0;
    for (const Started& start : started_) {
      if (start.launch == launch) last = std::max(last, start.cycle);
    }
    return last;
  }

  CoreConfig core_;
  TbDispatcherConfig dispatch_;
  std::unique_ptr<TestBed> bed_;
  std::vector<Started> started_;
};

}  // namespace heddle
