#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sc_tests/support/swept_program.h"

namespace heddle {

/// Runs the built program in detail and sampled.
class SampledProgram : public BuiltProgram {
 protected:
  /// A run on four SMs: 24 TBs of 256 threads a round.
  nlohmann::json run_of(const std::string& out, std::vector<std::string> arguments, bool sample) {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(),
                     {"--set", "core.sms=4", "--set", "dram.channels=2", "--quiet", "--out", out});
    if (sample) arguments.emplace_back("--sample");
    const ProgramOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return stats(out);
  }
  static double cycles(const nlohmann::json& run) { return run.at("metrics").at("cycles"); }
  static bool all_passed(const nlohmann::json& run) {
    const auto& checks = run.at("checks");
    return !checks.empty() && std::all_of(checks.begin(), checks.end(),
                                          [](const auto& check) { return check.at("passed") == true; });
  }
  const std::vector<std::string> vectors_{"vector_add", "--param", "n=737280"};  // 120 rounds
};

}  // namespace heddle
