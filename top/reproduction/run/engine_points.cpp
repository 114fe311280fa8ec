#include "top/reproduction/run/engine_points.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include "top/reproduction/logs/first_warp.h"
#include "top/reproduction/points/block_figure.h"
#include "top/support/results.h"
#include "top/support/stats_file.h"

namespace heddle {

namespace {

/// What no total of the run has is looked for among its blocks; what is of the time until its first warp
/// ended, in its records.
void add_figures(const ExperimentResults& results, const ExperimentRow& row,
                 const std::set<std::string>& figures, const std::filesystem::path& records,
                 ResultPoint& point) {
  std::optional<nlohmann::json> instances;  // large: read when it is needed
  std::optional<FirstWarp> first_warp;      // likewise
  const std::string prefix = FirstWarp::kPrefix;
  for (const std::string& name : figures) {
    std::optional<double> value = results.value(row, name);
    if (name.compare(0, prefix.size(), prefix) == 0) {
      if (!first_warp) first_warp.emplace(records);
      value = first_warp->value(name.substr(prefix.size()));
    } else if (!value) {
      if (!instances) instances = results.detail(row, "instances");
      if (!instances->is_null()) value = block_figure(*instances, name);
    }
    if (value) point.figures[name] = {*value, adds_up(name)};
  }
}

void add_kernels(const nlohmann::json& launches, const std::set<std::string>& figures, ResultPoint& point) {
  for (const nlohmann::json& launch : launches) {
    FigureValues values;
    for (const std::string& name : figures) {
      const nlohmann::json* const value = find_metric(launch.at("metrics"), name);
      if (value != nullptr && value->is_number()) values[name] = {value->get<double>(), adds_up(name)};
    }
    const auto [kernel, first] = point.kernels.emplace(launch.at("kernel").get<std::string>(), values);
    if (!first) add_launch(kernel->second, values);
  }
}

void add_details(const ExperimentResults& results, const ExperimentRow& row,
                 const std::filesystem::path& records, ResultPoint& point) {
  point.details = nlohmann::json::object();
  for (const char* name : {"instances", "streams", "pairs", "launches"}) {
    nlohmann::json detail = results.detail(row, name);
    if (!detail.is_null()) point.details[name] = std::move(detail);
  }
  if (auto log = read_result(records / "thread_blocks.json"))
    point.details["thread_blocks"] = std::move(*log);
}

/// Of a point of kind timed one for each policy and set of kernels.
std::vector<ResultPoint> points_of_sets(const ResultPoint& whole, const nlohmann::json& pairs) {
  std::vector<ResultPoint> points;
  for (const nlohmann::json& policy : pairs.at("results")) {
    for (const nlohmann::json& pair : policy.at("pairs")) {
      ResultPoint point = whole;
      point.coordinates["policy"] = policy.at("policy").get<std::string>();
      for (const auto& [name, value] : pair.items()) {
        if (value.is_string()) point.coordinates[name] = value.get<std::string>();
        if (value.is_number()) point.figures[name] = {value.get<double>(), false};
      }
      points.push_back(std::move(point));
    }
  }
  if (!points.empty()) points.front().cpu_seconds = whole.cpu_seconds;
  for (std::size_t i = 1; i < points.size(); ++i) points[i].cpu_seconds = 0;
  return points;
}

}  // namespace

std::vector<ResultPoint> points_from(const ExperimentResults& results, const WantedOfPoints& wanted,
                                     const std::string& records) {
  std::vector<ResultPoint> points;
  for (const ExperimentRow& row : results.rows()) {
    ResultPoint point;
    point.coordinates = {row.point.labels.begin(), row.point.labels.end()};
    point.complete = row.state == ExperimentRow::State::kDone;
    point.status = row.status;
    point.id = row.id;
    if (point.complete) {
      const std::filesystem::path own_records = std::filesystem::path(records) / row.id;
      add_figures(results, row, wanted.figures, own_records, point);
      point.cpu_seconds = row.cpu_seconds;
      if (wanted.kernels) add_kernels(results.detail(row, "launches"), wanted.figures, point);
      if (wanted.details) add_details(results, row, own_records, point);
      if (const nlohmann::json pairs = results.detail(row, "pairs"); !pairs.is_null()) {
        std::vector<ResultPoint> sets = points_of_sets(point, pairs);
        std::move(sets.begin(), sets.end(), std::back_inserter(points));
        continue;
      }
    }
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace heddle
