#include "top/report/stats/energy_json.h"

#include "top/energy/energy_account.h"

namespace heddle {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson block_json(const BlockEnergy& block) {
  return {{"block", block.block},
          {"dynamic_nj", block.dynamic.nj},
          {"static_nj", block.static_.nj},
          {"low_nj", block.sum().low_nj},
          {"high_nj", block.sum().high_nj}};
}

}  // namespace

OrderedJson energy_json(const EnergyTable& table, const GpuConfig& config, const StatRegistry& registry,
                        const RunResult& result) {
  const EnergyAccount gpu = energy_of_gpu(table, all_counts(registry, result.values), result.cycles, config);
  OrderedJson json;
  json["table"] = table.name;
  json["seconds"] = gpu.seconds;
  if (!gpu.not_counted.empty()) json["not_counted"] = gpu.not_counted;
  json["blocks"] = OrderedJson::array();
  for (const BlockEnergy& block : gpu.blocks) json["blocks"].push_back(block_json(block));
  json["sms"] = OrderedJson::array();
  for (unsigned sm = 0; sm < config.core.sms; ++sm) {
    const EnergyAccount account =
        energy_of_sm(table, counts_of_sm(registry, result.values, sm), result.cycles, config);
    const Energy total = account.total();
    json["sms"].push_back({{"sm", sm},
                           {"dynamic_nj", account.dynamic().nj},
                           {"static_nj", total.nj - account.dynamic().nj},
                           {"low_nj", total.low_nj},
                           {"high_nj", total.high_nj}});
  }
  return json;
}

}  // namespace heddle
