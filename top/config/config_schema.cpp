#include "top/config/config_schema.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "modules/warp_scheduler/policy_registry.h"
#include "top/config/config_sections.h"

namespace heddle {

namespace {

constexpr const char* kSchedulerSection = "scheduler.";

bool of_scheduler(const ConfigKey& key) { return key.path.rfind(kSchedulerSection, 0) == 0; }

ConfigKey key_of(const PolicyParameters& parameters, std::size_t index) {
  const PolicyParameters::Description& description = parameters.descriptions()[index];
  return {description.range,
          parameters.key(index),
          description.unit,
          description.text,
          [&parameters, index](const GpuConfig& config) {
            return parameters.get(config.scheduler.settings, index);
          },
          [&parameters, index](GpuConfig& config, const ConfigValue& value) {
            parameters.set(config.scheduler.settings, index, value);
          }};
}

std::list<ConfigKey>::const_iterator find_in(const std::list<ConfigKey>& keys, const std::string& path) {
  return std::find_if(keys.begin(), keys.end(), [&path](const ConfigKey& key) { return key.path == path; });
}

std::list<ConfigKey> machine_keys() {
  std::vector<ConfigKey> keys;
  config::add_core_keys(keys);
  config::add_execution_keys(keys);
  config::add_memory_keys(keys);
  config::add_dram_keys(keys);
  return {std::make_move_iterator(keys.begin()), std::make_move_iterator(keys.end())};
}

}  // namespace

const std::list<ConfigKey>& config_schema() {
  static std::list<ConfigKey> keys = machine_keys();
  static std::size_t known_policies = 0;
  const std::vector<const PolicyParameters*>& policies = policy_parameters();
  if (known_policies == policies.size()) return keys;
  const auto place = std::find_if(keys.rbegin(), keys.rend(), &of_scheduler).base();
  while (known_policies < policies.size()) {
    const PolicyParameters& parameters = *policies[known_policies++];
    for (std::size_t i = 0; i < parameters.descriptions().size(); ++i) {
      ConfigKey key = key_of(parameters, i);
      if (find_in(keys, key.path) != keys.end()) {
        throw std::invalid_argument("two policies declare the parameter '" + key.path + "'");
      }
      keys.insert(place, std::move(key));
    }
  }
  return keys;
}

const ConfigKey* find_config_key(const std::string& path) {
  const std::list<ConfigKey>& keys = config_schema();
  const auto found = find_in(keys, path);
  return found == keys.end() ? nullptr : &*found;
}

std::vector<std::string> config_paths() {
  std::vector<std::string> paths;
  for (const ConfigKey& key : config_schema()) {
    paths.push_back(key.path);
  }
  return paths;
}

}  // namespace heddle
