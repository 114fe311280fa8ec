#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/nearest_name.h"
#include "modules/config/setting_error.h"

namespace heddle {

/// The entry called `name`, which the configuration's `key` says. Throws SettingError with the nearest name
/// and all that there are.
template <class Entry>
const Entry& named_entry(const std::string& key, const std::string& name,
                         const std::vector<const Entry*>& entries) {
  std::vector<std::string_view> names;
  std::string all;
  for (const Entry* entry : entries) {
    if (name == entry->name) return *entry;
    names.emplace_back(entry->name);
    all += (all.empty() ? "" : ", ") + std::string(entry->name);
  }
  throw SettingError(key,
                     "'" + name + "' is unknown" + did_you_mean(name, names) + "; expected one of: " + all);
}

}  // namespace heddle
