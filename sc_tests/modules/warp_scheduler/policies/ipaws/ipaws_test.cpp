// One kernel: phases, decision, barriers.
#include "modules/warp_scheduler/policies/ipaws/ipaws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modules/warp_scheduler/policies/ipaws/parameters.h"
#include "sc_tests/modules/warp_scheduler/policies/ipaws/ipaws_fixture.h"

namespace heddle {
namespace {

using testing::IpawsSm;

TEST_F(IpawsTest, ConcaveKernelsStayWithTheGreedyScheduler) {
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1, 2, 3});
  sm.issue_n(0, 9);
  sm.issue_n(1, 3);
  sm.begin(10);
  EXPECT_EQ(sm.phase(), IpawsPhase::kAdapt);
  sm.finish(0);
  EXPECT_EQ(sm.phase(), IpawsPhase::kJudge);
  sm.begin(11);
  EXPECT_EQ(sm.phase(), IpawsPhase::kExecuteGreedy);
  EXPECT_EQ(sm.policy->record().last_verdict().score_sum, 13U);
  EXPECT_EQ(sm.policy->record().last_verdict().half_sum, 40U);
  sm.issue(2);
  sm.begin(12);
  EXPECT_EQ(sm.select(0xe), 2U);  // greedy
  EXPECT_EQ(sm.select(0xa), 1U);  // then oldest
}

TEST_F(IpawsTest, ConvexKernelsRecoverThenGoRound) {
  IpawsSm& sm = make();
  convex_adapt(sm);
  EXPECT_EQ(sm.phase(), IpawsPhase::kJudge);
  sm.begin(11);
  EXPECT_EQ(sm.phase(), IpawsPhase::kRecover);
  EXPECT_EQ(sm.policy->record().last_verdict().score_sum, 28U);
  // Counts 7, 6 and 5: fewest first, of equals the lowest slot.
  EXPECT_EQ(sm.select(0xe), 3U);
  sm.issue(3);
  EXPECT_EQ(sm.select(0xe), 2U);
  sm.issue(2);
  EXPECT_EQ(sm.select(0xe), 3U);
  // The oldest had issued 10.
  sm.issue_n(3, 3);
  sm.begin(12);
  EXPECT_EQ(sm.phase(), IpawsPhase::kRecover);
  sm.issue(3);
  EXPECT_EQ(sm.phase(), IpawsPhase::kRecover);
  sm.begin(13);
  EXPECT_EQ(sm.phase(), IpawsPhase::kExecuteFair);
  sm.issue(1);
  sm.begin(14);
  EXPECT_EQ(sm.select(0xe), 2U);  // after the one that issued last, whatever the counts
}

TEST_F(IpawsTest, TheOldestWarpMayEndTheAdaptPhase) {
  config_.scheduler.settings.edit(ipaws_parameters).judge_at = IpawsJudgeAt::kOldestWarp;
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {2, 3});
  sm.start_tb(1, 1, {0, 1});
  sm.begin(5);
  sm.finish(0);
  sm.finish(1);
  sm.retire_tb(1, {0, 1});
  sm.begin(6);
  sm.start_tb(1, 1, {0, 1});  // as many members as before
  sm.issue_n(2, 5);
  EXPECT_EQ(sm.phase(), IpawsPhase::kAdapt);
  sm.begin(7);
  sm.finish(2);
  EXPECT_EQ(sm.phase(), IpawsPhase::kJudge);
  EXPECT_EQ(sm.policy->record().last_verdict().members, 4U);
  EXPECT_EQ(sm.policy->record().last_verdict().score_sum, 6U);
}

TEST_F(IpawsTest, TheEndOfATbMayEndTheAdaptPhase) {
  config_.scheduler.settings.edit(ipaws_parameters).judge_at = IpawsJudgeAt::kFirstTb;
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1});
  sm.start_tb(1, 1, {2, 3});
  sm.begin(5);
  sm.finish(0);
  sm.finish(2);
  sm.finish(3);
  EXPECT_EQ(sm.phase(), IpawsPhase::kAdapt);
  sm.begin(6);
  sm.retire_tb(1, {2, 3});
  EXPECT_EQ(sm.phase(), IpawsPhase::kJudge);
  EXPECT_TRUE(sm.policy->record().last_verdict().convex);
  sm.begin(7);
  EXPECT_EQ(sm.phase(), IpawsPhase::kExecuteFair);  // one warp is left
}

TEST_F(IpawsTest, RecoverEndsWithTheNewestWarpAtTheLatest) {
  IpawsSm& sm = make();
  convex_adapt(sm);
  sm.begin(11);
  sm.finish(3);  // 6 instructions
  sm.begin(12);
  EXPECT_EQ(sm.phase(), IpawsPhase::kExecuteFair);
}

TEST_F(IpawsTest, RecoverIsSkippedWhenNothingIsBehind) {
  IpawsSm& sm = make();
  convex_adapt(sm, 1, 10);
  sm.begin(11);
  EXPECT_EQ(sm.phase(), IpawsPhase::kExecuteFair);
}

TEST_F(IpawsTest, WithoutRecoverTheFairSchedulerStartsAtOnce) {
  config_.scheduler.settings.edit(ipaws_parameters).recover = false;
  IpawsSm& sm = make();
  convex_adapt(sm);
  sm.begin(11);
  EXPECT_EQ(sm.phase(), IpawsPhase::kExecuteFair);
  EXPECT_EQ(sm.policy->least_issued(), nullptr);
}

TEST_F(IpawsTest, BarrierTimeMakesAConvexPatternConcave) {
  for (const bool barrier : {false, true}) {
    IpawsSm& sm = make(barrier ? 1 : 0);
    sm.begin(1);
    sm.start_tb(0, 1, {0, 1, 2, 3});
    for (const unsigned w : {0U, 1U, 2U, 3U}) sm.issue_n(w, 4);
    sm.begin(2);
    if (barrier) {
      sm.arrive(0);
    } else {
      sm.issue(0);
    }
    for (sm.begin(3); sm.cycle < 43; sm.begin(sm.cycle + 1)) {
      sm.issue(4);  // another TB's: not of this kernel's four
    }
    if (barrier) sm.release(1);
    sm.begin(50);
    sm.finish(0);
    const IssuePattern::Verdict& verdict = sm.policy->record().last_verdict();
    EXPECT_EQ(verdict.convex, !barrier);
    EXPECT_EQ(verdict.score_max, barrier ? 6U + 40U : 6U);
    EXPECT_EQ(verdict.score_sum, 12U + verdict.score_max);
  }
}

TEST_F(IpawsTest, BarrierTimeIsCyclesInWhichOthersIssued) {
  config_.core.schedulers = 2;
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1, 2, 3});
  sm.arrive(0);  // the arrival's own cycle is an instruction, not a wait
  sm.issue(1);
  EXPECT_EQ(sm.policy->pattern().score(0), 1U);
  sm.begin(2);
  sm.issue(2);
  sm.issue(3);  // the other scheduler, same cycle
  EXPECT_EQ(sm.policy->pattern().score(0), 2U);
  sm.begin(5);  // nothing issued at 3 and 4
  sm.issue(1);
  sm.release(1);
  EXPECT_EQ(sm.policy->pattern().score(0), 3U);
  sm.begin(6);
  sm.issue(1);
  EXPECT_EQ(sm.policy->pattern().score(0), 3U);
}

TEST_F(IpawsTest, TheFirstSmDecidesForAllAtTheNextCycle) {
  IpawsSm& first = make(0);
  IpawsSm& second = make(1);
  IpawsSm& idle = make(2);
  first.begin(1);
  first.start_tb(0, 1, {0, 1, 2, 3});
  first.issue_n(0, 3);
  convex_adapt(second);  // at cycle 10
  first.begin(10);
  EXPECT_EQ(first.phase(), IpawsPhase::kAdapt);
  EXPECT_EQ(second.phase(), IpawsPhase::kJudge);
  first.begin(11);
  second.begin(11);
  EXPECT_EQ(first.phase(), IpawsPhase::kRecover);
  EXPECT_EQ(second.phase(), IpawsPhase::kRecover);
  first.issue_n(3, 3);  // as many as its own oldest had
  first.begin(12);
  EXPECT_EQ(first.phase(), IpawsPhase::kExecuteFair);
  // An SM that begins the kernel later has nothing to adapt or recover.
  idle.begin(20);
  idle.start_tb(0, 1, {0, 1});
  EXPECT_EQ(idle.phase(), IpawsPhase::kExecuteFair);
}

TEST_F(IpawsTest, OfSeveralAtOnceTheLowestSmDecidesWhateverTheOrder) {
  for (const bool reversed : {false, true}) {
    PolicyBoard board(2);
    IpawsSm concave(config_, board, 0);
    IpawsSm convex(config_, board, 1);
    concave.begin(1);
    concave.start_tb(0, 1, {0, 1, 2, 3});
    concave.issue_n(0, 9);
    concave.begin(10);
    if (!reversed) concave.finish(0);
    convex_adapt(convex);
    if (reversed) concave.finish(0);
    for (IpawsSm* sm : {&concave, &convex}) {
      sm->begin(11);
      EXPECT_EQ(sm->phase(), IpawsPhase::kExecuteGreedy);
    }
  }
}

TEST_F(IpawsTest, InHardwareTimingAVerdictTakesItsWayToAllSms) {
  config_.scheduler.timing = hw::Timing::kHardware;
  config_.scheduler.broadcast_cycles = 5;
  PolicyBoard board(2, note_way(config_.scheduler));
  IpawsSm first(config_, board, 0);
  IpawsSm second(config_, board, 1);
  first.begin(1);
  first.start_tb(0, 1, {0, 1, 2, 3});
  convex_adapt(second);
  second.begin(11);
  const std::uint64_t told = 10 + second.policy->record().last_verdict().time_cycles;
  second.begin(told);
  for (IpawsSm* sm : {&first, &second}) {
    const IpawsPhase before = sm->phase();
    sm->begin(told + 4);
    EXPECT_EQ(sm->phase(), before);
    sm->begin(told + 5);
    EXPECT_EQ(sm->phase(), sm == &second ? IpawsPhase::kRecover : IpawsPhase::kExecuteFair);
  }
}

TEST_F(IpawsTest, AnSmThatDecidesForOthersHasALinkToThem) {
  const auto link_bits = [this](unsigned cycles, IpawsDecider decider) {
    config_.scheduler.broadcast_cycles = cycles;
    config_.scheduler.settings.edit(ipaws_parameters).decider = decider;
    const IpawsSm sm(config_, board_, 0);
    std::uint64_t bits = 0;
    for (const hw::Part* part : sm.inventory.parts()) {
      if (part->name().rfind("note_", 0) == 0) bits += part->structure().total_bits();
    }
    return bits;
  };
  // Convex or not, 16 bits of the launch, and whether it is there: in the register of what the SM has
  // decided itself, and one per cycle of the way.
  EXPECT_EQ(link_bits(6, IpawsDecider::kFirstSm), 18U * (1 + 6));
  EXPECT_EQ(link_bits(1, IpawsDecider::kSmPair), 18U * (1 + 1));
  EXPECT_EQ(link_bits(6, IpawsDecider::kEachSm), 0U);
}

TEST_F(IpawsTest, EachSmMayDecideForItself) {
  config_.scheduler.settings.edit(ipaws_parameters).decider = IpawsDecider::kEachSm;
  IpawsSm& first = make(0);
  IpawsSm& second = make(1);
  first.begin(1);
  first.start_tb(0, 1, {0, 1, 2, 3});
  convex_adapt(second);
  EXPECT_EQ(second.phase(), IpawsPhase::kJudge);
  first.begin(11);
  second.begin(11);
  EXPECT_EQ(first.phase(), IpawsPhase::kAdapt);
  EXPECT_EQ(second.phase(), IpawsPhase::kRecover);
}

TEST_F(IpawsTest, TheJudgementTakesItsCyclesInHardwareTiming) {
  config_.scheduler.timing = hw::Timing::kHardware;
  for (const IpawsDecider decider : {IpawsDecider::kFirstSm, IpawsDecider::kEachSm}) {
    config_.scheduler.settings.edit(ipaws_parameters).decider = decider;
    IpawsSm& sm = make(decider == IpawsDecider::kFirstSm ? 0 : 1);
    convex_adapt(sm);
    sm.begin(11);
    const std::uint64_t result = 10 + sm.policy->record().last_verdict().time_cycles;
    ASSERT_GT(result, 20U);
    EXPECT_EQ(sm.next_update, result);
    sm.issue_n(0, 50);  // does not count any more
    sm.begin(result);
    EXPECT_EQ(sm.phase(), IpawsPhase::kJudge);
    sm.begin(result + 1);
    EXPECT_EQ(sm.phase(), IpawsPhase::kRecover);
  }
}

TEST_F(IpawsTest, ADecisionFromElsewhereEndsAJudgementUnderWay) {
  config_.scheduler.timing = hw::Timing::kHardware;
  IpawsSm& slow = make(0);
  convex_adapt(slow);
  board_.post({testing::ipaws_entry().shared, 1, 15, 0, 1});  // concave
  slow.begin(16);
  EXPECT_EQ(slow.phase(), IpawsPhase::kExecuteGreedy);
  slow.begin(10 + slow.policy->record().last_verdict().time_cycles);
  slow.begin(slow.cycle + 1);
  EXPECT_EQ(slow.phase(), IpawsPhase::kExecuteGreedy);
}

TEST_F(IpawsTest, LaterTbsOfTheKernelChangeNothingOnceItIsDecided) {
  IpawsSm& sm = make();
  convex_adapt(sm);
  sm.begin(11);
  sm.start_tb(1, 1, {4, 5});
  EXPECT_EQ(sm.phase(), IpawsPhase::kRecover);
  EXPECT_EQ(sm.policy->pattern().members(), 4U);
  EXPECT_EQ(sm.select(0x3e), 4U);  // has issued nothing
}

}  // namespace
}  // namespace heddle
