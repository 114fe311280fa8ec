#include "top/experiment/database/result_database.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "top/experiment/database/point_row.h"
#include "top/experiment/database/result_schema.h"
#include "top/intervals/sqlite_database.h"
#include "top/support/network_file_system.h"
#include "top/support/output/atomic_file.h"
#include "top/support/results.h"
#include "top/support/stats_file.h"
#include "top/support/version.h"

namespace heddle {

namespace {

using nlohmann::json;

constexpr const char* kLaunches = "launches";

/// The point as an experiment has it that is not the one that ran it: its labels, and the columns that are
/// labels, which say nothing where it has none.
StoredPoint under_labels(StoredPoint point, std::string labels) {
  const json names = json::parse(labels);
  point.workload = names.value("workload", "");
  point.config = names.value("config", "");
  point.labels = std::move(labels);
  return point;
}

json labels_json(const PointLabels& labels) {
  json root = json::object();
  for (const auto& [name, value] : labels) root[name] = value;
  return root;
}

std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::uint64_t pragma(const SqliteDatabase& database, const std::string& name) {
  SqliteStatement query(database, "PRAGMA " + name);
  return query.step() ? query.number(0) : 0;
}

void remove_parts(const SqliteDatabase& database, std::uint64_t point) {
  for (const char* const table : {"figures", "details", "launches"}) {
    SqliteStatement remove(database, fmt::format("DELETE FROM {} WHERE point = ?", table));
    remove.bind(0, point).run();
  }
}

/// Binds values one after the other.
class Binder {
 public:
  explicit Binder(SqliteStatement& statement) : statement_(statement) {}
  template <class Value>
  Binder& operator<<(const Value& value) {
    if constexpr (std::is_convertible_v<Value, std::string_view>) {
      statement_.bind(place_++, std::string_view(value));
    } else if constexpr (std::is_floating_point_v<Value>) {
      statement_.bind(place_++, double{value});
    } else {
      statement_.bind(place_++, static_cast<std::uint64_t>(value));
    }
    return *this;
  }

 private:
  SqliteStatement& statement_;
  int place_ = 0;
};

}  // namespace

void ResultDatabase::fail(const std::string& problem) const {
  throw OutputError(fmt::format("{}: {}", path_, problem));
}

template <class Use>
auto ResultDatabase::use(const Use& use) -> decltype(use()) {
  try {
    return use();
  } catch (const SqliteError& error) {
    const std::string what = error.what();
    for (const char* const damage : {"malformed", "not a database", "no such table", "no such column"}) {
      if (what.find(damage) != std::string::npos)
        throw ResultsError(fmt::format("{}: damaged, or no database of results: {}", path_, what));
    }
    fail("can't be used: " + what);
  } catch (const json::exception& error) {
    throw ResultsError(fmt::format("{}: damaged: {}", path_, error.what()));
  }
}

template <class Use>
void ResultDatabase::in_transaction(const Use& work) {
  use([&] {
    database_->execute("BEGIN IMMEDIATE");
    try {
      work();
      database_->execute("COMMIT");
    } catch (...) {
      metrics_.clear();  // those that are new are not there after all
      try {
        database_->execute("ROLLBACK");
      } catch (const SqliteError&) {  // it was done already: the first error is the one to tell
      }
      throw;
    }
  });
}

ResultDatabase::ResultDatabase(std::string path, Access access) : path_(std::move(path)) {
  use([&] { open(access); });
}

ResultDatabase::~ResultDatabase() = default;

void ResultDatabase::open(Access access) {
  namespace fs = std::filesystem;
  std::error_code error;
  const bool there = access != Access::kMemory && fs::exists(path_, error);
  if (there && fs::is_directory(path_, error)) fail("expected a database, found a folder");
  if (access != Access::kMemory && !path_.empty() && fs::path(path_).filename().empty())
    fail("expected the name of a database, found that of a folder");
  if (access != Access::kWrite) {
    if (there) database_ = std::make_unique<SqliteDatabase>(path_, SqliteDatabase::Access::kSharedRead);
    if (there && !is_empty()) {
      check_schema();
    } else if (access == Access::kRead) {
      throw ResultsError(path_ + (there ? ": has no results yet" : ": there is no such database of results"));
    } else {
      database_ = std::make_unique<SqliteDatabase>();
      make_tables();
    }
    return;
  }
  const fs::path folder = fs::path(path_).parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) fail("can't create its folder: " + error.message());
  expect_own_disk(there ? path_ : folder.empty() ? "." : folder.string());
  database_ = std::make_unique<SqliteDatabase>(path_, SqliteDatabase::Access::kShared);
  in_transaction([&] {
    if (is_empty()) {
      make_tables();
    } else {
      check_schema();
    }
  });
}

/// The write-ahead log needs locks, and memory that all who use it share.
void ResultDatabase::expect_own_disk(const std::string& place) const {
  const std::string system = network_file_system_of(place);
  if (system.empty()) return;
  fail(fmt::format(
      "is on a network file system ({}), where a database can be damaged; expected a disk of this machine: "
      "name a file on one with --db",
      system));
}

/// Of somebody who was killed before he made the tables.
bool ResultDatabase::is_empty() {
  SqliteStatement tables(*database_, "SELECT count(*) FROM sqlite_schema");
  tables.step();
  return tables.number(0) == 0 && pragma(*database_, "application_id") == 0;
}

void ResultDatabase::make_tables() {
  database_->execute(kResultsTables);
  database_->execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kResultsApplication,
                                 kResultsVersion));
}

void ResultDatabase::check_schema() {
  if (pragma(*database_, "application_id") != kResultsApplication)
    throw ResultsError(path_ + ": a database, but none of results of Heddle");
  const std::uint64_t version = pragma(*database_, "user_version");
  if (version == kResultsVersion) return;
  throw ResultsError(
      fmt::format("{}: has version {}, written by another version of Heddle; this one reads {}", path_,
                  version, kResultsVersion));
}

std::optional<StoredPoint> ResultDatabase::find(const std::string& id) {
  return use([&]() -> std::optional<StoredPoint> {
    SqliteStatement query(*database_, fmt::format("SELECT {} FROM points p WHERE p.id = ?", kPointColumns));
    query.bind(0, std::string_view(id));
    return query.step() ? std::optional(point_in(query)) : std::nullopt;
  });
}

std::vector<StoredPoint> ResultDatabase::points() {
  return use([&] {
    SqliteStatement query(*database_, fmt::format("SELECT {} FROM points p ORDER BY p.point", kPointColumns));
    std::vector<StoredPoint> points;
    while (query.step()) points.push_back(point_in(query));
    return points;
  });
}

std::vector<StoredPoint> ResultDatabase::points_of(const std::string& experiment) {
  return use([&] {
    SqliteStatement query(
        *database_,
        fmt::format("SELECT {}, x.labels FROM experiments e JOIN experiment_points x USING (experiment) JOIN "
                    "points p USING (id) WHERE e.name = ? ORDER BY x.place",
                    kPointColumns));
    query.bind(0, std::string_view(experiment));
    std::vector<StoredPoint> points;
    while (query.step()) points.push_back(under_labels(point_in(query), query.text(kNumPointColumns)));
    return points;
  });
}

std::vector<std::string> ResultDatabase::experiments() {
  return use([&] {
    SqliteStatement query(*database_, "SELECT name FROM experiments ORDER BY name");
    std::vector<std::string> names;
    while (query.step()) names.push_back(query.text(0));
    return names;
  });
}

std::uint64_t ResultDatabase::metric(const PointFigure& figure) {
  const auto known = metrics_.find(figure.name);
  if (known != metrics_.end()) return known->second;
  SqliteStatement insert(*database_, "INSERT OR IGNORE INTO metrics(name, unit, description) VALUES(?,?,?)");
  Binder(insert) << figure.name << figure.unit << figure.description;
  insert.run();
  SqliteStatement query(*database_, "SELECT metric FROM metrics WHERE name = ?");
  query.bind(0, std::string_view(figure.name));
  query.step();
  return metrics_[figure.name] = query.number(0);
}

void ResultDatabase::store_one(const Entry& entry) {
  const PointResult& result = entry.result;
  const RunIdentity& run = entry.identity.run;
  const Point& point = *entry.point;
  const std::string command = point.timed ? fmt::format("heddle pairs {}", point.timed->workloads.front())
                                          : point.run.model_command();
  SqliteStatement insert(
      *database_,
      "INSERT INTO points(id, program, configuration, inputs, energy, version, workload, config, scheduler, "
      "tb_policy, labels, command, status, code, message, limit_seconds, limit_memory_bytes, limit_cycles, "
      "host, "
      "began, wall_seconds, cpu_seconds, peak_memory_bytes, cycles_per_second, records, attempts) "
      "VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,1) "
      "ON CONFLICT(id) DO UPDATE SET status = excluded.status, code = excluded.code, message = "
      "excluded.message, "
      "limit_seconds = excluded.limit_seconds, limit_memory_bytes = excluded.limit_memory_bytes, "
      "host = excluded.host, began = excluded.began, wall_seconds = excluded.wall_seconds, "
      "cpu_seconds = excluded.cpu_seconds, peak_memory_bytes = excluded.peak_memory_bytes, "
      "cycles_per_second = excluded.cycles_per_second, records = excluded.records, attempts = attempts + 1");
  Binder(insert) << entry.identity.id() << run.program << run.configuration << run.workload
                 << entry.identity.energy << version() << label_of(point.labels, "workload")
                 << (point.timed ? point.timed->config.config : point.run.config.config)
                 << entry.machine.scheduler << entry.machine.tb_policy << dump(labels_json(point.labels))
                 << command << result.status() << result.code << result.message << point.limits.seconds
                 << point.limits.memory_bytes << point.limits.cycles << result.host << result.began
                 << result.wall_seconds << result.cpu_seconds << result.peak_memory_bytes
                 << result.cycles_per_second << entry.records;
  insert.run();
  SqliteStatement query(*database_, "SELECT point FROM points WHERE id = ?");
  query.bind(0, std::string_view(entry.identity.id()));
  query.step();
  const std::uint64_t number = query.number(0);
  remove_parts(*database_, number);
  SqliteStatement figures(*database_, "INSERT OR REPLACE INTO figures VALUES(?,?,?)");
  for (const PointFigure& figure : result.figures) {
    figures.bind(0, number).bind(1, metric(figure));
    if (figure.value.is_number_integer()) {
      figures.bind(2, figure.value.get<std::uint64_t>());
    } else {
      figures.bind(2, figure.value.get<double>());
    }
    figures.run();
  }
  if (result.details.is_object()) store_details(number, result.details);
}

void ResultDatabase::store_details(std::uint64_t point, const json& details) {
  SqliteStatement insert(*database_, "INSERT INTO details VALUES(?,?,?)");
  for (const auto& [name, value] : details.items()) {
    if (name == kLaunches) {
      store_launches(point, value);
      continue;
    }
    Binder(insert) << point << name << dump(value);
    insert.run();
  }
}

std::uint64_t ResultDatabase::layout(const std::string& names) {
  SqliteStatement insert(*database_, "INSERT OR IGNORE INTO layouts(names) VALUES(?)");
  insert.bind(0, std::string_view(names)).run();
  SqliteStatement query(*database_, "SELECT layout FROM layouts WHERE names = ?");
  query.bind(0, std::string_view(names));
  query.step();
  return query.number(0);
}

/// Names stand once for all launches that have the same.
void ResultDatabase::store_launches(std::uint64_t point, const json& launches) {
  SqliteStatement insert(*database_, "INSERT INTO launches VALUES(?,?,?,?,?,?)");
  std::string last_names;
  std::uint64_t last_layout = 0;
  std::uint64_t place = 0;
  for (const json& launch : launches) {
    json names = json::array();
    json values = json::array();
    for_each_metric(launch.at("metrics"), [&](const std::string& name, const json& value) {
      names.push_back(name);
      values.push_back(value);
    });
    json about = launch;
    about.erase("metrics");
    const std::string text = dump(names);
    if (text != last_names) {
      last_layout = layout(text);
      last_names = text;
    }
    Binder(insert) << point << place++ << launch.at("kernel").get<std::string>() << dump(about) << last_layout
                   << dump(values);
    insert.run();
  }
}

json ResultDatabase::launches(const std::string& id) {
  SqliteStatement query(
      *database_,
      "SELECT l.about, y.names, l.\"values\" FROM points p JOIN launches l USING (point) JOIN "
      "layouts y USING (layout) WHERE p.id = ? ORDER BY l.launch");
  query.bind(0, std::string_view(id));
  json all;
  while (query.step()) {
    json launch = json::parse(query.text(0));
    const json names = json::parse(query.text(1));
    const json values = json::parse(query.text(2));
    json& metrics = launch["metrics"] = json::object();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const MetricName name(names[i].get<std::string>());
      (name.scope.empty() ? metrics : metrics[name.scope])[name.name] = values.at(i);
    }
    all.push_back(std::move(launch));
  }
  return all;
}

void ResultDatabase::store(const std::vector<Entry>& entries) {
  in_transaction([&] {
    for (const Entry& entry : entries) store_one(entry);
  });
}

void ResultDatabase::store_experiment(const Experiment& experiment, const std::vector<Point>& points,
                                      const std::vector<std::string>& ids) {
  in_transaction([&] {
    SqliteStatement insert(*database_,
                           "INSERT INTO experiments(name, description, began) VALUES(?1,?2,?3) "
                           "ON CONFLICT(name) DO UPDATE SET description = excluded.description");
    Binder(insert) << experiment.name << experiment.description << now_seconds();
    insert.run();
    SqliteStatement query(*database_, "SELECT experiment FROM experiments WHERE name = ?");
    query.bind(0, std::string_view(experiment.name));
    query.step();
    const std::uint64_t number = query.number(0);
    SqliteStatement remove(*database_, "DELETE FROM experiment_points WHERE experiment = ?");
    remove.bind(0, number).run();
    SqliteStatement place(*database_, "INSERT INTO experiment_points VALUES(?,?,?,?)");
    for (std::size_t i = 0; i < points.size(); ++i) {
      Binder(place) << number << i << ids[i] << dump(labels_json(points[i].labels));
      place.run();
    }
  });
}

std::map<std::string, double> ResultDatabase::values(const std::string& metric) {
  return use([&] {
    SqliteStatement query(
        *database_,
        "SELECT p.id, f.value FROM metrics m JOIN points p JOIN figures f ON f.point = p.point AND "
        "f.metric = m.metric WHERE m.name = ?");
    query.bind(0, std::string_view(metric));
    std::map<std::string, double> values;
    while (query.step()) values[query.text(0)] = query.real(1);
    return values;
  });
}

std::string ResultDatabase::unit(const std::string& metric) {
  return use([&] {
    SqliteStatement query(*database_, "SELECT unit FROM metrics WHERE name = ?");
    query.bind(0, std::string_view(metric));
    return query.step() ? query.text(0) : std::string();
  });
}

std::vector<StoredFigure> ResultDatabase::figures(const std::string& id) {
  return use([&] {
    SqliteStatement query(*database_,
                          "SELECT m.name, m.unit, f.value FROM points p JOIN figures f USING (point) JOIN "
                          "metrics m USING (metric) WHERE p.id = ? ORDER BY f.metric");
    query.bind(0, std::string_view(id));
    std::vector<StoredFigure> figures;
    while (query.step())
      figures.push_back({id, query.text(0), query.text(1), query.real(2), query.is_whole(2)});
    return figures;
  });
}

json ResultDatabase::detail(const std::string& id, const std::string& name) {
  return use([&]() -> json {
    if (name == kLaunches) return launches(id);
    SqliteStatement query(
        *database_, "SELECT d.json FROM points p JOIN details d USING (point) WHERE p.id = ? AND d.name = ?");
    Binder(query) << id << name;
    return query.step() ? json::parse(query.text(0)) : json();
  });
}

std::vector<std::string> ResultDatabase::metrics() {
  return use([&] {
    SqliteStatement query(*database_, "SELECT name FROM metrics ORDER BY name");
    std::vector<std::string> names;
    while (query.step()) names.push_back(query.text(0));
    return names;
  });
}

void ResultDatabase::for_each_figure(const std::function<void(const StoredFigure&)>& take) {
  use([&] {
    SqliteStatement query(*database_,
                          "SELECT p.id, m.name, m.unit, f.value FROM points p JOIN figures f USING (point) "
                          "JOIN metrics m USING (metric) ORDER BY p.point, f.metric");
    while (query.step())
      take({query.text(0), query.text(1), query.text(2), query.real(3), query.is_whole(3)});
  });
}

std::map<std::string, double> ResultDatabase::seconds_by_workload() {
  return use([&] {
    SqliteStatement query(*database_,
                          "SELECT workload, avg(wall_seconds) FROM points WHERE code = 0 GROUP BY workload");
    std::map<std::string, double> seconds;
    while (query.step()) seconds[query.text(0)] = query.real(1);
    return seconds;
  });
}

std::size_t ResultDatabase::forget(const std::vector<std::string>& ids) {
  std::size_t removed = 0;
  in_transaction([&] {
    SqliteStatement query(*database_, "SELECT point FROM points WHERE id = ?");
    for (const std::string& id : ids) {
      query.reset();
      query.bind(0, std::string_view(id));
      if (!query.step()) continue;
      const std::uint64_t number = query.number(0);
      remove_parts(*database_, number);
      SqliteStatement remove(*database_, "DELETE FROM points WHERE point = ?");
      remove.bind(0, number).run();
      ++removed;
    }
  });
  return removed;
}

}  // namespace heddle
