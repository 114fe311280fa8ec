// SMs of one scheduler and eight warps under iPAWS.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "modules/warp_scheduler/policies/ipaws/parameters.h"
#include "sc_tests/modules/warp_scheduler/policies/ipaws/ipaws_rig.h"

namespace heddle {

constexpr WarpMask kFour = 0xf;

/// By the paper's letter: judged at the exit of the first warp, by Algorithm 1's threshold.
inline GpuConfig small_config() {
  GpuConfig config;
  config.scheduler.settings.edit(ipaws_parameters).judge_at = IpawsJudgeAt::kFirstWarp;
  config.scheduler.settings.edit(ipaws_parameters).convex_eighths = kEighthsOfOne;
  config.core.schedulers = 1;
  config.core.warps = 8;
  return config;
}

class IpawsTest : public ::testing::Test {
 protected:
  testing::IpawsSm& make(unsigned index = 0) {
    sms_.push_back(std::make_unique<testing::IpawsSm>(config_, board_, index));
    return *sms_.back();
  }
  /// Cycles 1 to 10: four warps with 10 (its exit included), 7, 6 and `last` instructions.
  static void convex_adapt(testing::IpawsSm& sm, std::uint64_t launch = 1, unsigned last = 5) {
    sm.begin(1);
    sm.start_tb(0, launch, {0, 1, 2, 3});
    sm.issue_n(0, 9);
    sm.issue_n(1, 7);
    sm.issue_n(2, 6);
    sm.issue_n(3, last);
    sm.begin(10);
    sm.finish(0);
  }

  GpuConfig config_ = small_config();
  PolicyBoard board_{3};
  std::vector<std::unique_ptr<testing::IpawsSm>> sms_;
};

}  // namespace heddle
