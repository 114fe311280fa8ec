#include "top/experiment/definition/workload_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

#include "base/input_file.h"
#include "base/input_scope.h"
#include "base/nearest_name.h"
#include "top/options/option_parser.h"
#include "top/pairs/arrival.h"
#include "top/pairs/pair_figures.h"
#include "top/pairs/program_parameters.h"
#include "top/support/project_files.h"
#include "top/support/sized_workload.h"
#include "workloads/description/workload_loader.h"
#include "workloads/description/yaml_map.h"
#include "workloads/timed/timed_workload.h"

namespace heddle {

namespace {

constexpr unsigned kMostTogether = 8;
constexpr double kMostInterference = 1000;
constexpr std::size_t kMostSets = 10'000;

/// The ways to say what runs.
constexpr const char* kForms[] = {"workload", "at_once", "pairs_of", "timed"};

class WorkloadReader {
 public:
  WorkloadReader(const std::string& file, const std::string& size) : file_(file), size_(size) {}

  std::vector<ExperimentWorkload> read(const YAML::Node& list) {
    for (const YAML::Node& item : list_items(list, file_, "workloads")) {
      if (item.IsMap()) {
        read_map(item);
      } else {
        add(item, {label_of(located(item)), {located(item)}, {}, size_});
      }
    }
    if (workloads_.empty()) fail(list, "workloads: expected one at least");
    return std::move(workloads_);
  }

 private:
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    throw WorkloadError(mark_of(node, file_), message);
  }

  void add(const YAML::Node& node, ExperimentWorkload workload) {
    if (!labels_.insert(workload.label).second) {
      fail(node, fmt::format("workload '{}' stands twice; the key label gives an entry another name",
                             workload.label));
    }
    if (!workload.timed) workload.parameter_names = check(node, workload);
    workloads_.push_back(std::move(workload));
  }

  /// As RunOptions::workload: a path is relative to the experiment's file.
  std::string located(const YAML::Node& node) const {
    std::string text = scalar_text(node, file_, "workload");
    if (!names_a_file(text)) return text;
    try {
      return resolve_input(file_, text);
    } catch (const InputFileError& error) {
      fail(node, std::string("workload: ") + error.what());
    }
  }

  /// That there are such workloads, with their sizes and parameters, whose names it returns.
  std::vector<std::string> check(const YAML::Node& node, const ExperimentWorkload& entry) const {
    std::vector<std::string> taken;
    std::set<std::string> names;
    for (const std::string& program : entry.programs) {
      const Workload workload = load(node, entry, program);
      taken.push_back(unique_name(workload.name, taken));
      for (const std::string& name : workload.parameter_names()) {
        names.insert(name);
        if (entry.programs.size() > 1) names.insert(taken.back() + "." + name);
      }
    }
    std::vector<std::string> known(names.begin(), names.end());
    for (const auto& [name, value] : entry.parameters) {
      if (names.count(name) != 0) continue;
      fail(node, fmt::format("workload '{}' has no parameter '{}'{}", fmt::join(taken, "+"), name,
                             name_hint(name, known, "parameters")));
    }
    return known;
  }

  Workload load(const YAML::Node& node, const ExperimentWorkload& entry, const std::string& program) const {
    const SizedWorkload sized = SizedWorkload::of(program);
    std::string path;
    try {
      path = ProjectFiles().workload(sized.workload);
    } catch (const FileNotFound& error) {
      fail(node, error.what());
    }
    Workload workload = load_workload(path);
    try {
      workload.size_parameters(sized.size.empty() ? entry.size : sized.size);
    } catch (const std::invalid_argument& error) {
      fail(node, error.what());
    }
    return workload;
  }

  static std::string label_of(const std::string& program) { return SizedWorkload::of(program).name(); }

  static std::string label_of(const std::vector<std::string>& programs) {
    std::string label;
    for (const std::string& program : programs) label += (label.empty() ? "" : "+") + label_of(program);
    return label;
  }

  std::vector<std::string> programs_of(const YAML::Node& list, const std::string& what,
                                       std::size_t least) const {
    std::vector<std::string> programs;
    for (const YAML::Node& item : list_items(list, file_, what)) programs.push_back(located(item));
    if (programs.size() < least)
      fail(list, fmt::format("{}: expected {} workloads at least, found {}", what, least, programs.size()));
    return programs;
  }

  void read_map(const YAML::Node& item) {
    const YamlMap map(item, file_, "workload",
                      {"workload", "at_once", "pairs_of", "timed", "params", "size", "label", "arrivals",
                       "together", "both_orders", "interference"});
    const auto forms = std::count_if(std::begin(kForms), std::end(kForms),
                                     [&map](const char* form) { return map.has(form); });
    if (forms != 1) fail(item, "workload: expected one of the keys workload, at_once, pairs_of and timed");
    ExperimentWorkload workload;
    workload.size = map.text_or("size", size_);
    if (map.has("params")) read_parameters(map.at("params"), workload);
    if (map.has("arrivals")) {
      for (const YAML::Node& text : list_items(map.at("arrivals"), file_, "arrivals"))
        workload.arrivals.push_back(scalar_text(text, file_, "arrivals"));
      if (workload.arrivals.empty()) fail(map.at("arrivals"), "arrivals: expected one at least");
      check_arrivals(map.at("arrivals"), workload.arrivals, file_);
    }
    check_keys(map);
    if (map.has("pairs_of")) {
      add_sets(map, workload);
      return;
    }
    if (map.has("timed")) {
      read_timed(map, workload);
    } else if (map.has("at_once")) {
      workload.programs = programs_of(map.at("at_once"), "at_once", 2);
      if (workload.programs.size() > kMostTogether)
        fail(map.at("at_once"), fmt::format("at_once: expected {} workloads at most", kMostTogether));
    } else {
      workload.programs = {located(map.at("workload"))};
    }
    workload.label = map.text_or("label", label_of(workload.programs));
    add(item, std::move(workload));
  }

  /// Keys that mean nothing in this form.
  void check_keys(const YamlMap& map) const {
    const bool timed = map.has("timed");
    const auto refuse = [&](const char* key, bool allowed, const char* with) {
      if (map.has(key) && !allowed)
        fail(map.at(key), fmt::format("workload, {}: it belongs to {}", key, with));
    };
    refuse("arrivals", !map.has("workload"), "at_once, pairs_of and timed");
    refuse("together", timed || map.has("pairs_of"), "pairs_of and timed");
    refuse("both_orders", map.has("pairs_of"), "pairs_of");
    refuse("interference", timed, "timed");
    refuse("params", !timed, "workloads that execute instructions");
    refuse("size", !timed, "workloads that execute instructions");
    refuse("label", !map.has("pairs_of"), "workload, at_once and timed");
  }

  void read_parameters(const YAML::Node& node, ExperimentWorkload& workload) const {
    for (const auto& [name, value] : map_entries(node, file_, "params")) {
      const std::string text = scalar_text(value, file_, "params, " + name);
      std::int64_t number = 0;
      const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || text.empty() || rest != text.data() + text.size())
        fail(value, fmt::format("params, {}: expected a whole number, found '{}'", name, text));
      workload.parameters[name] = number;
    }
  }

  unsigned together(const YamlMap& map) const {
    if (!map.has("together")) return 2;
    const auto number = option_parser::whole_number(map.text("together"));
    if (number && *number >= 2 && *number <= kMostTogether) return static_cast<unsigned>(*number);
    fail(map.at("together"), fmt::format("together: expected a whole number 2 to {}, found '{}'",
                                         kMostTogether, map.text("together")));
  }

  void add_sets(const YamlMap& map, const ExperimentWorkload& entry) {
    PairPlan plan;
    plan.together = together(map);
    plan.all_orders = map.flag_or("both_orders", false);
    const std::vector<std::string> all = programs_of(map.at("pairs_of"), "pairs_of", plan.together);
    double sets = 1;
    for (unsigned i = 0; i < plan.together; ++i) sets *= static_cast<double>(all.size() - i);
    if (sets > static_cast<double>(kMostSets))
      fail(map.at("pairs_of"), fmt::format("pairs_of: expected at most {} sets", kMostSets));
    for (const std::vector<std::size_t>& set : sets_of(all.size(), plan)) {
      ExperimentWorkload workload = entry;
      for (const std::size_t place : set) workload.programs.push_back(all[place]);
      workload.label = label_of(workload.programs);
      add(map.at("pairs_of"), std::move(workload));
    }
  }

  void read_timed(const YamlMap& map, ExperimentWorkload& workload) const {
    const YAML::Node node = map.at("timed");
    const std::string program = located(node);
    try {
      const std::string path = ProjectFiles().timed_workload(program);
      if (!is_timed_workload(path)) fail(node, fmt::format("timed: '{}' is not of kind timed", program));
      load_timed_workload(path);
    } catch (const FileNotFound& error) {
      fail(node, std::string("timed: ") + error.what());
    }
    workload.timed = true;
    workload.programs = {program};
    workload.together = together(map);
    if (!map.has("interference")) return;
    const std::string text = map.text("interference");
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), workload.interference);
    const bool good = error == std::errc() && rest == text.data() + text.size() &&
                      workload.interference >= 0 && workload.interference <= kMostInterference;
    if (!good)
      fail(map.at("interference"), "interference: expected a number from 0 to 1000, found '" + text + "'");
  }

  const std::string& file_;
  const std::string& size_;
  std::set<std::string> labels_;
  std::vector<ExperimentWorkload> workloads_;
};

}  // namespace

std::vector<ExperimentWorkload> read_workloads(const YAML::Node& node, const std::string& file,
                                               const std::string& size) {
  return WorkloadReader(file, size).read(node);
}

bool names_a_file(const std::string& text) {
  return text.find('/') != std::string::npos || text.find(".yaml") != std::string::npos;
}

void check_arrivals(const YAML::Node& node, const std::vector<std::string>& arrivals,
                    const std::string& file) {
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    try {
      Arrival::parse(arrivals[i]);
    } catch (const std::invalid_argument& error) {
      throw WorkloadError(mark_of(node.IsSequence() ? node[i] : node, file), error.what());
    }
  }
}

}  // namespace heddle
