#include "top/experiment/waiting_tasks.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace heddle {

std::size_t WaitingTasks::next(const SweepForecast& forecast) const {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  std::pair<double, std::size_t> first{};
  bool found = false;
  for (const auto& [workload, tasks] : tasks_) {
    const std::pair rank{-forecast.known_seconds_of(workload).value_or(kUnknown), tasks.front()};
    if (!found || rank < first) first = rank;
    found = true;
  }
  return first.second;
}

void WaitingTasks::remove(const std::string& workload, std::size_t task) {
  const auto of_workload = tasks_.find(workload);
  auto& tasks = of_workload->second;
  tasks.erase(std::find(tasks.begin(), tasks.end(), task));
  if (tasks.empty()) tasks_.erase(of_workload);
}

}  // namespace heddle
