#include "workloads/description/yaml_file.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <vector>

#include "base/input_file.h"
#include "base/limits.h"
#include "base/stop.h"
#include "base/utf8.h"

namespace heddle {

namespace {

SourceMark place(const YAML::Mark& mark, const std::string& path) {
  if (mark.is_null()) return {path, 0, 0};
  return {path, static_cast<unsigned>(mark.line) + 1, static_cast<unsigned>(mark.column) + 1};
}

/// Measures a document while it is parsed, without a tree: how many nodes it has and how deep they are when
/// every alias is replaced by what it stands for.
class UnfoldedSize final : public YAML::EventHandler {
 public:
  explicit UnfoldedSize(const std::string& path) : path_(path) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add_leaf(mark, anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                const std::string& /*value*/) override {
    add_leaf(mark, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw YamlError(place(mark, path_), "found an alias that contains itself");
    add(found->second, mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    begin(mark, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    begin(mark, anchor);
  }
  void OnMapEnd() override { end(); }

 private:
  /// Of a node with all below it.
  struct Extent {
    std::uint64_t nodes = 1;
    std::uint64_t depth = 0;  ///< of the deepest list or map, itself the first
  };
  struct Open {
    Extent extent;
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::uint64_t before = 0;  ///< nodes before it in the document
  };

  void add_leaf(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = {};
    add({}, mark);
  }
  void begin(const YAML::Mark& mark, YAML::anchor_t anchor) {
    open_.push_back({{1, 1}, anchor, nodes_});
    check(open_.size(), mark);
    count(1, mark);
  }
  void end() {
    Open& ended = open_.back();
    ended.extent.nodes = nodes_ - ended.before;
    if (ended.anchor != YAML::NullAnchor) anchors_[ended.anchor] = ended.extent;
    const std::uint64_t depth = ended.extent.depth;
    open_.pop_back();
    deepen(depth);
  }
  void add(const Extent& extent, const YAML::Mark& mark) {
    check(open_.size() + extent.depth, mark);
    deepen(extent.depth);
    count(extent.nodes, mark);
  }
  void deepen(std::uint64_t depth_below) {
    if (open_.empty()) return;
    Extent& around = open_.back().extent;
    around.depth = std::max(around.depth, depth_below + 1);
  }
  void count(std::uint64_t nodes, const YAML::Mark& mark) {
    throw_if_stopped();
    nodes_ += nodes;
    if (nodes_ > limits::kYamlNodes) {
      throw YamlError(place(mark, path_), fmt::format("expected at most {} values, lists and maps, those "
                                                      "that aliases repeat counted each time, found more",
                                                      limits::kYamlNodes));
    }
  }
  void check(std::uint64_t depth, const YAML::Mark& mark) const {
    if (depth <= limits::kYamlDepth) return;
    throw YamlError(
        place(mark, path_),
        fmt::format("expected at most {} lists and maps in each other, found more", limits::kYamlDepth));
  }

  const std::string& path_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, Extent> anchors_;  ///< complete ones
  std::uint64_t nodes_ = 0;
};

/// Such a file may be large, and is no YAML whatever it holds.
void refuse_kernels(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension == ".ptx" || extension == ".cu") {
    throw YamlError(
        {path, 0, 0},
        "found a file of kernels, expected YAML: a workload names the PTX, its buffers and launches "
        "(docs/workloads.md, \"One's own kernel, step by step\")");
  }
}

/// The tab that the 0-based line or the one above it is indented with; nothing when there is none.
std::optional<YAML::Mark> indenting_tab(const std::string& text, int last) {
  std::istringstream lines(text);
  YAML::Mark mark;
  mark.line = 0;
  for (std::string line; mark.line <= last && std::getline(lines, line); ++mark.line) {
    const std::size_t tab = line.find_first_not_of(' ');
    if (mark.line + 1 < last || tab == std::string::npos || line[tab] != '\t') continue;
    mark.column = static_cast<int>(tab);
    return mark;
  }
  return std::nullopt;
}

}  // namespace

YAML::Node parse_yaml(const std::string& text, const std::string& path) {
  refuse_kernels(path);
  if (text.size() > limits::kYamlBytes) {
    throw YamlError({path, 0, 0},
                    fmt::format("expected at most {} bytes, found {}", limits::kYamlBytes, text.size()));
  }
  if (!is_utf8(text)) throw YamlError({path, 0, 0}, "not YAML: not UTF-8");
  try {
    std::istringstream stream(text);
    UnfoldedSize size(path);
    YAML::Parser(stream).HandleNextDocument(size);
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    // The parser says something else of a tab, and of a line below at times.
    if (const auto tab = indenting_tab(text, error.mark.line))
      throw YamlError(place(*tab, path), "not YAML: found a tab, expected spaces in front of a line");
    throw YamlError(place(error.mark, path), "not YAML: " + error.msg);
  }
}

YAML::Node read_yaml_file(const std::string& path) {
  refuse_kernels(path);
  std::string text;
  try {
    text = read_input_file(path, limits::kYamlBytes);
  } catch (const InputFileError& error) {
    throw YamlError({path, 0, 0}, error.problem());
  }
  return parse_yaml(text, path);
}

}  // namespace heddle
