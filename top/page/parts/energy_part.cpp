#include "top/page/parts/run_part.h"
#include "top/support/results.h"

namespace heddle {

/// The names of the blocks, whose energy is in the metrics of runs and launches, and what each SM took (nJ).
nlohmann::json energy_part(const std::filesystem::path& /*folder*/, const nlohmann::json& stats) {
  if (!stats.contains("energy")) return nullptr;
  nlohmann::json blocks = nlohmann::json::array();
  for (const nlohmann::json& block : stats.at("energy").at("blocks")) blocks.push_back(block.at("block"));
  nlohmann::json sms = nlohmann::json::array();
  for (const nlohmann::json& sm : stats.at("energy").at("sms"))
    sms.push_back({{"sm", whole_number(sm.at("sm"))},
                   {"dynamic", sm.at("dynamic_nj").get<double>()},
                   {"static", sm.at("static_nj").get<double>()}});
  return {{"blocks", std::move(blocks)}, {"sms", std::move(sms)}};
}

}  // namespace heddle
