#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "top/options/options.h"

namespace heddle {

/// A figure of stats.json with what it is of.
struct FoundFigure {
  std::string run;  ///< the run's folder as it was found: "results/01-atax-gto"
  std::string workload;
  std::string scheduler;
  std::string status;                   ///< of the run: "complete", "sampled", "cycle limit", ...
  std::optional<std::uint64_t> launch;  ///< of a launch, with its kernel
  std::string kernel;
  std::string block;             ///< of a block: "sm3.l1d"
  std::string metric;            ///< full name: "sm.l1d.hits"
  nlohmann::ordered_json value;  ///< a number, a text, or null: it doesn't apply
  std::string unit;
  std::string description;
};

/// All figures that one of the query's patterns matches, run by run, in the order of stats.json. Of a block,
/// a pattern may also be about its own name: "sm3.l1d.*". Throws ResultsError for folders without results,
/// damaged ones, and for a pattern that matches no figure of any run.
std::vector<FoundFigure> find_figures(const StatsOptions& query);

}  // namespace heddle
