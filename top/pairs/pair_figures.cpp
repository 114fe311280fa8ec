#include "top/pairs/pair_figures.h"

#include <algorithm>
#include <map>

namespace heddle {

void PolicyResult::set_mean() {
  std::vector<MultiprogramMetrics> all;
  std::map<unsigned, std::vector<MultiprogramMetrics>> by_repetition;
  for (const PairResult& pair : pairs) {
    if (!pair.failure.empty()) continue;
    all.push_back(pair.metrics);
    by_repetition[pair.repetition].push_back(pair.metrics);
  }
  mean = geometric_mean(all);
  of_repetitions.clear();
  for (const auto& [repetition, values] : by_repetition) of_repetitions.push_back(geometric_mean(values));
}

std::vector<std::vector<std::size_t>> sets_of(std::size_t count, const PairPlan& plan) {
  std::vector<std::vector<std::size_t>> sets;
  std::vector<std::size_t> set;
  const auto extend = [&](const auto& again) -> void {
    if (set.size() == plan.together) {
      sets.push_back(set);
      return;
    }
    for (std::size_t next = plan.all_orders || set.empty() ? 0 : set.back() + 1; next < count; ++next) {
      if (std::find(set.begin(), set.end(), next) != set.end()) continue;
      set.push_back(next);
      again(again);
      set.pop_back();
    }
  };
  extend(extend);
  return sets;
}

PairFigures figures_of(const TimedWorkload& workload, unsigned together) {
  PairFigures figures{workload.name, {}, std::vector<std::uint64_t>(workload.kernels.size()), {}, {}};
  if (together == 2) figures.published = workload.published;
  for (const TimedKernel& kernel : workload.kernels) figures.names.push_back(kernel.name);
  return figures;
}

std::vector<PolicyResult> planned_results(std::size_t count, const PairPlan& plan,
                                          const std::vector<std::string>& policies,
                                          const std::vector<Arrival>& arrivals) {
  const std::vector<std::vector<std::size_t>> sets = sets_of(count, plan);
  std::vector<PolicyResult> results;
  for (const Arrival& arrival : arrivals) {
    for (const std::string& policy : policies) {
      results.push_back({policy, arrival});
      for (unsigned repetition = 0; repetition < plan.repetitions; ++repetition) {
        for (const std::vector<std::size_t>& set : sets) {
          results.back().pairs.push_back({set, repetition});
        }
      }
    }
  }
  return results;
}

void DelaySink::count(std::string_view name, std::uint64_t value, std::string_view /*unit*/,
                      std::string_view /*description*/) {
  if (name == "changes_to_sharing") delays.changes_to_sharing = value;
  if (name == "sampling_delay_cycles") delays.sampling_delay_cycles = value;
  if (name == "hand_off_cycles") delays.hand_off_cycles = value;
}

}  // namespace heddle
