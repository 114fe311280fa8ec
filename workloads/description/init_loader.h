#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "workloads/description/workload.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

/// Reads what elements are given: the value of `init`. Expressions may read `names`.
class InitLoader {
 public:
  InitLoader(const Workload& workload, std::vector<std::string> names);

  /// Of elements of `type`. Buffers whose addresses are taken may be read later: check_addresses(). Throws
  /// WorkloadError.
  BufferInit load(const YAML::Node& node, const std::string& what, ElementType type) const;

 private:
  BufferInit load_addresses(const YAML::Node& node, const std::string& what) const;
  BufferInit::Address load_address(const YAML::Node& node, const std::string& what,
                                   const std::vector<std::string>& names) const;
  BufferInit load_kind(const YamlMap& map, const std::string& kind) const;
  MarkedExpression known(MarkedExpression expression) const;

  const Workload& workload_;
  std::vector<std::string> names_;
};

/// Checks that the buffers whose addresses `init` takes are there. Throws WorkloadError.
void check_addresses(const BufferInit& init, const Workload& workload);

}  // namespace heddle
