#include "top/page/parts/run_part.h"
#include "top/support/stats_file.h"

namespace heddle {

/// Of concurrent kernels.
nlohmann::json streams_part(const std::filesystem::path& /*folder*/, const nlohmann::json& stats) {
  if (!stats.contains("streams")) return nullptr;
  nlohmann::json shown = stats.at("multiprogram");
  nlohmann::json& list = shown["list"] = nlohmann::json::array();
  for (const nlohmann::json& stream : stats.at("streams")) {
    nlohmann::json entry{{"name", stream.at("name")}, {"arrival", stream.at("arrival_cycle")}};
    const nlohmann::json& metrics = stream.at("metrics");
    entry["cycles"] = metrics.at("cycles");
    const nlohmann::json* const alone = find_metric(metrics, "alone_cycles");
    if (alone != nullptr) {
      entry["alone"] = *alone;
      entry["slowdown"] = metrics.at("slowdown");
    }
    list.push_back(std::move(entry));
  }
  return shown;
}

}  // namespace heddle
