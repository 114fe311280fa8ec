#include "top/page/database_runs.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <string_view>
#include <utility>

#include "top/config/config_error.h"
#include "top/config/config_values.h"
#include "top/experiment/database/result_database.h"
#include "top/options/command_config.h"
#include "top/options/options.h"
#include "top/support/processes/exit_code.h"
#include "top/support/project_files.h"
#include "top/support/results.h"
#include "top/support/sized_workload.h"
#include "top/support/stats_file.h"
#include "top/text/shell_word.h"

namespace heddle {

namespace {

using Json = nlohmann::json;

/// What every file of SQLite begins with.
constexpr std::string_view kSqliteBegin = "SQLite format 3";

/// The machine that a point's command asks for.
Json config_of(const StoredPoint& point, const std::string& file) {
  std::vector<std::string> words = shell_words(point.command);
  if (!words.empty()) words.erase(words.begin());  // "heddle"
  try {
    const CommandLine line = parse_command_line(words);
    if (line.run) {
      const GpuConfig config = load_command_config(line.run->config, line.run->scheduler).config;
      return {{"name", config.name}, {"values", config_values(config)}};
    }
  } catch (const UsageError& error) {
    throw ResultsError(fmt::format("{}: '{}': {}", file, point.command, error.what()));
  } catch (const ConfigError& error) {
    throw ResultsError(fmt::format("{}: '{}': {}", file, point.command, error.what()));
  } catch (const FileNotFound& error) {
    throw ResultsError(fmt::format("{}: '{}': {}", file, point.command, error.what()));
  }
  throw ResultsError(fmt::format("{}: expected the command of a run, found '{}'", file, point.command));
}

/// Figures by their full names.
using Figures = std::map<std::string, Json>;

Json metrics_of(const Figures& figures) {
  Json metrics = Json::object();
  for (const auto& [name, value] : figures) metrics[name] = value;
  return metrics;
}

Json multiprogram_of(const Figures& figures) {
  Json values = Json::object();
  for (const char* name : {"stp", "antt", "strict_f"}) {
    const auto found = figures.find(std::string("multiprogram.") + name);
    if (found != figures.end()) values[name] = found->second;
  }
  return values;
}

Json cost_of(const Figures& figures) {
  const auto bits = figures.find("cost.bits_per_sm");
  const auto nand2 = figures.find("cost.nand2_per_sm");
  if (bits == figures.end() || nand2 == figures.end()) return nullptr;
  return {{"bits", bits->second},
          {"nand2", nand2->second},
          {"nand2_by_purpose", Json::object()},
          {"structures", Json::array()}};
}

Json sampling_of(const Figures& figures) {
  const auto half = figures.find(half_interval_name("cycles"));
  if (half == figures.end()) return {{"sampled", false}};
  return {{"sampled", true}, {"half_intervals", {{"cycles", half->second}}}};
}

Json stats_of(ResultDatabase& database, const StoredPoint& point, const Figures& figures) {
  const SizedWorkload sized = SizedWorkload::of(point.workload);
  Json stats{{"workload", sized.workload},
             {"size", sized.size},
             {"scheduler", point.scheduler},
             {"status", point.done() ? "complete" : point.status},
             {"sampling", sampling_of(figures)},
             {"command", point.command},
             {"config", config_of(point, database.path())},
             {"checks", Json::array()},
             {"metrics", metrics_of(figures)},
             {"launches", database.detail(point.id, "launches")}};
  if (!stats.at("launches").is_array()) stats["launches"] = Json::array();
  const auto checks = figures.find("checks");
  const bool failed = static_cast<ExitCode>(point.code) == ExitCode::kCheckFailed;
  if (failed || (point.done() && checks != figures.end() && checks->second > 0)) {
    stats["checks"].push_back({{"buffer", "outputs"}, {"passed", !failed}});
  }
  // A run whose outputs are wrong has come to its end.
  if (failed) stats["status"] = "complete";
  if (Json energy = database.detail(point.id, "energy"); energy.is_object())
    stats["energy"] = std::move(energy);
  if (Json streams = database.detail(point.id, "streams"); streams.is_array()) {
    stats["streams"] = std::move(streams);
    stats["multiprogram"] = multiprogram_of(figures);
  }
  return stats;
}

}  // namespace

bool is_result_database(const std::string& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return false;
  std::string begin(kSqliteBegin.size(), '\0');
  std::ifstream(file, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == kSqliteBegin;
}

DatabaseRuns database_runs(const std::string& file) {
  ResultDatabase database(file, ResultDatabase::Access::kRead);
  std::map<std::string, Figures> figures;
  database.for_each_figure([&figures](const StoredFigure& figure) {
    figures[figure.id][figure.metric] =
        figure.whole ? Json(static_cast<std::uint64_t>(figure.value)) : Json(figure.value);
  });
  DatabaseRuns found;
  for (const StoredPoint& point : database.points()) {
    const auto own = figures.find(point.id);
    if (own == figures.end() || own->second.count("cycles") == 0) {
      ++found.without_figures;
      continue;
    }
    found.runs.push_back({stats_of(database, point, own->second), cost_of(own->second),
                          std::filesystem::path(file + ".records") / point.id});
  }
  if (found.runs.empty()) {
    throw ResultsError(
        fmt::format("{}: expected points of `heddle sweep` with figures of runs, found {} without", file,
                    found.without_figures));
  }
  return found;
}

}  // namespace heddle
