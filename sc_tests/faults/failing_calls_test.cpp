// Each call of a run that writes, and each that takes memory, fails in turn: exit code and message are right,
// no file is cut off, and the folder is not taken for that of a complete run.
#include "sc_tests/faults/fault_trial.h"

namespace heddle {
namespace {

class FailingCalls : public FaultTrial {
 protected:
  static std::vector<std::string> arguments(const std::string& out, const std::string& elements) {
    return {"run",         "vector_add", "--param",      "n=" + elements, "--set",    "core.sms=1", "--vcd",
            "--vcd-scope", "sm0.*",      "--vcd-window", "0:900",         "--tb-log", "--out",      out};
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

TEST_F(FailingCalls, OfAllocationsAreToldAndLeaveNoFileCutOff) {
  const unsigned long all = calls("memory", arguments("out", "64"));
  ASSERT_GT(all, 10000U);
  const unsigned stride = campaign_number("HEDDLE_FAULT_STRIDE", 0) != 0
                              ? campaign_number("HEDDLE_FAULT_STRIDE", 1) * 100
                              : static_cast<unsigned>(all / 12);
  for (unsigned long number = 1; number <= all; number += stride) {
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
