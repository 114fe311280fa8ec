#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "top/experiment/database/result_database.h"
#include "top/experiment/point/point_folder.h"
#include "top/experiment/point/point_task.h"
#include "top/support/output/background_writes.h"
#include "top/support/output/output_folder.h"

namespace heddle {

/// A task is this process's alone as long as this lives.
struct PointClaim {
  std::optional<OutputFolder> folder;  ///< nothing: the folder above, of all runs, is this process's
};

/// Where results of points go. Either a database, with the folders beside it: DATABASE.work, in which points
/// run, one process at a time each, and DATABASE.records, what is kept beside figures. Or folders of the
/// points' own (PointTask::folder), which say how their runs ended; the database is one in memory then.
class PointStore {
 public:
  PointStore(const std::string& database, ResultDatabase::Access access);

  ResultDatabase& database() { return database_; }
  /// What is stored of the task, when that means that it need not run.
  std::optional<StoredPoint> settled(const PointTask& task);

  /// Nothing when another process has it. Throws OutputError, also when another process has a folder of the
  /// point's own.
  std::optional<PointClaim> claim(const PointTask& task) const;
  /// Where a claimed task runs.
  PointFolder folder_of(const PointTask& task) const;

  /// Stores results, with the records of their runs, and then removes the folders that are not the points'
  /// own. A point that is done stays so: when one that ran again, for a record that is missing, has failed,
  /// what is stored is kept (failure_of). Throws OutputError, also for an earlier note that could not be
  /// written.
  struct Finished {
    const PointTask* task = nullptr;
    PointResult result;
    PointFolder folder;
  };
  void store(const std::vector<Finished>& finished);
  /// How a point that is stored as done has failed when it ran again, in this process.
  const PointResult* failure_of(const std::string& id) const;
  /// Waits until all is on the disk. Throws OutputError.
  void finish();

  std::string work_folder() const { return database_.path() + ".work"; }
  /// What is kept beside the figures of one point, or of several.
  std::string records_folder(const std::string& name) const;

 private:
  void note(const Finished& finished);
  void take_kept(const PointTask& task);
  std::string keep_records(const Finished& finished) const;

  bool would_undo(const Finished& finished);

  ResultDatabase database_;
  std::map<std::string, PointResult> failures_;  ///< failure_of
  BackgroundWrites notes_;                       ///< in folders of points
};

}  // namespace heddle
