#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle {

/// A value of the configuration that a block can't work with. what() is "KEY: " and what is wrong with it.
class SettingError : public std::invalid_argument {
 public:
  SettingError(const std::string& key, const std::string& problem)
      : std::invalid_argument(key + ": " + problem), keys_{key} {}
  /// Of several keys whose values do not fit each other: the one that what() names first.
  SettingError(std::initializer_list<std::string> keys, const std::string& problem)
      : std::invalid_argument(*keys.begin() + ": " + problem), keys_(keys) {}

  /// As YAML and --set name them: "l2.slices_per_channel".
  const std::vector<std::string>& keys() const { return keys_; }

 private:
  std::vector<std::string> keys_;
};

}  // namespace heddle
