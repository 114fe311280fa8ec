#include "workloads/description/workload_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/limits.h"
#include "base/nearest_name.h"
#include "workloads/checks/references.h"
#include "workloads/description/buffer_loader.h"
#include "workloads/description/init_loader.h"
#include "workloads/description/known_names.h"
#include "workloads/description/ptx_file_loader.h"
#include "workloads/description/statement_loader.h"
#include "workloads/description/texture_loader.h"
#include "workloads/description/transfer_loader.h"
#include "workloads/description/workload_name.h"
#include "workloads/description/yaml_file.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

namespace {

/// `root`, unless it is of a kind: only workloads of other kinds say theirs.
const YAML::Node& launching_kernels(const YAML::Node& root, const std::string& path) {
  if (!root.IsMap() || !root["kind"]) return root;
  const YAML::Node kind = root["kind"];
  throw WorkloadError(
      mark_of(kind, path),
      fmt::format("found a workload of kind {}, expected one that launches kernels of a PTX file "
                  "and has no kind; `heddle pairs` takes one of kind timed, by itself",
                  kind.IsScalar() ? kind.Scalar() : "that is no text"));
}

/// Fills a Workload from the top-level map, in the order in which later keys refer to earlier ones.
class WorkloadLoader {
 public:
  WorkloadLoader(const YAML::Node& root, const std::string& path)
      : root_(launching_kernels(root, path), path, "workload",
              {"name", "description", "ptx", "parameters", "sizes", "buffers", "textures", "launches",
               "streams", "checks", "dump"}) {
    workload_.file = path;
  }

  Workload load() {
    workload_.name = root_.text_or("name", std::filesystem::path(workload_.file).stem().string());
    const std::string problem = name_problem(workload_.name);
    if (!problem.empty()) {
      const SourceMark mark = root_.has("name") ? root_.mark("name") : SourceMark{file(), 0, 0};
      throw WorkloadError(
          mark, fmt::format("name: {}{}", problem,
                            root_.has("name") ? "" : "; the file is called so, `name` can say another"));
    }
    workload_.description = root_.text_or("description", "");
    workload_.ptx = load_ptx_files(root_.at("ptx"), file());
    load_parameters();
    load_sizes();
    load_buffers();
    load_texture_map();
    load_launches();
    load_checks();
    if (root_.has("dump")) workload_.dumps = load_dumps(root_.at("dump"), workload_);
    return std::move(workload_);
  }

 private:
  const std::string& file() const { return workload_.file; }

  void check_count(std::size_t found, std::uint64_t most, const std::string& key) const {
    if (found <= most) return;
    throw WorkloadError(root_.mark(key), fmt::format("{}: expected at most {}, found {}", key, most, found));
  }

  void load_parameters() {
    if (!root_.has("parameters")) {
      return;
    }
    const auto entries = map_entries(root_.at("parameters"), file(), "parameters");
    check_count(entries.size(), limits::kParameters, "parameters");
    for (const auto& [name, node] : entries) {
      if (name == "i") {
        throw WorkloadError(mark_of(node, file()), "parameters: 'i' is the element index of formulas");
      }
      workload_.parameters.emplace_back(
          name, parameters_only(parse_expression(node, file(), "parameter '" + name + "'")));
    }
    workload_.scope({});
  }

  void load_sizes() {
    if (!root_.has("sizes")) {
      return;
    }
    for (const auto& [size, node] : map_entries(root_.at("sizes"), file(), "sizes")) {
      const std::string what = fmt::format("size '{}'", size);
      const YamlMap map(node, file(), what, workload_.parameter_names());
      std::map<std::string, std::int64_t>& values = workload_.sizes[size];
      for (const auto& entry : map_entries(node, file(), what)) {
        values[entry.first] = KnownNames({}).check(map.expression(entry.first)).evaluate_integer({});
      }
    }
  }

  void load_buffers() {
    if (!root_.has("buffers")) {
      return;
    }
    const auto entries = map_entries(root_.at("buffers"), file(), "buffers");
    check_count(entries.size(), limits::kBuffers, "buffers");
    const std::vector<std::string> parameters = workload_.parameter_names();
    for (const auto& [name, node] : entries) {
      if (std::find(parameters.begin(), parameters.end(), name) != parameters.end()) {
        throw WorkloadError(mark_of(node, file()),
                            fmt::format("buffer '{}': a parameter has the same name", name));
      }
      workload_.buffers.push_back(load_buffer(name, node, workload_));
    }
    for (const BufferSpec& buffer : workload_.buffers) check_addresses(buffer.init, workload_);
  }

  void load_texture_map() {
    if (!root_.has("textures")) return;
    workload_.textures = load_textures(root_.at("textures"), workload_);
    check_count(workload_.textures.size(), limits::kTextures, "textures");
  }

  void load_launches() {
    StatementLoader loader(workload_);
    if (!root_.has("streams")) {
      workload_.launches = loader.load(root_.at("launches"), "launches");
      return;
    }
    if (root_.has("launches")) {
      throw WorkloadError(root_.mark("streams"), "workload: expected launches or streams, found both");
    }
    workload_.streams = loader.load_streams(root_.at("streams"));
    check_count(workload_.streams.size(), limits::kStreams, "streams");
  }

  void load_checks() {
    if (!root_.has("checks")) {
      return;
    }
    for (const YAML::Node& node : list_items(root_.at("checks"), file(), "checks")) {
      const YamlMap map(
          node, file(), "check",
          {"buffer", "first", "count", "stride", "reference", "file", "sum", "absolute", "relative"});
      CheckSpec check;
      check.mark = map.mark();
      check.part = load_part(map, workload_, KnownNames(workload_.parameter_names()));
      check.stride = parameters_only(map.expression_or("stride", "1"));
      if (int{map.has("reference")} + int{map.has("file")} + int{map.has("sum")} != 1) {
        throw WorkloadError(check.mark, "check: expected exactly one of reference, file, sum");
      }
      if (map.has("reference")) {
        check.reference = map.text("reference");
        require_reference(check.reference, map.mark("reference"));
      } else if (map.has("file")) {
        check.kind = CheckSpec::Kind::kFile;
        check.path = map.path("file");
      } else {
        check.kind = CheckSpec::Kind::kSum;
        check.sum = parameters_only(map.expression("sum"));
      }
      check.absolute = parameters_only(map.expression_or("absolute", "0"));
      check.relative = parameters_only(map.expression_or("relative", "0"));
      workload_.checks.push_back(std::move(check));
    }
  }

  static void require_reference(const std::string& name, const SourceMark& mark) {
    if (find_reference(name) == nullptr) {
      throw WorkloadError(mark, fmt::format("unknown reference '{}'{}", name,
                                            name_hint(name, reference_names(), "references")));
    }
  }

  MarkedExpression parameters_only(MarkedExpression expression) const {
    return KnownNames(workload_.parameter_names()).check(std::move(expression));
  }

  YamlMap root_;
  Workload workload_;
};

}  // namespace

Workload load_workload_text(const std::string& text, const std::string& path) {
  return WorkloadLoader(parse_yaml(text, path), path).load();
}

Workload load_workload(const std::string& path) { return WorkloadLoader(read_yaml_file(path), path).load(); }

}  // namespace heddle
