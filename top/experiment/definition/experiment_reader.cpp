#include "top/experiment/definition/experiment_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/input_file.h"
#include "base/input_scope.h"
#include "base/limits.h"
#include "base/nearest_name.h"
#include "modules/warp_scheduler/policy_registry.h"
#include "top/config/config_error.h"
#include "top/config/config_loader.h"
#include "top/config/config_schema.h"
#include "top/experiment/definition/workload_entry.h"
#include "top/options/option_parser.h"
#include "top/pairs/arrival.h"
#include "top/support/processes/ptxas.h"
#include "top/support/project_files.h"
#include "workloads/description/yaml_file.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

namespace {

constexpr std::uint64_t kMostSeconds = 1'000'000'000;
constexpr std::uint64_t kLeastMemory = kLeastMemoryBytes;
constexpr std::uint64_t kAnyNumber = ~std::uint64_t{0};
constexpr std::uint64_t kMostIntervalCycles = 1'000'000'000;
constexpr std::uint64_t kMostRepetitions = 1000;
constexpr const char* kAxisOfParameter = "param.";  ///< of an axis, before the parameter's name

class Reader {
 public:
  explicit Reader(std::string path) : file_(std::move(path)) {}

  Experiment read(const YAML::Node& root) {
    const YamlMap map(root, file_, "experiment",
                      {"name", "description", "workloads", "configs", "schedulers", "tb_policies", "set",
                       "axes", "arrivals", "seeds", "repetitions", "size", "registers", "limits",
                       "until_cycle", "record", "sample", "metrics", "exceptions"});
    Experiment experiment;
    experiment.name = map.text_or("name", ProjectFiles().experiment_name(file_));
    if (experiment.name.empty() || experiment.name.size() > kLongestName) {
      fail(map.has("name") ? map.at("name") : root,
           fmt::format("name: expected 1 to {} bytes", kLongestName));
    }
    experiment.description = map.text_or("description", "");
    const std::string size = map.text_or("size", "");
    experiment.workloads = read_workloads(map.at("workloads"), file_, size);
    read_machines(map, experiment);
    read_draws(map, experiment);
    experiment.registers = map.text_or("registers", "");
    if (!experiment.registers.empty() && !is_ptxas_request(experiment.registers))
      fail(map.at("registers"), "registers: expected ptxas or ptxas:sm_XX");
    if (map.has("limits")) experiment.limits = limits(map.at("limits"), "limits");
    if (map.has("until_cycle")) {
      experiment.until_cycle = number(map.at("until_cycle"), "until_cycle", 1, kAnyNumber);
      if (experiment.limits.cycles != 0)
        fail(map.at("until_cycle"), "until_cycle: expected it or limits.cycles, found both");
    }
    if (map.has("record")) experiment.record = record(map.at("record"));
    experiment.sample = map.flag_or("sample", false);
    if (const std::string other = experiment.record.needs_all_cycles(); experiment.sample && !other.empty())
      fail(map.at("sample"), fmt::format("sample: record has {}, which is of all cycles", other.substr(2)));
    refuse_for_timed(map, experiment);
    if (map.has("metrics")) read_metrics(map.at("metrics"), experiment);
    if (map.has("exceptions")) read_exceptions(map.at("exceptions"), experiment);
    return experiment;
  }

 private:
  static constexpr std::size_t kLongestName = 100;

  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    throw WorkloadError(mark_of(node, file_), message);
  }

  /// Keys that nothing would come of when all workloads are of kind timed.
  void refuse_for_timed(const YamlMap& map, const Experiment& experiment) const {
    if (!std::all_of(experiment.workloads.begin(), experiment.workloads.end(),
                     [](const ExperimentWorkload& workload) { return workload.timed; }))
      return;
    const auto refuse = [&](const char* key, const char* what) {
      fail(map.at(key),
           fmt::format("{}: it belongs to workloads that execute instructions, all are of kind timed", what));
    };
    for (const char* const key : {"record", "sample", "registers", "until_cycle"}) {
      if (map.has(key)) refuse(key, key);
    }
    if (experiment.limits.cycles != 0) refuse("limits", "limits, cycles");
  }

  /// A value, or a list of values, none twice.
  std::vector<std::string> texts(const YAML::Node& node, const std::string& what) const {
    std::vector<std::string> values;
    if (!node.IsSequence()) return {scalar_text(node, file_, what)};
    for (const YAML::Node& item : list_items(node, file_, what)) {
      const std::string text = scalar_text(item, file_, what);
      if (std::find(values.begin(), values.end(), text) != values.end())
        fail(item, fmt::format("{}: '{}' stands twice", what, text));
      values.push_back(text);
    }
    if (values.empty()) fail(node, what + ": expected a value or a list of some, found an empty list");
    return values;
  }

  std::uint64_t number(const YAML::Node& node, const std::string& what, std::uint64_t low,
                       std::uint64_t high) const {
    const std::string text = scalar_text(node, file_, what);
    const auto value = option_parser::whole_number(text);
    if (value && *value >= low && *value <= high) return *value;
    fail(node,
         fmt::format("{}: expected a whole number {}, found '{}'", what,
                     high == kAnyNumber ? fmt::format("from {} on", low) : fmt::format("{} to {}", low, high),
                     text));
  }

  /// KEY=VALUE, of a key and a value that the configuration has.
  std::string assignment(const YAML::Node& node, const std::string& key, const std::string& value) const {
    std::string text = key + "=" + value;
    try {
      ConfigLoader().set(text);
    } catch (const ConfigError& error) {
      const std::string origin = "--set " + text + ": ";
      const std::string message = error.what();
      fail(node, message.compare(0, origin.size(), origin) == 0 ? message.substr(origin.size()) : message);
    }
    check_scheduler(node, key, key, value);
    return text;
  }

  std::vector<std::string> assignments(const YAML::Node& node, const std::string& what) const {
    std::vector<std::string> all;
    for (const auto& [key, value] : map_entries(node, file_, what))
      all.push_back(assignment(value, key, scalar_text(value, file_, fmt::format("{}, {}", what, key))));
    return all;
  }

  /// When the key is the warp scheduler's.
  void check_scheduler(const YAML::Node& node, const std::string& what, const std::string& key,
                       const std::string& name) const {
    if (key != "scheduler.name") return;
    try {
      find_policies(name);
    } catch (const std::invalid_argument& error) {
      fail(node, fmt::format("{}: {}", what, error.what()));
    }
  }

  void read_machines(const YamlMap& map, Experiment& experiment) const {
    if (map.has("configs")) experiment.configs = configs(map.at("configs"), "configs");
    const auto values_of_key = [&](const char* list, const char* key) {
      std::vector<std::string> values;
      if (!map.has(list)) return values;
      values = texts(map.at(list), list);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const YAML::Node place = map.at(list).IsSequence() ? map.at(list)[i] : map.at(list);
        check_scheduler(place, list, key, values[i]);
        assignment(place, key, values[i]);
      }
      return values;
    };
    experiment.schedulers = values_of_key("schedulers", "scheduler.name");
    experiment.tb_policies = values_of_key("tb_policies", "tb_dispatcher.policy");
    if (map.has("axes")) read_axes(map.at("axes"), experiment);
    if (!map.has("set")) return;
    experiment.assignments = assignments(map.at("set"), "set");
    for (const auto& [key, value] : map_entries(map.at("set"), file_, "set"))
      refuse_second(value, "set", key, experiment);
  }

  /// Of a key that a list of the experiment has already: the value would never be used.
  void refuse_second(const YAML::Node& node, const char* what, const std::string& key,
                     const Experiment& experiment) const {
    const std::string list = experiment.list_with(key);
    if (!list.empty()) fail(node, fmt::format("{}, {}: expected it or {}, found both", what, key, list));
  }

  std::vector<std::string> configs(const YAML::Node& node, const std::string& what) const {
    std::vector<std::string> values = texts(node, what);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const YAML::Node place = node.IsSequence() ? node[i] : node;
      try {
        if (names_a_file(values[i])) values[i] = resolve_input(file_, values[i]);
        ProjectFiles().config(values[i]);
      } catch (const InputFileError& error) {
        fail(place, what + ": " + error.what());
      } catch (const FileNotFound& error) {
        fail(place, what + ": " + error.what());
      }
    }
    return values;
  }

  void read_axes(const YAML::Node& node, Experiment& experiment) const {
    for (const auto& [key, list] : map_entries(node, file_, "axes")) {
      const std::string what = "axes, " + key;
      ExperimentAxis axis{key, {}, mark_of(list, file_).text()};
      refuse_second(list, "axes", key, experiment);
      if (key == "config") {
        if (!experiment.configs.empty()) fail(list, "axes, config: expected it or configs, found both");
        axis.values = configs(list, what);
      } else {
        axis.values = texts(list, what);
        for (std::size_t i = 0; i < axis.values.size(); ++i)
          check_axis_value(list.IsSequence() ? list[i] : list, key, axis.values[i]);
      }
      experiment.axes.push_back(std::move(axis));
    }
  }

  void check_axis_value(const YAML::Node& node, const std::string& key, const std::string& value) const {
    if (key.rfind(kAxisOfParameter, 0) == 0) {
      integer(node, "axes, " + key);
      return;
    }
    assignment(node, key, value);
  }

  std::int64_t integer(const YAML::Node& node, const std::string& what) const {
    const std::string text = scalar_text(node, file_, what);
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && !text.empty() && rest == text.data() + text.size()) return value;
    fail(node, fmt::format("{}: expected a whole number, found '{}'", what, text));
  }

  void read_draws(const YamlMap& map, Experiment& experiment) const {
    if (map.has("arrivals")) {
      experiment.arrivals = texts(map.at("arrivals"), "arrivals");
      check_arrivals(map.at("arrivals"), experiment.arrivals, file_);
    }
    if (map.has("seeds")) {
      experiment.seeds.clear();
      const YAML::Node node = map.at("seeds");
      const std::vector<std::string> values = texts(node, "seeds");
      for (std::size_t i = 0; i < values.size(); ++i)
        experiment.seeds.push_back(number(node.IsSequence() ? node[i] : node, "seeds", 0, kMostSeed));
    }
    if (map.has("repetitions")) {
      experiment.repetitions =
          static_cast<unsigned>(number(map.at("repetitions"), "repetitions", 1, kMostRepetitions));
    }
  }
  /// Repetitions are added to it.
  static constexpr std::uint64_t kMostSeed = std::uint64_t{1} << 62U;

  std::uint64_t memory(const YAML::Node& node, const std::string& what) const {
    const std::string text = scalar_text(node, file_, what);
    const auto bytes = option_parser::size_in_bytes(text);
    if (bytes && *bytes >= kLeastMemory) return *bytes;
    fail(node, fmt::format("{}: expected bytes, also with K, M, G or T, at least {}M, found '{}'", what,
                           kLeastMemory >> 20U, text));
  }

  PointLimits limits(const YAML::Node& node, const std::string& what) const {
    const YamlMap map(node, file_, what, {"seconds", "memory", "cycles"});
    PointLimits limits;
    if (map.has("seconds")) limits.seconds = number(map.at("seconds"), what + ", seconds", 1, kMostSeconds);
    if (map.has("memory")) limits.memory_bytes = memory(map.at("memory"), what + ", memory");
    if (map.has("cycles")) limits.cycles = number(map.at("cycles"), what + ", cycles", 1, kAnyNumber);
    return limits;
  }

  RecordOptions record(const YAML::Node& node) const {
    const YamlMap map(node, file_, "record", {"tb_log", "interval", "profile"});
    RecordOptions record;
    record.tb_log = map.flag_or("tb_log", false);
    record.profile = map.flag_or("profile", false);
    if (map.has("interval"))
      record.interval_cycles = number(map.at("interval"), "record, interval", 1, kMostIntervalCycles);
    return record;
  }

  void read_metrics(const YAML::Node& node, Experiment& experiment) const {
    experiment.metrics = texts(node, "metrics");
    for (std::size_t i = 0; i < experiment.metrics.size(); ++i)
      experiment.metric_places.push_back(mark_of(node.IsSequence() ? node[i] : node, file_).text());
  }

  /// What can be matched in this experiment.
  static std::vector<std::string> label_names(const Experiment& experiment) {
    std::vector<std::string> names{"workload", "arrival", "seed", "repetition"};
    if (!experiment.configs.empty()) names.emplace_back("config");
    if (!experiment.schedulers.empty()) names.emplace_back("scheduler");
    if (!experiment.tb_policies.empty()) names.emplace_back("tb_policy");
    for (const ExperimentAxis& axis : experiment.axes) names.push_back(axis.key);
    return names;
  }

  /// The labels of points say what axes make them: nothing else may.
  void refuse_axes(const YAML::Node& node, const char* what, const char* prefix,
                   const Experiment& experiment) const {
    for (const auto& [name, value] : map_entries(node, file_, fmt::format("exception, {}", what))) {
      for (const ExperimentAxis& axis : experiment.axes) {
        if (axis.key == prefix + name)
          fail(value, fmt::format("exception, {}: '{}' is an axis, whose values points are called by: skip "
                                  "those that are not wanted",
                                  what, name));
      }
    }
  }

  void read_exceptions(const YAML::Node& node, Experiment& experiment) const {
    for (const YAML::Node& item : list_items(node, file_, "exceptions")) {
      const YamlMap map(item, file_, "exception", {"match", "skip", "set", "params", "limits"});
      ExperimentException exception;
      exception.place = map.mark().text();
      for (const auto& [name, globs] : map_entries(map.at("match"), file_, "exception, match")) {
        const std::vector<std::string> known = label_names(experiment);
        if (std::find(known.begin(), known.end(), name) == known.end()) {
          fail(globs, fmt::format("exception, match: the experiment's points have no '{}'{}", name,
                                  name_hint(name, known, "labels")));
        }
        exception.match.emplace_back(name, texts(globs, "exception, match, " + name));
      }
      exception.skip = map.flag_or("skip", false);
      if (map.has("set")) {
        refuse_axes(map.at("set"), "set", "", experiment);
        exception.assignments = assignments(map.at("set"), "exception, set");
      }
      if (map.has("params")) {
        refuse_axes(map.at("params"), "params", kAxisOfParameter, experiment);
        for (const auto& [name, value] : map_entries(map.at("params"), file_, "exception, params"))
          exception.parameters[name] = integer(value, "exception, params, " + name);
      }
      if (map.has("limits")) {
        const PointLimits given = limits(map.at("limits"), "exception, limits");
        if (given.seconds != 0) exception.seconds = given.seconds;
        if (given.memory_bytes != 0) exception.memory_bytes = given.memory_bytes;
        if (given.cycles != 0) exception.cycles = given.cycles;
      }
      if (!exception.skip && !map.has("set") && !map.has("params") && !map.has("limits"))
        fail(item, "exception: expected skip, set, params or limits");
      experiment.exceptions.push_back(std::move(exception));
    }
  }

  std::string file_;
};

}  // namespace

bool is_workload(const std::string& path) {
  try {
    const YAML::Node root = read_yaml_file(path);
    if (!root.IsMap()) return false;
    constexpr const char* kKeysOfWorkloads[] = {"kind", "ptx", "launches", "buffers"};
    return std::any_of(std::begin(kKeysOfWorkloads), std::end(kKeysOfWorkloads),
                       [&root](const char* key) { return root[key].IsDefined(); });
  } catch (const YamlError&) {
    return false;
  }
}

Experiment read_experiment(const std::string& path) {
  try {
    return parse_experiment(read_input_file(path, limits::kYamlBytes), path);
  } catch (const InputFileError& error) {
    throw WorkloadError({path, 0, 0}, error.problem());
  }
}

Experiment parse_experiment(const std::string& text, const std::string& path) {
  return Reader(path).read(parse_yaml(text, path));
}

}  // namespace heddle
