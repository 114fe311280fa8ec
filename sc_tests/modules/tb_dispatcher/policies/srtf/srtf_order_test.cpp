#include "sc_tests/modules/tb_dispatcher/policies/srtf/told_srtf_fixture.h"

namespace heddle {
namespace {

/// Hand-offs (SRTF 5.1.1): from when a kernel goes first on an SM to its first block there.
class SrtfOrderTest : public ToldSrtfTest {
 protected:
  /// 1000 cycles are left of the first kernel and 950 of the second, which waits for room. The SM is not the
  /// one that samples.
  void SetUp() override {
    dispatch_.sampling_sm = 1;
    build("srtf");
    tell({{10, 1, 500, 500}, {19, 2}});
    wait_at(kNow);
  }
  /// Whoever goes first finds no room.
  void wait_at(std::uint64_t cycle) {
    view_.now = cycle;
    view_.room = false;
    EXPECT_EQ(next(), -1);
    view_.room = true;
  }
};

// A block of the first kernel ends, 900 are left of it: it goes on, until none of its blocks waits.
TEST_F(SrtfOrderTest, AHandOffIsOffWhenTheOtherKernelGetsThePlace) {
  view_.now += 50;
  end(0, 0);
  ASSERT_EQ(next(), 0);
  start(0, 0);
  kernel(0).tbs_started = kernel(0).tbs;
  wait_at(kNow + 500);
  view_.now = kNow + 600;
  ASSERT_EQ(next(), 1);
  start(1, 3);
  EXPECT_EQ(value("hand_offs"), 1);
  EXPECT_EQ(value("hand_off_cycles"), 100);
}

// The second kernel ends elsewhere, and another comes, whose record the dispatcher keeps in the same place.
TEST_F(SrtfOrderTest, AHandOffIsOffWhenTheKernelEnds) {
  std::unique_ptr<LaunchRecord> record = std::move(view_.running.back());
  view_.running.pop_back();
  policy_->on_end(view_, *record);
  record->launch_id = 2;
  view_.running.push_back(std::move(record));
  policy_->on_launch(view_, kernel(1));
  kernel(0).tbs_started = kernel(0).tbs;
  wait_at(kNow + 500);
  view_.now = kNow + 600;
  ASSERT_EQ(next(), 2);
  start(1, 3);
  EXPECT_EQ(value("hand_offs"), 1);
  EXPECT_EQ(value("hand_off_cycles"), 100);
}

/// With the run times alone given, others' blocks that end elsewhere change who goes first.
class SrtfKnownOrderTest : public ToldSrtfTest {
 protected:
  void SetUp() override {
    build("srtf_zero_sampling");
    for (const unsigned number : {0, 1, 2}) {
      view_.now = 90 + 10 * number;
      launch_of(number, 1000 - 100 * number);
    }
    start(0, 0);
    view_.room = false;
  }
  void launch_of(unsigned number, std::uint64_t alone_cycles) {
    auto record = std::make_unique<LaunchRecord>();
    record->launch_id = number;
    record->kernel_slot = number;
    record->program = number;
    record->tbs = 10;
    record->resident.resize(1);
    record->alone.launch_cycles = alone_cycles;
    view_.running.push_back(std::move(record));
    policy_->on_launch(view_, kernel(number));
  }
  /// Whoever goes first finds no room.
  void wait_at(std::uint64_t cycle) {
    view_.now = cycle;
    EXPECT_EQ(next(), -1);
  }
  void expect_hand_off_to_2(std::uint64_t since, std::uint64_t until) {
    view_.room = true;
    view_.now = until;
    ASSERT_EQ(next(), 2);
    start(2, 1);
    EXPECT_EQ(value("hand_offs"), 1);
    EXPECT_EQ(value("hand_off_cycles"), until - since);
  }
};

TEST_F(SrtfKnownOrderTest, AHandOffBeginsAnewWhenAKernelThatIsThereWentFirstMeanwhile) {
  wait_at(200);
  kernel(0).tbs_ended = 5;  // 500 cycles are left, less than the third's 800
  wait_at(300);
  kernel(2).tbs_ended = 5;  // 400
  wait_at(400);
  expect_hand_off_to_2(400, 500);
}

TEST_F(SrtfKnownOrderTest, AHandOffBeginsAnewWhenAKernelThatIsNotReadyWentFirstMeanwhile) {
  wait_at(200);
  launch_of(3, 100);
  kernel(3).ready_at = 301;
  wait_at(300);
  kernel(3).tbs_started = kernel(3).tbs;  // on other SMs
  wait_at(400);
  expect_hand_off_to_2(400, 500);
}

/// Kernel 0 runs when kernels 1 and 2 arrive, at 100 and 110, on the sampling SM.
class SrtfSamplingTest : public ToldSrtfTest {
 protected:
  void SetUp() override { arrive(hw::Timing::kIdeal); }
  void arrive(hw::Timing timing) {
    build("srtf", timing);
    for (const unsigned number : {0, 1, 2}) {
      view_.now = 90 + 10 * number;
      launch(number, {10, 8});
    }
  }
  void end_kernel(std::size_t number) {
    const std::unique_ptr<LaunchRecord> record = std::move(view_.running[number]);
    view_.running.erase(view_.running.begin() + static_cast<std::ptrdiff_t>(number));
    policy_->on_end(view_, *record);
  }
};

TEST_F(SrtfSamplingTest, TwoThatAreLeftAreSampledInTheOrderOfTheirArrival) {
  end_kernel(0);
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(value("samples"), 0);
}

TEST_F(SrtfSamplingTest, TheDelayOfASampleGoesOnWhenAKernelBehindItEnds) {
  view_.now = 200;
  end_kernel(2);
  EXPECT_EQ(value("samples"), 0) << "it had no block";
  view_.now = 300;
  start(1, 0);
  EXPECT_EQ(value("sampling_delay_cycles"), 300 - 100);
}

TEST_F(SrtfSamplingTest, ASampleBeginsWithTheFirstBlock) {
  view_.now = 300;
  start(1, 0);
  view_.now = 310;
  start(1, 1);
  view_.now = 400;
  end(1, 0);
  EXPECT_EQ(value("sampling_delay_cycles"), 300 - 100);
  EXPECT_EQ(value("sampling_cycles"), 400 - 300);
}

TEST_F(SrtfSamplingTest, TheNextIsSampledWhenAKernelEndsWithoutASample) {
  end_kernel(1);
  EXPECT_EQ(next(), 2);
}

// Figure 12: the sampling delay is of the SM that samples, the hand-off of the others.
TEST_F(SrtfSamplingTest, AKernelThatWaitsToBeSampledIsNotHandedTheSm) {
  view_.room = false;
  EXPECT_EQ(next(), -1);
  view_.room = true;
  view_.now = 300;
  ASSERT_EQ(next(), 1);
  start(1, 0);
  EXPECT_EQ(value("sampling_delay_cycles"), 300 - 100);
  EXPECT_EQ(value("hand_offs"), 0);
  EXPECT_EQ(value("hand_off_cycles"), 0);
}

// The first of those that are to be sampled has no more blocks that wait, so that the second goes first of
// what is left; when that has come to be sampled, it is no longer handed over.
TEST_F(SrtfSamplingTest, AHandOffIsOffWhenItsKernelComesToBeSampled) {
  for (const unsigned number : {0, 1}) kernel(number).tbs_started = kernel(number).tbs;
  view_.room = false;
  view_.now = 200;
  EXPECT_EQ(next(), -1);
  view_.now = 300;
  end_kernel(1);
  EXPECT_EQ(next(), -1);
  view_.room = true;
  view_.now = 400;
  ASSERT_EQ(next(), 2);
  start(1, 0);
  EXPECT_EQ(value("sampling_delay_cycles"), 400 - 300);
  EXPECT_EQ(value("hand_offs"), 0);
}

// The same when there is room at once.
TEST_F(SrtfSamplingTest, AHandOffIsOffWhenItsKernelComesToBeSampledAndHasRoom) {
  for (const unsigned number : {0, 1}) kernel(number).tbs_started = kernel(number).tbs;
  view_.room = false;
  view_.now = 200;
  EXPECT_EQ(next(), -1);
  view_.room = true;
  view_.now = 300;
  end_kernel(1);
  ASSERT_EQ(next(), 2);
  start(1, 0);
  EXPECT_EQ(value("sampling_delay_cycles"), 0);
  EXPECT_EQ(value("hand_offs"), 0);
}

/// A prediction takes its time.
class SrtfSamplingInHardwareTest : public SrtfSamplingTest {
 protected:
  void SetUp() override { arrive(hw::Timing::kHardware); }
};

TEST_F(SrtfSamplingInHardwareTest, ASampleEndsWithThePrediction) {
  EXPECT_EQ(next(), 1);
  view_.now = 200;
  start(1, 0);
  view_.now = 300;
  end(1, 0);
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(value("samples"), 0);
  while (view_.now < 1000 && !policy_->advance(view_)) ++view_.now;
  EXPECT_GT(view_.now, 300U);
  EXPECT_EQ(value("samples"), 1);
  EXPECT_EQ(value("sampling_cycles"), view_.now - 200);
  EXPECT_EQ(next(), 2);
}

/// The same on an SM that does not sample.
class SrtfBesideSamplingTest : public SrtfSamplingTest {
 protected:
  void SetUp() override {
    dispatch_.sampling_sm = 1;
    SrtfSamplingTest::SetUp();
  }
};

TEST_F(SrtfBesideSamplingTest, WhatIsNotKnownGoesInTheOrderOfItsArrival) { EXPECT_EQ(next(), 0); }

TEST_F(SrtfBesideSamplingTest, ABlockThatStartsThereIsNoSample) {
  start(1, 0);
  EXPECT_EQ(value("sampling_delay_cycles"), 0);
  view_.now = 300;
  end(1, 0);
  EXPECT_EQ(value("samples"), 0);
}

}  // namespace
}  // namespace heddle
