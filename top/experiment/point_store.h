#pragma once

#include <optional>
#include <string>
#include <vector>

#include "top/experiment/database/result_database.h"
#include "top/experiment/point/point_folder.h"
#include "top/experiment/point/point_task.h"
#include "top/support/output/output_folder.h"

namespace heddle {

/// A database of results with the folders beside it: DATABASE.work, in which points run, one process at a
/// time each, and DATABASE.records, what is kept beside figures.
class PointStore {
 public:
  PointStore(const std::string& database, ResultDatabase::Access access);

  ResultDatabase& database() { return database_; }
  /// What is stored of the task, when that means that it need not run.
  std::optional<StoredPoint> settled(const PointTask& task);

  /// The task is this process's alone as long as the folder lives; nothing when another process has it.
  std::optional<OutputFolder> claim(const PointTask& task) const;
  /// Where a claimed task runs.
  PointFolder folder_of(const PointTask& task) const;

  /// Stores results, with the records of their runs, and then removes the folders.
  struct Finished {
    const PointTask* task = nullptr;
    PointResult result;
    PointFolder folder;
  };
  void store(const std::vector<Finished>& finished);

  std::string work_folder() const { return database_.path() + ".work"; }

 private:
  std::string records_folder(const std::string& id) const;
  std::string keep_records(const Finished& finished) const;

  ResultDatabase database_;
};

}  // namespace heddle
