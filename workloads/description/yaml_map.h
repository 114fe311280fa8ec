#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "workloads/description/workload.h"

namespace heddle {

/// Where `node` stands in `file`.
SourceMark mark_of(const YAML::Node& node, const std::string& file);

/// Reads one YAML map of a workload file: a key that is not known, or stands twice, is an error at its
/// place. `what` names the map in messages: "buffer 'A'". All errors are WorkloadErrors.
class YamlMap {
 public:
  YamlMap(const YAML::Node& node, std::string file, std::string what, std::vector<std::string> known);

  bool has(const std::string& key) const;
  /// The value of a key that must stand.
  YAML::Node at(const std::string& key) const;
  std::string text(const std::string& key) const;
  std::string text_or(const std::string& key, const std::string& fallback) const;
  MarkedExpression expression(const std::string& key) const;
  MarkedExpression expression_or(const std::string& key, const std::string& fallback) const;
  /// The path of the file that the value of a key names, which must lie where the workload's files may
  /// (docs/security.md).
  std::string path(const std::string& key) const;
  bool flag_or(const std::string& key, bool fallback) const;

  SourceMark mark() const { return mark_of(node_, file_); }
  SourceMark mark(const std::string& key) const { return mark_of(at(key), file_); }
  const std::string& what() const { return what_; }

 private:
  YAML::Node node_;
  std::string file_;
  std::string what_;
};

/// The path of the file that a scalar node in `file` names, as YamlMap::path().
std::string input_path(const YAML::Node& node, const std::string& file, const std::string& what);
/// The text of a scalar node; `what` names it in messages.
std::string scalar_text(const YAML::Node& node, const std::string& file, const std::string& what);
/// A scalar node as an expression.
MarkedExpression parse_expression(const YAML::Node& node, const std::string& file, const std::string& what);
/// The nodes of a YAML list; `what` names it in messages.
std::vector<YAML::Node> list_items(const YAML::Node& node, const std::string& file, const std::string& what);
/// The entries of a YAML map with free keys, in the file's order; a key that stands twice is an error.
std::vector<std::pair<std::string, YAML::Node>> map_entries(const YAML::Node& node, const std::string& file,
                                                            const std::string& what);

}  // namespace heddle
