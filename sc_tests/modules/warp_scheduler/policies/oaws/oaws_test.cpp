// Who may issue under OAWS: equation 1, static and dynamic prediction, OCW throttling.
#include <gtest/gtest.h>

#include <random>

#include "modules/warp_scheduler/policies/oaws/parameters.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "sc_tests/modules/warp_scheduler/policies/oaws/oaws_rig.h"

namespace heddle {
namespace {

using testing::oaws_config;
using testing::OawsRig;

constexpr unsigned kA = 0, kB = 1, kC = 2;

TEST(OawsTest, FigureFiveLetsCGoBeforeB) {
  // 8 entries; A, B and C are divergent and take 6, 6 and 2.
  GpuConfig gpu = oaws_config(4, 8);
  gpu.scheduler.settings.edit(oaws_parameters).miss_percent = 100;
  OawsRig rig(OawsPrediction::kStatic, gpu);
  rig.diverged();
  for (const unsigned w : {kA, kB, kC}) rig.start(w);
  rig.next(kA, rig.load, 6);
  rig.next(kB, rig.load, 6);
  rig.next(kC, rig.load, 2);
  rig.step();
  EXPECT_EQ(rig.qualified(), warp_bit(kA) | warp_bit(kB) | warp_bit(kC));
  const std::uint64_t a = rig.issue(kA);  // GTO: the oldest
  rig.step();
  EXPECT_EQ(rig.oaws.forecast().in_flight(), 6U);
  EXPECT_EQ(rig.qualified(), warp_bit(kC));
  const std::uint64_t c = rig.issue(kC);
  rig.step();
  EXPECT_EQ(rig.qualified(), 0U);
  rig.left(a, 6);
  rig.left(c, 2);
  rig.step();
  EXPECT_EQ(rig.oaws.forecast().in_flight(), 0U);
  EXPECT_EQ(rig.oaws.forecast().available(), 0U);
  for (unsigned entry = 1; entry <= 6; ++entry) {  // A's responses
    EXPECT_EQ(rig.qualified(), 0U);
    rig.returned(1);
    rig.step();
  }
  EXPECT_EQ(rig.qualified(), warp_bit(kB));
}

TEST(OawsTest, NamesTakeGtoUnlessToldOtherwise) {
  const PolicyNames alone = find_policies("oaws_dynamic");
  EXPECT_STREQ(alone.qualifier->name, "oaws_dynamic");
  EXPECT_STREQ(alone.prioritizer->name, "gto");
  EXPECT_STREQ(find_policies("oaws_static+lrr").prioritizer->name, "lrr");
  EXPECT_STREQ(find_policies("two_level+ocw_throttling").qualifier->name, "ocw_throttling");
}

TEST(OawsTest, StaticPredictsAShareOfTheLanesOfDivergentLoadsAndOneOtherwise) {
  OawsRig rig(OawsPrediction::kStatic, oaws_config(8, 32));
  rig.diverged(240);
  for (unsigned w = 0; w < 5; ++w) rig.start(w);
  rig.next(0, rig.load, 32, 240);
  rig.next(1, rig.load, 7, 240);
  rig.next(2, rig.load, 32, 272);
  rig.next(3, rig.bypass, 32, 240);
  rig.next(4, rig.store, 32, 280);
  rig.step();
  EXPECT_EQ(rig.oaws.predictor().need(0), 16U);
  EXPECT_EQ(rig.oaws.predictor().need(1), 4U);  // 3.5, rounded up
  EXPECT_EQ(rig.oaws.predictor().need(2), 1U);
  EXPECT_EQ(rig.oaws.predictor().need(3), 0U);
  rig.available(0);
  rig.step();
  EXPECT_EQ(rig.qualified(), warp_bit(3) | warp_bit(4));  // neither needs an entry
}

TEST(OawsTest, DynamicPredictsNothingOfLocalityWarpsAndTheRankOfOthers) {
  OawsRig rig(OawsPrediction::kDynamic, oaws_config(8, 32));
  rig.diverged();
  for (unsigned w = 0; w < 5; ++w) {
    rig.start(w);
    rig.next(w, rig.load);
  }
  rig.next(3, rig.load, 4);
  rig.next(4, rig.load, 32, 272);
  rig.step();
  EXPECT_EQ(rig.oaws.predictor().need(0), 0U);
  EXPECT_EQ(rig.oaws.predictor().need(1), 0U);
  EXPECT_EQ(rig.oaws.predictor().need(2), 16U + 2U);
  EXPECT_EQ(rig.oaws.predictor().need(3), 2U + 3U);
  EXPECT_EQ(rig.oaws.predictor().need(4), 1U);  // coherent
  rig.finish(0);
  rig.step();
  EXPECT_EQ(rig.oaws.predictor().need(2), 0U);  // moved up
  EXPECT_EQ(rig.oaws.predictor().need(3), 2U + 2U);
}

TEST(OawsTest, LocalityWarpsGoWithoutRoom) {
  OawsRig rig(OawsPrediction::kDynamic, oaws_config(8, 32));
  rig.diverged();
  for (unsigned w = 0; w < 3; ++w) {
    rig.start(w);
    rig.next(w, rig.load);
  }
  rig.available(0);
  rig.step();
  EXPECT_EQ(rig.qualified(), warp_bit(0) | warp_bit(1));
}

TEST(OawsTest, OcwFollowsFullyCachedDivergentLoads) {
  OawsRig rig(OawsPrediction::kDynamic, oaws_config(8, 32));
  rig.diverged();
  for (unsigned w = 0; w < 3; ++w) rig.start(w);
  for (unsigned i = 0; i < 127; ++i) {
    EXPECT_EQ(rig.oaws.locality()->ocw.ocw(), 2U);
    rig.next(0, rig.load);
    rig.step();
    rig.left(rig.issue(0), 0, 32);
  }
  EXPECT_EQ(rig.oaws.locality()->ocw.ocw(), 3U);
  rig.next(2, rig.load);
  rig.step();
  EXPECT_EQ(rig.oaws.predictor().need(2), 0U);
  // Coherent loads teach nothing.
  rig.next(0, rig.load);
  rig.step();
  rig.left(rig.issue(0), 2);
  EXPECT_EQ(rig.oaws.locality()->ocw.cnt(), 0U);
}

TEST(OawsTest, ANeedBeyondTheMshrsIsCutSoThatALoneLoadGoes) {
  GpuConfig gpu = oaws_config(48, 32);
  OawsRig rig(OawsPrediction::kDynamic, gpu);
  rig.diverged();
  for (unsigned w = 0; w < 48; ++w) rig.start(w);
  rig.next(47, rig.load);  // 16 + 47
  rig.step();
  EXPECT_EQ(rig.oaws.predictor().need(47), 31U);  // 32, in 5 bits
  EXPECT_TRUE(rig.may_issue(47));
  rig.available(30);
  rig.step();
  EXPECT_FALSE(rig.may_issue(47));
}

// A share of 32 lanes, or a rank, of which the low bits alone would be 0.
TEST(OawsTest, ANeedOfManyTimesTheMshrsIsCutLikewise) {
  for (const unsigned entries : {2U, 3U, 4U, 8U}) {
    GpuConfig gpu = oaws_config(48, entries);
    gpu.scheduler.settings.edit(oaws_parameters).miss_percent = 100;
    const unsigned most = entries == 3 ? 3 : entries - 1;  // what the bits of a prediction say
    OawsRig of_shares(OawsPrediction::kStatic, gpu);
    of_shares.diverged();
    of_shares.start(0);
    of_shares.next(0, of_shares.load, 32);
    of_shares.step();
    EXPECT_EQ(of_shares.oaws.predictor().need(0), most) << entries;
    OawsRig of_ranks(OawsPrediction::kDynamic, gpu);
    of_ranks.diverged();
    for (unsigned w = 0; w < 48; ++w) of_ranks.start(w);
    of_ranks.next(32, of_ranks.load, 1);  // 1 + 32
    of_ranks.step();
    EXPECT_EQ(of_ranks.oaws.predictor().need(32), most) << entries;
  }
}

TEST(OawsTest, CallsForARunWhenRoomForALoadThatWasAskedAboutComesOrGoes) {
  OawsRig rig(OawsPrediction::kStatic, oaws_config(8, 32));
  for (const unsigned warp : {0U, 1U}) rig.start(warp);
  rig.diverged();
  rig.next(0, rig.load, 8);  // needs 4
  rig.next(1, rig.load);     // needs 16
  rig.available(10);
  rig.step();
  static_cast<void>(rig.oaws.calls_for_run());
  EXPECT_EQ(rig.qualified(), 0b01U);
  const auto calls_with = [&](unsigned entries) {
    rig.available(entries);
    return rig.oaws.calls_for_run();
  };
  EXPECT_FALSE(calls_with(15));
  EXPECT_FALSE(calls_with(4));
  EXPECT_TRUE(calls_with(3));
  EXPECT_TRUE(calls_with(16));
  rig.step();  // nobody asks
  EXPECT_FALSE(calls_with(0));
  EXPECT_FALSE(calls_with(32));
}

TEST(OawsTest, AKernelThatStartsCallsForARunAsPredictionsAreMadeAgain) {
  OawsRig rig(OawsPrediction::kStatic, oaws_config(8, 32));
  rig.start(0);
  rig.diverged();
  rig.next(0, rig.load);  // needs 16
  rig.available(10);
  rig.step();
  EXPECT_EQ(rig.qualified(), 0U);
  static_cast<void>(rig.oaws.calls_for_run());
  EXPECT_FALSE(rig.oaws.calls_for_run());
  rig.oaws.on_kernel_start({});
  EXPECT_TRUE(rig.oaws.calls_for_run());
  rig.step();
  EXPECT_EQ(rig.qualified(), 1U) << "nothing is known of the load's divergence any more";
}

TEST(OawsTest, AKernelClearsTheClassifierAndKeepsOcw) {
  OawsRig rig(OawsPrediction::kStatic, oaws_config(8, 32));
  rig.diverged();
  rig.start(0);
  rig.next(0, rig.load);
  rig.step();
  EXPECT_EQ(rig.oaws.predictor().need(0), 16U);
  rig.oaws.on_kernel_start({1, rig.cycle});
  rig.step();
  EXPECT_EQ(rig.oaws.predictor().need(0), 1U);
}

TEST(OawsTest, AMissShareOfNothingHoldsNothingBack) {
  GpuConfig gpu = oaws_config(8, 4);
  gpu.scheduler.settings.edit(oaws_parameters).miss_percent = 0;
  OawsRig rig(OawsPrediction::kStatic, gpu);
  rig.diverged();
  for (unsigned w = 0; w < 2; ++w) rig.start(w);
  rig.next(0, rig.load);
  rig.next(1, rig.load, 32, 272);
  rig.available(0);
  rig.step();
  EXPECT_EQ(rig.qualified(), 0b11U);
}

TEST(OawsTest, InHardwareAPredictionAndADecisionTakeTheirCyclesNotLess) {
  OawsRig rig(OawsPrediction::kStatic, oaws_config(8, 32), hw::Timing::kHardware);
  const unsigned total = rig.oaws.predictor().cycles() + rig.oaws.decision_cycles();
  ASSERT_GE(rig.oaws.predictor().cycles(), 1U);
  ASSERT_GE(rig.oaws.decision_cycles(), 1U);
  rig.diverged();
  rig.start(0);
  rig.next(0, rig.load);
  rig.step();
  for (unsigned t = 0; t < total; ++t) {
    EXPECT_FALSE(rig.may_issue(0)) << t;
    EXPECT_LE(rig.oaws.update(rig.cycle), rig.cycle + rig.oaws.predictor().cycles());
    rig.step();
  }
  EXPECT_TRUE(rig.may_issue(0));
  // Room that is gone is noticed decision_cycles() later.
  rig.available(3);
  rig.step();
  for (unsigned t = 0; t < rig.oaws.decision_cycles(); ++t) {
    EXPECT_TRUE(rig.may_issue(0));
    rig.step();
  }
  EXPECT_FALSE(rig.may_issue(0));
}

// At 28 FO4 a cycle: 26 to select one of 48 warps; then 14 to read its PC and lanes, 30 to count the lanes,
// 10 to add the rank, 6 to cut and store the sum.
TEST(OawsTest, InHardwareAPredictionTakesFourCyclesOfAFermi) {
  for (const OawsPrediction kind : {OawsPrediction::kStatic, OawsPrediction::kDynamic}) {
    const OawsRig rig(kind, GpuConfig{}, hw::Timing::kHardware);
    EXPECT_EQ(rig.oaws.predictor().cycles(), 4U);
  }
}

// In the cycle after the one in which the warp was selected, by what the classifier knows then.
TEST(OawsTest, InHardwareTheClassifierIsAskedWhenThePcHasBeenRead) {
  for (const unsigned late : {0U, 1U, 2U}) {
    OawsRig rig(OawsPrediction::kStatic, oaws_config(8, 32), hw::Timing::kHardware);
    rig.start(0);
    rig.next(0, rig.load);
    for (unsigned t = 0; t <= rig.oaws.predictor().cycles(); ++t) {
      if (t == late) rig.diverged();  // known from the next step() on
      rig.step();
    }
    ASSERT_EQ(rig.oaws.predictor().known(), 1U);
    EXPECT_EQ(rig.oaws.predictor().need(0), late < 2 ? 16U : 1U) << late;
  }
}

// The next instruction is another one before the prediction of the last is there.
TEST(OawsTest, InHardwareAPredictionOfAnInstructionThatIsGoneIsDropped) {
  OawsRig rig(OawsPrediction::kStatic, oaws_config(8, 32), hw::Timing::kHardware);
  rig.start(0);
  rig.next(0, rig.load);
  rig.step();
  rig.step();
  rig.finish(0);
  for (unsigned t = 0; t < 2 * rig.oaws.predictor().cycles(); ++t) {
    rig.step();
    EXPECT_EQ(rig.oaws.predictor().known(), 0U);
  }
}

// A load that leaves in a cycle counts at its entry in the next one, and changes OCW for the fourth.
TEST(OawsTest, InHardwareALoadIsLearntFromInStages) {
  GpuConfig gpu = oaws_config(8, 32);
  gpu.scheduler.settings.edit(oaws_parameters).cnt_start = 254;
  OawsRig rig(OawsPrediction::kDynamic, gpu, hw::Timing::kHardware);
  OawsRig ideal(OawsPrediction::kDynamic, gpu);
  for (OawsRig* const each : {&rig, &ideal}) {
    each->diverged();
    each->step();
    each->left(7, 0, 32);  // the first of two that are fully cached: 254 becomes 255, and OCW rises
  }
  const unsigned before = rig.oaws.locality()->ocw.ocw();
  EXPECT_EQ(ideal.oaws.locality()->ocw.ocw(), before + 1);
  EXPECT_EQ(ideal.oaws.classifier().sets(OawsRig::kLoadPc), 32U);
  EXPECT_EQ(rig.oaws.classifier().sets(OawsRig::kLoadPc), 0U);
  rig.step();
  EXPECT_EQ(rig.oaws.classifier().sets(OawsRig::kLoadPc), 32U);
  for (unsigned cycle = 1; cycle < 4; ++cycle) {
    EXPECT_EQ(rig.oaws.locality()->ocw.ocw(), before) << cycle;
    const std::uint64_t next = rig.step();
    EXPECT_EQ(next, cycle == 3 ? MissPredictor::kNever : rig.cycle + 1);
  }
  EXPECT_EQ(rig.oaws.locality()->ocw.ocw(), before + 1);
}

// What is compared is the entry with all that was counted at it in the cycle in which the sets were.
TEST(OawsTest, InHardwareALoadThatCoalescesMeanwhileCountsBeforeTheComparison) {
  for (const bool meanwhile : {false, true}) {
    OawsRig rig(OawsPrediction::kDynamic, oaws_config(8, 32), hw::Timing::kHardware);
    rig.diverged(OawsRig::kLoadPc, 32);
    rig.step();
    rig.left(7, 32);  // 32 accesses to 32 sets
    const unsigned before = rig.oaws.locality()->ocw.cnt();
    rig.step();
    if (meanwhile) rig.diverged(OawsRig::kLoadPc, 32);  // 64 accesses
    for (unsigned cycle = 1; cycle < 4; ++cycle) rig.step();
    EXPECT_EQ(rig.oaws.locality()->ocw.cnt(), meanwhile ? before / 2 : before - 1);
  }
}

TEST(OawsTest, InHardwareOnePredictionIsBegunACycle) {
  OawsRig rig(OawsPrediction::kStatic, oaws_config(8, 32), hw::Timing::kHardware);
  for (unsigned w = 0; w < 4; ++w) {
    rig.start(w);
    rig.next(w, rig.load);
  }
  const unsigned cycles = rig.oaws.predictor().cycles();
  for (unsigned t = 0; t < cycles; ++t) {
    rig.step();
    EXPECT_EQ(rig.oaws.predictor().known(), 0U);
  }
  for (unsigned w = 0; w < 4; ++w) {
    rig.step();
    EXPECT_EQ(__builtin_popcountll(rig.oaws.predictor().known()), static_cast<int>(w + 1));
  }
}

/// Random loads, responses, barriers and ends of warps: whatever may issue had passed as issuable;
/// predictions in flight are those of the loads under way; and when all is quiet every load may go.
void play(OawsPrediction kind, hw::Timing timing, unsigned seed) {
  constexpr unsigned kWarps = 16;
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  OawsRig rig(kind, oaws_config(kWarps, 8 + below(40), 2), timing);
  std::vector<std::uint64_t> under_way;
  unsigned taken = 0;
  WarpMask waiting = 0;  // for their load, or at a barrier
  WarpMask alive = 0;
  for (unsigned w = 0; w < kWarps; ++w) {
    rig.start(w);
    alive |= warp_bit(w);
  }
  const auto give_work = [&] {
    for (unsigned w = 0; w < kWarps; ++w) {
      if ((alive & ~waiting & ~rig.table.valid) >> w & 1U)
        rig.next(w, rig.load, 1 + below(32), std::uint64_t{8} * below(6));
    }
  };
  const auto retire_some = [&](unsigned share) {
    for (std::size_t i = under_way.size(); i-- > 0;) {
      if (below(share) != 0) continue;
      const unsigned misses = std::min(below(33), rig.oaws.forecast().available());
      if (rig.oaws.forecast().available() != rig.config.l1d.mshr.entries - taken) continue;
      rig.left(under_way[i], misses, below(4), std::uint64_t{8} * below(6));
      taken += misses;
      under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  };
  for (unsigned t = 0; t < 2000; ++t) {
    if (below(10) == 0) rig.diverged(std::uint64_t{8} * below(6), 3 + below(30));
    if (below(3) == 0) {
      retire_some(2);
    } else if (below(2) == 0 && taken != 0) {
      const unsigned back = 1 + below(taken);
      taken -= back;
      rig.returned(back);
    }
    if (below(40) == 0) waiting = alive & random();
    if (below(20) == 0) waiting = 0;
    if (below(400) == 0 && __builtin_popcountll(alive) > 4) {
      const unsigned w = lowest_warp(alive);
      rig.finish(w);
      alive &= ~warp_bit(w);
    }
    give_work();
    rig.step();
    const WarpMask issuable = rig.table.valid & alive & ~waiting & random();
    const WarpMask qualified = rig.oaws.qualify(rig.cycle, issuable);
    ASSERT_EQ(qualified & ~issuable, 0U);
    ASSERT_EQ(rig.oaws.qualify(rig.cycle, issuable), qualified);
    if (timing == hw::Timing::kIdeal) {
      const unsigned room = rig.oaws.forecast().available() -
                            std::min(rig.oaws.forecast().available(), rig.oaws.forecast().in_flight());
      for (WarpMask left = qualified; left != 0; left &= left - 1) {
        ASSERT_LE(rig.oaws.predictor().need(lowest_warp(left)), room);
      }
    }
    if (qualified != 0) under_way.push_back(rig.issue(lowest_warp(qualified)));
    ASSERT_EQ(rig.oaws.forecast().loads_in_flight(), under_way.size());
  }
  // Quiet: everything returns, nothing is in flight. Then each load may go, within the decision's time.
  waiting = 0;
  rig.step();
  while (!under_way.empty()) {
    rig.left(under_way.back(), 0, 3);
    under_way.pop_back();
    rig.step();
  }
  taken = 0;
  rig.available(rig.config.l1d.mshr.entries);
  give_work();
  for (unsigned t = 0; t < 64; ++t) rig.step();
  EXPECT_EQ(rig.oaws.forecast().in_flight(), 0U);
  EXPECT_EQ(rig.oaws.qualify(rig.cycle, rig.table.valid & alive), rig.table.valid & alive);
  EXPECT_EQ(rig.table.valid & alive, alive);
}

class OawsPropertyTest : public ::testing::TestWithParam<unsigned> {};

TEST_P(OawsPropertyTest, StaticHoldsEquationOneAndStarvesNobody) {
  play(OawsPrediction::kStatic, hw::Timing::kIdeal, GetParam());
}
TEST_P(OawsPropertyTest, DynamicHoldsEquationOneAndStarvesNobody) {
  play(OawsPrediction::kDynamic, hw::Timing::kIdeal, GetParam());
}
TEST_P(OawsPropertyTest, HardwareTimingStarvesNobodyAndKeepsToItsPorts) {
  play(OawsPrediction::kDynamic, hw::Timing::kHardware, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Seeds, OawsPropertyTest, ::testing::Range(1U, 9U));

class OcwThrottlingTest : public ::testing::Test {
 protected:
  OcwThrottlingTest() : policies_(make(2, 2)) {}
  SmPolicies make(unsigned schedulers, unsigned ocw_min) {
    gpu_.scheduler.name = "ocw_throttling";
    gpu_.scheduler.settings.edit(oaws_parameters).ocw_min = ocw_min;
    gpu_.core.warps = 8;
    gpu_.core.schedulers = schedulers;
    return SmPolicies({table_, gpu_});
  }
  WarpMask qualified(unsigned scheduler) { return qualified(policies_, scheduler); }
  WarpMask qualified(SmPolicies& policies, unsigned scheduler) {
    policies.update(++cycle_);
    WarpMask mine = 0;
    for (unsigned w = scheduler; w < 8; w += gpu_.core.schedulers) mine |= warp_bit(w);
    return policies.of_scheduler(scheduler).qualifier->qualify(cycle_, mine);
  }

  WarpTable table_;
  GpuConfig gpu_;
  SmPolicies policies_;
  std::uint64_t cycle_ = 0;
};

TEST_F(OcwThrottlingTest, LetsTheOldestWarpOfEachSchedulerIssueAtFirst) {
  for (unsigned w = 0; w < 8; ++w) policies_.tell<event::WarpStart>({w, 0, 0, w, 0});
  EXPECT_EQ(qualified(0), warp_bit(0));
  EXPECT_EQ(qualified(1), warp_bit(1));
  policies_.tell<event::WarpFinish>({0, 0, 0, 0, 0});
  EXPECT_EQ(qualified(0), warp_bit(2));
}

TEST_F(OcwThrottlingTest, LeavesEachOfUpToFourSchedulersItsOldestWarp) {
  for (unsigned schedulers = 1; schedulers <= 4; ++schedulers) {
    SmPolicies policies = make(schedulers, 1);
    for (unsigned w = 0; w < 8; ++w) policies.tell<event::WarpStart>({w, 0, 0, w, 0});
    for (unsigned s = 0; s < schedulers; ++s) EXPECT_EQ(qualified(policies, s), warp_bit(s)) << schedulers;
    table_.at_barrier = warp_bit(schedulers - 1);  // the next one of the last scheduler
    EXPECT_EQ(qualified(policies, schedulers - 1), warp_bit(2 * schedulers - 1) & 0xFF) << schedulers;
    table_.at_barrier = 0;
  }
}

TEST_F(OcwThrottlingTest, PassesOverWarpsAtABarrierSoThatAllReachIt) {
  for (unsigned w = 0; w < 8; ++w) policies_.tell<event::WarpStart>({w, 0, 0, w, 0});
  WarpMask arrived = 0;
  while (arrived != 0xFF) {
    const WarpMask may = qualified(0) | qualified(1);
    ASSERT_NE(may, 0U);
    ASSERT_EQ(may & arrived, 0U);
    arrived |= may & -may;
    table_.at_barrier = arrived;
  }
}

}  // namespace
}  // namespace heddle
