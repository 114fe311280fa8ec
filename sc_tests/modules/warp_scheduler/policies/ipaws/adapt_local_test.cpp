// Locality-based adaptive scheduling (iPAWS 5.3).
#include <gtest/gtest.h>

#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "sc_tests/support/stat_values.h"

namespace heddle {
namespace {

class AdaptLocalTest : public ::testing::Test {
 protected:
  AdaptLocalTest() {
    config_.scheduler.name = "adapt_local";
    config_.scheduler.settings.edit(adapt_local_parameters).sampling_period_cycles = 100;
    config_.core.schedulers = 1;
  }
  void make() {
    hw::Owner owner;
    owner.timing = config_.scheduler.timing;
    sm_ = std::make_unique<SmPolicies>(SmContext{table_, config_, 0, nullptr, nullptr, owner});
  }
  void start_kernel(std::uint64_t cycle, std::uint64_t launch) {
    sm_->tell<event::TbStart>({0, 0, launch, 0xf, cycle});
    for (unsigned w = 0; w < 4; ++w) policy().on_start(w);
  }
  Prioritizer& policy() { return *sm_->of_scheduler(0).prioritizer; }
  std::uint64_t run(std::uint64_t cycle) {
    const std::uint64_t next = sm_->update(cycle);
    EXPECT_EQ(sm_->update(cycle), next);
    policy().update(cycle);
    return next;
  }
  void l1d(L1dOutcome outcome, unsigned warp, unsigned line_warp, unsigned times = 1) {
    L1dAccess access;
    access.outcome = outcome;
    access.warp = warp;
    access.line_warp = line_warp;
    for (unsigned i = 0; i < times; ++i) sm_->tell<event::L1dAccess>(access);
  }
  void l2(LineOrigin origin, unsigned times = 1) {
    for (unsigned i = 0; i < times; ++i) {
      sm_->tell<event::L2Reply>(L2Reply{0, 1, origin});
    }
  }
  /// Warp 2 issued last: the greedy scheduler stays with it, the fair one goes on.
  bool fair() {
    policy().on_issue({2, nullptr, kAllLanes, 0});
    return policy().select(0, 0xf) == 3;
  }

  GpuConfig config_;
  WarpTable table_;
  std::unique_ptr<SmPolicies> sm_;
};

// MASCAR admits loads alone while any is ready. If the limit inside refused these, nothing would issue again.
TEST_F(AdaptLocalTest, BehindMascarNoSideHasAQualifierOfItsOwn) {
  for (const char* const inside : {"swl+lrr", "ccws", "ocw_throttling+two_level_active"}) {
    SCOPED_TRACE(inside);
    config_.scheduler.name = "mascar+adapt_local";
    config_.scheduler.settings.edit(adapt_local_parameters).fair = inside;
    EXPECT_THROW(make(), SettingError);
    config_.scheduler.name = "swl+adapt_local";
    EXPECT_NO_THROW(make());
  }
  config_.scheduler.name = "mascar+adapt_local";
  config_.scheduler.settings.edit(adapt_local_parameters).fair = "two_level_active";
  EXPECT_NO_THROW(make());
}

// What a choice of several cycles is held against when it arrives.
TEST_F(AdaptLocalTest, AdmitsWhatTheQualifierOfTheChosenSideAdmits) {
  config_.scheduler.settings.edit(adapt_local_parameters).greedy = "swl+gto";
  make();
  start_kernel(5, 1);
  for (unsigned w = 0; w < 4; ++w) sm_->tell<event::WarpStart>({w, 0, 0, w, 5, 1});
  run(6);
  EXPECT_EQ(policy().admitted(6, 0xe), 0x2U);  // of the two oldest warps
  EXPECT_EQ(policy().select(6, 0x2), 1U);
  l2(LineOrigin::kOtherSm);
  run(105);
  EXPECT_EQ(policy().admitted(105, 0xe), 0xeU);
}

TEST_F(AdaptLocalTest, TheGreaterCountWinsAtTheEndOfThePeriodNotBefore) {
  make();
  start_kernel(5, 1);
  EXPECT_EQ(run(6), 105U);
  l1d(L1dOutcome::kHit, 1, 2, 3);
  l1d(L1dOutcome::kMerged, 1, 0, 1);
  l1d(L1dOutcome::kHit, 1, 1, 3);
  l1d(L1dOutcome::kMiss, 1, 1, 9);
  l1d(L1dOutcome::kRefused, 1, 1, 9);
  run(104);
  EXPECT_FALSE(fair());
  EXPECT_EQ(run(105), 205U);
  EXPECT_TRUE(fair());
  l1d(L1dOutcome::kHit, 1, 1);
  run(205);
  EXPECT_FALSE(fair());  // counts begin anew with each period
}

TEST_F(AdaptLocalTest, CountsTheL2Too) {
  make();
  start_kernel(0, 1);
  l2(LineOrigin::kSameSm, 2);
  l2(LineOrigin::kOtherSm, 2);
  l2(LineOrigin::kSameWarp, 3);
  l2(LineOrigin::kNobody, 9);
  run(100);
  EXPECT_TRUE(fair());
}

TEST_F(AdaptLocalTest, EqualCountsChangeNothing) {
  make();
  start_kernel(0, 1);
  run(100);
  EXPECT_FALSE(fair());
  l2(LineOrigin::kOtherSm);
  run(200);
  EXPECT_TRUE(fair());
  run(300);
  EXPECT_TRUE(fair());
}

TEST_F(AdaptLocalTest, HitsHaveWeights) {
  config_.scheduler.settings.edit(adapt_local_parameters).intra_weight = 4;
  config_.scheduler.settings.edit(adapt_local_parameters).inter_weight = 1;
  make();
  start_kernel(0, 1);
  l2(LineOrigin::kSameWarp, 1);
  l2(LineOrigin::kSameSm, 3);
  run(100);
  EXPECT_FALSE(fair());
  l2(LineOrigin::kSameWarp, 1);
  l2(LineOrigin::kSameSm, 5);
  run(200);
  EXPECT_TRUE(fair());
}

TEST_F(AdaptLocalTest, AKernelBeginsUnderTheGreedyScheduler) {
  make();
  start_kernel(0, 1);
  l2(LineOrigin::kOtherSm);
  run(100);
  EXPECT_TRUE(fair());
  l2(LineOrigin::kOtherSm);
  start_kernel(150, 2);
  EXPECT_FALSE(fair());
  EXPECT_EQ(run(151), 250U);
  run(250);
  EXPECT_FALSE(fair());
}

TEST_F(AdaptLocalTest, TheComparisonTakesItsCyclesInHardwareTiming) {
  config_.scheduler.timing = hw::Timing::kHardware;
  make();
  start_kernel(0, 1);
  l2(LineOrigin::kOtherSm);
  const std::uint64_t decided = run(100);
  EXPECT_GT(decided, 100U);
  EXPECT_LT(decided, 200U);
  run(decided - 1);
  EXPECT_FALSE(fair());
  run(decided);
  EXPECT_TRUE(fair());
}

TEST_F(AdaptLocalTest, AnEmptySmIsNotWoken) {
  make();
  start_kernel(0, 1);
  sm_->tell<event::TbEnd>({0, 0, 1, 0xf, 50});
  EXPECT_EQ(run(51), SharedPolicy::kNever);
}

TEST_F(AdaptLocalTest, HitsAndWonPeriodsAreCounted) {
  make();
  start_kernel(0, 1);
  l1d(L1dOutcome::kHit, 1, 2, 3);
  l1d(L1dOutcome::kMerged, 1, 0);
  l1d(L1dOutcome::kMiss, 1, 0, 9);
  l2(LineOrigin::kOtherSm);
  l2(LineOrigin::kSameWarp, 2);
  l2(LineOrigin::kNobody, 9);
  run(100);
  l1d(L1dOutcome::kHit, 1, 1, 3);
  run(200);
  l1d(L1dOutcome::kMerged, 1, 1);
  run(300);
  test::StatValues values;
  sm_->report(values);
  EXPECT_EQ(values.values.at("inter_warp_hits"), 5);
  EXPECT_EQ(values.values.at("intra_warp_hits"), 6);
  EXPECT_EQ(values.values.at("periods_fair"), 1);
  EXPECT_EQ(values.values.at("periods_greedy"), 2);
}

}  // namespace
}  // namespace heddle
