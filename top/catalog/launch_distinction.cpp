#include "top/catalog/launch_distinction.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

namespace {

using Settings = std::map<std::string, std::string>;

/// Keys of `a` that `b` does not have, or has with another value.
void add_differences(const Settings& a, const Settings& b, std::set<std::string>& keys) {
  for (const auto& [key, value] : a) {
    const auto other = b.find(key);
    if (other == b.end() || other->second != value) keys.insert(key);
  }
}

}  // namespace

LaunchDistinction::LaunchDistinction(const std::vector<MeasuredLaunch>& all) {
  std::map<Workload, const MeasuredLaunch*> first;
  for (const MeasuredLaunch& launch : all) {
    const Workload workload{launch.workload, launch.size};
    const Settings& known = first.insert({workload, &launch}).first->second->settings;
    std::set<std::string>& keys = keys_[workload];
    add_differences(launch.settings, known, keys);
    add_differences(known, launch.settings, keys);
  }
}

std::string LaunchDistinction::of(const MeasuredLaunch& launch) const {
  std::string text;
  for (const std::string& key : keys_.at({launch.workload, launch.size})) {
    const auto value = launch.settings.find(key);
    if (value == launch.settings.end()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value->second);
  }
  return text;
}

bool LaunchDistinction::any() const {
  return std::any_of(keys_.begin(), keys_.end(),
                     [](const auto& workload) { return !workload.second.empty(); });
}

}  // namespace heddle
