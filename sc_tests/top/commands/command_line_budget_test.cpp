// --max-memory, --max-seconds, and Ctrl-C wherever a command may be.
#include <algorithm>

#include "sc_tests/support/sanitized.h"
#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

class Budgets : public BuiltProgram {
 protected:
  std::string workload(const std::string& text) const {
    return write("w.yaml",
                 "ptx: " + test::source_dir() + "/workloads/kernels/vector_add/vector_add.ptx\n" + text);
  }
  /// A workload whose `large` buffer takes some seconds to fill.
  std::string slow_to_fill() const {
    return workload(
        "buffers:\n  large: {type: f64, count: 50000000, init: {formula: \"sin(i) + cos(i) + exp(hash(i) / "
        "1e10) + "
        "log(i + 1) + sqrt(sin(i) * sin(i) + cos(i) * cos(i))\"}}\nlaunches: []\n");
  }
  /// A workload that launches without end.
  std::string endless() const {
    return workload(
        "buffers:\n  a: {type: f32, count: 64, init: 1}\n"
        "launches:\n"
        "- repeat: {count: 1000000000000, launches: [{kernel: vector_add, grid: 1, block: 64, args: [a, a, "
        "a, "
        "{i32: 64}]}]}\n");
  }
  /// Until the program has begun to catch SIGINT.
  static void wait_for_guard(pid_t child) {
    for (unsigned looks = 0; looks < 2000; ++looks) {
      std::ifstream status("/proc/" + std::to_string(child) + "/status");
      for (std::string line; std::getline(status, line);) {
        if (line.rfind("SigCgt:", 0) != 0) continue;
        if ((std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1U) != 0) return;
      }
      std::this_thread::sleep_for(milliseconds(10));
    }
  }
  /// Until the program has started a process of its own.
  static void wait_for_run(pid_t child) {
    const std::string wanted = "PPid:\t" + std::to_string(child);
    for (unsigned looks = 0; looks < 2000; ++looks) {
      for (const auto& process : fs::directory_iterator("/proc")) {
        std::ifstream status(process.path() / "status");
        for (std::string line; std::getline(status, line);) {
          if (line == wanted) return;
        }
      }
      std::this_thread::sleep_for(milliseconds(10));
    }
  }
  /// Starts the program, sends SIGINT after a while, and expects it to end soon, with "interrupted".
  ProgramOutcome interrupt(const std::vector<std::string>& arguments, milliseconds after,
                           milliseconds soon = milliseconds(4000)) {
    const pid_t child = start(arguments);
    wait_for_guard(child);
    std::this_thread::sleep_for(after);
    return interrupted(child, soon);
  }
  /// The same of one that has been started.
  ProgramOutcome interrupted(pid_t child, milliseconds soon = milliseconds(4000)) {
    kill(child, SIGINT);
    const auto asked = Clock::now();
    ProgramOutcome outcome = finish(child);
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_NE(outcome.err.find("interrupted"), std::string::npos) << outcome.err;
    EXPECT_LT(Clock::now() - asked, soon) << "1 s, and some for a machine that is busy";
    return outcome;
  }
};

TEST_F(Budgets, OptionsAreChecked) {
  for (const char* memory : {"63M", "0", "-1", "1Q", "M", "", "99999999999T", "1.5G"}) {
    EXPECT_EQ(run({"check", "x", "--max-memory", memory}).code, 2) << memory;
  }
  for (const char* seconds : {"0", "-1", "1s", "", "1000000001"}) {
    EXPECT_EQ(run({"run", "atax", "--max-seconds", seconds}).code, 2) << seconds;
  }
  for (const char* memory : {"64M", "1G", "67108864", "1T", "70000K"}) {
    EXPECT_EQ(run({"config", "show", "--max-memory", memory, "--max-seconds", "100"}).code, 0) << memory;
  }
}

TEST_F(Budgets, NeedsThatAreKnownAreCheckedBefore) {
  if (test::kSanitized) GTEST_SKIP();
  const std::string large =
      workload("buffers:\n  a: {type: f64, count: 100000000}\nlaunches: []\n");  // 763 MiB of zeros
  ProgramOutcome outcome = run({"check", large, "--max-memory", "512M"});
  EXPECT_EQ(outcome.code, 10);
  EXPECT_EQ(outcome.err.find("heddle: w: buffers: need 763 MiB of memory, but "), 0U) << outcome.err;
  EXPECT_EQ(run({"check", large, "--max-memory", "1G"}).code, 0);
  outcome =
      run({"check",
           write("caches.yaml",
                 "l2: {slices_per_channel: 16, cache: {sets: 65536, ways: 64}}\ndram: {channels: 64}\n"),
           "--max-memory", "1G"});
  EXPECT_EQ(outcome.code, 10);
  EXPECT_EQ(outcome.err.find("heddle: tags of the caches: need 131073 MiB of memory, but "), 0U)
      << outcome.err;
}

TEST_F(Budgets, AMachineThatGrowsBeyondTheBudgetIsNotBuilt) {
  if (test::kSanitized) GTEST_SKIP();
  const ProgramOutcome outcome =
      run({"check", write("mshr.yaml", "core: {sms: 256}\nl1d: {mshr: {entries: 1024, merges: 1024}}\n"),
           "--max-memory", "200M"});
  EXPECT_EQ(outcome.code, 10);
  EXPECT_EQ(outcome.err, "heddle: stopped: the memory budget of 200 MiB is used up (--max-memory)\n");
}

TEST_F(Budgets, ARunThatGrowsBeyondTheBudgetEndsWithPartialResults) {
  if (test::kSanitized) GTEST_SKIP();
  // Statistics of each launch are kept.
  const ProgramOutcome outcome =
      run({"run", endless(), "--max-memory", "64M", "--max-seconds", "60", "--out", "out", "--quiet"});
  EXPECT_EQ(outcome.code, 10) << outcome.err;
  EXPECT_EQ(outcome.err.find("heddle: stopped at core cycle "), 0U) << outcome.err;
  EXPECT_EQ(stats("out").at("status"), "partial");
  EXPECT_EQ(stats("out").at("end"), "memory limit");
  EXPECT_NE(outcome.err.find(": the memory budget of 64 MiB is used up (--max-memory)\n"), std::string::npos)
      << outcome.err;
  EXPECT_GT(stats("out").at("launches").size(), 10U);
}

TEST_F(Budgets, ARunThatTakesTooLongEndsWithPartialResults) {
  const auto began = Clock::now();
  const ProgramOutcome outcome =
      run({"run", "matrix_multiply", "--size", "large", "--max-seconds", "1", "--out", "out", "--quiet"});
  EXPECT_LT(Clock::now() - began, milliseconds(8000));
  EXPECT_EQ(outcome.code, 11) << outcome.err;
  EXPECT_EQ(outcome.err.find("heddle: stopped at core cycle "), 0U) << outcome.err;
  EXPECT_EQ(stats("out").at("status"), "partial");
  EXPECT_EQ(stats("out").at("end"), "time limit");
  EXPECT_NE(outcome.err.find(": 1 s have passed, the limit of --max-seconds\n"), std::string::npos)
      << outcome.err;
}

TEST_F(Budgets, ABatchEndsWithItsTime) {
  const ProgramOutcome outcome =
      run({"compare", "matrix_multiply", "--size", "large", "--scheduler", "gto,lrr", "--max-seconds", "2"});
  EXPECT_EQ(outcome.code, 11) << outcome.err;
  EXPECT_EQ(stats("heddle-out/compare/01-matrix_multiply-gto").at("status"), "partial");
}

TEST_F(Budgets, RunsOfABatchShareTheMemory) {
  if (test::kSanitized) GTEST_SKIP();
  const ProgramOutcome outcome =
      run({"compare", endless(), "--scheduler", "gto,lrr", "--max-memory", "140M", "--max-seconds", "60"});
  EXPECT_EQ(outcome.code, 10) << outcome.err;
  EXPECT_NE(outcome.err.find("the memory budget of 70 MiB is used up"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("memory limit"), std::string::npos) << outcome.out;
}

TEST_F(Budgets, InterruptIsHeardWhileBuffersAreFilled) {
  EXPECT_EQ(interrupt({"run", slow_to_fill(), "--out", "out"}, milliseconds(500)).err,
            "heddle: interrupted\n");
  EXPECT_EQ(interrupt({"check", slow_to_fill()}, milliseconds(500)).err, "heddle: interrupted\n");
}

TEST_F(Budgets, InterruptIsHeardWithoutTiming) {
  EXPECT_EQ(interrupt({"run", endless(), "--functional"}, milliseconds(500)).err, "heddle: interrupted\n");
}

TEST_F(Budgets, InterruptIsHeardBetweenLaunches) {
  // What is known of each launch is written after that.
  interrupt({"run", endless(), "--out", "out"}, milliseconds(500), milliseconds(60'000));
  EXPECT_EQ(stats("out").at("end"), "interrupted");
}

TEST_F(Budgets, InterruptIsHeardWhenOtherClocksAreMuchFaster) {
  interrupt({"run", "vector_add", "--size", "large", "--set", "clock.core_mhz=1", "--set",
             "clock.interconnect_mhz=20000", "--set", "clock.dram_mhz=100000", "--out", "out", "--no-sleep"},
            milliseconds(700));
  EXPECT_EQ(stats("out").at("end"), "interrupted");
}

TEST_F(Budgets, InterruptIsHeardWhileOutputsAreChecked) {
  // The reference is a loop of as many rounds as a parameter says.
  const std::string slow = workload(
      "parameters: {block: 32, rounds: 8000000000}\n"
      "buffers:\n  a: {type: f32, count: 64, init: 1}\n  values: {type: u32, count: 32}\n"
      "launches: [{kernel: vector_add, grid: 1, block: 64, args: [a, a, a, {i32: 64}]}]\n"
      "checks: [{buffer: values, reference: long_warp}]\n");
  const ProgramOutcome outcome = interrupt({"run", slow, "--out", "out", "--quiet"}, milliseconds(800));
  EXPECT_EQ(outcome.err, "heddle: interrupted while the outputs were checked\n");
  EXPECT_EQ(stats("out").at("status"), "partial");
  EXPECT_EQ(stats("out").at("launches").at(0).at("complete"), true);
}

TEST_F(Budgets, InterruptIsHeardWhileTheMachineIsBuilt) {
  interrupt({"check",
             write("caches.yaml",
                   "l2: {slices_per_channel: 16, cache: {sets: 1024, ways: 64}}\n"
                   "dram: {channels: 64}\ncore: {sms: 256}\n"
                   "l1d: {cache: {sets: 4096, ways: 64}}\n"),
             "--max-memory", "13G"},
            milliseconds(300));
}

TEST_F(Budgets, InterruptIsHeardInPairsOfDrawnDurations) {
  for (const char* const repetitions : {"20", "1"}) {  // it builds its test beds then, or simulates
    EXPECT_EQ(interrupt({"pairs", "ercbench", "--repetitions", repetitions}, milliseconds(700)).err,
              "heddle: interrupted\n");
  }
}

TEST_F(Budgets, InterruptIsHeardBeforeTheRunsOfAComparison) {
  // The workloads are loaded once in the command's own process.
  EXPECT_EQ(interrupt({"compare", slow_to_fill(), "--scheduler", "gto,lrr"}, milliseconds(500)).err,
            "heddle: interrupted\n");
  EXPECT_EQ(interrupt({"pairs", slow_to_fill(), "vector_add", "--cache", "cache"}, milliseconds(500)).err,
            "heddle: interrupted\n");
}

TEST_F(Budgets, InterruptIsHeardInTheFirstRunOfPairs) {
  const pid_t pairs = start({"pairs", endless(), "vector_add", "--cache", "cache"});
  wait_for_run(pairs);
  const std::string err = interrupted(pairs).err;
  EXPECT_NE(err.find("heddle pairs: interrupted: 0 of "), std::string::npos) << err;
}

}  // namespace
}  // namespace heddle
