#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "top/experiment/experiment_run.h"
#include "top/experiment/point/point_identity.h"
#include "top/experiment/point_store.h"
#include "top/pairs/alone_cache.h"
#include "top/pairs/alone_run.h"

namespace heddle {

/// How long programs that run at the same time take alone, which has to be known before it is clear when they
/// arrive. Their runs are points of their own, unless a cache has the times.
class AloneRuns {
 public:
  /// A program, on a machine.
  struct Program {
    std::string key;  ///< of its times
    ExperimentRow row;
    AloneRun times = {};
    std::string file = {};  ///< with the times; "": they are not known

    std::string name() const { return std::string(label_of(row.point.labels, "workload")); }
    bool known() const { return !file.empty(); }
  };

  /// References are kept.
  AloneRuns(const EngineOptions& options, PointStore& store, PointIdentities& identities);

  /// A program's run, with the limits of `point`.
  static Point point_of(const Point& point, std::size_t program);
  /// One of a point's programs; it is the same for all points that are alike in it.
  Program& of(const Point& point, std::size_t program);
  /// Removes what lies where the runs' folders are to be, and is of none of them.
  void clear_others() const;
  /// Takes the times of those whose runs are in the database. Throws OutputError.
  void learn();

  /// The runs that there are of them.
  std::vector<ExperimentRow> rows() const;

 private:
  std::string folder_of(const std::string& name);
  void learn(Program& program);
  std::string keep(const Program& program) const;
  std::string keep_in_folder(const Program& program) const;

  const EngineOptions& options_;
  ResultDatabase& database_;
  PointIdentities& identities_;
  const std::string times_folder_;      ///< of a database's
  std::optional<AloneCache> cache_;     ///< of runs that leave folders
  std::optional<OutputFolder> folder_;  ///< of their folders
  std::vector<Program> programs_;
  std::map<std::string, std::size_t> places_;  ///< of programs, by key
};

}  // namespace heddle
