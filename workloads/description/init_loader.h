#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "workloads/description/known_names.h"
#include "workloads/description/workload.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

/// Reads what elements are given: the value of `init`, and what `fill` says. Expressions may read `names`.
class InitLoader {
 public:
  InitLoader(const Workload& workload, KnownNames names);

  /// Of elements of `type`. Buffers whose addresses are taken may be read later: check_addresses(). Throws
  /// WorkloadError.
  BufferInit load(const YAML::Node& node, const std::string& what, ElementType type) const;
  /// The same of a map that has other keys too; those of the kinds are kinds().
  BufferInit load_one_of(const YamlMap& map, ElementType type) const;
  static const std::vector<std::string>& kinds();

 private:
  BufferInit load_addresses(const YAML::Node& node, const std::string& what) const;
  BufferInit::Address load_address(const YAML::Node& node, const std::string& what,
                                   const KnownNames& names) const;
  BufferInit load_kind(const YamlMap& map, const std::string& kind) const;

  const Workload& workload_;
  KnownNames names_;
};

/// Checks that the buffers whose addresses `init` takes are there. Throws WorkloadError.
void check_addresses(const BufferInit& init, const Workload& workload);

}  // namespace heddle
