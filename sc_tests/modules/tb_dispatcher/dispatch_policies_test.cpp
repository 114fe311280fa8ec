// The dispatch policies on the dispatcher and SMs whose thread blocks last fixed times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "top/pairs/test_bed.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

struct Started {
  Cycle cycle;
  std::uint64_t launch;
  unsigned sm;
};

class DispatchPoliciesTest : public ::testing::Test {
 protected:
  void build(const std::string& policy, unsigned sms, unsigned tb_slots) {
    core_.sms = sms;
    core_.tb_slots = tb_slots;
    dispatch_.policy = policy;
    dispatch_.mixed_sms = true;
    bed_ = std::make_unique<TestBed>("bed", core_, dispatch_, sc_core::sc_time(1, sc_core::SC_NS));
    bed_->dispatcher().tb_dispatched.listen([this](const TbTransaction& tb, Cycle cycle) {
      started_.push_back({cycle, tb.launch_id, tb.sm});
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

TEST_F(DispatchPoliciesTest, FifoStartsTheSecondKernelWhenAllBlocksOfTheFirstHaveStarted) {
  build("fifo", 2, 2);
  bed_->launch(kernel("a", 6, 100), 0, 0);
  bed_->launch(kernel("b", 2, 10), 5, 0);
  run();
  EXPECT_GE(first_on(1, 0), last_of(0));
  // The first four places fill at 1 and 2, and are free again at 102 and 103: b begins behind a's last two.
  EXPECT_EQ(last_of(0), 102U);
  EXPECT_EQ(first_on(1, 0), 103U);
}

TEST_F(DispatchPoliciesTest, WithoutMixedSmsTheSecondKernelWaitsUntilAnSmHasDrained) {
  dispatch_.mixed_sms = false;
  core_.sms = 1;
  core_.tb_slots = 2;
  bed_ = std::make_unique<TestBed>("bed", core_, dispatch_, sc_core::sc_time(1, sc_core::SC_NS));
  bed_->dispatcher().tb_dispatched.listen([this](const TbTransaction& tb, Cycle cycle) {
    started_.push_back({cycle, tb.launch_id, tb.sm});
  });
  bed_->launch(kernel("a", 3, 100), 0, 0);
  bed_->launch(kernel("b", 1, 10), 5, 0);
  run();
  EXPECT_EQ(last_of(0), 102U);
  EXPECT_EQ(first_on(1, 0), 203U);  // a's last block ends at 202
}

TEST_F(DispatchPoliciesTest, MpMaxSetsAsideAPlaceForTheOtherKernelAndTakesItBack) {
  build("mpmax", 1, 4);
  bed_->launch(kernel("a", 40, 100), 0, 0);
  bed_->launch(kernel("b", 2, 100), 150, 0);
  run();
  // b takes the first places that come free after it arrives at 150: from 202 on a may hold three.
  EXPECT_GE(first_on(1, 0), 202U);
  EXPECT_LE(first_on(1, 0), 205U);
  const auto a_between = [this](Cycle from, Cycle to) {
    return std::count_if(started_.begin(), started_.end(), [&](const Started& start) {
      return start.launch == 0 && start.cycle >= from && start.cycle < to;
    });
  };
  EXPECT_EQ(a_between(1, 100), 4);
  EXPECT_EQ(a_between(200, 300), 3);
  EXPECT_EQ(a_between(300, 400), 3);
  EXPECT_EQ(a_between(402, 506), 4);  // b has ended
}

TEST_F(DispatchPoliciesTest, MpMaxRefusesKernelsThatNeverFitTogether) {
  build("mpmax", 1, 8);
  bed_->launch(kernel("large", 4, 100, 1024), 0, 0);
  try {
    bed_->launch(kernel("larger", 4, 100, 1024), 0, 0);
    FAIL() << "not refused";
  } catch (const DispatchError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'large'"));
    EXPECT_THAT(error.what(), HasSubstr("'larger'"));
    EXPECT_THAT(error.what(), HasSubstr("never run together"));
  }
}

TEST_F(DispatchPoliciesTest, PoliciesThatMixSayThatTheConfigurationDoesNot) {
  dispatch_.policy = "mpmax";
  try {
    TestBed bed("bed", core_, dispatch_, sc_core::sc_time(1, sc_core::SC_NS));
    FAIL() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("tb_dispatcher.mixed_sms: true"));
  }
}

// SRTF 5.1.1, figure 12: b is sampled on SM 0 as a's blocks end there, takes SM 0 when its first block has
// ended, and the other SMs as a's blocks end on them.
TEST_F(DispatchPoliciesTest, SrtfSamplesANewKernelOnOneSmAndHandsOverToTheShorter) {
  build("srtf", 3, 2);
  bed_->launch(kernel("a", 120, 1000), 0, 0);
  bed_->launch(kernel("b", 60, 100), 1500, 0);
  run();
  EXPECT_EQ(first_on(1, 0), 2003U);  // a's second blocks, given at 1002, end at 2002
  // The sample ends at 2103. The other SMs are given b when a's blocks next end on them, at 3003.
  EXPECT_EQ(first_on(1, 1), 3004U);
  EXPECT_EQ(first_on(1, 2), 3004U);
  const auto a_in_sampling = std::count_if(started_.begin(), started_.end(), [](const Started& start) {
    return start.launch == 0 && start.sm == 0 && start.cycle >= 2003 && start.cycle < 2600;
  });
  EXPECT_EQ(a_in_sampling, 0);
}

TEST_F(DispatchPoliciesTest, SrtfGoesBackToTheFirstKernelWhenTheSampledOneIsLonger) {
  build("srtf", 2, 1);
  bed_->launch(kernel("a", 20, 100), 0, 0);
  bed_->launch(kernel("b", 200, 100), 150, 0);
  run();
  EXPECT_EQ(first_on(1, 0), 203U);
  // Known at 304; a, with less left, goes on there, and b waits for a's end.
  const auto b_before = std::count_if(started_.begin(), started_.end(), [this](const Started& start) {
    return start.launch == 1 && start.cycle < last_of(0);
  });
  EXPECT_EQ(b_before, 1);
}

TEST_F(DispatchPoliciesTest, AKernelAloneIsNotSampled) {
  build("srtf", 4, 1);
  bed_->launch(kernel("a", 8, 100), 0, 0);
  run();
  for (unsigned sm = 0; sm < 4; ++sm) EXPECT_EQ(first_on(0, sm), 1U) << sm;
}

TEST_F(DispatchPoliciesTest, AdaptiveSharesWhenTheSlowdownsLieFarApart) {
  build("srtf_adaptive", 1, 8);
  bed_->launch(kernel("a", 400, 100), 0, 0);
  bed_->launch(kernel("b", 400, 110), 50, 0);
  run();
  // Alike, so that the second would wait for the whole first: slowdowns 1 and 2 under SRTF. Sharing, the
  // faster holds three of the eight places.
  const auto in = [this](std::uint64_t launch, Cycle from, Cycle to) {
    return std::count_if(started_.begin(), started_.end(), [&](const Started& start) {
      return start.launch == launch && start.cycle >= from && start.cycle < to;
    });
  };
  EXPECT_GT(in(0, 2000, 3000), 20);
  EXPECT_GT(in(1, 2000, 3000), 20);
}

TEST_F(DispatchPoliciesTest, SjfWaitsForAShorterKernelThatIsAboutToArriveAndNoLonger) {
  dispatch_.oracle_lookahead_cycles = 100;
  build("sjf", 1, 1);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  bed_->launch(kernel("short", 1, 10), 100, 10);
  run();
  EXPECT_EQ(first_on(1, 0), 101U);
  EXPECT_EQ(first_on(0, 0), 112U);
}

TEST_F(DispatchPoliciesTest, SjfDoesNotSeeBeyondItsLookahead) {
  dispatch_.oracle_lookahead_cycles = 100;
  build("sjf", 1, 1);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  bed_->launch(kernel("short", 1, 10), 102, 10);
  run();
  EXPECT_EQ(first_on(0, 0), 1U);
}

TEST_F(DispatchPoliciesTest, LjfTakesTheLongerFirst) {
  build("ljf", 1, 1);
  bed_->launch(kernel("short", 3, 10), 0, 30);
  bed_->launch(kernel("long", 2, 1000), 0, 2000);
  run();
  EXPECT_GT(first_on(0, 0), last_of(1));
}

TEST_F(DispatchPoliciesTest, OraclesNeedTheRunTimesAlone) {
  build("sjf", 1, 1);
  try {
    bed_->launch(kernel("a", 3, 10), 0, 0);
    FAIL() << "not refused";
  } catch (const DispatchError& error) {
    EXPECT_THAT(error.what(), HasSubstr("run time alone"));
  }
}

TEST_F(DispatchPoliciesTest, AnArrivalInThePastIsRefused) {
  build("fifo", 1, 1);
  bed_->launch(kernel("a", 1, 10), 0, 0);
  run();
  TimedLaunch late(kernel("late", 1, 10));
  try {
    bed_->dispatcher().launch(late, 1, {3, 0});
    FAIL() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("arrives at cycle 3"));
  }
}

TEST_F(DispatchPoliciesTest, MoreKernelsThanMayRunWait) {
  dispatch_.max_kernels = 2;
  build("fifo", 1, 8);
  for (int k = 0; k < 3; ++k) bed_->launch(kernel("k", 1, 100), 0, 0);
  run();
  EXPECT_LT(first_on(1, 0), 10U);
  EXPECT_GE(first_on(2, 0), 102U);
}

}  // namespace
}  // namespace heddle
