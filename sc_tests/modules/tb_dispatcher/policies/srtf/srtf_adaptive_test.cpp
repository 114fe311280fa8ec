#include "sc_tests/modules/tb_dispatcher/policies/srtf/told_srtf_fixture.h"

namespace heddle {
namespace {

/// Forecasts of slowdowns (SRTF 5.1.2, figure 13). In all of them the first kernel has the least left, 1000
/// cycles, and the second 1100 and no more than 100 behind it, so that under SRTF it ends after 100 + 1000 +
/// 1100 cycles instead of 1200: slowdown 1.833. TS1 = NB t / limit is how long the first kernel takes when it
/// is limited.
class SrtfAdaptiveTest : public ToldSrtfTest {
 protected:
  void judge(unsigned residency, const std::vector<Told>& kernels) {
    dispatch_.adaptive_residency = residency;
    build("srtf_adaptive");
    tell(kernels);
  }
  /// A first kernel at its limit leaves the SM to the next one only when they share.
  bool shares() {
    kernel(0).resident[0] = 32;
    return next() != 0;
  }

  /// 10000 cycles alone, of which 9000 are over: what is left weighs little.
  static constexpr Told kLong{80, 8, 9000, 9000};
  static constexpr Told kSecond{88, 8};
};

// TS1 = 80 x 100 / 3 = 2667: the first is slowed to 1.167. The second's 88 blocks end beside it, five at a
// time, after 1760: 1860 / 1200 = 1.55. Apart by 0.38, under SRTF by 0.83.
TEST_F(SrtfAdaptiveTest, ASecondKernelMayEndBesideTheFirst) {
  judge(3, {kLong, kSecond});
  EXPECT_TRUE(shares());
}

// TS1 = 80 x 100 / 6 = 1333: 1.033. NB1 = 1333 x 2 / 100 = 26.7 blocks of the second run beside it; the other
// 61.3 take 767 cycles with all places: (100 + 1333 + 767) / 1200 = 1.833. Apart by 0.8, under SRTF by 0.83.
TEST_F(SrtfAdaptiveTest, WhatTheSecondKernelHasLeftThenRunsAlone) {
  judge(6, {kLong, kSecond});
  EXPECT_TRUE(shares());
}

// TS1 = 80 x 100 = 8000: the first, of 7000 cycles alone, is slowed to (6000 + 8000) / 7000 = 2. The second
// has no more blocks than its 88, which end after 88 x 100 / 7 = 1257: 1357 / 1200 = 1.13. Apart by 0.87.
TEST_F(SrtfAdaptiveTest, NoMoreThanTheSecondKernelsBlocksRunBesideTheFirst) {
  judge(1, {{80, 8, 6000, 6000}, kSecond});
  EXPECT_FALSE(shares());
}

// As in the first, the first two come to 1.167 and 1.55. A third, of 1200 cycles, begins when both have
// ended, at TS1: (100 + 2667 + 1200) / 1300 = 3.05. Apart by 1.88. Under SRTF it begins at 1000 + 1100:
// 3400 / 1300 = 2.62, apart by 1.62.
TEST_F(SrtfAdaptiveTest, AThirdKernelBeginsWhenTheFirstTwoHaveEnded) {
  judge(3, {kLong, kSecond, {96, 8}});
  EXPECT_FALSE(shares());
}

// The first never holds more than two blocks, which three places do not slow: (2300 + 1000) / 1100 = 3 in
// either case. The second's 3000 cycles end after 1000 + 3000 under SRTF, 4100 / 3100 = 1.32, and sharing,
// six beside the first, 60 of 240 blocks in TS1, after 1000 + 2250: 1.08. So sharing is less fair.
TEST_F(SrtfAdaptiveTest, AFirstKernelOfFewBlocksIsNotSpedUpByTheLimit) {
  judge(3, {{20, 2, 2300}, {240, 8}});
  EXPECT_FALSE(shares());
}

// Three of the first fill the SM, and it holds no more: sharing changes nothing. It takes 666 cycles, 20 x
// 100 / 3 rounded down, in either case.
TEST_F(SrtfAdaptiveTest, SharingThatChangesNothingIsNotFairer) {
  judge(3, {{20, 3, 1500, 1500, 512}, {72, 3, 1500, 100, 512}});
  EXPECT_FALSE(shares());
  EXPECT_EQ(value("changes_to_sharing"), 0);
}

// An SM of 1536 threads has room for a block of the second beside the first's two, not beside three: ten of
// 33 blocks in TS1 = 1000 cycles, (100 + 1000 + 767) / 1200 = 1.56 instead of 1.83.
TEST_F(SrtfAdaptiveTest, ASecondKernelHasTheRoomThatTheFirstDoesNotFill) {
  judge(3, {{20, 2, 100, 100, 512}, {33, 3, 100, 100, 512}});
  EXPECT_TRUE(shares());
}

// One block at a time, 11 of them: not slowed, though five places are left to it. Apart by 0.17.
TEST_F(SrtfAdaptiveTest, ASecondKernelHoldsNoMoreBlocksThanItsResidency) {
  judge(3, {kLong, {11, 1}});
  EXPECT_TRUE(shares());
}

// 5.1.2: "the exclusive runtime is the prediction from the exclusive part of a run". 2000 cycles after the
// kernels have begun to share, one block of the second has ended: 2100 cycles active and 1087 to go, but its
// run time alone is still 1200: (2100 + 1000 + 1087) / 1200 = 3.49 under SRTF, the first's 1.2. By 3187 they
// would be 1.31 and 1.2, and sharing would end.
TEST_F(SrtfAdaptiveTest, TheRunTimeAloneIsWhatWasPredictedBeforeTheKernelsShared) {
  judge(3, {kLong, kSecond});
  start(1, 3);
  view_.now += 2000;
  end(1, 3);
  EXPECT_TRUE(shares());
  EXPECT_EQ(value("changes_to_sharing"), 1);
}

// The same after kernels that did not share: of the first 8000 of 7000 cycles have passed, 9000 / 7000 =
// 1.29, of the second 4187 / 3187 = 1.31. By 1200, its first prediction, they would be 1.29 and 3.49.
TEST_F(SrtfAdaptiveTest, TheRunTimeAloneIsPredictedAnewUntilTheKernelsShare) {
  judge(1, {{80, 8, 6000, 6000}, kSecond});
  start(1, 3);
  view_.now += 2000;
  end(1, 3);
  EXPECT_FALSE(shares());
}

TEST_F(SrtfAdaptiveTest, SharingTheFirstHoldsItsLimitAndTheNextTheRest) {
  judge(3, {kLong, kSecond});
  for (const unsigned held : {0, 2}) {
    kernel(0).resident[0] = static_cast<std::uint16_t>(held);
    EXPECT_EQ(next(), 0) << held;
  }
  kernel(0).resident[0] = 3;
  EXPECT_EQ(next(), 1);
  kernel(1).tbs_started = kernel(1).tbs;
  EXPECT_EQ(next(), 0) << "no other has blocks that wait";
}

// The second as before: 1.167 and 1.55; the third, of 5100 cycles alone, (100 + 2667 + 5000) / 5100 = 1.52.
// When the second has ended, the third comes to (100 + 1000 + 5000) / 5100 = 1.2 under SRTF, which is fair.
TEST_F(SrtfAdaptiveTest, SharingEndsWithTheKernelThatWasTreatedUnfairly) {
  judge(3, {kLong, kSecond, {400, 8}});
  ASSERT_TRUE(shares());
  const std::unique_ptr<LaunchRecord> second = std::move(view_.running[1]);
  view_.running.erase(view_.running.begin() + 1);
  policy_->on_end(view_, *second);
  EXPECT_FALSE(shares());
}

TEST_F(SrtfAdaptiveTest, NotSharingItCountsHandOffsAsSrtfDoes) {
  judge(1, {{80, 8, 6000, 6000}, kSecond});
  kernel(0).resident[0] = 0;
  view_.room = false;
  EXPECT_EQ(next(), -1);
  view_.now += 70;
  start(0, 1);
  EXPECT_EQ(value("hand_offs"), 1);
  EXPECT_EQ(value("hand_off_cycles"), 70);
}

// Nothing is known of a kernel that has just come, so that there is no slowdown to go by.
TEST_F(SrtfAdaptiveTest, AKernelThatArrivesEndsSharingUntilItIsSampled) {
  judge(3, {kLong, kSecond});
  ASSERT_TRUE(shares());
  launch(2, {96, 8});
  EXPECT_EQ(next(), 2) << "this is the sampling SM";
  kernel(2).tbs_started = kernel(2).tbs;
  EXPECT_FALSE(shares());
}

}  // namespace
}  // namespace heddle
