// Kernels one after the other, beside each other, and on pairs of SMs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modules/warp_scheduler/policies/ipaws/ipaws.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"
#include "sc_tests/modules/warp_scheduler/policies/ipaws/ipaws_fixture.h"

namespace heddle {
namespace {

using testing::IpawsSm;

TEST_F(IpawsTest, EveryKernelIsAdaptedToAnew) {
  IpawsSm& sm = make();
  convex_adapt(sm, 4);
  sm.begin(11);
  EXPECT_EQ(sm.phase(), IpawsPhase::kRecover);
  for (const unsigned w : {1U, 2U, 3U}) sm.finish(w);
  sm.begin(20);
  sm.retire_tb(0, {0, 1, 2, 3});
  sm.begin(30);
  sm.start_tb(0, 5, {0, 1, 2, 3});
  EXPECT_EQ(sm.phase(), IpawsPhase::kAdapt);
  for (unsigned w = 0; w < 4; ++w) {
    EXPECT_EQ(sm.policy->pattern().score(w), 0U);
    EXPECT_EQ(sm.policy->pattern().stalls(w), 0U);
    EXPECT_EQ(sm.policy->least_issued()->issued(w), 0U);
  }
  sm.issue_n(0, 5);
  sm.begin(40);
  sm.finish(0);
  sm.begin(41);
  EXPECT_EQ(sm.phase(), IpawsPhase::kExecuteGreedy);
  sm.policy->settle(41);
  EXPECT_EQ(sm.policy->record().cycles(IpawsPhase::kAdapt), 10U + 11U);  // 1 to 10, 30 to 40
  EXPECT_EQ(sm.policy->record().cycles(IpawsPhase::kRecover), 9U);       // 11 to 19
  EXPECT_EQ(sm.policy->record().cycles(IpawsPhase::kExecuteFair), 0U);
}

TEST_F(IpawsTest, AKernelBesideAnOlderOneIsJudgedByItsOwnWarps) {
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1});
  sm.issue_n(0, 100);
  sm.begin(5);
  sm.start_tb(1, 2, {2, 3});
  sm.issue_n(0, 100);
  sm.issue_n(2, 3);
  sm.issue_n(3, 3);
  sm.finish(0);  // not of the new kernel
  EXPECT_EQ(sm.phase(), IpawsPhase::kAdapt);
  sm.finish(2);
  EXPECT_EQ(sm.policy->record().last_verdict().members, 2U);
  EXPECT_EQ(sm.policy->record().last_verdict().score_sum, 7U);
}

TEST_F(IpawsTest, AnSmThatIsGivenAnOlderKernelAdaptsToThat) {
  config_.scheduler.settings.edit(ipaws_parameters).decider = IpawsDecider::kEachSm;  // pCKE
  IpawsSm& sm = make();
  convex_adapt(sm, 2);
  sm.begin(11);
  sm.begin(12);
  EXPECT_EQ(sm.phase(), IpawsPhase::kRecover);
  for (const unsigned w : {1U, 2U, 3U}) sm.finish(w);
  sm.retire_tb(0, {0, 1, 2, 3});
  sm.begin(50);
  sm.start_tb(0, 1, {0, 1, 2, 3});
  EXPECT_EQ(sm.phase(), IpawsPhase::kAdapt);
  sm.issue_n(0, 9);
  sm.begin(60);
  sm.finish(0);
  sm.begin(61);
  EXPECT_EQ(sm.phase(), IpawsPhase::kExecuteGreedy);
}

/// SMs 0 and 1 hold kernel 1 in warps 0 to 3 and kernel 2 in warps 4 to 7.
class IpawsPairTest : public IpawsTest {
 protected:
  IpawsPairTest() {
    config_.scheduler.settings.edit(ipaws_parameters).decider = IpawsDecider::kSmPair;
    config_.scheduler.settings.edit(ipaws_parameters).recover = false;
    build();
  }
  void build() {
    sms_.clear();
    for (const unsigned index : {0U, 1U}) {
      IpawsSm& built = make(index);
      built.begin(1);
      built.start_tb(0, 1, {0, 1, 2, 3});
      built.start_tb(1, 2, {4, 5, 6, 7});
    }
  }
  /// At cycle 10, kernel 1, by the concave pattern of SM 0; it holds from 11 on.
  void decide_first() {
    sm(0).issue_n(0, 9);
    sm(0).begin(10);
    sm(0).finish(0);
  }
  /// Likewise kernel 2, by the convex pattern of SM 1.
  void decide_second(std::uint64_t cycle = 10) {
    for (const unsigned w : {4U, 5U, 6U, 7U}) sm(1).issue_n(w, 6);
    sm(1).begin(cycle);
    sm(1).finish(4);
  }
  void begin_both(std::uint64_t cycle) {
    for (const auto& built : sms_) built->begin(cycle);
  }
  IpawsSm& sm(unsigned index) { return *sms_[index]; }
};

// iPAWS 4.3, sCKE: "In core0, warps from K0 are prioritized over warps from K1. The opposite is done within
// core1."
TEST_F(IpawsPairTest, OneSmFavoursTheOneKernelTheOtherTheOther) {
  EXPECT_EQ(sm(0).select(0xff), 0U);
  EXPECT_EQ(sm(0).select(0xf0), 4U);
  EXPECT_EQ(sm(1).select(0xff), 4U);
  EXPECT_EQ(sm(1).select(0x0f), 0U);
}

TEST_F(IpawsPairTest, EachKernelIsJudgedByItsWarpsOnTheSmThatFavoursIt) {
  // Kernel 1 is concave, kernel 2 convex; on SM 1 the instructions of kernel 1, and its exit, count nothing.
  sm(0).issue_n(0, 9);
  sm(0).issue_n(4, 9);
  sm(1).issue_n(0, 50);
  for (const unsigned w : {4U, 5U, 6U, 7U}) sm(1).issue_n(w, 6);
  sm(1).begin(5);
  sm(1).finish(1);
  EXPECT_EQ(sm(1).phase(), IpawsPhase::kAdapt);
  sm(0).begin(10);
  sm(0).finish(0);
  EXPECT_EQ(sm(0).policy->record().last_verdict().members, 4U);
  EXPECT_EQ(sm(0).policy->record().last_verdict().score_sum, 10U);
  sm(1).begin(10);
  sm(1).finish(4);
  EXPECT_EQ(sm(1).policy->record().last_verdict().score_sum, 25U);
  sm(0).begin(11);
  sm(1).begin(11);
  EXPECT_EQ(sm(0).phase(), IpawsPhase::kExecuteGreedy);
  EXPECT_EQ(sm(1).phase(), IpawsPhase::kExecuteFair);
  // Both SMs know both decisions: kernel 2 goes round on SM 0 too, kernel 1 stays greedy on SM 1.
  EXPECT_EQ(sm(0).policy->convex(), 0xf0U);
  EXPECT_EQ(sm(1).policy->convex(), 0xf0U);
  sm(0).issue(5);
  EXPECT_EQ(sm(0).select(0xf0), 6U);
  sm(1).issue(2);
  EXPECT_EQ(sm(1).select(0x0c), 2U);
}

// "To minimize the impact of concurrent kernels on the adaptive decision" (iPAWS 4.3).
TEST_F(IpawsPairTest, AKernelIsFavouredUntilItIsDecidedAbout) {
  decide_first();
  EXPECT_EQ(sm(0).policy->favoured(), 0x0fU);
  begin_both(11);
  EXPECT_EQ(sm(0).policy->favoured(), 0U);
  EXPECT_EQ(sm(1).policy->favoured(), 0xf0U) << "kernel 2 is not decided about";
  decide_second(20);
  begin_both(21);
  EXPECT_EQ(sm(1).policy->favoured(), 0U);
}

TEST_F(IpawsPairTest, AKernelMayBeFavouredAlways) {
  config_.scheduler.settings.edit(ipaws_parameters).favour = IpawsFavour::kAlways;
  build();
  decide_first();
  decide_second();
  begin_both(11);
  EXPECT_EQ(sm(0).policy->favoured(), 0x0fU);
  EXPECT_EQ(sm(1).policy->favoured(), 0xf0U);
  sm(0).issue(1);
  EXPECT_EQ(sm(0).select(0xfe), 1U);
  sm(0).issue(1);
  EXPECT_EQ(sm(0).select(0xfe), 1U);
}

TEST_F(IpawsPairTest, AfterTheDecisionsSchedulersTakeTurnsAndKeepTheirOrders) {
  decide_first();
  decide_second();
  begin_both(11);
  IpawsSm& both = sm(0);
  std::vector<unsigned> issued;
  for (unsigned n = 0; n < 8; ++n) {
    issued.push_back(both.select(0xf6));
    both.issue(issued.back());
  }
  // Kernel 2 goes round, kernel 1 stays with its oldest warp that may issue.
  EXPECT_EQ(issued, (std::vector<unsigned>{4, 1, 5, 1, 6, 1, 7, 1}));
  EXPECT_EQ(both.select(0x06), 1U) << "no turn is left unused";
}

TEST_F(IpawsPairTest, AKernelThatComesLaterIsFavoured) {
  decide_first();
  decide_second();
  begin_both(11);
  for (const unsigned index : {0U, 1U}) {
    for (const unsigned w : {0U, 1U, 2U, 3U}) {
      if ((sm(index).table.finished >> w & 1U) == 0) sm(index).finish(w);
    }
    sm(index).retire_tb(0, {0, 1, 2, 3});
    sm(index).begin(20);
    sm(index).start_tb(0, 3, {0, 1, 2, 3});
  }
  EXPECT_EQ(sm(0).policy->favoured(), 0U) << "kernel 2, the older one, is decided about";
  EXPECT_EQ(sm(1).policy->favoured(), 0x0fU);
  EXPECT_EQ(sm(1).phase(), IpawsPhase::kAdapt);
}

TEST_F(IpawsPairTest, TheKernelThatAnSmRecoversHasItsTurnToo) {
  config_.scheduler.settings.edit(ipaws_parameters).recover = true;
  build();
  decide_second();
  begin_both(11);
  IpawsSm& second = sm(1);
  EXPECT_EQ(second.phase(), IpawsPhase::kRecover);
  second.issue_n(5, 3);
  EXPECT_EQ(second.select(0xe2), 1U);  // kernel 1's turn: greedy
  second.issue(1);
  EXPECT_EQ(second.select(0xe2), 6U);  // fewest instructions of kernel 2
}

TEST_F(IpawsPairTest, TheKernelThatIsLeftIsFavouredByBoth) {
  for (const unsigned w : {0U, 1U, 2U, 3U}) {
    sm(0).finish(w);
    sm(1).finish(w);
  }
  sm(0).retire_tb(0, {0, 1, 2, 3});
  sm(1).retire_tb(0, {0, 1, 2, 3});
  EXPECT_EQ(sm(0).policy->favoured(), 0xf0U);
  EXPECT_EQ(sm(1).policy->favoured(), 0xf0U);
}

}  // namespace
}  // namespace heddle
