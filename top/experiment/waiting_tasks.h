#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include "top/experiment/sweep_progress.h"

namespace heddle {

/// Tasks, by number, that wait for a processor. First come those of workloads of which nothing is known, then
/// those whose points last longest: so that at the end no processor waits long for the last one. Otherwise
/// they come in the order in which they were added.
class WaitingTasks {
 public:
  void add(const std::string& workload, std::size_t task) { tasks_[workload].push_back(task); }
  bool empty() const { return tasks_.empty(); }
  /// There must be one.
  std::size_t next(const SweepForecast& forecast) const;
  void remove(const std::string& workload, std::size_t task);

 private:
  std::map<std::string, std::deque<std::size_t>> tasks_;  ///< by workload; none is empty
};

}  // namespace heddle
