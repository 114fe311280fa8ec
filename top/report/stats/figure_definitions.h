#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "top/machine/stat_registry.h"
#include "top/report/stats/figure_tree.h"

namespace heddle {

/// What a figure is, besides its unit: a count adds up over blocks and launches; a level is the largest of
/// the blocks, as it stood at the end; what is derived is computed of others, and null where it does not
/// apply; what is given was known before the run.
struct StatsDefinition {
  const char* name;
  const char* unit;
  const char* kind;
  const char* description;
};

/// What no block reports.
namespace stats_figures {

constexpr const char* kCount = "count";
constexpr const char* kLevel = "level";
constexpr const char* kDerived = "derived";
constexpr const char* kGiven = "given";

constexpr StatsDefinition kCycles{"cycles", "cycles", kCount,
                                  "core cycles; of a stream, from its arrival to the end of its last launch"};

inline constexpr std::array kOfLaunch{
    StatsDefinition{"registers_per_thread", "registers", kGiven,
                    "32-bit registers of a thread, as allocated"},
    StatsDefinition{"shared_bytes_per_tb", "bytes", kGiven, "shared memory of a TB, as allocated"},
    StatsDefinition{"tbs_per_sm", "TBs", kGiven, "TBs that an SM holds by its resources"},
    StatsDefinition{"occupancy", "1", kGiven, "warps of those TBs over the warp slots"},
    StatsDefinition{"tb_rounds", "1", kGiven,
                    "TBs of the grid over the TBs that all SMs hold by their resources"},
    StatsDefinition{"occupancy_limiter", "", kGiven, "the resource that allows no more TBs"}};

/// Of runs with several streams.
inline constexpr std::array kOfStreams{
    StatsDefinition{"start_delay_cycles", "cycles", kLevel,
                    "core cycles from the arrival to the start of the first TB"},
    StatsDefinition{"alone_cycles", "cycles", kGiven, "core cycles of the stream or launch alone"},
    StatsDefinition{"slowdown", "1", kDerived, "cycles over those alone"},
    StatsDefinition{"stp", "1", kDerived, "sum of cycles alone over cycles, of all streams"},
    StatsDefinition{"antt", "1", kDerived, "mean slowdown of the streams"},
    StatsDefinition{"strict_f", "1", kDerived, "smallest slowdown over the largest"}};

}  // namespace stats_figures

/// [unit, kind, description] of every figure that this file may have, once.
class StatsDefinitions {
 public:
  void add(const StatsDefinition& figure) {
    add("", figure.name, figure.unit, figure.kind, figure.description);
  }
  template <std::size_t kSize>
  void add(const std::array<StatsDefinition, kSize>& figures) {
    for (const StatsDefinition& figure : figures) add(figure);
  }
  void add(const std::vector<Metric>& totals) {
    for (const Metric& metric : totals) {
      add(metric.scope, metric.name, metric.unit,
          metric.is_count ? stats_figures::kCount : stats_figures::kLevel, metric.description);
    }
  }
  void add_derived(const std::string& name, const std::string& unit, const std::string& description) {
    add("", name, unit, stats_figures::kDerived, description);
  }
  nlohmann::ordered_json json() && { return std::move(figures_).json(); }

 private:
  void add(const std::string& scope, const std::string& name, const std::string& unit, const char* kind,
           const std::string& description) {
    if (known_.insert(scope + "." + name).second) {
      figures_.put(scope, name, nlohmann::ordered_json::array({unit, kind, description}));
    }
  }
  FigureTree figures_;
  std::set<std::string> known_;
};

}  // namespace heddle
