#include "top/energy/energy_check.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

#include "base/nearest_name.h"
#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/warp_scheduler/policy_registry.h"
#include "top/config/config_error.h"
#include "top/machine/stat_registry.h"

namespace heddle {

namespace {

std::set<std::string> counts_of(const Gpu& gpu) {
  StatRegistry registry;
  registry.begin();
  gpu.report(registry);
  static_cast<void>(registry.end());
  std::set<std::string> counts;
  for (const Metric& metric : registry.total_metrics()) {
    if (metric.is_count) counts.insert(metric.full_name());
  }
  return counts;
}

template <class Entries>
bool has_policy_of(const Entries& entries, const std::string& metric) {
  for (const auto* entry : entries) {
    if (metric.find(fmt::format(".{}.", entry->name)) != std::string::npos) return true;
  }
  return false;
}

/// "sm.scheduler.ccws.hits": whether there is such a count shows when the policy is there.
bool is_of_a_policy(const std::string& metric) {
  return has_policy_of(prioritizers(), metric) || has_policy_of(qualifiers(), metric) ||
         has_policy_of(dispatch_policies(), metric);
}

}  // namespace

void check_energy_table(const EnergyTable& table, const Gpu& gpu) {
  const std::set<std::string> known = counts_of(gpu);
  for (const EnergyEvent& event : table.events) {
    for (const EnergyEvent::Count& count : event.counts) {
      if (known.count(count.metric) != 0 || is_of_a_policy(count.metric)) continue;
      const std::vector<std::string_view> names(known.begin(), known.end());
      throw ConfigError(fmt::format("energy table {}: event '{}': stats.json has no count '{}'{}", table.name,
                                    event.name, count.metric, did_you_mean(count.metric, names)));
    }
  }
}

}  // namespace heddle
