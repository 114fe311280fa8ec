#include "workloads/timed/timed_workload.h"

#include <filesystem>

#include "base/limits.h"
#include "workloads/description/yaml_file.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

namespace {

constexpr double kMostSlowdown = 1000;

double real_in(const YamlMap& map, const std::string& key, double low, double high) {
  const YAML::Node node = map.at(key);
  double value = 0;
  if (!YAML::convert<double>::decode(node, value) || !(value >= low) || !(value <= high)) {
    throw WorkloadError(map.mark(key), map.what() + ": " + key + ": found '" + node.Scalar() +
                                           "', expected " + std::to_string(low) + " to " +
                                           std::to_string(high));
  }
  return value;
}

TimedKernel load_kernel(const YAML::Node& node, const std::string& file, std::size_t place) {
  const YamlMap map(node, file, "kernel " + std::to_string(place),
                    {"name", "tbs", "threads", "registers", "shared_bytes", "mean_cycles",
                     "deviation_percent", "seed", "launches", "residency_slowdown"});
  const auto whole = [&map](const std::string& key, const std::string& fallback, std::int64_t low,
                            std::int64_t high) {
    return map.expression_or(key, fallback).evaluate_in({}, low, high, key.c_str());
  };
  TimedKernel kernel;
  kernel.name = map.text("name");
  kernel.tbs = static_cast<std::uint64_t>(
      map.expression("tbs").evaluate_in({}, 1, std::int64_t{limits::kTimedTbs}, "tbs"));
  kernel.threads_per_tb = static_cast<unsigned>(
      map.expression("threads").evaluate_in({}, 1, std::int64_t{limits::kBlockThreads}, "threads"));
  kernel.registers_per_thread =
      static_cast<unsigned>(whole("registers", "16", 1, std::int64_t{limits::kRegisters}));
  kernel.shared_bytes =
      static_cast<unsigned>(whole("shared_bytes", "0", 0, std::int64_t{limits::kSharedBytes}));
  kernel.mean_cycles = real_in(map, "mean_cycles", 1, double{limits::kTimedCycles});
  kernel.deviation_percent = map.has("deviation_percent") ? real_in(map, "deviation_percent", 0, 1000) : 0;
  kernel.seed = static_cast<std::uint64_t>(whole("seed", std::to_string(place), 0, INT64_MAX));
  kernel.launches = static_cast<unsigned>(whole("launches", "1", 1, std::int64_t{limits::kTimedLaunches}));
  if (map.has("residency_slowdown"))
    kernel.residency_slowdown = real_in(map, "residency_slowdown", 1, kMostSlowdown);
  return kernel;
}

PublishedFigures load_published(const YAML::Node& node, const std::string& file) {
  const YamlMap map(node, file, "published figures", {"policy", "arrival", "stp", "antt", "strict_f"});
  return {map.text("policy"), map.text("arrival"), real_in(map, "stp", 0, 1e6), real_in(map, "antt", 0, 1e6),
          real_in(map, "strict_f", 0, 1)};
}

}  // namespace

bool is_timed_workload(const std::string& path) {
  try {
    const YAML::Node root = read_yaml_file(path);
    if (!root.IsMap()) return false;
    const YAML::Node kind = root["kind"];
    return kind && kind.IsScalar() && kind.Scalar() == "timed";
  } catch (const YamlError&) {
    return false;
  }
}

TimedWorkload load_timed_workload(const std::string& path) {
  const YamlMap map(read_yaml_file(path), path, "timed workload",
                    {"name", "description", "kind", "kernels", "published"});
  if (map.text("kind") != "timed") {
    throw WorkloadError(map.mark("kind"), "kind: found '" + map.text("kind") + "', expected timed");
  }
  TimedWorkload workload;
  workload.name = map.text_or("name", std::filesystem::path(path).stem().string());
  workload.description = map.text_or("description", "");
  for (const YAML::Node& node : list_items(map.at("kernels"), path, "kernels")) {
    workload.kernels.push_back(load_kernel(node, path, workload.kernels.size() + 1));
  }
  if (map.has("published")) {
    for (const YAML::Node& node : list_items(map.at("published"), path, "published")) {
      workload.published.push_back(load_published(node, path));
    }
  }
  return workload;
}

}  // namespace heddle
