#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "top/experiment/definition/points.h"
#include "top/experiment/point/point_identity.h"
#include "top/experiment/point/point_result.h"

namespace heddle {

class SqliteDatabase;

/// What a database says of a point.
struct StoredPoint {
  std::string id;
  std::string workload;
  std::string config;
  std::string scheduler;
  std::string tb_policy;
  std::string labels;  ///< as a JSON object
  std::string command;
  int code = 0;
  std::string status;
  std::string message;
  std::string host;
  double began = 0;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  double cycles_per_second = 0;
  std::uint64_t attempts = 0;
  PointLimits limits;   ///< under which it ended
  std::string records;  ///< names of what is kept beside its figures

  bool done() const { return code == 0; }
};

/// A figure of a point, as exports have it.
struct StoredFigure {
  std::string id;
  std::string metric;
  std::string unit;
  double value = 0;
  bool whole = false;
};

/// Results of points, in one file of SQLite (docs/experiments.md has the tables) that several processes of
/// one machine may use at the same time. Every call throws OutputError, with the file's name, when it can't
/// be written, ResultsError when it is damaged or something else's.
class ResultDatabase {
 public:
  enum class Access {
    kWrite,
    kRead,   ///< it has to be there
    kPlan,   ///< nothing is written: one that is not there is as an empty one
    kMemory  ///< there is no file, whatever the path names: it lives as long as this object
  };
  ResultDatabase(std::string path, Access access);
  ~ResultDatabase();
  ResultDatabase(const ResultDatabase&) = delete;
  ResultDatabase& operator=(const ResultDatabase&) = delete;

  const std::string& path() const { return path_; }

  std::optional<StoredPoint> find(const std::string& id);
  /// All, in the order in which they ended, with the labels of the experiment that ran them.
  std::vector<StoredPoint> points();
  /// Those of an experiment, in its order and with its labels.
  std::vector<StoredPoint> points_of(const std::string& experiment);
  /// Names of experiments, sorted.
  std::vector<std::string> experiments();

  /// A point with its result; one that is there already is replaced. What is committed is on the disk.
  struct Entry {
    const Point* point = nullptr;
    PointIdentity identity;
    PointResult result;
    PointMachine machine;
    std::string records;
  };
  void store(const std::vector<Entry>& entries);
  /// The experiment's points, by id, with their labels; those of an earlier one of the name are replaced.
  void store_experiment(const Experiment& experiment, const std::vector<Point>& points,
                        const std::vector<std::string>& ids);

  /// The values of a metric, by id.
  std::map<std::string, double> values(const std::string& metric);
  /// Of a metric; "" when no point has it.
  std::string unit(const std::string& metric);
  /// All figures of one point.
  std::vector<StoredFigure> figures(const std::string& id);
  /// Of one point: "launches", "streams", "instances", "energy" as in stats.json, "pairs"; null when there is
  /// none.
  nlohmann::json detail(const std::string& id, const std::string& name);
  /// Names of metrics, sorted.
  std::vector<std::string> metrics();
  /// Calls use() for each figure of each point, by point and name.
  void for_each_figure(const std::function<void(const StoredFigure&)>& use);
  /// Seconds that finished points took, in the mean, by workload.
  std::map<std::string, double> seconds_by_workload();

  /// Removes points; how many there were.
  std::size_t forget(const std::vector<std::string>& ids);

 private:
  struct Statements;
  void open(Access access);
  void expect_own_disk(const std::string& place) const;
  bool is_empty();
  void make_tables();
  void check_schema();
  std::uint64_t metric(const PointFigure& figure);
  void store_one(const Entry& entry);
  void store_details(std::uint64_t point, const nlohmann::json& details);
  void store_launches(std::uint64_t point, const nlohmann::json& launches);
  nlohmann::json launches(const std::string& id);
  std::uint64_t layout(const std::string& names);
  template <class Use>
  auto use(const Use& use) -> decltype(use());
  template <class Use>
  void in_transaction(const Use& use);
  [[noreturn]] void fail(const std::string& problem) const;

  std::string path_;
  std::unique_ptr<SqliteDatabase> database_;
  std::map<std::string, std::uint64_t> metrics_;  ///< their numbers, as far as known
};

}  // namespace heddle
