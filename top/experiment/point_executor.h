#pragma once

#include <string>
#include <vector>

#include "top/experiment/point_store.h"
#include "top/experiment/sweep_progress.h"

namespace heddle {

/// Runs points elsewhere than in processes of this machine.
class PointExecutor {
 public:
  PointExecutor() = default;
  virtual ~PointExecutor() = default;
  PointExecutor(const PointExecutor&) = delete;
  PointExecutor& operator=(const PointExecutor&) = delete;

  /// Runs the tasks, of which there may be none, stores how they end and tells `progress`; returns early when this process is asked to
  /// end. Throws OutputError.
  virtual void run(PointStore& store, SweepProgress& progress, const std::vector<PointTask>& tasks) = 0;
  /// A folder that points can read where they run, for run times alone.
  virtual std::string shared_folder() const = 0;
};

}  // namespace heddle
