#include "top/page/report_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "top/config/config_values.h"
#include "top/page/database_runs.h"
#include "top/page/parts/run_part.h"
#include "top/page/reproduction_data.h"
#include "top/support/results.h"
#include "top/support/stats_file.h"
#include "top/support/version.h"
#include "top/text/shell_word.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Totals that sections use; derived metrics, whose names have no dot, are all taken.
constexpr std::array<const char*, 6> kTotals{"sm.ldst.cycles.",      "sm.l1d.",
                                             "sm.texture.",          "sm.thread_instructions",
                                             "sm.warp_instructions", "partition.dram.data_bytes"};

bool is_shown_total(const std::string& name) {
  return std::any_of(kTotals.begin(), kTotals.end(),
                     [&name](const char* beginning) { return name.rfind(beginning, 0) == 0; });
}

Json cost_of(const Json& cost) {
  Json shown{{"bits", cost.at("totals").at("bits_per_sm")},
             {"nand2", cost.at("totals").at("nand2_per_sm").at("total")},
             {"nand2_by_purpose", Json::object()},
             {"structures", Json::array()}};
  for (const auto& [purpose, nand2] : cost.at("totals").at("nand2_per_sm").items())
    shown["nand2_by_purpose"][purpose] = nand2.get<double>();
  for (const Json& row : cost.at("structures")) {
    shown["structures"].push_back({{"block", row.at("block")},
                                   {"structure", row.at("structure")},
                                   {"kind", row.at("kind")},
                                   {"bits", row.at("bits")},
                                   {"paper_bits", row.at("paper_bits")},
                                   {"nand2", row.at("nand2").at("total")},
                                   {"depth_fo4", row.at("depth_fo4")}});
  }
  return shown;
}

/// Half the 95% confidence interval of a run's cycles; 0 of one whose cycles are no estimate.
double half_cycles(const Json& stats) {
  return is_sampled(stats) ? stats.at("sampling").at("half_intervals").at("cycles").get<double>() : 0;
}

class Collector {
 public:
  Collector() : defaults_(config_values({})) {}

  void add(const std::string& folder, const fs::path& path) {
    const Json stats = read_result(path / "stats.json").value_or(Json::object());
    try {
      check_stats_format(stats, (path / "stats.json").string());
      const std::optional<Json> cost = read_result(path / "cost.json");
      add_run(folder, path, stats, cost ? cost_of(*cost) : Json());
    } catch (const Json::exception& error) {
      throw ResultsError(fmt::format("{}: not as this version writes it: {}", path.string(), error.what()));
    }
  }

  void add_database(const std::string& file) {
    const DatabaseRuns found = database_runs(file);
    try {
      for (const DatabaseRun& run : found.runs) add_run(file, run.records, run.stats, run.cost);
    } catch (const Json::exception& error) {
      throw ResultsError(fmt::format("{}: not as this version writes it: {}", file, error.what()));
    }
    points_without_figures_ += found.without_figures;
  }

  /// Of a timed pair, which has no figures of a machine, the log.
  void add_timed_pair(const std::string& folder, const fs::path& path) {
    const fs::path file = path / "thread_blocks.json";
    try {
      const Json log = read_result(file).value_or(Json::object());
      if (!log.contains("pair")) {
        throw ResultsError(fmt::format("{}: there is no stats.json: the run was ended before it was written",
                                       path.string()));
      }
      Json pair{{"folder", folder}, {"label", log.at("pair")}};
      add_parts(pair, path, Json::object());
      timed_pairs_.push_back(std::move(pair));
    } catch (const Json::exception& error) {
      throw ResultsError(fmt::format("{}: not as this version writes it: {}", file.string(), error.what()));
    }
  }

  Json data(const std::vector<std::string>& folders) && {
    for (Json& run : runs_) {
      run["values"].get_ref<Json::array_t&>().resize(names_.size());
    }
    fit_launches(runs_);
    return {{"version", version()},
            {"title", "Heddle report: " + title()},
            {"folders", folders},
            {"defaults", std::move(defaults_)},
            {"metric_names", std::move(names_)},
            {"costs", std::move(costs_)},
            {"first_only", first_only_},
            {"runs", std::move(runs_)},
            {"points_without_figures", points_without_figures_},
            {"timed_pairs", std::move(timed_pairs_)}};
  }

 private:
  void add_run(const std::string& folder, const fs::path& path, const Json& stats, Json cost) {
    const auto text = [&stats](const char* key) { return stats.at(key).get<std::string>(); };
    Json run{{"folder", folder},
             {"workload", text("workload")},
             {"size", text("size")},
             {"scheduler", text("scheduler")},
             {"sampled", is_sampled(stats)},
             {"half_cycles", half_cycles(stats)},
             {"status", text("status")},
             {"command", text("command")},
             {"config_name", stats.at("config").at("name")},
             {"config", Json::object()},
             {"checks", Json::array()}};
    for (const auto& [key, value] : stats.at("config").at("values").items()) {
      if (!defaults_.contains(key) || defaults_.at(key) != value) run["config"][key] = value;
    }
    for (const Json& check : stats.at("checks")) {
      run["checks"].push_back({{"buffer", check.at("buffer")}, {"passed", check.at("passed")}});
    }
    Json values = Json::array();
    for_each_metric(stats.at("metrics"), [&](const std::string& name, const Json& value) {
      if (name.find('.') != std::string::npos && !is_shown_total(name)) return;
      const std::size_t place = place_of(name);
      if (values.size() <= place) values.get_ref<Json::array_t&>().resize(place + 1);
      values[place] = figure_number(name, value);
    });
    run["values"] = std::move(values);
    add_parts(run, path, stats);
    if (!cost.is_null()) run["cost"] = place_of_cost(std::move(cost));
    runs_.push_back(std::move(run));
  }

  /// What single sections need; of a timed pair, which has no `stats`, what its log has.
  void add_parts(Json& run, const fs::path& path, const Json& stats) {
    for (const RunPart& part : run_parts()) {
      if (stats.empty() && !part.of_log) continue;
      std::size_t& runs = runs_with_part_[part.name];
      if (runs == part.most_runs) {
        first_only_.insert(part.name);
        continue;
      }
      Json shown = part.read(path, stats);
      if (shown.is_null()) continue;
      run[part.name] = std::move(shown);
      ++runs;
    }
  }

  std::size_t place_of(const std::string& name) {
    const auto [at, is_new] = places_.emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return at->second;
  }
  std::size_t place_of_cost(Json cost) {
    const auto known = std::find(costs_.begin(), costs_.end(), cost);
    if (known != costs_.end()) return static_cast<std::size_t>(known - costs_.begin());
    costs_.push_back(std::move(cost));
    return costs_.size() - 1;
  }
  /// The programs, or how many.
  std::string title() const {
    if (runs_.empty()) return fmt::format("{} pairs of timed kernels", timed_pairs_.size());
    std::vector<std::string> programs;
    for (const Json& run : runs_) {
      const auto name = run.at("workload").get<std::string>();
      if (std::find(programs.begin(), programs.end(), name) == programs.end()) programs.push_back(name);
    }
    return programs.size() == 1 ? programs.front() : fmt::format("{} programs", programs.size());
  }

  Json defaults_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> names_;
  std::vector<Json> costs_;
  Json runs_ = Json::array();
  Json timed_pairs_ = Json::array();
  std::map<std::string, std::size_t> runs_with_part_;
  std::size_t points_without_figures_ = 0;  ///< of databases
  std::set<std::string> first_only_;        ///< parts of which runs may have been left out
};

/// Throws ResultsError, with all that a report is made of.
void refuse_other_folders(const std::string& folder) {
  std::error_code failed;
  if (!fs::exists(folder, failed))
    throw ResultsError(fmt::format("{}: there is no such folder or database", folder));
  if (!fs::is_directory(folder, failed))
    throw ResultsError(
        fmt::format("{}: expected a folder with results, or a database of `heddle sweep`", folder));
  if (has_runs(folder)) return;
  std::string database;
  for (fs::directory_iterator entries(folder, failed), end; !failed && entries != end;
       entries.increment(failed)) {
    if (entries->path().extension() == ".sqlite") database = entries->path().string();
  }
  throw ResultsError(fmt::format(
      "{}: expected the results of a run (stats.json), folders with those of several, or the numbers of a "
      "paper (PAPER.json){}",
      folder, database.empty() ? "" : "; of a database it is `heddle report " + shell_word(database) + "`"));
}

}  // namespace

Json report_data(const std::vector<std::string>& folders) {
  const auto reproduced =
      static_cast<std::size_t>(std::count_if(folders.begin(), folders.end(), is_reproduction));
  if (reproduced == folders.size()) return reproduction_data(folders);
  if (reproduced != 0) {
    const auto papers = std::find_if(folders.begin(), folders.end(), is_reproduction);
    const auto runs = std::find_if_not(folders.begin(), folders.end(), is_reproduction);
    throw ResultsError(
        fmt::format("{} has figures of papers, {} has not: expected folders of one kind", *papers, *runs));
  }
  Collector collector;
  for (const std::string& folder : folders) {
    if (is_result_database(folder)) {
      collector.add_database(folder);
      continue;
    }
    refuse_other_folders(folder);
    const std::vector<fs::path> timed_pairs = timed_pair_folders(folder);
    for (const fs::path& path : timed_pairs) collector.add_timed_pair(folder, path);
    if (!timed_pairs.empty()) continue;
    for (const fs::path& path : run_folders(folder)) collector.add(folder, path);
  }
  return std::move(collector).data(folders);
}

}  // namespace heddle
