#include "top/page/parts/run_part.h"

namespace heddle {

/// The names of the blocks; what each takes is in the run's metrics.
nlohmann::json energy_part(const std::filesystem::path& /*folder*/, const nlohmann::json& stats) {
  if (!stats.contains("energy")) return nullptr;
  nlohmann::json blocks = nlohmann::json::array();
  for (const nlohmann::json& block : stats.at("energy").at("blocks")) blocks.push_back(block.at("block"));
  return blocks;
}

}  // namespace heddle
