// Policies that answer what they were not asked for.
#include <memory>

#include "sc_tests/modules/warp_scheduler/warp_scheduler_fixture.h"
#include "sc_tests/support/memory_stubs.h"

namespace heddle {
namespace {

struct WrongQualifier final : Qualifier {
  static inline WarpMask answer = 0;
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask /*issuable*/) override { return answer; }
};
struct WrongPrioritizer final : Prioritizer {
  static inline unsigned answer = kNoWarp;
  unsigned select(std::uint64_t /*cycle*/, WarpMask /*issuable*/) override { return answer; }
};
const QualifierEntry kWrongQualifier{"wrong", "test", [](const PolicyContext&) -> std::unique_ptr<Qualifier> {
                                       return std::make_unique<WrongQualifier>();
                                     }};
const PrioritizerEntry kWrongPrioritizer{"wrong", "test",
                                         [](const PolicyContext&) -> std::unique_ptr<Prioritizer> {
                                           return std::make_unique<WrongPrioritizer>();
                                         }};
const PolicyRegistration wrong_qualifier(kWrongQualifier);
const PolicyRegistration wrong_prioritizer(kWrongPrioritizer);

class WrongPolicyTest : public WarpSchedulerTest {
 protected:
  WrongPolicyTest() : WarpSchedulerTest("wrong") {}
  static const std::vector<std::string>& messages() { return test::ExpectReports::messages(); }
};

TEST_F(WrongPolicyTest, AWarpThatMayNotIssueIsNamedAndDoesNotIssue) {
  const test::ExpectReports reports;
  start(2);
  start(4, Unit::kSfu);
  WrongQualifier::answer = warp_bit(2);
  unsigned wrong = 0;
  for (const unsigned answer : {0U, 3U, 4U, 64U, 1000U}) {
    WrongPrioritizer::answer = answer;
    EXPECT_EQ(cause({Unit::kSfu}), IssueCause::kPolicy);
    ASSERT_EQ(messages().size(), ++wrong);
    EXPECT_EQ(messages().back(), "/heddle/warp_scheduler: scheduler: in cycle " + std::to_string(cycle_) +
                                     " prioritizer 'wrong' selected the warp in slot " +
                                     std::to_string(answer) +
                                     "; expected kNoWarp or one of those that may issue, 0x4");
  }
  EXPECT_TRUE(collector_.taken.empty());
  WrongPrioritizer::answer = 2;
  EXPECT_EQ(cause({Unit::kSfu}), IssueCause::kIssued);
  EXPECT_EQ(messages().size(), wrong);
}

TEST_F(WrongPolicyTest, ACollectorThatWithholdsIsAnErrorOfItsScheduler) {
  const test::ExpectReports reports;
  start(2);
  WrongQualifier::answer = warp_bit(2);
  WrongPrioritizer::answer = 2;
  collector_.withholds = true;
  cause({Unit::kSfu});
  EXPECT_EQ(messages(),
            std::vector<std::string>{
                "/heddle/warp_scheduler: scheduler: the operand collector withheld an instruction; "
                "expected it to take one when IssueReady has a free slot"});
}

TEST_F(WrongPolicyTest, AStaleWarpIsSelectedOnceOnly) {
  const test::ExpectReports reports;
  start(2);
  table_.valid = 0;
  table_.stale = table_.off_path = warp_bit(2);
  start(4);
  WrongQualifier::answer = warp_bit(4);
  WrongPrioritizer::answer = 2;
  EXPECT_EQ(cause(), IssueCause::kPolicy);
  ASSERT_EQ(messages().size(), 1U);
  EXPECT_NE(messages().front().find("slot 2; expected kNoWarp or one of those that may issue, 0x10"),
            std::string::npos);
}

TEST_F(WrongPolicyTest, WarpsThatAQualifierLetsThroughWithoutBeingAskedAreNamedAndDoNotIssue) {
  const test::ExpectReports reports;
  start(2);
  start(4, Unit::kSfu);
  WrongQualifier::answer = warp_bit(2) | warp_bit(4);
  WrongPrioritizer::answer = kNoWarp;
  EXPECT_EQ(cause({Unit::kSfu}), IssueCause::kPolicy);
  ASSERT_EQ(messages().size(), 1U);
  EXPECT_EQ(messages().front(),
            "/heddle/warp_scheduler: scheduler: in cycle 1 qualifier 'wrong' let warps 0x14 issue; expected "
            "some of 0x4");
  EXPECT_EQ(scheduler_.held_back(), 0U);
}

/// A choice takes three cycles.
class WrongStagedPolicyTest : public WarpSchedulerTest {
 protected:
  WrongStagedPolicyTest() : WarpSchedulerTest("wrong", 3) {}
};

TEST_F(WrongStagedPolicyTest, AWrongChoiceIsNotBegun) {
  const test::ExpectReports reports;
  start(2);
  WrongQualifier::answer = warp_bit(2);
  WrongPrioritizer::answer = 1000;
  cause();
  EXPECT_EQ(test::ExpectReports::messages().size(), 1U);
  WrongPrioritizer::answer = kNoWarp;
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(cause(), IssueCause::kPolicy);
  EXPECT_EQ(test::ExpectReports::messages().size(), 1U);
  EXPECT_TRUE(collector_.taken.empty());
}

}  // namespace
}  // namespace heddle
