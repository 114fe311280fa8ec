#include "workloads/description/yaml_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <unordered_set>

#include "base/input_file.h"
#include "base/input_scope.h"
#include "base/nearest_name.h"

namespace heddle {

namespace {

const char* kind_of(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Null:
      return "nothing";
    case YAML::NodeType::Scalar:
      return "a value";
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Map:
      return "a map";
    default:
      return "an undefined node";
  }
}

[[noreturn]] void fail_kind(const YAML::Node& node, const std::string& file, const std::string& what,
                            const char* expected) {
  throw WorkloadError(mark_of(node, file),
                      fmt::format("{}: expected {}, found {}", what, expected, kind_of(node)));
}

/// Parentheses that are opened and not closed.
std::ptrdiff_t opens(const std::string& text) {
  return std::count(text.begin(), text.end(), '(') - std::count(text.begin(), text.end(), ')');
}

/// For what YAML has cut in two at a comma.
constexpr const char* kNeedsQuotes = "; in [...] and {...} an expression with a comma needs quotes";

}  // namespace

SourceMark mark_of(const YAML::Node& node, const std::string& file) {
  const YAML::Mark mark = node.Mark();
  if (mark.is_null()) {
    return {file, 0, 0};
  }
  return {file, static_cast<unsigned>(mark.line) + 1, static_cast<unsigned>(mark.column) + 1};
}

std::string scalar_text(const YAML::Node& node, const std::string& file, const std::string& what) {
  if (!node.IsScalar()) {
    fail_kind(node, file, what, "a value");
  }
  return node.Scalar();
}

std::string input_path(const YAML::Node& node, const std::string& file, const std::string& what) {
  try {
    return resolve_input(file, scalar_text(node, file, what));
  } catch (const InputFileError& error) {
    throw WorkloadError(mark_of(node, file), fmt::format("{}: {}", what, error.what()));
  }
}

MarkedExpression parse_expression(const YAML::Node& node, const std::string& file, const std::string& what) {
  const std::string text = scalar_text(node, file, what);
  try {
    return {Expression(text), mark_of(node, file)};
  } catch (const ExpressionError& error) {
    const bool cut = opens(text) > 0 && text.find(',') == std::string::npos;
    throw WorkloadError(mark_of(node, file),
                        fmt::format("{}: {}{}", what, error.what(), cut ? kNeedsQuotes : ""));
  }
}

std::vector<YAML::Node> list_items(const YAML::Node& node, const std::string& file, const std::string& what) {
  if (!node.IsSequence()) {
    fail_kind(node, file, what, "a list");
  }
  return {node.begin(), node.end()};
}

std::vector<std::pair<std::string, YAML::Node>> map_entries(const YAML::Node& node, const std::string& file,
                                                            const std::string& what) {
  if (!node.IsMap()) {
    fail_kind(node, file, what, "a map");
  }
  std::vector<std::pair<std::string, YAML::Node>> entries;
  std::unordered_set<std::string> seen;
  for (const auto& entry : node) {
    const std::string key = scalar_text(entry.first, file, what + ", key");
    if (!seen.insert(key).second) {
      throw WorkloadError(mark_of(entry.first, file), fmt::format("{}: key '{}' stands twice", what, key));
    }
    entries.emplace_back(key, entry.second);
  }
  return entries;
}

YamlMap::YamlMap(const YAML::Node& node, std::string file, std::string what, std::vector<std::string> known)
    : node_(node), file_(std::move(file)), what_(std::move(what)) {
  map_entries(node_, file_, what_);
  for (const auto& entry : node_) {
    const std::string key = entry.first.Scalar();
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw WorkloadError(mark_of(entry.first, file_),
                          fmt::format("{}: unknown key '{}'{}{}", what_, key, name_hint(key, known, "keys"),
                                      opens(key) < 0 ? kNeedsQuotes : ""));
    }
  }
}

bool YamlMap::has(const std::string& key) const { return node_[key].IsDefined(); }

YAML::Node YamlMap::at(const std::string& key) const {
  const YAML::Node value = node_[key];
  if (!value.IsDefined()) {
    throw WorkloadError(mark(), fmt::format("{}: missing key '{}'", what_, key));
  }
  return value;
}

std::string YamlMap::text(const std::string& key) const {
  return scalar_text(at(key), file_, fmt::format("{}, {}", what_, key));
}

std::string YamlMap::text_or(const std::string& key, const std::string& fallback) const {
  return has(key) ? text(key) : fallback;
}

MarkedExpression YamlMap::expression(const std::string& key) const {
  return parse_expression(at(key), file_, fmt::format("{}, {}", what_, key));
}

MarkedExpression YamlMap::expression_or(const std::string& key, const std::string& fallback) const {
  return has(key) ? expression(key) : MarkedExpression{Expression(fallback), mark()};
}

std::string YamlMap::path(const std::string& key) const {
  return input_path(at(key), file_, fmt::format("{}, {}", what_, key));
}

bool YamlMap::flag_or(const std::string& key, bool fallback) const {
  if (!has(key)) {
    return fallback;
  }
  bool value = false;
  if (!YAML::convert<bool>::decode(at(key), value)) {
    throw WorkloadError(mark(key),
                        fmt::format("{}, {}: expected true or false, found '{}'", what_, key, text(key)));
  }
  return value;
}

}  // namespace heddle
