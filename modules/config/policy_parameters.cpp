#include "modules/config/policy_parameters.h"

#include "modules/config/setting_error.h"

namespace heddle {

PolicyParameters::PolicyParameters(std::string section, std::vector<Description> descriptions)
    : section_(std::move(section)), descriptions_(std::move(descriptions)) {}

std::string PolicyParameters::key(std::size_t index) const {
  return "scheduler." + section_ + "." + descriptions_[index].name;
}

void PolicyParameters::check(const PolicySettings& settings) const {
  for (std::size_t i = 0; i < descriptions_.size(); ++i) {
    const ValueRange& range = descriptions_[i].range;
    const ConfigValue value = get(settings, i);
    if (range.allows(value)) continue;
    throw SettingError(key(i), "expected " + range.expected() + ", found " + range.format(value));
  }
}

}  // namespace heddle
