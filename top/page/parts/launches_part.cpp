#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "top/page/parts/run_part.h"
#include "top/support/results.h"
#include "top/support/stats_file.h"

namespace heddle {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostLaunches = 2000;  ///< of all runs of a page together
constexpr std::size_t kMostOfARun = 100;

constexpr std::array<const char*, 2> kOfASingleRun{"scheduler_share_", "energy_"};
constexpr std::array<const char*, 2> kOfEach{"achieved_occupancy", "cycles"};

template <std::size_t kSize>
bool begins_with_one(const std::string& name, const std::array<const char*, kSize>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&name](const char* beginning) { return name.rfind(beginning, 0) == 0; });
}

Json launch_of(const Json& launch) {
  Json metrics = Json::object();
  Json shown{{"id", launch.at("id")},
             {"kernel", launch.at("kernel")},
             {"grid", launch.at("grid")},
             {"block", launch.at("block")}};
  static const std::map<std::string, const char*> kFields{
      {"registers_per_thread", "registers"}, {"shared_bytes_per_tb", "shared_bytes"},
      {"tbs_per_sm", "tbs_per_sm"},          {"occupancy", "occupancy"},
      {"occupancy_limiter", "limiter"},      {"tb_rounds", "tb_rounds"}};
  for_each_metric(launch.at("metrics"), [&](const std::string& name, const Json& value) {
    const auto field = kFields.find(name);
    if (field != kFields.end()) shown[field->second] = value;
    if (begins_with_one(name, kOfASingleRun) || begins_with_one(name, kOfEach))
      metrics[name] = name == "cycles" ? Json(whole_number(value)) : figure_number(name, value);
  });
  shown["metrics"] = std::move(metrics);
  return shown;
}

/// Those with the most cycles, in their order.
Json longest(const Json& launches, std::size_t most) {
  std::vector<std::size_t> places(launches.size());
  std::iota(places.begin(), places.end(), 0);
  const auto cycles = [&launches](std::size_t i) {
    return launches[i].at("metrics").value("cycles", std::uint64_t{0});
  };
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return cycles(a) > cycles(b); });
  places.resize(most);
  std::sort(places.begin(), places.end());
  Json kept = Json::array();
  for (const std::size_t place : places) kept.push_back(launches[place]);
  return kept;
}

}  // namespace

Json launches_part(const std::filesystem::path& /*folder*/, const Json& stats) {
  Json shown = Json::array();
  for (const Json& launch : stats.at("launches")) shown.push_back(launch_of(launch));
  return shown;
}

void fit_launches(Json& runs) {
  const std::size_t room =
      std::clamp<std::size_t>(kMostLaunches / std::max<std::size_t>(runs.size(), 1), 1, kMostOfARun);
  for (Json& run : runs) {
    Json& launches = run.at("launches");
    if (launches.size() > room) {
      run["launches_left_out"] = launches.size() - room;
      launches = longest(launches, room);
    }
    if (runs.size() == 1) continue;
    for (Json& launch : launches) {
      Json& metrics = launch.at("metrics");
      for (auto at = metrics.begin(); at != metrics.end();)
        at = begins_with_one(at.key(), kOfASingleRun) ? metrics.erase(at) : std::next(at);
    }
  }
}

}  // namespace heddle
