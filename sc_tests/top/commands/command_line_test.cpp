// Runs: files, determinism.
#include <fmt/format.h>

#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

TEST_F(BuiltProgram, RunsAWorkloadAndLeavesItsResults) {
  const ProgramOutcome outcome = run({"run", "vector_add", "--param", "n=4096", "--out", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("vector_add on gtx480, scheduler gto"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\n- c: 4096 of 4096 elements agree"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("Results in out: stats.json, cost.json, speed.json"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(stats("out").at("status"), "complete");
  EXPECT_EQ(stats("out").at("parameters"), nlohmann::json({{"n", 4096}, {"block", 256}}));
  EXPECT_TRUE(fs::exists(folder_ / "out" / "speed.json"));
  const auto cost = nlohmann::json::parse(read("out/cost.json"));
  EXPECT_EQ(cost.at("scheduler"), "gto");
  EXPECT_EQ(cost.at("status"), "complete");
  EXPECT_EQ(cost.at("command"), stats("out").at("command"));
  EXPECT_EQ(cost.at("run_cycles"), stats("out").at("metrics").at("cycles"));
  EXPECT_FALSE(fs::exists(folder_ / "out" / "waves.vcd"));
}

// Its reference takes about as long as it is simulated.
TEST_F(BuiltProgram, SpeedIsOfTheSimulationWithoutItsChecks) {
  const ProgramOutcome outcome =
      run({"run", "black_scholes", "--param", "options=1966080", "--sample", "--quiet", "--out", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto speed = nlohmann::json::parse(read("out/speed.json"));
  // One thread takes no more processor time than goes by, but for how finely both are told.
  EXPECT_LE(speed.at("cpu_seconds").get<double>(), 1.02 * speed.at("seconds").get<double>() + 0.02);
  EXPECT_GT(speed.at("cpu_seconds").get<double>(), 0);
}

TEST_F(BuiltProgram, DefaultOutputFolderIsNamedAfterTheWorkload) {
  EXPECT_EQ(run({"run", "vector_add", "--param", "n=512", "--quiet"}).code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "heddle-out" / "vector_add" / "stats.json"));
}

TEST_F(BuiltProgram, QuietPrintsNothing) {
  const ProgramOutcome outcome = run({"run", "vector_add", "--param", "n=512", "--quiet", "--out", "out"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(BuiltProgram, FunctionalRunChecksOutputsWithoutTime) {
  const ProgramOutcome outcome =
      run({"run", "vector_add", "--param", "n=512", "--functional", "--out", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\n- c: 512 of 512 elements agree"), std::string::npos) << outcome.out;
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(BuiltProgram, SchedulerAndOverridesReachTheModel) {
  ASSERT_EQ(run({"run", "vector_add", "--param", "n=512", "--scheduler", "lrr", "--set", "core.sms=2",
                 "--quiet", "--out", "out"})
                .code,
            0);
  EXPECT_EQ(stats("out").at("scheduler"), "lrr");
  EXPECT_EQ(stats("out").at("config").at("values").at("core.sms"), 2);
}

/// The first line in which two texts differ, of both.
std::string first_difference(const std::string& one, const std::string& other) {
  std::istringstream a(one);
  std::istringstream b(other);
  for (unsigned number = 1;; ++number) {
    std::string line_a;
    std::string line_b;
    const bool more_a = !std::getline(a, line_a).fail();
    const bool more_b = !std::getline(b, line_b).fail();
    if (!more_a && !more_b) return "nowhere";
    if (line_a != line_b) return fmt::format("line {}: {} | {}", number, line_a, line_b);
  }
}

// Every shared resource, sleeping paths, barriers, atomics, several launches and host loops: equal bytes.
class Determinism : public BuiltProgram, public ::testing::WithParamInterface<const char*> {};

TEST_P(Determinism, SameBytesAgainReversedAndWithoutSleep) {
  std::vector<std::string> arguments{"run",        GetParam(),     "--quiet", "--set",
                                     "core.sms=4", "--max-cycles", "12000",   "--out"};
  std::string first;
  std::string first_identity;
  for (const char* variant : {"", "--quiet", "--reverse-construction", "--no-sleep", "--vcd-scope=sm1.l1d.*",
                              "--vcd-scope=partition1.*"}) {
    auto with = arguments;
    with.emplace_back("out");
    if (std::string(variant) != "" && std::string(variant) != "--quiet") with.emplace_back(variant);
    const int code = run(with).code;
    ASSERT_TRUE(code == 0 || code == 7) << GetParam() << " " << variant << ": " << code << read("stderr.txt");
    const std::string identity = read("out/run.json");
    if (first_identity.empty()) first_identity = identity;
    ASSERT_EQ(identity, first_identity) << "the program or the workload was replaced while the test ran";
    const std::string text = read("out/stats.json") + read("out/cost.json");
    if (first.empty()) first = text;
    EXPECT_TRUE(text == first) << GetParam() << " " << variant << ": " << first_difference(first, text);
  }
  EXPECT_FALSE(first.empty());
}

class SchedulerDeterminism : public BuiltProgram, public ::testing::WithParamInterface<const char*> {};

// Also what their parts did, which cost.json tells.
TEST_P(SchedulerDeterminism, SameBytesReversedAndWithoutSleep) {
  const std::vector<std::string> arguments{"run",   "spmv",        "--param", "rows=256",
                                           "--set", "core.sms=2",  "--quiet", "--out",
                                           "out",   "--scheduler", GetParam()};
  ASSERT_EQ(run(arguments).code, 0);
  const std::string first = read("out/stats.json") + read("out/cost.json");
  for (const char* variant : {"--reverse-construction", "--no-sleep"}) {
    auto with = arguments;
    with.emplace_back(variant);
    ASSERT_EQ(run(with).code, 0);
    EXPECT_EQ(read("out/stats.json") + read("out/cost.json") == first, true) << variant;
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, SchedulerDeterminism,
                         ::testing::Values("ipaws", "oaws_dynamic+pro", "ccws+two_level", "mascar",
                                           "swl+two_level_active", "adapt_local", "least_issued"));

INSTANTIATE_TEST_SUITE_P(Workloads, Determinism,
                         ::testing::Values("vector_add", "atax", "bfs", "histogram", "hotspot",
                                           "black_scholes"));

}  // namespace
}  // namespace heddle
