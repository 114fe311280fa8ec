#include "top/report/logs/structural_predictions.h"

#include "sc_tests/top/pairs/dispatch_policies_fixture.h"

namespace heddle {
namespace {

class StructuralPredictionsTest : public DispatchPoliciesTest {
 protected:
  void build(const std::string& policy, unsigned sms, unsigned tb_slots) {
    DispatchPoliciesTest::build(policy, sms, tb_slots);
    predictions_ = std::make_unique<StructuralPredictions>(bed_->dispatcher(), core_);
  }
  nlohmann::ordered_json of(std::uint64_t launch) { return predictions_->of_launch(launch); }

  std::unique_ptr<StructuralPredictions> predictions_;
};

// SRTF figure 2: R = 4, N = 3 R. A place is free again at the end of its block, one block a cycle is given.
TEST_F(StructuralPredictionsTest, AStaircase) {
  build("fifo", 2, 4);
  bed_->launch(kernel("a", 24, 100), 0, 0);
  run();
  const auto sms = of(0);
  ASSERT_EQ(sms.size(), 2U);
  for (unsigned sm = 0; sm < 2; ++sm) {
    EXPECT_EQ(sms[sm]["sm"], sm);
    EXPECT_EQ(sms[sm]["tbs"], 12);
    EXPECT_EQ(sms[sm]["residency"], 4);
    const auto span = sms[sm]["span_cycles"].get<std::uint64_t>();
    EXPECT_EQ(sms[sm]["active_cycles"], span);
    EXPECT_GE(span, 300U);
    EXPECT_LE(span, 312U);
    const auto first = sms[sm]["staircase_cycles"].get<std::uint64_t>() / 3;
    EXPECT_GE(first, 100U);
    EXPECT_LE(first, 101U);
    // Equation 2 at the first end: what has passed, and 11 blocks in 4 places.
    EXPECT_EQ(sms[sm]["slicing_cycles"], first + 11 * first / 4);
    EXPECT_EQ(sms[sm]["once_cycles"], sms[sm]["slicing_cycles"]);
  }
}

// One place: blocks of equal length end on a line, on which the last one lies.
TEST_F(StructuralPredictionsTest, TheLineThroughEqualStepsEndsAtTheEnd) {
  build("fifo", 1, 1);
  bed_->launch(kernel("a", 5, 100), 0, 0);
  run();
  EXPECT_NEAR(of(0)[0]["regression_cycles"].get<double>(), of(0)[0]["span_cycles"].get<double>(), 1e-6);
}

// Ends at about 100 and 200 (four each): x = 0 to 7, slope 400 / 21, mean 150: 150 + 3.5 slope at the last.
TEST_F(StructuralPredictionsTest, TheLineThroughStairsEndsAboveTheEnd) {
  build("fifo", 1, 4);
  bed_->launch(kernel("a", 8, 10000), 0, 0);
  run();
  EXPECT_NEAR(of(0)[0]["regression_cycles"].get<double>(), 15000 + 3.5 * 40000 / 21, 20);
  EXPECT_NEAR(of(0)[0]["span_cycles"].get<double>(), 20000, 10);
}

// a's first block ends at 102, in which cycle c is given the place of b, which has ended at 101: the SM puts
// it into the slot of a's block, of whose end the dispatcher hears at 103. One of a's two blocks is left
// then, in two places: 102 + 102 / 2.
TEST_F(StructuralPredictionsTest, ABlockIsMeasuredFromItsOwnStartThoughItsSlotHasTheNext) {
  build("fifo", 1, 3);
  bed_->launch(kernel("a", 2, 101), 0, 0);
  bed_->launch(kernel("b", 1, 98), 0, 0);
  bed_->launch(kernel("c", 1, 50), 0, 0);
  run();
  ASSERT_EQ(first_on(2, 0), 102U);
  EXPECT_EQ(of(0)[0]["slicing_cycles"], 153);
  EXPECT_EQ(of(0)[0]["once_cycles"], 153);
}

// Two kernels split the four SMs: ten blocks are five at once on each of two, not three on each of four.
TEST_F(StructuralPredictionsTest, ASmallGridIsExpectedOnTheSmsThatItsKernelHas) {
  build("spatial", 4, 8);
  bed_->launch(kernel("a", 10, 100), 0, 0);
  bed_->launch(kernel("b", 10, 100), 0, 0);
  run();
  for (unsigned launch = 0; launch < 2; ++launch) {
    ASSERT_EQ(of(launch).size(), 2U);
    for (const auto& sm : of(launch)) {
      EXPECT_EQ(sm["tbs"], 5);
      EXPECT_EQ(sm["residency"], 5);
      const auto first = sm["staircase_cycles"].get<std::uint64_t>();
      EXPECT_LE(first, 101U);
      EXPECT_EQ(sm["once_cycles"], first + 4 * first / 5);
    }
  }
}

TEST_F(StructuralPredictionsTest, OneBlockHasNoLine) {
  build("fifo", 2, 4);
  bed_->launch(kernel("a", 1, 100), 0, 0);
  run();
  ASSERT_EQ(of(0).size(), 1U) << "the other SM had none";
  EXPECT_TRUE(of(0)[0]["regression_cycles"].is_null());
  EXPECT_EQ(of(0)[0]["staircase_cycles"], of(0)[0]["span_cycles"]);
}

// Another kernel takes one of the two places from 3000 to 6000. Its end begins the last slice, in which about
// 10 of the 12 blocks have ended; without slices the first block of all decides.
TEST_F(StructuralPredictionsTest, OnlySlicesSeeWhatHasComeBetween) {
  build("mpmax", 1, 2);
  bed_->launch(kernel("a", 12, 1000), 0, 0);
  bed_->launch(kernel("b", 1, 3000), 2500, 0);
  run();
  const auto on_sm = of(0)[0];
  EXPECT_NEAR(on_sm["active_cycles"].get<double>(), 8000, 20);
  EXPECT_NEAR(on_sm["slicing_cycles"].get<double>(), 8000, 520);
  EXPECT_NEAR(on_sm["once_cycles"].get<double>(), 1000 + 11 * 500, 20);
}

TEST_F(StructuralPredictionsTest, NothingOfALaunchThatIsNotThere) {
  build("fifo", 1, 1);
  EXPECT_TRUE(of(0).empty());
}

}  // namespace
}  // namespace heddle
