#include "top/energy/energy_metrics.h"

namespace heddle {

std::vector<EnergyMetric> energy_metrics(const EnergyAccount& account) {
  const Energy total = account.total();
  std::vector<EnergyMetric> metrics{
      {"energy", total.nj, "nJ", "energy of all blocks, dynamic and static"},
      {"energy_low", total.low_nj, "nJ", "the same, all figures at the lower ends of their ranges"},
      {"energy_high", total.high_nj, "nJ", "the same, all figures at the upper ends of their ranges"},
      {"energy_static_share", account.static_share(), "1", "energy that goes with time over all"},
      {"energy_delay_product", account.delay_product_nj_s(), "nJ s", "energy times simulated time"}};
  for (const BlockEnergy& block : account.blocks) {
    metrics.push_back({"energy_" + block.block, block.sum().nj, "nJ",
                       "energy of the block " + block.block + ", dynamic and static"});
  }
  return metrics;
}

}  // namespace heddle
