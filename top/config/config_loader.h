#pragma once

#include <map>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"
#include "top/config/config_error.h"

namespace heddle {

/// A complete, checked configuration and where its values come from.
struct LoadedConfig {
  GpuConfig config;
  std::string file;  ///< "" when no file was read
  /// Path of every key that a file or option gives -> "FILE:LINE:COLUMN" or "--set KEY=VALUE".
  std::map<std::string, std::string> origins;
};

/// Reads configurations (docs/configuration.md). Every function throws ConfigError on an unknown key, a value
/// of the wrong type or out of range, a key that stands twice, and values that do not fit each other.
class ConfigLoader {
 public:
  /// Applies a YAML file; its `base`, relative to its folder, first.
  void read_file(const std::string& path);
  /// Applies YAML text; `path` is used in messages and to find its `base`.
  void read_text(const std::string& text, const std::string& path);
  /// Applies "KEY=VALUE", as the option --set gives it.
  void set(const std::string& assignment);
  /// What was read so far, without the checks across keys.
  const LoadedConfig& loaded() const { return loaded_; }
  /// The configuration, after the checks across keys.
  LoadedConfig finish() const;

 private:
  class Reader;
  LoadedConfig loaded_;
  unsigned depth_ = 0;      ///< of `base` files
  std::string first_file_;  ///< whose `base` it is, or the base's
};

/// The defaults with `file` ("" = none) and then `assignments` applied.
LoadedConfig load_config(const std::string& file, const std::vector<std::string>& assignments);

}  // namespace heddle
