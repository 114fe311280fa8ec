// --interval: where it may stand, what it refuses, and what becomes of its file when something goes wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sc_tests/top/intervals/intervals_fixture.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

TEST_F(IntervalsOfRuns, RefuseWhatIsNoNumberOfCycles) {
  const std::vector<std::vector<std::string>> commands{{"run", "vector_add"},
                                                       {"compare", "vector_add", "--scheduler", "gto,lrr"},
                                                       {"sweep", "vector_add", "--set", "core.sms=1,2"},
                                                       {"pairs", "vector_add", "scalar_product"}};
  for (const std::vector<std::string>& command : commands) {
    for (const char* const text : {"0", "-1", "ten", "1e3", "1000000001", "99999999999999999999"}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {std::string("--interval=") + text, "--out", "o"});
      const ProgramOutcome outcome = run(arguments);
      EXPECT_EQ(outcome.code, 2) << command[0] << " " << text;
      EXPECT_EQ(outcome.err, "heddle " + command[0] + ": --interval " + text +
                                 ": expected a number of core cycles, 1 to 1000000000\n");
      EXPECT_FALSE(fs::exists(folder_ / "o"));
    }
  }
}

TEST_F(IntervalsOfRuns, NeedTime) {
  const ProgramOutcome outcome = run({"run", "vector_add", "--functional", "--interval", "100"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--functional has no time"));
  EXPECT_EQ(run({"pairs", "ercbench", "--interval", "100"}).code, 2) << "drawn durations have no counters";
}

TEST_F(IntervalsOfRuns, AreNamedInTheSummary) {
  const ProgramOutcome outcome = run({"run", "vector_add", "--interval", "1000", "--out", "o"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("run.json, intervals.sqlite\n"));
}

/// What an earlier run has left goes, whatever this one writes.
TEST_F(IntervalsOfRuns, OfAnEarlierRunAreRemoved) {
  ASSERT_EQ(run_into("o", {"vector_add", "--interval", "1000"}).code, 0);
  EXPECT_TRUE(fs::exists(file("o")));
  ASSERT_EQ(run_into("o", {"vector_add"}).code, 0);
  EXPECT_FALSE(fs::exists(file("o")));
}

TEST_F(IntervalsOfRuns, AreWrittenByEachRunOfACommand) {
  const std::vector<std::string> small{"--set", "core.sms=8", "--interval", "500"};
  const auto with = [&small](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), small.begin(), small.end());
    return arguments;
  };
  run(with({"compare", "vector_add", "--scheduler", "gto,lrr", "--out", "c"}));
  run(with({"sweep", "vector_add", "--set", "l1d.mshr.entries=16,32", "--out", "s"}));
  run(with({"pairs", "vector_add", "scalar_product", "--policy", "fifo", "--cache", "cache", "--out", "p"}));
  for (const char* const folder : {"c", "s", "p"}) {
    unsigned runs = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / folder)) {
      if (!fs::exists(entry.path() / "stats.json")) continue;
      ++runs;
      EXPECT_TRUE(fs::exists(entry.path() / "intervals.sqlite")) << entry.path();
    }
    EXPECT_GE(runs, 1U) << folder << read("stderr.txt");
  }
}

TEST_F(IntervalsOfRuns, OfAnInterruptedRunAreWholeAndPartial) {
  const pid_t child =
      start({"run", "matrix_multiply", "--size", "large", "--out", "o", "--quiet", "--interval", "100"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(child, SIGINT);
  EXPECT_EQ(finish(child).code, 130);
  EXPECT_EQ(rows("o", "SELECT status, \"end\" FROM run"), (IntervalRows{{"partial", "interrupted"}}));
  EXPECT_EQ(value("o", "SELECT max(last_cycle) FROM intervals"), value("o", "SELECT cycles FROM run"));
  EXPECT_EQ(value("o", "PRAGMA integrity_check"), "ok");
  EXPECT_FALSE(fs::exists(file("o") + ".tmp"));
}

TEST_F(IntervalsOfRuns, OfARunOutOfTimeAreWholeAndPartial) {
  EXPECT_EQ(
      run_into("o", {"matrix_multiply", "--size", "large", "--interval", "100", "--max-seconds", "1"}).code,
      11);
  EXPECT_EQ(rows("o", "SELECT status, \"end\" FROM run"), (IntervalRows{{"partial", "time limit"}}));
}

/// A link in the place of the file to be is not followed.
TEST_F(IntervalsOfRuns, DontFollowLinks) {
  fs::create_directories(folder_ / "o");
  write("precious", "mine");
  fs::create_symlink(folder_ / "precious", folder_ / "o/intervals.sqlite.tmp");
  fs::create_symlink(folder_ / "precious", folder_ / "o/intervals.sqlite");
  EXPECT_EQ(run_into("o", {"vector_add", "--interval", "1000"}).code, 0);
  EXPECT_EQ(read("precious"), "mine");
  EXPECT_FALSE(fs::is_symlink(folder_ / "o/intervals.sqlite"));
}

TEST_F(IntervalsOfRuns, GoThroughALinkToTheirFolder) {
  fs::create_directories(folder_ / "real");
  fs::create_directory_symlink(folder_ / "real", folder_ / "link");
  EXPECT_EQ(run_into("link", {"vector_add", "--interval", "1000"}).code, 0) << read("stderr.txt");
  EXPECT_TRUE(fs::exists(folder_ / "real/intervals.sqlite"));
}

}  // namespace
}  // namespace heddle
