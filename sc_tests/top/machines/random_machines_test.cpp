// Machines, workloads, warp schedulers and TB policies drawn at random: outputs are right, sums close, no
// policy deadlocks, and results do not depend on sleep, threads, processes or the order of construction.
// HEDDLE_MACHINES=1000 runs so many, from HEDDLE_MACHINES_SEED on (`make machines`); a dozen by default.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <regex>

#include "sc_tests/top/commands/command_line_fixture.h"
#include "sc_tests/top/machines/random_run.h"
#include "sc_tests/top/machines/sums.h"
#include "top/pairs/alone_run.h"

namespace heddle {
namespace {

constexpr unsigned kAttempts = 20;
/// A run takes less than a second; one that does not end fails.
constexpr const char* kMostSeconds = "120";

unsigned from_environment(const char* name, unsigned standard) {
  const char* text = std::getenv(name);
  return text == nullptr ? standard : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

/// Draws of this process that were run, and those that were refused with a message.
struct Tally : ::testing::Environment {
  void TearDown() override {
    if (ran + refused == 0) return;
    std::printf("machines: %u ran, %u of %u draws were refused (%.1f%%), %u sums checked\n", ran, refused,
                ran + refused, 100.0 * refused / (ran + refused), sums);
    for (const auto& [message, times] : refusals)
      std::printf("  refused %u times: %s", times, message.c_str());
  }
  void refuse(const std::string& message) {
    ++refused;
    // Without the value that was found.
    ++refusals[std::regex_replace(message.substr(0, message.find('\n') + 1),
                                  std::regex("--set [^ ]* |, found.*"), "")];
  }
  unsigned ran = 0;
  unsigned refused = 0;
  unsigned sums = 0;
  std::map<std::string, unsigned> refusals;
};
Tally& tally() {
  static Tally* const tally = static_cast<Tally*>(::testing::AddGlobalTestEnvironment(new Tally));
  return *tally;
}

std::string line_of(const std::vector<std::string>& arguments) {
  std::string line = "heddle";
  for (const std::string& argument : arguments) line += " " + argument;
  return line;
}

class RandomMachines : public BuiltProgram, public ::testing::WithParamInterface<unsigned> {
 protected:
  ProgramOutcome run_with(const test::RandomRun& drawn, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = drawn.arguments();
    arguments.insert(arguments.end(), {"--quiet", "--out", "out", "--max-seconds", kMostSeconds});
    arguments.insert(arguments.end(), more.begin(), more.end());
    fs::remove_all(folder_ / "out");
    return run(arguments);
  }
  std::string results() const { return read("out/stats.json") + read("out/cost.json"); }

  void expect_good(const test::RandomRun& drawn) {
    const std::string bytes = results();
    const std::string identity = read("out/run.json");
    const test::Sums sums = test::check_sums(stats("out"));
    EXPECT_EQ(sums.open, "");
    tally().sums += sums.checked;
    std::vector<std::vector<std::string>> variants{{"--no-sleep", "--reverse-construction", "--profile"},
                                                   {"--processes", "--profile"}};
    if (!drawn.streams) {
      variants.push_back({"--threads", "2", "--reverse-construction", "--profile"});
      variants.push_back({"--threads", "3", "--oversubscribe", "--no-sleep"});
    }
    for (const std::vector<std::string>& variant : variants) {
      const ProgramOutcome outcome = run_with(drawn, variant);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      ASSERT_EQ(read("out/run.json"), identity) << "the program was replaced while the test ran";
      EXPECT_EQ(results() == bytes, true) << "other results with" << line_of(variant).substr(6);
      if (variant.back() == "--profile") look_at_profile();
    }
  }
  /// The first one of a machine is checked, others must be the same.
  void look_at_profile() {
    const std::string bytes = read("out/profile.json");
    if (profile_.empty()) {
      profile_ = bytes;
      const test::Sums sums = test::check_profile(nlohmann::json::parse(bytes), stats("out"));
      EXPECT_EQ(sums.open, "");
      tally().sums += sums.checked;
    }
    EXPECT_EQ(bytes == profile_, true) << "another profile.json";
  }

  std::string profile_;
};

TEST_P(RandomMachines, AreRightAndTheSameHoweverTheyAreSimulated) {
  const std::string alone =
      write("alone.json", to_json({{{90000, std::vector<std::uint64_t>(400, 3000)}}}, ""));
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    const test::RandomRun drawn = test::draw_run(1000 * std::uint64_t{GetParam()} + attempt, alone);
    const ProgramOutcome outcome = run_with(drawn, {});
    if (outcome.code == 3) {
      tally().refuse(outcome.err);
      continue;
    }
    ++tally().ran;
    SCOPED_TRACE(line_of(drawn.arguments()));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expect_good(drawn);
    return;
  }
  FAIL() << "none of " << kAttempts << " draws was valid";
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomMachines,
                         ::testing::Range(from_environment("HEDDLE_MACHINES_SEED", 1),
                                          from_environment("HEDDLE_MACHINES_SEED", 1) +
                                              from_environment("HEDDLE_MACHINES", 12)));

}  // namespace
}  // namespace heddle
