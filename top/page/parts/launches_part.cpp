#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "top/page/parts/run_part.h"
#include "top/support/stats_file.h"

namespace heddle {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostLaunches = 100;  ///< of a run that are shown one by one

constexpr std::array<const char*, 3> kMetrics{"scheduler_share_", "achieved_occupancy", "cycles"};

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
    if (std::any_of(kMetrics.begin(), kMetrics.end(),
                    [&name](const char* beginning) { return name.rfind(beginning, 0) == 0; })) {
      metrics[name] = value;
    }
  });
  shown["metrics"] = std::move(metrics);
  return shown;
}

}  // namespace

Json launches_part(const std::filesystem::path& /*folder*/, const Json& stats) {
  const Json& launches = stats.at("launches");
  Json shown = Json::array();
  for (std::size_t i = 0; i < std::min(launches.size(), kMostLaunches); ++i) {
    shown.push_back(launch_of(launches[i]));
  }
  return shown;
}

}  // namespace heddle
