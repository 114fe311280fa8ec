#include "top/report/stats/found_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/nearest_name.h"
#include "top/support/glob.h"
#include "top/support/results.h"
#include "top/support/stats_file.h"

namespace heddle {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// Collects what the patterns match.
class Finder {
 public:
  explicit Finder(const StatsOptions& query) : query_(query), used_(query.patterns.size()) {}

  void add_run(const std::filesystem::path& folder) {
    const std::string file = (folder / "stats.json").string();
    const OrderedJson stats = read_ordered_result(folder / "stats.json").value_or(OrderedJson::object());
    try {
      check_stats_format(stats, file);
      definitions_ = &stats.at("definitions");
      FoundFigure figure;
      figure.run = folder.string();
      figure.workload = stats.at("workload").get<std::string>();
      const auto size = stats.at("size").get<std::string>();
      if (!size.empty()) figure.workload += ":" + size;
      figure.scheduler = stats.at("scheduler").get<std::string>();
      figure.status = run_status(stats);
      switch (query_.of) {
        case StatsOptions::Of::kRuns:
          return add_metrics(stats.at("metrics"), figure);
        case StatsOptions::Of::kLaunches:
          for (const OrderedJson& launch : stats.at("launches")) {
            figure.launch = whole_number(launch.at("id"));
            figure.kernel = launch.at("kernel").get<std::string>();
            add_metrics(launch.at("metrics"), figure);
          }
          return;
        case StatsOptions::Of::kBlocks:
          return add_blocks(stats.at("instances"), figure);
      }
    } catch (const OrderedJson::exception& error) {
      throw ResultsError(fmt::format("{}: not as this version writes it: {}", file, error.what()));
    }
  }

  std::vector<FoundFigure> found() && {
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (used_[i]) continue;
      throw ResultsError(fmt::format("no figure is called '{}'{}", query_.patterns[i],
                                     did_you_mean(query_.patterns[i], {names_.begin(), names_.end()})));
    }
    return std::move(found_);
  }

 private:
  void add_metrics(const OrderedJson& metrics, FoundFigure figure) {
    for_each_metric(metrics, [&](const std::string& name, const OrderedJson& value) {
      if (wanted(name)) add(figure, name, value);
    });
  }

  void add_blocks(const OrderedJson& instances, FoundFigure figure) {
    for (const auto& [kind, figures] : instances.items()) {
      const OrderedJson& blocks = figures.at(kBlockNames);
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        figure.block = blocks[b].get<std::string>();
        for (const auto& [name, values] : figures.items()) {
          if (name == kBlockNames || values.at(b).is_null()) continue;
          const std::string metric = kind.empty() ? name : kind + "." + name;
          if (wanted(metric, figure.block + "." + name)) add(figure, metric, values[b]);
        }
      }
    }
  }

  /// Whether a pattern matches one of the names; all that match have been used then.
  bool wanted(const std::string& name, const std::string& own_name = "") {
    names_.insert(name);
    bool any = query_.patterns.empty();
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (!glob_matches(query_.patterns[i], name) && !glob_matches(query_.patterns[i], own_name)) continue;
      used_[i] = true;
      any = true;
    }
    return any;
  }

  void add(FoundFigure figure, const std::string& name, const OrderedJson& value) {
    if (value.is_structured()) {
      throw OrderedJson::type_error::create(
          302, fmt::format("'{}' is {}, expected a figure", name, value.type_name()), &value);
    }
    figure.metric = name;
    figure.value = value;
    if (const OrderedJson* const definition = find_metric(*definitions_, name)) {
      figure.unit = definition->at(kUnit).get<std::string>();
      figure.description = definition->at(kDescription).get<std::string>();
    }
    found_.push_back(std::move(figure));
  }

  const StatsOptions& query_;
  std::vector<bool> used_;       ///< by pattern: it has matched
  std::set<std::string> names_;  ///< of all figures, to say what may have been meant
  const OrderedJson* definitions_ = nullptr;
  std::vector<FoundFigure> found_;
};

}  // namespace

std::vector<FoundFigure> find_figures(const StatsOptions& query) {
  Finder finder(query);
  for (const std::string& folder : query.folders) {
    for (const std::filesystem::path& run : run_folders(folder)) finder.add_run(run);
  }
  return std::move(finder).found();
}

}  // namespace heddle
