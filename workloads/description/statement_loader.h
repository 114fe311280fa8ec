#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "workloads/description/known_names.h"
#include "workloads/description/workload.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

/// Reads `launches` lists, the workload's or those of its streams: kernel launches, host writes, swaps and
/// loops. Names of buffers are checked against `workload`, names in expressions against its parameters and
/// the loop variables around them.
class StatementLoader {
 public:
  explicit StatementLoader(const Workload& workload);

  /// Reads the `streams` list. Throws WorkloadError.
  std::vector<StreamSpec> load_streams(const YAML::Node& node);

  /// Throws WorkloadError.
  std::vector<Statement> load(const YAML::Node& node, const std::string& what);

 private:
  Statement load_statement(const YAML::Node& node);
  LaunchStatement load_launch(const YAML::Node& node);
  SetStatement load_set(const YAML::Node& node);
  SwapStatement load_swap(const YAML::Node& node);
  RepeatStatement load_repeat(const YAML::Node& node);
  WhileStatement load_while(const YAML::Node& node);
  std::vector<Statement> load_body(const YamlMap& map, const std::string& variable);
  std::array<MarkedExpression, 3> load_extent(const YamlMap& map, const std::string& key);
  Argument load_argument(const YAML::Node& node, const std::string& what);
  Argument load_map_argument(const YAML::Node& node, const std::string& what);
  std::string loop_variable(const YamlMap& map) const;

  MarkedExpression known(MarkedExpression expression) const;
  const BufferSpec& buffer(const std::string& name, const SourceMark& mark) const;

  const Workload& workload_;
  const std::string& file_;
  KnownNames names_;  ///< parameters and loop variables in scope, and what buffers hold
  bool in_stream_ = false;
};

}  // namespace heddle
