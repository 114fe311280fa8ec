#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "sc_tests/top/pairs/dispatch_policies_fixture.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

TEST_F(DispatchPoliciesTest, FifoStartsTheSecondKernelWhenAllBlocksOfTheFirstHaveStarted) {
  build("fifo", 2, 2);
  bed_->launch(kernel("a", 6, 100), 0, 0);
  bed_->launch(kernel("b", 2, 10), 5, 0);
  run();
  EXPECT_GE(first_on(1, 0), last_of(0));
  // The first four places fill at 1 and 2, and are free again at 102 and 103: b begins after a's last two.
  EXPECT_EQ(last_of(0), 102U);
  EXPECT_EQ(first_on(1, 0), 103U);
}

// Two blocks for two SMs: one of each, though the other SM is full and this one has room.
TEST_F(DispatchPoliciesTest, AnSmHoldsNoMoreThanItsShareOfASmallGrid) {
  build("fifo", 2, 2);
  bed_->launch(kernel("full", 1, 1000, 1536), 0, 0);
  bed_->launch(kernel("small", 2, 500), 0, 0);
  run();
  EXPECT_EQ(first_on(1, 1), 1U);
  EXPECT_EQ(last_of(1), 502U);
}

TEST_F(DispatchPoliciesTest, WithoutMixedSmsTheSecondKernelWaitsUntilAnSmHasDrained) {
  dispatch_.mixed_sms = false;
  core_.sms = 1;
  core_.tb_slots = 2;
  bed_ = std::make_unique<TestBed>("bed", core_, dispatch_, sc_core::sc_time(1, sc_core::SC_NS));
  bed_->dispatcher().tb_dispatched.listen([this](const TbTransaction& tb, Cycle cycle) {
    started_.push_back({cycle, tb.launch_id, tb.sm.value()});
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

TEST_F(DispatchPoliciesTest, MpMaxRunsKernelsThatDoNotFitTogetherOneAfterTheOther) {
  build("mpmax", 1, 8);
  bed_->launch(kernel("large", 4, 100, 1024), 0, 0);  // of 1536 threads
  bed_->launch(kernel("larger", 4, 100, 1280), 0, 0);
  run();
  EXPECT_EQ(first_on(1, 0), last_of(0) + 101);
}

// One of a and one of b, or one of a and one of c, but not all three: a sets aside for b, which came first.
TEST_F(DispatchPoliciesTest, MpMaxSetsAsideForThoseThatFitInTheOrderOfTheirArrival) {
  build("mpmax", 1, 8);
  bed_->launch(kernel("a", 40, 100, 512), 0, 0);
  bed_->launch(kernel("b", 3, 1000, 512), 0, 0);
  bed_->launch(kernel("c", 1, 100, 768), 0, 0);
  run();
  const auto a_between = [this](Cycle from, Cycle to) {
    return std::count_if(started_.begin(), started_.end(), [&](const Started& start) {
      return start.launch == 0 && start.cycle >= from && start.cycle < to;
    });
  };
  EXPECT_LT(first_on(1, 0), 5U);
  EXPECT_EQ(a_between(0, 100), 2);
  EXPECT_EQ(a_between(200, 300), 2);
  EXPECT_GT(first_on(2, 0), last_of(0));
}

// Scheduler-details, SRTF: room for one TB of each other kernel, by each. b must not fill up with what a has
// left for c.
TEST_F(DispatchPoliciesTest, MpMaxSetsAsideForAThirdKernelUnderEachOfTheOthers) {
  build("mpmax", 1, 8);
  bed_->launch(kernel("a", 60, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 0, 0);
  bed_->launch(kernel("c", 20, 100), 0, 0);
  std::map<std::uint64_t, int> held;
  std::map<std::uint64_t, int> at_50;
  const auto look = [&](Cycle cycle) {
    if (cycle < 50) at_50 = held;
  };
  bed_->dispatcher().tb_dispatched.listen([&](const TbTransaction& tb, Cycle cycle) {
    ++held[tb.launch_id];
    look(cycle);
  });
  bed_->dispatcher().tb_ended.listen([&](const TbTransaction& tb, Cycle cycle) {
    --held[tb.launch_id];
    look(cycle);
  });
  run();
  EXPECT_EQ(at_50[0], 6);
  EXPECT_EQ(at_50[1], 1);
  EXPECT_EQ(at_50[2], 1);
}

// What a kernel that came first holds is not taken from it; what it gives back goes to each of the others
// first.
TEST_F(DispatchPoliciesTest, MpMaxGivesALateThirdKernelTheNextPlace) {
  build("mpmax", 1, 4);
  bed_->launch(kernel("a", 60, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 10, 0);
  bed_->launch(kernel("c", 2, 100), 250, 0);
  run();
  EXPECT_GE(first_on(2, 0), 250U);
  EXPECT_LE(first_on(2, 0), 310U);
}

// Were the places set aside for each other to hold for first blocks, too, neither could take the one that is
// free.
TEST_F(DispatchPoliciesTest, MpMaxGivesTwoLateKernelsOnePlaceEachAsPlacesComeFree) {
  build("mpmax", 1, 4);
  bed_->launch(kernel("a", 60, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 50, 0);
  bed_->launch(kernel("c", 60, 100), 50, 0);
  run();
  EXPECT_EQ(first_on(1, 0), 102U);  // a's blocks start at 1 to 4
  EXPECT_EQ(first_on(2, 0), 103U);
}

TEST_F(DispatchPoliciesTest, MpMaxSetsNothingAsideForAKernelWithoutBlocksThatWait) {
  build("mpmax", 2, 4);
  bed_->launch(kernel("a", 60, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 0, 0);
  bed_->launch(kernel("c", 1, 5000), 0, 0);
  run();
  const bool c_on_0 = first_on(2, 0) != 0;
  const unsigned without_c = c_on_0 ? 1 : 0;
  EXPECT_EQ(std::count_if(started_.begin(), started_.end(),
                          [&](const Started& start) { return start.sm == without_c && start.cycle < 50; }),
            4);
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

TEST_F(DispatchPoliciesTest, AnArrivalInThePastIsRefused) {
  build("fifo", 1, 1);
  bed_->launch(kernel("a", 1, 10), 0, 0);
  run();
  TimedLaunch late(kernel("late", 1, 10));
  try {
    bed_->dispatcher().launch(late, 1, {3});
    FAIL() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("arrives at cycle 3"));
  }
}

TEST_F(DispatchPoliciesTest, KernelsOfOneArrivalComeInTheOrderOfTheirLaunch) {
  build("fifo", 1, 1);
  for (int k = 0; k < 3; ++k) bed_->launch(kernel("k", 1, 100), 50, 0);
  run();
  EXPECT_LT(first_on(0, 0), first_on(1, 0));
  EXPECT_LT(first_on(1, 0), first_on(2, 0));
}

TEST_F(DispatchPoliciesTest, MoreKernelsThanMayRunWait) {
  dispatch_.max_kernels = 2;
  build("fifo", 1, 8);
  for (int k = 0; k < 3; ++k) bed_->launch(kernel("k", 1, 100), 0, 0);
  run();
  EXPECT_LT(first_on(1, 0), 10U);
  EXPECT_GE(first_on(2, 0), 102U);
}

// iPAWS 4.3, pCKE.
TEST_F(DispatchPoliciesTest, SpatialGivesEachKernelHalfOfTheSmsAndAllToTheLast) {
  build("spatial", 4, 2);
  bed_->launch(kernel("a", 400, 100), 0, 0);
  bed_->launch(kernel("b", 40, 100), 1000, 0);
  run();
  const Cycle b_begins = std::min(first_on(1, 2), first_on(1, 3));
  EXPECT_GE(b_begins, 1001U);
  EXPECT_LE(b_begins, 1001U + 2 * 101);  // a's blocks on SMs 2 and 3 end first
  EXPECT_EQ(first_on(1, 0), 0U);
  EXPECT_EQ(first_on(1, 1), 0U);
  const auto a_on = [this](unsigned sm, Cycle from, Cycle to) {
    return std::count_if(started_.begin(), started_.end(), [&](const Started& start) {
      return start.launch == 0 && start.sm == sm && start.cycle >= from && start.cycle < to;
    });
  };
  EXPECT_GT(a_on(3, 0, 1000), 10);
  EXPECT_EQ(a_on(3, 1100, last_of(1)), 0);
  EXPECT_GT(a_on(0, 1100, last_of(1)), 10);
  EXPECT_GT(a_on(3, last_of(1) + 200, last_of(0)), 10);
}

TEST_F(DispatchPoliciesTest, SpatialGivesTheFirstKernelsAnSmEachWhenThereAreMoreOfThem) {
  build("spatial", 2, 1);
  for (int k = 0; k < 3; ++k) bed_->launch(kernel("k", 10, 100), 0, 0);
  run();
  EXPECT_LT(first_on(0, 0), 5U);
  EXPECT_LT(first_on(1, 1), 5U);
  EXPECT_EQ(first_on(0, 1), 0U);
  EXPECT_GT(first_on(2, 1), 900U);
}

TEST_F(DispatchPoliciesTest, SpatialGivesAnSmOfAKernelWithoutBlocksThatWaitToTheNext) {
  build("spatial", 3, 4);  // SMs 0 and 1 are a's
  bed_->launch(kernel("a", 1, 5000), 0, 0);
  bed_->launch(kernel("b", 12, 100), 0, 0);
  run();
  EXPECT_EQ(first_on(0, 0), 1U);
  EXPECT_EQ(first_on(1, 0), 0U);
  EXPECT_GT(first_on(1, 1), 0U);
  EXPECT_LT(first_on(1, 1), 5U);
}

TEST_F(DispatchPoliciesTest, SpatialSpreadsASmallGridOverTheKernelsOwnSms) {
  build("spatial", 4, 4);  // two SMs each
  bed_->launch(kernel("a", 5, 100), 0, 0);
  bed_->launch(kernel("b", 8, 1000), 0, 0);
  bed_->launch(kernel("c", 5, 100), 5000, 0);  // alone: all SMs
  run();
  const auto on = [this](std::uint64_t launch, unsigned sm) {
    return std::count_if(started_.begin(), started_.end(),
                         [&](const Started& start) { return start.launch == launch && start.sm == sm; });
  };
  for (const std::uint64_t launch : {0, 1}) {
    EXPECT_LT(last_of(launch), 10U) << "no TB of launch " << launch << " waits for another to end";
  }
  EXPECT_EQ(on(0, 0) + on(0, 1), 5);
  EXPECT_EQ(std::max(on(0, 0), on(0, 1)), 3);
  EXPECT_EQ(on(1, 2), 4);
  EXPECT_EQ(on(1, 3), 4);
  EXPECT_LE(std::max({on(2, 0), on(2, 1), on(2, 2), on(2, 3)}), 2);
}

// Two of a's blocks wait for SM 3, until c's arrival at 1000 leaves a with SM 2, which may then hold all
// four. They wait for the arrival, and not for the launch latency of c, whether it was announced or is
// launched there and then.
class SpatialArrivalTest : public DispatchPoliciesTest, public ::testing::WithParamInterface<bool> {};

TEST_P(SpatialArrivalTest, TheSplitIsDrawnAnew) {
  const bool announced = GetParam();
  core_.launch_latency_cycles = 50;
  build("spatial", 4, 4);
  bed_->launch(kernel("before", 3, 10), 0, 0);  // the next block goes to SM 3
  bed_->launch(kernel("b", 3, 5000), 100, 0);   // on SMs 3, 0 and 1
  bed_->launch(kernel("a", 4, 5000), 200, 0);
  if (announced) bed_->launch(kernel("c", 1, 100), 1000, 0);
  sc_core::sc_start(999.5, sc_core::SC_NS);
  const auto of_a = [this] {
    return std::count_if(started_.begin(), started_.end(), [](const Started& tb) { return tb.launch == 2; });
  };
  EXPECT_EQ(of_a(), 2);
  sc_core::sc_start(1, sc_core::SC_NS);
  if (!announced) bed_->launch(kernel("c", 1, 100), 0, 0);
  sc_core::sc_start(3, sc_core::SC_NS);
  EXPECT_EQ(of_a(), 4);
}

INSTANTIATE_TEST_SUITE_P(AnnouncedOrNot, SpatialArrivalTest, ::testing::Bool());

TEST_F(DispatchPoliciesTest, SpatialNeverMixesKernelsOnAnSm) {
  build("spatial", 3, 4);  // SMs may be mixed, the policy doesn't
  for (unsigned k = 0; k < 4; ++k) bed_->launch(kernel("k" + std::to_string(k), 50, 60 + 7 * k), Cycle{40} * k, 0);
  std::map<unsigned, std::map<std::uint64_t, int>> held;
  bed_->dispatcher().tb_dispatched.listen([&held](const TbTransaction& tb, Cycle cycle) {
    ++held[tb.sm.value()][tb.launch_id];
    EXPECT_EQ(held[tb.sm.value()].size(), 1U) << "SM " << tb.sm.value() << " at " << cycle;
  });
  bed_->dispatcher().tb_ended.listen([&held](const TbTransaction& tb, Cycle /*cycle*/) {
    if (--held[tb.sm.value()][tb.launch_id] == 0) held[tb.sm.value()].erase(tb.launch_id);
  });
  run();
}

// iPAWS 4.3, sCKE: "the resources in each core are shared equally".
TEST_F(DispatchPoliciesTest, EvenShareHoldsEachKernelToItsShareOfEachSm) {
  build("even_share", 1, 8);
  bed_->launch(kernel("a", 60, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 0, 0);
  std::map<std::uint64_t, int> held;
  std::map<std::uint64_t, int> most;
  bed_->dispatcher().tb_dispatched.listen([&](const TbTransaction& tb, Cycle /*cycle*/) {
    most[tb.launch_id] = std::max(most[tb.launch_id], ++held[tb.launch_id]);
  });
  bed_->dispatcher().tb_ended.listen([&](const TbTransaction& tb, Cycle /*cycle*/) { --held[tb.launch_id]; });
  run();
  EXPECT_EQ(most[0], 4);
  EXPECT_EQ(most[1], 4);
}

/// Each resource alone would hold eight thread blocks of a kernel.
struct Bound {
  const char* resource;
  unsigned threads_per_tb;
  unsigned registers_per_thread;
  unsigned shared_bytes;
  unsigned sm_threads;
  unsigned sm_warps;
};
class EvenShareOf : public DispatchPoliciesTest, public ::testing::WithParamInterface<Bound> {};

TEST_P(EvenShareOf, IsHalfForEachOfTwoKernels) {
  core_.threads = GetParam().sm_threads;
  core_.warps = GetParam().sm_warps;
  build("even_share", 1, 32);
  TimedKernel kernel_of = kernel("k", 60, 100, GetParam().threads_per_tb);
  kernel_of.registers_per_thread = GetParam().registers_per_thread;
  kernel_of.shared_bytes = GetParam().shared_bytes;
  for (int k = 0; k < 2; ++k) bed_->launch(kernel_of, 0, 0);
  run();
  for (const std::uint64_t launch : {0, 1}) {
    EXPECT_EQ(
        std::count_if(started_.begin(), started_.end(),
                      [launch](const Started& start) { return start.launch == launch && start.cycle < 100; }),
        4)
        << launch;
  }
}

INSTANTIATE_TEST_SUITE_P(Resources, EvenShareOf,
                         ::testing::Values(Bound{"threads", 192, 4, 0, 1536, 96},
                                           Bound{"warps", 192, 4, 0, 3072, 48},
                                           Bound{"registers", 64, 60, 0, 1536, 48},
                                           Bound{"shared", 32, 16, 6144, 1536, 48}),
                         [](const auto& instance) { return std::string(instance.param.resource); });

TEST_F(DispatchPoliciesTest, EvenShareGivesOnePlaceToAKernelThatIsLargerThanItsShare) {
  build("even_share", 1, 8);
  bed_->launch(kernel("large", 3, 100, 1024), 0, 0);  // of 1536 threads: beside two of the small ones
  bed_->launch(kernel("small", 40, 100, 192), 0, 0);
  std::map<std::uint64_t, int> held;
  std::map<std::uint64_t, int> most;
  bed_->dispatcher().tb_dispatched.listen([&](const TbTransaction& tb, Cycle /*cycle*/) {
    most[tb.launch_id] = std::max(most[tb.launch_id], ++held[tb.launch_id]);
  });
  bed_->dispatcher().tb_ended.listen([&](const TbTransaction& tb, Cycle /*cycle*/) { --held[tb.launch_id]; });
  run();
  EXPECT_EQ(most[0], 1);
  EXPECT_EQ(most[1], 8);  // when the large one has ended
  const auto small_beside = std::count_if(started_.begin(), started_.end(), [](const Started& start) {
    return start.launch == 1 && start.cycle < 100;
  });
  EXPECT_EQ(small_beside, 2);
}

TEST_F(DispatchPoliciesTest, EvenShareRunsKernelsThatDoNotFitTogetherOneAfterTheOther) {
  build("even_share", 1, 8);
  bed_->launch(kernel("a", 4, 100, 1024), 0, 0);
  bed_->launch(kernel("b", 4, 100, 1024), 0, 0);
  run();
  EXPECT_EQ(first_on(1, 0), last_of(0) + 101);
}

// SRTF 3.4.4: blocks of one kernel beside so many of another.
TEST_F(DispatchPoliciesTest, FixedResidencyHoldsEachStreamToItsNumberOfBlocksAlsoAlone) {
  dispatch_.first_residency = 2;
  dispatch_.other_residency = 3;
  build("fixed_residency", 1, 8);
  bed_->launch(kernel("a", 20, 100), 0, 0);
  bed_->launch(kernel("b", 60, 100), 0, 0);
  std::map<std::uint64_t, int> held;
  std::map<std::uint64_t, int> most;
  bed_->dispatcher().tb_dispatched.listen([&](const TbTransaction& tb, Cycle /*cycle*/) {
    most[tb.launch_id] = std::max(most[tb.launch_id], ++held[tb.launch_id]);
  });
  bed_->dispatcher().tb_ended.listen([&](const TbTransaction& tb, Cycle /*cycle*/) { --held[tb.launch_id]; });
  run();
  EXPECT_EQ(most[0], 2);
  EXPECT_EQ(most[1], 3);
  EXPECT_GT(last_of(1), 1900U) << "20 rounds of three";
}

TEST_F(DispatchPoliciesTest, FixedResidencyOfNoneIsWhatFits) {
  dispatch_.other_residency = 1;
  build("fixed_residency", 1, 8);
  bed_->launch(kernel("a", 16, 100), 0, 0);
  bed_->launch(kernel("b", 2, 100), 0, 0);
  run();
  EXPECT_EQ(last_of(0), 109U);  // eight at once, twice
  EXPECT_EQ(first_on(1, 0), 203U);
  EXPECT_EQ(last_of(1), 304U) << "one at a time";
}

}  // namespace
}  // namespace heddle
