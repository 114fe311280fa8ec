#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "workloads/description/workload_error.h"

namespace heddle {

/// A file that is not YAML, or more of it than is read (docs/security.md, "Limits").
class YamlError : public WorkloadError {
 public:
  using WorkloadError::WorkloadError;
};

/// The first document of a YAML text; `path` is used in messages. An alias that contains itself, and aliases
/// that unfold to more than the limits, are errors, so that whoever walks over the nodes comes to an end.
/// Throws YamlError.
YAML::Node parse_yaml(const std::string& text, const std::string& path);

/// The same from a file. Throws YamlError.
YAML::Node read_yaml_file(const std::string& path);

}  // namespace heddle
