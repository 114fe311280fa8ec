#pragma once

#include <string>
#include <vector>

#include "top/energy/energy_account.h"

namespace heddle {

/// A figure of an account, as stats.json has it beside the metrics of a run or launch.
struct EnergyMetric {
  std::string name;
  double value = 0;
  std::string unit;
  std::string description;
};

/// Total with its range, share of what goes with time, energy-delay product, and what each block took.
std::vector<EnergyMetric> energy_metrics(const EnergyAccount& account);

}  // namespace heddle
