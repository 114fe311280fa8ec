#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "top/experiment/definition/experiment.h"
#include "top/pairs/arrival.h"

namespace heddle {

/// What tells a point from the others of its experiment, in order: "workload", "config", "scheduler",
/// "tb_policy", the keys of its axes, "arrival", "seed", "repetition"; of lists that are empty none.
using PointLabels = std::vector<std::pair<std::string, std::string>>;

/// The value of a label; "" when there is none.
std::string_view label_of(const PointLabels& labels, std::string_view name);
/// All of `wanted` are among the labels.
bool has_labels(const PointLabels& labels, const PointLabels& wanted);
/// "bfs gto core.tb_slots=4".
std::string text_of(const PointLabels& labels);

/// Programs at once: when they arrive, and how long each takes alone has to be known before.
struct PointArrival {
  Arrival arrival;
  std::uint64_t seed = 1;
  unsigned repetition = 0;
};

/// One process: `heddle run`, or `heddle pairs` for a workload of kind timed.
struct Point {
  PointLabels labels;
  RunOptions run;
  PointLimits limits;
  bool until_cycle = false;                  ///< to reach limits.cycles is no failure
  std::optional<PointArrival> arrival = {};  ///< of several programs
  std::optional<PairsOptions> timed = {};    ///< of kind timed; `run` is not used then
};

/// The points in the order of the lists; seeds and repetitions of what draws nothing are one point. Throws
/// std::invalid_argument for an exception that no point matches, a parameter that a point's workload does not
/// have, and an arrival that can't be read.
std::vector<Point> points_of(const Experiment& experiment);

/// How one of the point's programs runs alone: on its machine, under fifo.
RunOptions alone_run_options(const Point& point, std::size_t program);
/// When the programs of a point with several arrive; `alone`: how long each takes alone. Core cycles.
std::vector<std::uint64_t> drawn_arrivals(const Point& point, const std::vector<std::uint64_t>& alone);

}  // namespace heddle
