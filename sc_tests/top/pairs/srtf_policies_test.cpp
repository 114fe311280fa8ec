#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "modules/tb_dispatcher/policies/srtf/simple_slicing.h"
#include "sc_tests/support/stat_values.h"
#include "sc_tests/top/pairs/dispatch_policies_fixture.h"

namespace heddle {
namespace {

class SrtfPoliciesTest : public DispatchPoliciesTest {};

// SRTF 5.1.1, figure 12: b is sampled on SM 0 as a's blocks end there, takes SM 0 when its first block has
// ended, and the other SMs as a's blocks end on them.
TEST_F(SrtfPoliciesTest, SrtfSamplesANewKernelOnOneSmAndHandsOverToTheShorter) {
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

TEST_F(SrtfPoliciesTest, SrtfGoesBackToTheFirstKernelWhenTheSampledOneIsLonger) {
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

// SRTF 6.2.2: the run times are given, so that all SMs turn to the shorter kernel when their blocks next end.
TEST_F(SrtfPoliciesTest, ZeroSamplingHandsAllSmsToTheShorterKernelAtOnce) {
  build("srtf_zero_sampling", 3, 2);
  bed_->launch(kernel("a", 120, 1000), 0, 20000);
  bed_->launch(kernel("b", 60, 100), 1500, 1000);
  run();
  for (unsigned sm = 0; sm < 3; ++sm) EXPECT_EQ(first_on(1, sm), 2003U) << sm;
  const auto a_during_b = std::count_if(started_.begin(), started_.end(), [this](const Started& start) {
    return start.launch == 0 && start.cycle >= 2003 && start.cycle < last_of(1);
  });
  EXPECT_EQ(a_during_b, 0);
}

TEST_F(SrtfPoliciesTest, ZeroSamplingKeepsToTheFirstKernelWhileItHasLessLeft) {
  build("srtf_zero_sampling", 2, 1);
  bed_->launch(kernel("a", 20, 100), 0, 1000);
  bed_->launch(kernel("b", 200, 100), 150, 10000);
  run();
  for (unsigned sm = 0; sm < 2; ++sm) EXPECT_GT(first_on(1, sm), last_of(0)) << sm;
}

TEST_F(SrtfPoliciesTest, ZeroSamplingOrdersProgramsNotLaunches) {
  build("srtf_zero_sampling", 1, 1);
  bed_->launch(kernel("a", 1, 10), 0, {10, 10, 20, 20}, 0);
  bed_->launch(kernel("b", 1, 15), 0, {15, 0, 15, 15}, 1);
  run();
  EXPECT_EQ(first_on(1, 0), 1U);
}

TEST_F(SrtfPoliciesTest, AKernelAloneIsNotSampled) {
  build("srtf", 4, 1);
  bed_->launch(kernel("a", 8, 100), 0, 0);
  run();
  for (unsigned sm = 0; sm < 4; ++sm) EXPECT_EQ(first_on(0, sm), 1U) << sm;
}

TEST_F(SrtfPoliciesTest, AdaptiveSharesWhenTheSlowdownsLieFarApart) {
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
  test::StatValues values;
  bed_->dispatcher().report(values);
  EXPECT_GE(values.values["changes_to_sharing"], 1);
  EXPECT_LT(values.values["changes_to_sharing"], 20);  // each change, not each of the 800 blocks
}

// The short kernel has waited for room; three places per SM are fewer than SRTF gives it now.
TEST_F(SrtfPoliciesTest, AdaptiveDoesNotShareWhereThatIsLessFair) {
  build("srtf_adaptive", 1, 8);
  bed_->launch(kernel("long", 80, 1000), 0, 0);
  bed_->launch(kernel("short", 40, 100), 50, 0);
  run();
  EXPECT_LT(last_of(1), 1600U);
  test::StatValues values;
  bed_->dispatcher().report(values);
  EXPECT_EQ(values.values["changes_to_sharing"], 0);
}

TEST_F(SrtfPoliciesTest, AdaptiveSharesByTheThresholdAloneWhenToldSo) {
  dispatch_.adaptive_only_if_fairer = false;
  build("srtf_adaptive", 1, 8);
  bed_->launch(kernel("long", 80, 1000), 0, 0);
  bed_->launch(kernel("short", 40, 100), 50, 0);
  run();
  EXPECT_GT(last_of(1), 1900U);  // 32 blocks after the sampled ones, three at a time
}

TEST_F(SrtfPoliciesTest, PredictionsAreToldAndComeNearTheTruth) {
  build("srtf", 2, 2);
  bed_->launch(kernel("a", 40, 100), 0, 0);
  std::vector<RuntimePrediction> predictions;
  bed_->dispatcher().predicted.listen(
      [&predictions](const RuntimePrediction& prediction) { predictions.push_back(prediction); });
  run();
  ASSERT_GE(predictions.size(), 40U);
  EXPECT_GE(predictions.front().cycle, 102U);  // when the first block has ended
  EXPECT_LE(predictions.front().cycle, 104U);
  // 20 blocks an SM, two at a time, 101 cycles from one to the next.
  for (const RuntimePrediction& prediction : predictions) {
    EXPECT_NEAR(static_cast<double>(prediction.predicted_cycles), 1010, 110);
  }
}

TEST_F(SrtfPoliciesTest, WithoutSlicesEachSmPredictsAKernelOnce) {
  build("srtf_slice_unaware", 2, 2);
  bed_->launch(kernel("a", 40, 100), 0, 0);
  bed_->launch(kernel("b", 40, 300), 150, 0);
  std::map<std::pair<std::uint64_t, unsigned>, int> predictions;
  bed_->dispatcher().predicted.listen([&predictions](const RuntimePrediction& prediction) {
    ++predictions[{prediction.launch_id, prediction.sm}];
  });
  run();
  ASSERT_EQ(predictions.size(), 4U);
  for (const auto& [place, count] : predictions) {
    // Of each launch the SM that is not the first takes over a sample, until a block of its own has ended.
    EXPECT_EQ(count, place.second == 0 ? 1 : 2) << "launch " << place.first << " SM " << place.second;
  }
}

TEST_F(SrtfPoliciesTest, EveryTableKnowsTheBlocksThatEndedOnAllSms) {
  core_.sms = 3;
  core_.tb_slots = 2;
  const DispatchContext context{core_, dispatch_, {}};
  SimpleSlicing slicing(context);
  TimedLaunch timed(kernel("a", 6, 100));
  LaunchRecord launch;
  launch.launch = &timed;
  launch.tbs = 6;
  launch.kernel_slot = 1;
  launch.occupancy.resident_limit = 2;
  slicing.on_launch(0, launch);
  for (unsigned sm = 0; sm < 3; ++sm) slicing.on_tb_start({launch, SmId(sm), TbSlot(0), 1});
  launch.tbs_ended = 1;
  slicing.on_tb_end({launch, SmId(2), TbSlot(0), 101});
  launch.tbs_ended = 2;
  slicing.on_tb_end({launch, SmId(0), TbSlot(0), 102});
  for (unsigned sm = 0; sm < 3; ++sm) {
    EXPECT_EQ(slicing.table(sm).total_blocks_done(1), 2U) << sm;
    EXPECT_EQ(slicing.tbs_left(launch, sm), sm == 1 ? 2U : 1U) << sm;
  }
}

// y is sampled in slot 0 from 1 on, x has slot 1 from 2 on. x ends at 101, y at 102: in that cycle z is given
// the place of x, and the SM puts it into the slot of y, of whose end the dispatcher hears at 103.
TEST_F(SrtfPoliciesTest, ABlockIsMeasuredFromItsOwnStartThoughItsSlotHasTheNext) {
  build("srtf", 1, 2);
  bed_->launch(kernel("x", 1, 99), 0, 0);
  bed_->launch(kernel("y", 1, 101), 0, 0);
  bed_->launch(kernel("z", 1, 50), 0, 0);
  std::map<std::uint64_t, std::uint64_t> tb_cycles;
  bed_->dispatcher().predicted.listen([&tb_cycles](const RuntimePrediction& prediction) {
    tb_cycles[prediction.launch_id] = prediction.tb_cycles;
  });
  run();
  EXPECT_EQ(first_on(2, 0), 102U);
  EXPECT_THAT(tb_cycles, ::testing::ElementsAre(std::pair(0, 100), std::pair(1, 102), std::pair(2, 51)));
}

TEST_F(SrtfPoliciesTest, HandOffsAreCountedFromTheDecisionToTheFirstBlock) {
  build("srtf", 3, 2);
  bed_->launch(kernel("a", 120, 1000), 0, 0);
  bed_->launch(kernel("b", 60, 100), 1500, 0);
  run();
  test::StatValues values;
  bed_->dispatcher().report(values);
  EXPECT_EQ(values.values["samples"], 1);
  // On SM 0 b waits to be sampled, from its arrival to 2003, which is no hand-off; on the others for room,
  // from the end of its sample, at 2103, to 3004. When b's last block has started, a waits on each SM for one
  // of b's places, which come free within 101 cycles.
  EXPECT_EQ(values.values["sampling_delay_cycles"], 2003 - 1500);
  EXPECT_EQ(values.values["hand_offs"], 5);
  EXPECT_GT(values.values["hand_off_cycles"], 2 * 901 - 4);
  EXPECT_LE(values.values["hand_off_cycles"], 2 * 901 + 4 + 3 * 101);
}

TEST_F(SrtfPoliciesTest, AnSmIsPredictedToHoldItsShareOfTheGridRoundedUp) {
  build("srtf", 2, 1);
  std::vector<RuntimePrediction> predictions;
  bed_->dispatcher().predicted.listen(
      [&predictions](const RuntimePrediction& prediction) { predictions.push_back(prediction); });
  bed_->launch(kernel("a", 3, 100), 0, 0);
  run();
  ASSERT_FALSE(predictions.empty());
  EXPECT_EQ(predictions.front().predicted_cycles, 2 * predictions.front().tb_cycles);
}

// One place on one SM: b, which comes at 150, is sampled when a's second block has ended, from 203 to 304.
TEST_F(SrtfPoliciesTest, SamplesPredictionsAndHandOffsAreCounted) {
  build("srtf", 1, 1);
  bed_->launch(kernel("a", 20, 100), 0, 0);
  bed_->launch(kernel("b", 200, 100), 150, 0);
  run();
  EXPECT_EQ(first_on(1, 0), 203U);
  test::StatValues values;
  bed_->dispatcher().report(values);
  EXPECT_EQ(values.values["predictions"], 20 + 200);  // one at the end of each block
  EXPECT_EQ(values.values["samples"], 1);
  EXPECT_EQ(values.values["sampling_delay_cycles"], 203 - 150);
  EXPECT_EQ(values.values["sampling_cycles"], 304 - 203);
  // b waits for the end of a's last block.
  EXPECT_EQ(values.values["hand_offs"], 1);
  EXPECT_EQ(values.values["hand_off_cycles"], 100);
}

// The same in detail: what the counters add up, with the kernels and places.
TEST_F(SrtfPoliciesTest, SamplesAndHandOffsAreToldWhenTheyEnd) {
  build("srtf", 1, 1);
  std::vector<std::string> told;
  bed_->dispatcher().policy_interval.listen([&told](const PolicyInterval& interval) {
    told.push_back(fmt::format("{} {} on {}: {} to {}", to_string(interval.kind), interval.launch_id,
                               interval.sm, interval.start, interval.end));
  });
  bed_->launch(kernel("a", 20, 100), 0, 0);
  bed_->launch(kernel("b", 200, 100), 150, 0);
  run();
  test::StatValues values;
  bed_->dispatcher().report(values);
  EXPECT_THAT(told, ::testing::ElementsAre("to_be_sampled 1 on 0: 150 to 203", "sampled 1 on 0: 203 to 304",
                                           "hand_off 1 on 0: 2022 to 2122"));
}

// c may be sampled when the sample of b has ended.
TEST_F(SrtfPoliciesTest, TheDelayOfASampleBeginsWithItsTurn) {
  build("srtf", 1, 1);
  bed_->launch(kernel("a", 20, 100), 0, 0);
  bed_->launch(kernel("b", 200, 100), 150, 0);
  bed_->launch(kernel("c", 200, 100), 160, 0);
  run();
  EXPECT_EQ(first_on(1, 0), 203U);
  EXPECT_EQ(first_on(2, 0), 304U);
  test::StatValues values;
  bed_->dispatcher().report(values);
  EXPECT_EQ(values.values["samples"], 2);
  EXPECT_EQ(values.values["sampling_delay_cycles"], 203 - 150);
}

// What is left alone needs no sample; one that waited for it would keep the SM from the next kernel.
TEST_F(SrtfPoliciesTest, TheNextKernelIsSampledWhenTheOneBeforeWasLeftAlone) {
  build("srtf", 1, 8);
  bed_->launch(kernel("a", 1, 100), 0, 0);
  bed_->launch(kernel("b", 3, 1000, 1024), 50, 0);  // one at a time
  bed_->launch(kernel("c", 1, 10), 300, 0);
  run();
  EXPECT_LT(first_on(2, 0), 310U);
}

}  // namespace
}  // namespace heddle
