#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

// What thread_blocks.json tells of a run (docs/statistics.md). Cycles are of the core clock.

struct LoggedWarp {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t instructions = 0;
  std::uint64_t texture_misses = 0;

  std::uint64_t cycles() const { return end - start; }
};

struct LoggedTb {
  std::uint64_t tb = 0;
  std::uint64_t sm = 0;
  std::uint64_t slot = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  double rtru = 0;
  std::vector<LoggedWarp> warps;  ///< by their ids; {} in the log of a test bed

  std::uint64_t cycles() const { return end - start; }
};

/// What is predicted of a launch on an SM, and what is true.
struct LoggedPrediction {
  std::uint64_t sm = 0;
  std::uint64_t tbs = 0;
  std::uint64_t residency = 0;
  double span_cycles = 0;
  double active_cycles = 0;
  double staircase_cycles = 0;
  std::optional<double> regression_cycles;
  double slicing_cycles = 0;
  double once_cycles = 0;
};

struct LoggedLaunch {
  std::uint64_t launch = 0;
  std::string kernel;
  double rtru_geometric_mean = 0;
  std::uint64_t bin_instructions = 0;  ///< of the histogram
  std::vector<std::uint64_t> warps_by_instructions;
  std::vector<LoggedPrediction> sms;
  std::vector<LoggedTb> tbs;
};

/// A time in which the dispatch policy had an SM do something for a launch: PolicyInterval.
struct LoggedInterval {
  std::string kind;
  std::uint64_t launch = 0;
  std::uint64_t sm = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

struct LoggedRun {
  std::vector<LoggedLaunch> launches;
  std::vector<LoggedInterval> intervals;
};

/// What thread_blocks.json of a run holds; `source` says whose it is. Throws ResultsError when it is damaged.
LoggedRun logged_run_of(const nlohmann::json& thread_blocks, const std::string& source);

}  // namespace heddle
