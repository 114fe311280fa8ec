// What policies show of their state over time.
#include "top/intervals/policy_state.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sc_tests/top/intervals/intervals_fixture.h"

namespace heddle {
namespace {

using ::testing::IsEmpty;

TEST(PolicyState, TellsAllAtFirstAndThenWhatChanges) {
  std::uint64_t limit = 3;
  std::uint64_t mode = 0;
  PolicyState state;
  state.enter("sm12");
  state.enter("ccws");
  state.signal(limit, 6, "limit");
  state.enumeration(mode, "mode", {"equal", "saturated"});
  state.leave();
  state.leave();
  ASSERT_EQ(state.signals().size(), 2U);
  EXPECT_EQ(state.signals()[0].sm, 12U);
  EXPECT_EQ(state.signals()[0].name, "ccws.limit");
  EXPECT_STREQ(to_string(state.signals()[1].kind), "names");
  EXPECT_EQ(state.signals()[1].values, (std::vector<std::string>{"equal", "saturated"}));

  const auto changes = [&state](std::uint64_t interval) {
    std::vector<StateChange> found;
    state.look(interval, found);
    std::vector<std::vector<std::uint64_t>> plain;
    for (const StateChange& change : found) plain.push_back({change.interval, change.signal, change.value});
    return plain;
  };
  EXPECT_EQ(changes(0), (std::vector<std::vector<std::uint64_t>>{{0, 0, 3}, {0, 1, 0}}));
  EXPECT_THAT(changes(1), IsEmpty());
  mode = 1;
  EXPECT_EQ(changes(2), (std::vector<std::vector<std::uint64_t>>{{2, 1, 1}}));
  EXPECT_THAT(changes(3), IsEmpty());
}

/// A scheduler, and a signal of its state that stats.json has too, as it was at the end.
struct StateCase {
  const char* name;
  std::vector<std::string> arguments;
  std::vector<std::string> signals;  ///< of SM 0
};
void PrintTo(const StateCase& run, std::ostream* out) { *out << run.name; }

class StateOfSchedulers : public IntervalsOfRuns, public ::testing::WithParamInterface<StateCase> {};

TEST_P(StateOfSchedulers, IsInTheFile) {
  std::vector<std::string> arguments = GetParam().arguments;
  arguments.insert(arguments.end(), {"--interval", "500", "--set", "core.sms=2"});
  const ProgramOutcome outcome = run_into("o", arguments);
  ASSERT_TRUE(outcome.code == 0 || outcome.code == 7) << outcome.err;
  for (const std::string& signal : GetParam().signals) {
    const IntervalRows values =
        rows("o", fmt::format("SELECT interval, value FROM state JOIN signals USING (signal) "
                              "WHERE sm = 0 AND name = '{}' ORDER BY interval",
                              signal));
    EXPECT_GE(values.size(), 2U) << signal << ": it has changed in this run";
    if (!values.empty()) EXPECT_EQ(values[0][0], "0");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schedulers, StateOfSchedulers,
    ::testing::Values(
        StateCase{"ocw_throttling",
                  {"syrk", "--max-cycles", "40000", "--scheduler", "ocw_throttling+gto"},
                  {"ocw_throttling.ocw", "ocw_throttling.may_issue"}},
        StateCase{
            "oaws", {"syrk", "--max-cycles", "40000", "--scheduler", "oaws_dynamic"}, {"oaws_dynamic.ocw"}},
        StateCase{"ccws",
                  {"bfs", "--scheduler", "ccws+gto"},
                  {"ccws.cutoff", "ccws.eligible", "ccws.scores.entry0"}},
        StateCase{
            "ipaws", {"bfs", "--scheduler", "ipaws"}, {"ipaws.phase", "ipaws.decision", "ipaws.score_sum"}},
        StateCase{"adapt_local", {"bfs", "--scheduler", "adapt_local"}, {"adapt_local.chosen"}},
        StateCase{"pro",
                  {"histogram", "--scheduler", "pro"},
                  {"pro.slow_phase", "pro.tb0_state", "pro.tb_order.place0"}},
        StateCase{"mascar", {"spmv", "--scheduler", "mascar"}, {"mascar.mode", "mascar.owner"}},
        StateCase{
            "swl", {"bfs", "--scheduler", "swl+gto", "--set", "scheduler.swl.warps=4"}, {"swl.allowed"}},
        StateCase{"two_level_active",
                  {"bfs", "--scheduler", "two_level_active"},
                  {"scheduler0.two_level_active.active0.present"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// Of the levels that stats.json has.
TEST_F(IntervalsOfRuns, TheLastValueOfAStateIsTheOneAtTheEndOfTheRun) {
  ASSERT_EQ(run_into("o", {"syrk", "--max-cycles", "30001", "--scheduler", "ocw_throttling+gto", "--interval",
                           "777", "--set", "core.sms=3"})
                .code,
            7);
  const auto instances = figures("o", "instances");
  for (unsigned sm = 0; sm < 3; ++sm) {
    const std::string last =
        value("o", fmt::format("SELECT value FROM state JOIN signals USING (signal) WHERE sm = {} AND name = "
                               "'ocw_throttling.ocw' ORDER BY interval DESC LIMIT 1",
                               sm));
    EXPECT_EQ(std::stod(last), instances.at(fmt::format("sm{}.ocw_throttling.ocw", sm)));
    EXPECT_GT(std::stod(last), 2) << "it has been raised";
  }
}

TEST_F(IntervalsOfRuns, ValuesOfAStateHaveNames) {
  ASSERT_EQ(run_into("o", {"bfs", "--scheduler", "ipaws", "--interval", "777", "--set", "core.sms=2"}).code,
            0);
  EXPECT_EQ(
      rows("o", "SELECT value, meaning FROM signal_values WHERE name = 'ipaws.decision' ORDER BY value"),
      (IntervalRows{{"0", "open"}, {"1", "concave"}, {"2", "convex"}}));
}

}  // namespace
}  // namespace heddle
