#include "top/commands/sweep/metric_check.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <tuple>

#include "base/memory_budget.h"
#include "base/nearest_name.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/stat_registry.h"
#include "top/options/command_config.h"
#include "top/report/stats/stats_json.h"
#include "top/support/processes/out_of_memory.h"
#include "top/support/stats_file.h"

namespace heddle {

namespace {

std::vector<std::string> metrics_of(const RunOptions& run) {
  const LoadedConfig loaded = load_command_config(run.config, run.scheduler);
  const std::unique_ptr<Gpu> gpu = build_gpu(loaded);
  StatRegistry registry;
  registry.begin();
  gpu->report(registry);
  const StatValues values = registry.end();
  RunDescription description;
  description.config = loaded.config;
  description.energy = choose_energy_table(run.record.energy);
  std::vector<std::string> names = metric_names(description, registry, values);
  if (run.sample) {
    for (std::size_t i = 0, count = names.size(); i < count; ++i)
      names.push_back(half_interval_name(names[i]));
  }
  return names;
}

/// False: the machine can't be built.
bool add_metrics_of(const RunOptions& run, std::set<std::string>& known) {
  try {
    for (std::string& metric : metrics_of(run)) known.insert(std::move(metric));
    return true;
  } catch (const MemoryError&) {
    throw;
  } catch (const std::exception&) {
    if (ran_out_of_memory()) throw;
    return false;
  }
}

}  // namespace

std::optional<UnknownMetric> find_unknown_metric(const std::vector<std::string>& wanted,
                                                 const std::vector<RunOptions>& runs,
                                                 std::set<std::string> known) {
  const auto is_known = [&known](const std::string& metric) { return known.count(metric) != 0; };
  std::set<std::tuple<std::string, std::vector<std::string>, std::string>> machines;
  for (const RunOptions& run : runs) {
    if (std::all_of(wanted.begin(), wanted.end(), is_known)) return std::nullopt;
    if (!machines.insert({run.config.config, run.config.assignments, run.scheduler}).second) continue;
    if (!add_metrics_of(run, known)) return std::nullopt;
  }
  const auto unknown = std::find_if_not(wanted.begin(), wanted.end(), is_known);
  if (unknown == wanted.end()) return std::nullopt;
  return UnknownMetric{static_cast<std::size_t>(unknown - wanted.begin()),
                       did_you_mean(*unknown, {known.begin(), known.end()})};
}

}  // namespace heddle
