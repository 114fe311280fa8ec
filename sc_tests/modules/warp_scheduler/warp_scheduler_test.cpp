#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sc_tests/modules/warp_scheduler/warp_scheduler_fixture.h"
#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

TEST_F(WarpSchedulerTest, IssuesToTheCollectorAndOnlyFromItsOwnWarps) {
  start(4);
  start(6);
  table_.resident |= warp_bit(1);
  table_.valid |= warp_bit(1);
  EXPECT_EQ(cause(), IssueCause::kIssued);
  table_.valid = warp_bit(1);
  EXPECT_EQ(cause(), IssueCause::kFetch);
  EXPECT_EQ(collector_.taken, std::vector<unsigned>{4});
}

TEST_F(WarpSchedulerTest, NamesWhyNothingWasValid) {
  EXPECT_EQ(cause(), IssueCause::kEmpty);
  start(0);
  start(2);
  table_.valid = 0;
  table_.at_barrier = warp_bit(2);
  EXPECT_EQ(cause(), IssueCause::kFetch);  // 0 is the oldest
  table_.off_path = warp_bit(0);
  EXPECT_EQ(cause(), IssueCause::kFlush);
  table_.off_path = 0;
  table_.at_barrier = warp_bit(0);
  EXPECT_EQ(cause(), IssueCause::kBarrier);
  table_.at_barrier = 0;
  table_.at_membar = warp_bit(0);
  EXPECT_EQ(cause(), IssueCause::kMembar);
}

TEST_F(WarpSchedulerTest, AFullPipelineIsChargedByWhatTheOldestWarpWants) {
  start(4, Unit::kSp);
  start(0, Unit::kLdst);
  EXPECT_EQ(cause({Unit::kSp, Unit::kLdst}), IssueCause::kPipelineSp);
}

TEST_F(WarpSchedulerTest, TheStaleBufferOfAWarpAtAMembarIsLeft) {
  start(2);
  table_.valid = 0;
  table_.stale = table_.off_path = table_.at_membar = warp_bit(2);
  EXPECT_EQ(cause(), IssueCause::kMembar);
  EXPECT_TRUE(flushes_.empty());
  table_.at_membar = 0;
  cause();
  EXPECT_EQ(flushes_, std::vector<unsigned>{2});
}

TEST_F(WarpSchedulerTest, EmptiesAStaleBufferOnlyWhenItComesToTheWarp) {
  for (const unsigned warp : {0U, 2U, 4U}) start(warp);
  const auto stale = [this](unsigned warp) {
    table_.valid &= ~warp_bit(warp);
    table_.stale |= warp_bit(warp);
    table_.off_path |= warp_bit(warp);
  };
  stale(2);
  EXPECT_EQ(cause(), IssueCause::kIssued);  // 0, which comes before
  EXPECT_TRUE(flushes_.empty());
  table_.blocked = warp_bit(0);
  EXPECT_EQ(cause(), IssueCause::kIssued);  // passes 2 on its way to 4
  EXPECT_EQ(flushes_, std::vector<unsigned>{2});
  EXPECT_EQ(collector_.taken, (std::vector<unsigned>{0, 4}));
  stale(4);
  table_.at_barrier = warp_bit(4);
  cause();
  EXPECT_EQ(flushes_.size(), 1U);  // a warp that waits is not looked at
  table_.at_barrier = 0;
  cause();
  EXPECT_EQ(flushes_, (std::vector<unsigned>{2, 4}));
}

TEST_F(WarpSchedulerTest, AFinishedWarpDrainsAndIsNoLongerTheOldest) {
  start(0);
  start(2);
  table_.blocked = table_.blocked_sfu = warp_bit(2);
  exits_ = true;
  EXPECT_EQ(cause(), IssueCause::kIssued);
  EXPECT_EQ(cause(), IssueCause::kScoreboardSfu);
  table_.blocked = 0;
  EXPECT_EQ(cause(), IssueCause::kIssued);
  EXPECT_EQ(cause(), IssueCause::kDrain);
  table_.resident = 0;
  EXPECT_EQ(cause(), IssueCause::kEmpty);
}

TEST_F(WarpSchedulerTest, TheScoreboardCauseIsThatOfTheOldestValidWarp) {
  start(0);
  start(2);
  table_.blocked = warp_bit(0) | warp_bit(2);
  table_.blocked_memory = warp_bit(2);
  EXPECT_EQ(cause(), IssueCause::kScoreboardAlu);
  table_.blocked_shared = warp_bit(0);
  EXPECT_EQ(cause(), IssueCause::kScoreboardShared);
  table_.valid = warp_bit(2);
  EXPECT_EQ(cause(), IssueCause::kScoreboardMemory);
  table_.blocked = warp_bit(0);
  EXPECT_EQ(cause({Unit::kSp}), IssueCause::kPipelineSp);  // one passed: no longer a scoreboard cycle
}

TEST_F(WarpSchedulerTest, AFullUnitIsPolledAndAnotherWarpGoesFirst) {
  start(0, Unit::kLdst);
  start(2, Unit::kSfu);
  EXPECT_EQ(cause({Unit::kLdst}), IssueCause::kIssued);
  EXPECT_EQ(collector_.taken, std::vector<unsigned>{2});
  EXPECT_TRUE(scheduler_.waits_for_unit());
  table_.valid = warp_bit(0);
  EXPECT_EQ(cause({Unit::kLdst}), IssueCause::kPipelineLdst);
  EXPECT_FALSE(scheduler_.unit_opened());
  collector_.ready.slots = {1, 1, 1};
  EXPECT_TRUE(scheduler_.unit_opened());
  EXPECT_EQ(cause(), IssueCause::kIssued);
  EXPECT_FALSE(scheduler_.waits_for_unit());
}

class ActiveSetTest : public WarpSchedulerTest {
 protected:
  ActiveSetTest() : WarpSchedulerTest("two_level_active") {
    for (unsigned warp = 0; warp <= kPending; warp += 2) {
      start(warp);
      table_.next[warp] = &decoded_;
    }
  }
  ClassCycles seen() {
    scheduler_.settle(cycle_);
    return scheduler_.active_set_cycles();
  }
  static constexpr unsigned kPending = 12;  ///< the six slots below are active
};

TEST_F(ActiveSetTest, ACycleInWhichOnlyPendingWarpsCouldIssueIsWhatTheActiveOnesWaitFor) {
  const WarpMask pending = warp_bit(kPending);
  table_.blocked = table_.blocked_memory = table_.valid & ~pending;
  EXPECT_EQ(cause(), IssueCause::kPolicy);
  EXPECT_EQ(seen(), (ClassCycles{0, 0, 1, 0}));  // issued, idle, scoreboard, pipeline
  table_.valid = pending;
  EXPECT_EQ(cause(), IssueCause::kPolicy);
  EXPECT_EQ(seen(), (ClassCycles{0, 1, 1, 0}));
  table_.valid |= warp_bit(0);
  table_.blocked = 0;
  EXPECT_EQ(cause({Unit::kSp}), IssueCause::kPipelineSp);
  EXPECT_EQ(seen(), (ClassCycles{0, 1, 1, 1}));
  EXPECT_EQ(cause(), IssueCause::kIssued);
  EXPECT_EQ(seen(), (ClassCycles{1, 1, 1, 1}));
}

TEST_F(ActiveSetTest, RestsWhileTheOnlyWarpThatCouldIssueFindsItsUnitFull) {
  table_.at_barrier = table_.resident & ~warp_bit(0);
  collector_.ready.slots = {0, 0, 0};
  EXPECT_EQ(scheduler_.run(++cycle_).next_update, SchedulingPolicy::kNever);
  cycle_ = 100;
  EXPECT_EQ(seen(), (ClassCycles{0, 0, 0, 100}));  // issued, idle, scoreboard, pipeline
  EXPECT_TRUE(scheduler_.waits_for_unit());
  EXPECT_EQ(cause(), IssueCause::kIssued);
}

TEST_F(WarpSchedulerTest, WithoutAnActiveSetNothingIsCountedTwice) {
  start(0);
  EXPECT_EQ(cause(), IssueCause::kIssued);
  EXPECT_EQ(scheduler_.active_set_cycles(), ClassCycles{});
}

TEST_F(WarpSchedulerTest, SleptCyclesHaveTheCauseThatHeld) {
  start(0);
  table_.blocked = table_.blocked_memory = warp_bit(0);
  EXPECT_EQ(cause(), IssueCause::kScoreboardMemory);
  table_.blocked = table_.blocked_memory = 0;
  cycle_ = 99;
  scheduler_.run(++cycle_);
  scheduler_.settle(100);
  const auto cycles_of_cause = [&](IssueCause c) { return scheduler_.cycles()[static_cast<unsigned>(c)]; };
  EXPECT_EQ(cycles_of_cause(IssueCause::kScoreboardMemory), 99U);
  EXPECT_EQ(cycles_of_cause(IssueCause::kIssued), 1U);
  const CauseCycles& cycles = scheduler_.cycles();
  EXPECT_EQ(std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0}), 100U);
}

/// What a policy was asked, and for which cycle.
using Questions = std::vector<std::pair<std::string, std::uint64_t>>;
Questions questions;

class AskedQualifier final : public Qualifier {
 public:
  WarpMask qualify(std::uint64_t cycle, WarpMask issuable) override {
    questions.emplace_back("qualify", cycle);
    return issuable & ~warp_bit(2);
  }
};
class AskedPrioritizer final : public Prioritizer {
 public:
  unsigned select(std::uint64_t cycle, WarpMask /*issuable*/) override {
    questions.emplace_back("select", cycle);
    return kNoWarp;
  }
  bool pass_over(std::uint64_t cycle, WarpMask held) override {
    questions.emplace_back("pass_over", cycle);
    EXPECT_EQ(held, warp_bit(2));
    return false;
  }
};
const QualifierEntry kAskedQualifier{"asked", "test", [](const PolicyContext&) -> std::unique_ptr<Qualifier> {
                                       return std::make_unique<AskedQualifier>();
                                     }};
const PrioritizerEntry kAskedPrioritizer{"asked", "test",
                                         [](const PolicyContext&) -> std::unique_ptr<Prioritizer> {
                                           return std::make_unique<AskedPrioritizer>();
                                         }};
const PolicyRegistration asked_qualifier(kAskedQualifier);
const PolicyRegistration asked_prioritizer(kAskedPrioritizer);

class AskedSchedulerTest : public WarpSchedulerTest {
 protected:
  AskedSchedulerTest() : WarpSchedulerTest("asked") {}
};

TEST_F(AskedSchedulerTest, EveryQuestionNamesTheCycleThatItIsAbout) {
  start(2);
  start(4);
  cycle_ = 7;
  questions.clear();
  EXPECT_EQ(cause(), IssueCause::kPolicy);
  EXPECT_EQ(questions, (Questions{{"qualify", 8}, {"select", 8}, {"pass_over", 8}}));
}

/// Has one active warp, and sends it away when it is held back.
class SendsAwayPrioritizer final : public Prioritizer {
 public:
  unsigned select(std::uint64_t /*cycle*/, WarpMask /*issuable*/) override { return kNoWarp; }
  bool pass_over(std::uint64_t /*cycle*/, WarpMask held) override {
    active_ &= ~held;
    return true;
  }
  bool keeps_active_set() const override { return true; }
  WarpMask active() const override { return active_; }

 private:
  WarpMask active_ = warp_bit(2);
};
const PrioritizerEntry kSendsAway{"sends_away", "test",
                                  [](const PolicyContext&) -> std::unique_ptr<Prioritizer> {
                                    return std::make_unique<SendsAwayPrioritizer>();
                                  }};
const PolicyRegistration sends_away(kSendsAway);

class SentAwayTest : public WarpSchedulerTest {
 protected:
  SentAwayTest() : WarpSchedulerTest("asked+sends_away") {}
};

TEST_F(SentAwayTest, ACycleIsThatOfTheWarpsThatWereActiveInIt) {
  start(2);
  start(4);
  EXPECT_EQ(cause(), IssueCause::kPolicy);
  EXPECT_EQ(scheduler_.active_set_cycles(), (ClassCycles{0, 0, 0, 1}));  // issued, idle, scoreboard, pipeline
  EXPECT_EQ(cause(), IssueCause::kPolicy);
  EXPECT_EQ(scheduler_.active_set_cycles(), (ClassCycles{0, 1, 0, 1}));
}

/// A choice takes three cycles.
class StagedSchedulerTest : public WarpSchedulerTest {
 protected:
  StagedSchedulerTest() : WarpSchedulerTest("gto", 3) {}
  WarpMask under_way() { return policies_.choice(0)->under_way(); }
};

TEST_F(StagedSchedulerTest, AWarpIssuesTwoCyclesAfterItCouldNotBefore) {
  start(4);
  EXPECT_EQ(cause(), IssueCause::kPolicy);
  EXPECT_EQ(cause(), IssueCause::kPolicy);
  EXPECT_TRUE(collector_.taken.empty());
  EXPECT_EQ(cause(), IssueCause::kIssued);
  EXPECT_EQ(collector_.taken, std::vector<unsigned>{4});
}

TEST_F(StagedSchedulerTest, OneIsBegunInEveryCycleOfAWarpThatIsNotOnItsWay) {
  start(0);
  start(2);
  for (unsigned i = 0; i < 8; ++i) cause();
  // Chosen in cycles 1, 2 and 4, 5: greedy only when it is there again.
  EXPECT_EQ(collector_.taken, (std::vector<unsigned>{0, 2, 0, 2}));
  start(4);
  start(6);
  collector_.taken.clear();
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(cause(), IssueCause::kIssued);  // as many as there are stages
}

TEST_F(StagedSchedulerTest, AWarpThatCannotIssueWhenItArrivesLosesItsSlot) {
  start(0);
  cause();
  table_.blocked = warp_bit(0);
  cause();
  EXPECT_EQ(cause(), IssueCause::kScoreboardAlu);
  EXPECT_EQ(under_way(), 0U);
  table_.blocked = 0;
  cause();
  cause();
  EXPECT_EQ(cause({Unit::kSp}), IssueCause::kPipelineSp);
  EXPECT_TRUE(collector_.taken.empty());
  cause();
  cause();
  EXPECT_EQ(cause(), IssueCause::kIssued);
}

TEST_F(StagedSchedulerTest, AWarpWithoutAUnitIsNotChosen) {
  start(0, Unit::kLdst);
  start(2);
  cause({Unit::kLdst});
  EXPECT_EQ(under_way(), warp_bit(2));
}

TEST_F(StagedSchedulerTest, AStaleBufferIsEmptiedWhenTheChoiceThatPassedItArrives) {
  start(0);
  start(2);
  table_.valid = warp_bit(2);
  table_.stale = table_.off_path = warp_bit(0);
  cause();
  cause();
  EXPECT_TRUE(flushes_.empty());
  EXPECT_EQ(cause(), IssueCause::kIssued);
  EXPECT_EQ(flushes_, std::vector<unsigned>{0});
  EXPECT_EQ(collector_.taken, std::vector<unsigned>{2});
  table_.stale = table_.off_path = warp_bit(0);
  table_.valid = 0;
  cause();
  cause();
  cause();
  EXPECT_EQ(flushes_, (std::vector<unsigned>{0, 0}));
}

TEST_F(StagedSchedulerTest, RunsAsLongAsSomethingIsOnItsWay) {
  start(0);
  EXPECT_EQ(scheduler_.run(1).next_update, 2U);
  EXPECT_EQ(scheduler_.run(2).next_update, 3U);
  table_.blocked = warp_bit(0);
  EXPECT_EQ(scheduler_.run(3).next_update, 4U);  // it can be chosen again
  EXPECT_EQ(scheduler_.run(4).next_update, SchedulingPolicy::kNever);
}

/// Admits what a test says.
class TestsQualifier final : public Qualifier {
 public:
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask issuable) override { return issuable & admitted; }
  static WarpMask admitted;
};
WarpMask TestsQualifier::admitted = 0;
const QualifierEntry kTests{"tests", "test", [](const PolicyContext&) -> std::unique_ptr<Qualifier> {
                              return std::make_unique<TestsQualifier>();
                            }};
const PolicyRegistration tests_qualifier(kTests);

/// A choice takes three cycles, behind a qualifier: of the one scheduler, or of that of the only stream that
/// has warps.
class StagedQualifierTest : public WarpSchedulerTest, public ::testing::WithParamInterface<const char*> {
 protected:
  StagedQualifierTest() : WarpSchedulerTest(GetParam(), 3) {
    TestsQualifier::admitted = ~WarpMask{0};
    for (const unsigned warp : {0U, 2U}) {
      policies_.tell<event::WarpStart>({warp, 0, 0, 0, 0, 0});
      start(warp);
    }
  }
};

TEST_P(StagedQualifierTest, AWarpThatIsHeldBackWhenItArrivesLosesItsSlot) {
  cause();  // 0 is chosen
  cause();  // 2
  TestsQualifier::admitted = warp_bit(2);
  EXPECT_EQ(cause(), IssueCause::kPolicy);
  EXPECT_EQ(cause(), IssueCause::kIssued);
  EXPECT_EQ(collector_.taken, std::vector<unsigned>{2});
  TestsQualifier::admitted = warp_bit(0);
  for (unsigned i = 0; i < 2; ++i) EXPECT_EQ(cause(), IssueCause::kPolicy);
  EXPECT_EQ(cause(), IssueCause::kIssued);
  EXPECT_EQ(collector_.taken, (std::vector<unsigned>{2, 0}));
}

INSTANTIATE_TEST_SUITE_P(Where, StagedQualifierTest, ::testing::Values("tests+gto", "tests+gto:gto"));

TEST_F(StagedSchedulerTest, CountsChoicesThatWereLost) {
  start(0);
  for (unsigned i = 0; i < 3; ++i) cause();
  cause();
  cause();
  cause({Unit::kSp});
  test::StatTable table;
  scheduler_.report(table);
  EXPECT_EQ(table.values.at("choice.issued"), 1U);
  EXPECT_EQ(table.values.at("choice.lost"), 1U);
  EXPECT_EQ(table.levels.at("choice.cycles"), 3);
}

}  // namespace
}  // namespace heddle
