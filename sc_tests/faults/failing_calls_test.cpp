// Each call of a run that writes, and each that takes memory, fails in turn: exit code and message are right,
// no file is cut off, and the folder is not taken for that of a complete run.
#include "sc_tests/faults/fault_trial.h"
#include "sc_tests/support/paths.h"

namespace heddle {
namespace {

class FailingCalls : public FaultTrial {
 protected:
  static std::vector<std::string> arguments(const std::string& out, const std::string& elements) {
    return {"run",        "vector_add",  "--param", "n=" + elements, "--set", "core.sms=1",
            "--vcd",      "--vcd-scope", "sm0.*",   "--vcd-window",  "0:900", "--tb-log",
            "--timeline", "--interval",  "200",     "--out",         out};
  }
  void SetUp() override {
    FaultTrial::SetUp();
    for (const char* const elements : {"64", "128"}) {
      const std::string name = "of" + std::string(elements) + "/out";  // waves.gtkw names its folder
      fs::create_directories(folder_ / name);
      ASSERT_EQ(run(arguments("out", elements)).code, 0) << read("stderr.txt");
      runs_.push_back(files_of("out"));
      fs::copy(folder_ / "out", folder_ / name, fs::copy_options::recursive);
    }
  }
  /// The run with a fault, in a folder with the results of another one.
  ProgramOutcome trial(const std::string& fault) {
    fs::remove_all(folder_ / "out");
    fs::copy(folder_ / "of128/out", folder_ / "out", fs::copy_options::recursive);
    return run_with(fault, arguments("out", "64"));
  }
  void expect_complete(const std::string& fault) { EXPECT_EQ(files_of("out"), runs_[0]) << fault; }

  std::vector<Files> runs_;
};

TEST_F(FailingCalls, OfWritingAreToldAndLeaveNoFileCutOff) {
  const unsigned long all = calls("write", arguments("out", "64"));
  ASSERT_GT(all, 50U);
  const unsigned stride = campaign_number("HEDDLE_FAULT_STRIDE", 11);
  unsigned long first = 1;
  for (const char* const how : {" ENOSPC", "+ ENOSPC", " EIO", " short"}) {
    for (unsigned long number = first; number <= all; number += stride) {
      const std::string fault = "write run " + std::to_string(number) + how;
      const ProgramOutcome outcome = trial(fault);
      expect_whole("out", runs_, fault);
      if (outcome.code == 0) {
        expect_complete(fault);
        EXPECT_EQ(outcome.err, "") << fault;
        continue;
      }
      EXPECT_EQ(outcome.code, 6) << fault;
      EXPECT_NE(std::string(how), " short") << "a write that writes a part is none that fails";
      EXPECT_EQ(outcome.err.find("heddle: "), 0U) << fault << ": " << outcome.err;
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << fault << ": " << outcome.err;
      const char* const reason =
          how == std::string(" EIO") ? "Input/output error" : "No space left on device";
      EXPECT_NE(outcome.err.find(reason), std::string::npos) << fault << ": " << outcome.err;
    }
    first = first % stride + 3;
  }
}

/// The command's own calls; its runs go undisturbed.
TEST_F(FailingCalls, OfACommandThatStartsRunsAreToldOrChangeNothing) {
  write("w.yaml",
        "ptx: " + test::source_dir() +
            "/workloads/kernels/vector_add/vector_add.ptx\n"
            "buffers: {a: {type: f32, count: 64}, b: {type: f32, count: 64}, c: {type: f32, count: 64}}\n"
            "launches: [{kernel: vector_add, grid: 2, block: 32, args: [a, b, c, 64]}]\n");
  const std::vector<std::string> pairs{"pairs",      "w.yaml",  "--policy", "fifo",  "--set",
                                       "core.sms=1", "--cache", "cache",    "--out", "p"};
  const ProgramOutcome good = run(pairs);
  ASSERT_EQ(good.code, 0) << good.err;
  const auto start_afresh = [this] {
    fs::remove_all(folder_ / "p");
    fs::remove_all(folder_ / "cache");
  };
  std::vector<Files> results{files_of("p")};
  start_afresh();
  write("cache", "a file, so that there is no cache");
  ASSERT_EQ(run(pairs).code, 0);
  results.push_back(files_of("p"));  // its runs have another --alone
  start_afresh();
  const unsigned long all = calls("write", pairs);
  for (unsigned long number = 3; number <= all; number += campaign_number("HEDDLE_FAULT_STRIDE", 14)) {
    start_afresh();
    const std::string fault = "write pairs " + std::to_string(number) + " EIO";
    const ProgramOutcome outcome = run_with(fault, pairs);
    expect_whole("p", results, fault);
    if (outcome.code == 0) {
      EXPECT_EQ(outcome.out, good.out) << fault;  // what can't be kept in the cache is told
      EXPECT_TRUE(outcome.err.empty() || outcome.err.find("is not kept\n") != std::string::npos)
          << outcome.err;
    } else {
      EXPECT_EQ(outcome.code, 6) << fault;
      EXPECT_NE(outcome.err.find("Input/output error"), std::string::npos) << fault << ": " << outcome.err;
    }
  }
}

/// Simulated to its end, the run takes minutes.
TEST_F(FailingCalls, OfWavesEndTheRunAtOnce) {
  const auto began = std::chrono::steady_clock::now();
  const ProgramOutcome outcome = run_with(
      "write run 40+ ENOSPC", {"run", "matrix_multiply", "--size", "large", "--vcd", "--out", "out"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_NE(outcome.err.find("waves.vcd: can't write: No space left on device"), std::string::npos)
      << outcome.err;
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
  EXPECT_FALSE(fs::exists(folder_ / "out/stats.json"));
}

TEST_F(FailingCalls, OfStatisticsOverTimeEndTheRunAtOnce) {
  const auto began = std::chrono::steady_clock::now();
  const ProgramOutcome outcome =
      run_with("write run 40+ ENOSPC",
               {"run", "matrix_multiply", "--size", "large", "--interval", "20", "--out", "out"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_NE(outcome.err.find("intervals.sqlite: can't write: No space left on device"), std::string::npos)
      << outcome.err;
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
  EXPECT_FALSE(fs::exists(folder_ / "out/stats.json"));
  EXPECT_FALSE(fs::exists(folder_ / "out/intervals.sqlite"));
}

TEST_F(FailingCalls, OfAllocationsAreToldAndLeaveNoFileCutOff) {
  const unsigned long all = calls("memory", arguments("out", "64"));
  ASSERT_GT(all, 10000U);
  const unsigned stride = campaign_number("HEDDLE_ALLOCATION_STRIDE", static_cast<unsigned>(all / 12));
  constexpr unsigned long kOfStart = 40;  // until the program knows its arguments: each of them
  for (unsigned long number = 1; number <= all; number += number < kOfStart ? 1 : stride) {
    for (const char* const how : {" ENOMEM", "+ ENOMEM"}) {
      const std::string fault = "memory run " + std::to_string(number) + how;
      const ProgramOutcome outcome = trial(fault);
      expect_whole("out", runs_, fault);
      if (outcome.code == 0) {
        expect_complete(fault);  // what needed the memory can do without
      } else {
        EXPECT_EQ(outcome.code, 9) << fault << ": " << outcome.err;
        EXPECT_EQ(outcome.err, "heddle: out of memory\n") << fault;
      }
    }
  }
}

}  // namespace
}  // namespace heddle
