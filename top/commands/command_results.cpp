#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/nearest_name.h"
#include "top/commands/commands.h"
#include "top/experiment/database/result_database.h"
#include "top/experiment/database/result_export.h"
#include "top/support/glob.h"
#include "top/support/results.h"
#include "top/text/table.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;
using For = TableColumn::For;
using Action = ResultsOptions::Action;
using nlohmann::json;

constexpr std::size_t kShownDigits = 12;

/// What `--where` looks at: a column, or a label; nothing when it has none of the name.
std::optional<std::string> value_of(const StoredPoint& point, const std::string& name) {
  const std::pair<const char*, const std::string*> columns[] = {
      {"id", &point.id},           {"workload", &point.workload},  {"config", &point.config},
      {"status", &point.status},   {"host", &point.host},          {"scheduler", &point.scheduler},
      {"message", &point.message}, {"tb_policy", &point.tb_policy}};
  for (const auto& [column, value] : columns) {
    if (name == column) return *value;
  }
  const json labels = json::parse(point.labels, nullptr, false);
  const auto found = labels.is_object() ? labels.find(name) : labels.end();
  return labels.is_object() && found != labels.end() && found->is_string()
             ? std::optional(found->get<std::string>())
             : std::nullopt;
}

bool is_chosen(const StoredPoint& point, const ResultsOptions& options) {
  const auto begins = [&point](const std::string& name) {
    return point.id.compare(0, name.size(), name) == 0;
  };
  if (!options.ids.empty() && std::none_of(options.ids.begin(), options.ids.end(), begins)) return false;
  return std::all_of(options.where.begin(), options.where.end(), [&point](const auto& wanted) {
    const auto value = value_of(point, wanted.first);
    return value && glob_matches(wanted.second, *value);
  });
}

/// Names that no point has are slips.
void check_names(const std::vector<StoredPoint>& points, const ResultsOptions& options) {
  for (const auto& [name, glob] : options.where) {
    const bool known = std::any_of(points.begin(), points.end(), [&name = name](const StoredPoint& point) {
      return value_of(point, name);
    });
    if (!known && !points.empty())
      throw UsageError(
          fmt::format("heddle results: --where {}={}: no point has such a label or column", name, glob));
  }
  for (const std::string& id : options.ids) {
    const bool known = std::any_of(points.begin(), points.end(), [&id](const StoredPoint& point) {
      return point.id.compare(0, id.size(), id) == 0;
    });
    if (!known) throw UsageError(fmt::format("heddle results: there is no point {}", id));
  }
}

std::vector<StoredPoint> points_of(ResultDatabase& database, const std::string& experiment) {
  if (experiment.empty()) return database.points();
  const std::vector<std::string> names = database.experiments();
  if (std::find(names.begin(), names.end(), experiment) == names.end()) {
    throw UsageError(fmt::format("heddle results: --experiment {}: there is none of that name in {}{}",
                                 experiment, database.path(), name_hint(experiment, names, "experiments")));
  }
  std::vector<StoredPoint> points = database.points_of(experiment);
  if (points.empty()) {
    throw UsageError(fmt::format("heddle results: --experiment {}: none of its points in {} has ended yet",
                                 experiment, database.path()));
  }
  return points;
}

std::vector<std::string> metrics_of(ResultDatabase& database, const std::vector<std::string>& globs) {
  std::vector<std::string> found;
  const bool any = !database.metrics().empty();
  for (const std::string& glob : globs) {
    const std::size_t before = found.size();
    for (const std::string& name : database.metrics()) {
      if (glob_matches(glob, name) && std::find(found.begin(), found.end(), name) == found.end())
        found.push_back(name);
    }
    if (any && found.size() == before && glob.find_first_of("*?[") == std::string::npos) {
      const std::vector<std::string> all = database.metrics();
      throw UsageError(fmt::format("heddle results: --metric {}: no point has such a figure{}", glob,
                                   did_you_mean(glob, {all.begin(), all.end()})));
    }
  }
  return found;
}

/// "seed=2 l1d.mshr.entries=16": what no column shows.
std::string further_labels(const StoredPoint& point) {
  std::string text;
  const json labels = json::parse(point.labels, nullptr, false);
  if (!labels.is_object()) return text;
  for (const auto& [name, value] : labels.items()) {
    const bool shown = name == "workload" || name == "config" || name == "scheduler" || name == "tb_policy";
    if (!shown && value.is_string())
      text += (text.empty() ? "" : " ") + name + "=" + value.get<std::string>();
  }
  return text;
}

Table table_of(ResultDatabase& database, const std::vector<StoredPoint>& points,
               const ResultsOptions& options) {
  const bool failed = options.action == Action::kFailed;
  std::vector<std::string> metrics = options.metrics;
  if (!failed && metrics.empty() && !points.empty()) metrics = {"cycles", "ipc_warp"};
  if (!options.metrics.empty()) metrics = metrics_of(database, options.metrics);
  std::vector<TableColumn> columns{{"id", "id", Kind::kText, Rank::kKey},
                                   {"workload", "workload", Kind::kText, Rank::kKey},
                                   {"config", "config", Kind::kText},
                                   {"scheduler", "scheduler", Kind::kText},
                                   {"tb_policy", "TB policy", Kind::kText, Rank::kDetail},
                                   {"labels", "further", Kind::kText},
                                   {"status", "status", Kind::kText, Rank::kKey}};
  if (failed) columns.push_back({"message", "reason", Kind::kText});
  columns.push_back({"command", "command", Kind::kText, Rank::kDetail, failed ? For::kAll : For::kPrograms});
  std::vector<std::map<std::string, double>> values;
  for (const std::string& metric : metrics) {
    columns.push_back({metric, heading_with_unit(metric, database.unit(metric)), Kind::kFigure});
    values.push_back(database.values(metric));
  }
  columns.insert(columns.end(), {{"wall_seconds", "seconds", Kind::kTenths, Rank::kDetail},
                                 {"peak_memory_bytes", "memory, bytes", Kind::kWhole, Rank::kDetail},
                                 {"attempts", "attempts", Kind::kWhole, Rank::kDetail},
                                 {"host", "host", Kind::kText, Rank::kDetail}});
  Table table(columns);
  const bool people = options.format == OutputFormat::kText || options.format == OutputFormat::kMarkdown;
  for (const StoredPoint& point : points) {
    std::vector<Table::Cell> row{people ? point.id.substr(0, kShownDigits) : point.id,
                                 point.workload,
                                 point.config,
                                 point.scheduler,
                                 point.tb_policy,
                                 further_labels(point),
                                 point.status};
    if (failed) row.emplace_back(point.message);
    row.emplace_back(point.command);
    for (const auto& of_metric : values) {
      const auto found = of_metric.find(point.id);
      row.push_back(found == of_metric.end() ? Table::Cell() : Table::Cell(found->second));
    }
    row.insert(row.end(), {point.wall_seconds, point.peak_memory_bytes, point.attempts, point.host});
    table.add(std::move(row));
  }
  return table;
}

void print_export(ResultDatabase& database, const std::vector<StoredPoint>& points,
                  const ResultsOptions& options) {
  const std::vector<std::string> chosen = metrics_of(database, options.metrics);
  const std::set<std::string> names(chosen.begin(), chosen.end());
  const auto wanted = [&](const std::string& metric) {
    return options.metrics.empty() || names.count(metric) != 0;
  };
  const auto print = [](const std::string& line) { fmt::print("{}", line); };
  if (options.wide) {
    export_wide(database, points, wanted, print);
  } else {
    export_long(database, points, wanted, print);
  }
}

void forget(ResultDatabase& database, const std::vector<StoredPoint>& points) {
  std::vector<std::string> ids;
  for (const StoredPoint& point : points) ids.push_back(point.id);
  const std::size_t removed = database.forget(ids);
  for (const std::string& id : ids) {
    std::error_code ignored;
    std::filesystem::remove_all(std::filesystem::path(database.path() + ".records") / id, ignored);
  }
  fmt::print("{} points removed\n", removed);
}

}  // namespace

ExitCode results_command(const ResultsOptions& options) {
  const bool writes = options.action == Action::kForget;
  const std::string path = options.database.empty() ? SweepOptions::kDatabase : options.database;
  std::error_code ignored;
  if (writes && !std::filesystem::exists(path, ignored))
    throw ResultsError(path + ": there is no such database of results");
  ResultDatabase database(path, writes ? ResultDatabase::Access::kWrite : ResultDatabase::Access::kRead);
  std::vector<StoredPoint> points = points_of(database, options.experiment);
  check_names(points, options);
  points.erase(std::remove_if(points.begin(), points.end(),
                              [&](const StoredPoint& point) {
                                return !is_chosen(point, options) ||
                                       (options.action == Action::kFailed && point.done());
                              }),
               points.end());
  switch (options.action) {
    case Action::kExport:
      print_export(database, points, options);
      break;
    case Action::kForget:
      forget(database, points);
      break;
    default:
      fmt::print("{}", table_of(database, points, options).print(options.format));
      break;
  }
  return ExitCode::kOk;
}

}  // namespace heddle
