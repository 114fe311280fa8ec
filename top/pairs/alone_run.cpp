#include "top/pairs/alone_run.h"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace heddle {

namespace {

using nlohmann::ordered_json;

constexpr int kFormat = 1;

ordered_json read_json(const std::string& path) {
  std::ifstream file(path);
  return file ? ordered_json::parse(file, nullptr, false) : ordered_json();
}

std::uint64_t cycles_of(const ordered_json& entry) {
  for (const auto& metric : entry.at("metrics")) {
    if (metric.at("name") == "cycles") return metric.at("value").get<std::uint64_t>();
  }
  return 0;
}

}  // namespace

std::optional<AloneRun> alone_run_of(const std::string& stats_file) {
  try {
    const ordered_json stats = read_json(stats_file);
    if (!stats.is_object() || stats.at("status") != "complete") return std::nullopt;
    AloneRun run;
    std::map<std::string, std::size_t> places;
    for (const auto& stream : stats.at("streams")) {
      places[stream.at("name").get<std::string>()] = run.streams.size();
      run.streams.push_back({cycles_of(stream), {}});
    }
    for (const auto& launch : stats.at("launches")) {
      run.streams[places.at(launch.at("stream").get<std::string>())].launches.push_back(cycles_of(launch));
    }
    return run;
  } catch (const std::exception&) {  // JSON of another shape
    return std::nullopt;
  }
}

std::string to_json(const AloneRun& run, const std::string& key) {
  ordered_json root{{"format", kFormat}, {"key", key}, {"streams", ordered_json::array()}};
  for (const AloneRun::Stream& stream : run.streams) {
    root["streams"].push_back({{"cycles", stream.cycles}, {"launches", stream.launches}});
  }
  return root.dump(2) + "\n";
}

std::optional<AloneRun> read_alone_run(const std::string& file, const std::string& key) {
  try {
    const ordered_json root = read_json(file);
    if (!root.is_object() || root.at("format") != kFormat) return std::nullopt;
    if (!key.empty() && root.at("key") != key) return std::nullopt;
    AloneRun run;
    for (const auto& stream : root.at("streams")) {
      run.streams.push_back({stream.at("cycles").get<std::uint64_t>(),
                             stream.at("launches").get<std::vector<std::uint64_t>>()});
      if (run.streams.back().cycles == 0) return std::nullopt;
    }
    if (run.streams.empty()) return std::nullopt;
    return run;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace heddle
