#include "modules/warp_scheduler/policies/ipaws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sc_tests/modules/warp_scheduler/ipaws_rig.h"
#include "sc_tests/tlm/stat_values.h"

namespace heddle {
namespace {

using testing::IpawsSm;

constexpr WarpMask kFour = 0xf;

GpuConfig small_config() {
  GpuConfig config;
  config.core.schedulers = 1;
  config.core.warps = 8;
  return config;
}

class IpawsTest : public ::testing::Test {
 protected:
  IpawsSm& make(unsigned index = 0) {
    sms_.push_back(std::make_unique<IpawsSm>(config_, board_, index));
    return *sms_.back();
  }
  /// Cycles 1 to 10: four warps with 10 (its exit included), 7, 6 and `last` instructions.
  static void convex_adapt(IpawsSm& sm, std::uint64_t launch = 1, unsigned last = 5) {
    sm.begin(1);
    sm.start_tb(0, launch, {0, 1, 2, 3});
    sm.issue_n(0, 9);
    sm.issue_n(1, 7);
    sm.issue_n(2, 6);
    sm.issue_n(3, last);
    sm.begin(10);
    sm.finish(0);
  }

  GpuConfig config_ = small_config();
  PolicyBoard board_{3};
  std::vector<std::unique_ptr<IpawsSm>> sms_;
};

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
  config_.scheduler.ipaws.recover = false;
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

TEST_F(IpawsTest, EachSmMayDecideForItself) {
  config_.scheduler.ipaws.decider = IpawsDecider::kEachSm;
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
    config_.scheduler.ipaws.decider = decider;
    IpawsSm& sm = make(decider == IpawsDecider::kFirstSm ? 0 : 1);
    convex_adapt(sm);
    const std::uint64_t result = 10 + sm.policy->record().last_verdict().time_cycles;
    ASSERT_GT(result, 20U);
    sm.begin(11);
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
  EXPECT_EQ(sm.policy->record().cycles(IpawsPhase::kAdapt), 10U + 11U);  // 1 to 10, 30 to 40
  EXPECT_EQ(sm.policy->record().cycles(IpawsPhase::kRecover), 9U);       // 11 to 19
  EXPECT_EQ(sm.policy->record().cycles(IpawsPhase::kExecuteFair), 0U);
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
  config_.scheduler.ipaws.decider = IpawsDecider::kEachSm;  // pCKE
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
    config_.scheduler.ipaws.decider = IpawsDecider::kSmPair;
    config_.scheduler.ipaws.recover = false;
    for (const unsigned index : {0U, 1U}) {
      IpawsSm& built = make(index);
      built.begin(1);
      built.start_tb(0, 1, {0, 1, 2, 3});
      built.start_tb(1, 2, {4, 5, 6, 7});
    }
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

TEST_F(IpawsTest, ReportsThePatternAndItsConvexity) {
  IpawsSm& sm = make();
  convex_adapt(sm);
  sm.begin(11);
  test::StatValues values;
  sm.policy->report(values);
  EXPECT_EQ(values.values["kernels"], 1);
  EXPECT_EQ(values.values["convex"], 1);
  EXPECT_EQ(values.values["members"], 4);
  EXPECT_EQ(values.values["of_interest"], 4);
  EXPECT_EQ(values.values["score_sum"], 28);
  EXPECT_EQ(values.values["twice_threshold"], 40);
  EXPECT_DOUBLE_EQ(values.values["degree_of_convexity"], 1.4);
}

/// Variables by name, of the outermost scope only.
class Waves : public WaveSink {
 public:
  void enter(std::string_view /*scope*/) override { ++depth_; }
  void leave() override { --depth_; }
  bool wanted() const override { return true; }
  void signal(const std::uint64_t& variable, unsigned /*bits*/, std::string_view name) override {
    if (depth_ == 0) variables[std::string(name)] = &variable;
  }
  void enumeration(const std::uint64_t& variable, unsigned bits, std::string_view name,
                   const std::vector<std::string>& names) override {
    signal(variable, bits, name);
    values[std::string(name)] = names;
  }
  std::string of(const std::string& name) const { return values.at(name).at(*variables.at(name)); }

  std::map<std::string, const std::uint64_t*> variables;
  std::map<std::string, std::vector<std::string>> values;

 private:
  unsigned depth_ = 0;
};

TEST_F(IpawsTest, WavesShowPhaseAndDecision) {
  IpawsSm& sm = make();
  Waves waves;
  sm.policy->trace(waves);
  EXPECT_EQ(waves.of("phase"), "adapt");
  EXPECT_EQ(waves.of("decision"), "open");
  convex_adapt(sm);
  EXPECT_EQ(waves.of("phase"), "judge");
  EXPECT_EQ(*waves.variables["woi"], 0xfU);
  EXPECT_EQ(*waves.variables["score_sum"], 28U);
  EXPECT_EQ(*waves.variables["score_max"], 10U);
  EXPECT_EQ(waves.of("decision"), "open");
  sm.begin(11);
  EXPECT_EQ(waves.of("phase"), "recover");
  EXPECT_EQ(waves.of("decision"), "convex");
}

/// Lets warps below 2 issue only.
class LowestTwo final : public Qualifier {
 public:
  WarpMask qualify(WarpMask issuable) override { return issuable & 3U; }
};
const QualifierEntry kLowestTwo{"lowest_two", "test", [](const PolicyContext&) -> std::unique_ptr<Qualifier> {
                                  return std::make_unique<LowestTwo>();
                                }};
void register_lowest_two() {
  static const bool kDone = (add_policy(kLowestTwo), true);
  static_cast<void>(kDone);
}

TEST_F(IpawsTest, AQualifierOfTheGreedySideHoldsOnlyWhileItIsChosen) {
  register_lowest_two();
  config_.scheduler.ipaws.greedy = "lowest_two+gto";
  config_.scheduler.ipaws.recover = false;
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1, 2, 3});
  EXPECT_EQ(sm.select(0xc), kNoWarp);
  EXPECT_EQ(sm.select(0xe), 1U);
  sm.table.stale = 0x8;  // to be come to, not to be qualified
  EXPECT_EQ(sm.select(0xc), 3U);
  sm.table.stale = 0;
  for (const unsigned w : {1U, 2U, 3U}) sm.issue_n(w, 2);
  sm.begin(2);
  sm.finish(0);
  sm.begin(3);
  EXPECT_EQ(sm.phase(), IpawsPhase::kExecuteFair);
  EXPECT_EQ(sm.select(0xc), 2U);
}

TEST_F(IpawsTest, BothSidesMayBeOfTheSameKind) {
  config_.scheduler.ipaws.greedy = "least_issued";
  config_.scheduler.ipaws.fair = "least_issued";
  IpawsSm& sm = make();
  std::vector<std::string> counters;
  for (const hw::Part* part : sm.inventory.parts()) {
    if (part->name() == "issued") counters.push_back(part->owner());
  }
  EXPECT_THAT(counters, ::testing::UnorderedElementsAre("sm0/ipaws/greedy/least_issued",
                                                        "sm0/ipaws/fair/least_issued", "sm0/ipaws"));
}

TEST_F(IpawsTest, RejectsInnerSchedulersThatDoNotExistOrChooseThemselves) {
  const auto error = [this] {
    try {
      make();
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  config_.scheduler.ipaws.greedy = "gtx";
  EXPECT_THAT(error(), ::testing::AllOf(::testing::HasSubstr("scheduler.ipaws.greedy: "),
                                        ::testing::HasSubstr("'gtx' is unknown; did you mean 'gto'")));
  config_.scheduler.ipaws.greedy = "gto";
  config_.scheduler.ipaws.fair = "ipaws";
  EXPECT_THAT(error(), ::testing::HasSubstr("scheduler.ipaws.fair: found 'ipaws'"));
}

}  // namespace
}  // namespace heddle
