// What iPAWS tells of its kernels.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sc_tests/modules/warp_scheduler/policies/ipaws/ipaws_fixture.h"
#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

using Counts = std::map<std::string, std::uint64_t>;
using testing::IpawsSm;

/// What is told, but for the many zeros of the places in the order of age.
test::StatTable report_of(IpawsSm& sm, std::uint64_t cycle) {
  sm.policy->settle(cycle);
  test::StatTable table;
  sm.policy->report(table);
  for (auto it = table.values.begin(); it != table.values.end();) {
    it = it->first.rfind("age", 0) == 0 && it->second == 0 ? table.values.erase(it) : std::next(it);
  }
  return table;
}

// 10 and 3 instructions, two warps without any: judged at once when the first has finished, in cycle 10.
TEST_F(IpawsTest, AConcaveKernelIsCounted) {
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {0, 1, 2, 3});
  sm.issue_n(0, 9);
  sm.issue_n(1, 3);
  sm.begin(10);
  sm.finish(0);
  sm.begin(11);
  const test::StatTable table = report_of(sm, 20);
  EXPECT_EQ(table.values, (Counts{{"kernels", 1},
                                  {"judgements", 1},
                                  {"convex", 0},
                                  {"concave", 1},
                                  {"members", 4},
                                  {"of_interest", 4},
                                  {"score_sum", 13},
                                  {"twice_threshold", 40},
                                  {"cycles_adapt", 10},
                                  {"cycles_judge", 0},
                                  {"cycles_recover", 0},
                                  {"cycles_execute_greedy", 20 - 10},
                                  {"cycles_execute_fair", 0},
                                  {"age0.issued", 10},
                                  {"age1.issued", 3},
                                  {"age0.iscore", 10},
                                  {"age1.iscore", 3}}));
  EXPECT_EQ(table.levels, (std::map<std::string, double>{{"degree_of_convexity", 2 * 13 / 40.0}}));
}

// The second warp has the most stalls: two are of interest.
TEST_F(IpawsTest, StallCountersOfAJudgementAreCountedByAge) {
  IpawsSm& sm = make();
  sm.begin(1);
  sm.start_tb(0, 1, {2, 3, 0, 1});
  sm.issue(2);
  sm.stall(0, 0b1111, 0, 4);
  sm.begin(5);
  sm.issue(3);
  sm.stall(0, 0b1010, 0, 7);
  sm.begin(12);
  sm.finish(2);
  sm.begin(13);
  const Counts counts = report_of(sm, 20).values;
  EXPECT_EQ(counts.at("age0.stall"), 4U);
  EXPECT_EQ(counts.at("age1.stall"), 7U);
  EXPECT_EQ(counts.count("age2.stall"), 0U);
  EXPECT_EQ(counts.at("of_interest"), 2U);
}

// 10, 7, 6 and 5 instructions: the last warp catches up with the first in cycle 12.
TEST_F(IpawsTest, AConvexKernelIsCounted) {
  IpawsSm& sm = make();
  convex_adapt(sm);
  sm.begin(11);
  sm.issue_n(3, 4);
  sm.begin(12);
  sm.issue(3);
  sm.begin(13);
  const test::StatTable table = report_of(sm, 20);
  EXPECT_EQ(table.values, (Counts{{"kernels", 1},
                                  {"judgements", 1},
                                  {"convex", 1},
                                  {"concave", 0},
                                  {"members", 4},
                                  {"of_interest", 4},
                                  {"score_sum", 28},
                                  {"twice_threshold", 40},
                                  {"cycles_adapt", 10},
                                  {"cycles_judge", 0},
                                  {"cycles_recover", 2},
                                  {"cycles_execute_greedy", 0},
                                  {"cycles_execute_fair", 20 - 12},
                                  {"age0.issued", 10},
                                  {"age1.issued", 7},
                                  {"age2.issued", 6},
                                  {"age3.issued", 5},
                                  {"age0.iscore", 10},
                                  {"age1.iscore", 7},
                                  {"age2.iscore", 6},
                                  {"age3.iscore", 5}}));
  EXPECT_EQ(table.levels, (std::map<std::string, double>{{"degree_of_convexity", 2 * 28 / 40.0}}));
}

// The TB is there from cycle 1 to 9: with its end, which is judged, the SM is empty in cycle 10.
TEST_F(IpawsTest, TheCycleOfAJudgementIsOfNoPhaseWhenTheSmIsEmptyInIt) {
  config_.scheduler.settings.edit(ipaws_parameters).judge_at = IpawsJudgeAt::kFirstTb;
  for (const bool goes_on : {false, true}) {
    IpawsSm& sm = make(goes_on ? 1 : 0);
    sm.begin(1);
    sm.start_tb(0, 1, {0});
    sm.begin(5);
    sm.finish(0);
    sm.begin(10);
    sm.retire_tb(0, {0});
    if (goes_on) sm.start_tb(0, 1, {0});  // it is not empty then
    sm.begin(11);
    sm.policy->settle(20);
    const auto cycles = [&sm](IpawsPhase phase) { return sm.policy->record().cycles(phase); };
    EXPECT_EQ(cycles(IpawsPhase::kAdapt), goes_on ? 10U : 9U);
    EXPECT_EQ(cycles(IpawsPhase::kJudge), 0U);
    EXPECT_EQ(cycles(IpawsPhase::kRecover) + cycles(IpawsPhase::kExecuteFair), goes_on ? 10U : 0U);
  }
}

}  // namespace
}  // namespace heddle
