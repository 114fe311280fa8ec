#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "top/catalog/measured_launch.h"

namespace heddle {

/// What tells launches from others of their workload, beside kernel and scheduler.
class LaunchDistinction {
 public:
  explicit LaunchDistinction(const std::vector<MeasuredLaunch>& all);
  /// "core.sms=1 param.n=64", of settings in which runs of the workload differ; "" when there are none.
  std::string of(const MeasuredLaunch& launch) const;
  /// Runs of some workload differ.
  bool any() const;

 private:
  using Workload = std::pair<std::string, std::string>;  ///< and its size

  std::map<Workload, std::set<std::string>> keys_;
};

}  // namespace heddle
