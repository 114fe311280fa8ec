#include "top/config/config_values.h"

#include <variant>

#include "top/config/config_schema.h"

namespace heddle {

nlohmann::ordered_json config_values(const GpuConfig& config) {
  nlohmann::ordered_json values;
  for (const ConfigKey& key : config_schema()) {
    const ConfigValue value = key.get(config);
    if (key.kind == ConfigKey::Kind::kChoice) {
      values[key.path] = key.format(value);
    } else {
      std::visit([&values, &key](const auto& held) { values[key.path] = held; }, value);
    }
  }
  return values;
}

}  // namespace heddle
