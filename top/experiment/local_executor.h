#pragma once

#include <deque>
#include <map>
#include <vector>

#include "top/batch/program_pool.h"
#include "top/experiment/point_store.h"
#include "top/experiment/sweep_progress.h"
#include "top/experiment/waiting_tasks.h"

namespace heddle {

/// Runs points on this machine, each a process, some at the same time. Points that another process has are
/// left to it, and waited for at the end. Results are stored as they come.
class LocalExecutor {
 public:
  /// References are kept. `jobs`: processes at once, no more than tasks.
  LocalExecutor(PointStore& store, SweepProgress& progress, unsigned jobs)
      : store_(store), progress_(progress), jobs_(jobs) {}

  /// Runs the tasks; ends early when this process is asked to. Throws OutputError when results can't be
  /// stored: those that are complete are left for the next time.
  void run(const std::vector<PointTask>& tasks);

 private:
  struct Running {
    PointClaim claim;
    double began = 0;
    std::uint64_t memory_bytes = 0;
  };
  void wait_for_processor(std::size_t place);
  void start_some();
  /// False: another process has it.
  bool begin(std::size_t place);
  void start(std::size_t place, PointClaim claim);
  void take_ended();
  void store_finished();
  void look_at_others();
  bool has_memory_for(std::uint64_t bytes) const;
  std::uint64_t memory_of(const PointTask& task) const;

  PointStore& store_;
  SweepProgress& progress_;
  unsigned jobs_;
  const std::vector<PointTask>* tasks_ = nullptr;
  ProgramPool pool_;
  WaitingTasks pending_;
  std::deque<std::size_t> of_others_;
  std::map<std::size_t, Running> running_;
  std::vector<PointStore::Finished> finished_;
  std::vector<PointClaim> finished_claims_;
  double next_look_ = 0;
};

}  // namespace heddle
