#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "top/options/options.h"

namespace heddle {

/// What a point may take; 0: no limit of its own.
struct PointLimits {
  std::uint64_t seconds = 0;       ///< of wall-clock time
  std::uint64_t memory_bytes = 0;  ///< resident
  std::uint64_t cycles = 0;        ///< core cycles
};

/// What is run: a workload, several at once, or one of kind timed.
struct ExperimentWorkload {
  std::string label;                  ///< its name in results; unique
  std::vector<std::string> programs;  ///< as RunOptions::workload; several: they run at the same time
  std::map<std::string, std::int64_t> parameters = {};
  std::string size = {};                   ///< of programs that say none
  std::vector<std::string> arrivals = {};  ///< of each further program (Arrival); {}: the experiment's
  /// That its points may set; nothing when they are not known.
  std::optional<std::vector<std::string>> parameter_names = {};

  /// Of kind timed: all ordered sets of its kernels are one point.
  bool timed = false;
  unsigned together = 2;    ///< timed: kernels at once
  double interference = 0;  ///< timed: TimedSm

  /// It draws numbers, or has arrivals: what arrivals, seeds and repetitions are for.
  bool several() const { return timed || programs.size() > 1; }
};

/// A key of the configuration ("l1d.mshr.entries"), of the workload ("param.n") or "config", and its values.
struct ExperimentAxis {
  std::string key;
  std::vector<std::string> values;
  std::string place = {};  ///< FILE:LINE:COLUMN, of a file
};

/// What is other for points whose labels match.
struct ExperimentException {
  /// Labels and globs, one of which has to match; all of the labels have to.
  std::vector<std::pair<std::string, std::vector<std::string>>> match;
  bool skip = false;
  std::vector<std::string> assignments = {};  ///< KEY=VALUE, after all others
  std::map<std::string, std::int64_t> parameters = {};
  std::optional<std::uint64_t> seconds = {};
  std::optional<std::uint64_t> memory_bytes = {};
  std::optional<std::uint64_t> cycles = {};
  std::string place = {};  ///< FILE:LINE:COLUMN
};

/// All combinations of what it lists, less exceptions: what `heddle sweep` runs. Lists that are empty stand
/// for what the configuration says. docs/experiments.md has the YAML; commands make their own.
struct Experiment {
  std::string name;
  std::string description = {};
  std::vector<ExperimentWorkload> workloads = {};
  std::vector<std::string> configs = {};  ///< as ConfigOptions::config
  std::vector<std::string> schedulers = {};
  std::vector<std::string> tb_policies = {};
  std::vector<std::string> assignments = {};  ///< KEY=VALUE, of all points
  std::vector<ExperimentAxis> axes = {};      ///< the last one turns fastest
  std::vector<std::string> arrivals = {"100"};
  std::vector<std::uint64_t> seeds = {1};  ///< of what is drawn: arrivals, durations of kind timed
  unsigned repetitions = 1;
  std::string registers = {};     ///< as WorkloadOptions::registers
  PointLimits limits = {};        ///< a point that reaches one has failed
  std::uint64_t until_cycle = 0;  ///< all points end there and are done; 0: at their end
  RecordOptions record = {};
  bool sample = false;                          ///< as RunOptions::sample
  std::vector<std::string> metrics = {};        ///< to print
  std::vector<std::string> metric_places = {};  ///< FILE:LINE:COLUMN of each, of a file
  std::vector<ExperimentException> exceptions = {};

  /// The list in which points get values of a key of the configuration: "schedulers", "tb_policies" or
  /// "axes"; "" when none has it.
  std::string list_with(const std::string& key) const;
};

}  // namespace heddle
