#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// A figure of stats.json; no value when it does not apply.
struct RunFigure {
  std::optional<double> value;
  std::string unit;
  std::optional<double> half = {};  ///< half its 95% confidence interval; nothing unless it is an estimate
};

/// Uses of a part beyond its ports.
struct PartConflicts {
  std::string part;  ///< "block/structure"
  std::uint64_t conflicts = 0;
};

/// A stream of a run, in core cycles.
struct StreamFigures {
  std::uint64_t cycles = 0;             ///< from its arrival to the end of its last launch
  std::vector<std::uint64_t> launches;  ///< likewise, of each launch in order
  std::uint64_t arrival = 0;            ///< core cycle of the run
};

/// What a run left in its output folder, as far as comparisons need it.
struct RunFigures {
  bool complete = false;
  bool sampled = false;  ///< figures are estimates
  unsigned checks = 0;   ///< of outputs
  unsigned checks_passed = 0;
  std::map<std::string, RunFigure> metrics;  ///< of the whole run, by name
  /// The fewest rounds of TBs of a launch (tb_rounds); nothing without launches.
  std::optional<double> tb_rounds;
  bool priced = false;            ///< false: a policy is built of no parts, and the next two are not known
  std::uint64_t bits_per_sm = 0;  ///< of the scheduler's parts
  double nand2_per_sm = 0;
  std::vector<PartConflicts> conflicts;  ///< of the parts that had any, the most first
  std::vector<StreamFigures> streams;    ///< of concurrent kernels

  /// The value of a metric; nothing when it is not there or does not apply.
  std::optional<double> value(const std::string& name) const;
  /// RunFigure::half of a metric.
  std::optional<double> half(const std::string& name) const;
};

/// Of "launches" of stats.json: RunFigures::tb_rounds. Throws nlohmann's exceptions.
std::optional<double> fewest_tb_rounds(const nlohmann::json& launches);

/// Of "streams" and "launches" of stats.json; {} without streams. Throws nlohmann's exceptions.
std::vector<StreamFigures> streams_in(const nlohmann::json& stats);

/// Reads stats.json and cost.json; nothing when one of them is not there or can't be read.
std::optional<RunFigures> read_run_figures(const std::string& folder);

/// Metrics that the policies called `names` report for an SM or a scheduler: "sm.pro.tb_order.sorts" and
/// "sm.scheduler.pro.picks" of {"pro"}.
std::map<std::string, RunFigure> policy_metrics(const RunFigures& figures,
                                                const std::vector<std::string>& names);

}  // namespace heddle
