#include "top/config/config_schema.h"

#include <algorithm>

#include "top/config/config_sections.h"

namespace heddle {

const std::vector<ConfigKey>& config_schema() {
  static const std::vector<ConfigKey> kSchema = [] {
    std::vector<ConfigKey> keys;
    config::add_core_keys(keys);
    config::add_execution_keys(keys);
    config::add_memory_keys(keys);
    config::add_dram_keys(keys);
    return keys;
  }();
  return kSchema;
}

const ConfigKey* find_config_key(const std::string& path) {
  const auto& keys = config_schema();
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&path](const ConfigKey& key) { return key.path == path; });
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
