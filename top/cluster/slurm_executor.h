#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "top/cluster/job_batch.h"
#include "top/cluster/slurm_client.h"
#include "top/experiment/point_executor.h"

namespace heddle {

/// How a cluster runs points.
struct SlurmOptions {
  SlurmRequest request;
  std::string folder;         ///< that all machines see
  double job_seconds = 600;   ///< predicted, that one job is packed with
  double poll_seconds = 5;    ///< between two looks at the queue
  double grace_seconds = 30;  ///< from a job's end until its files are seen
};

/// Runs points as arrays of jobs of Slurm, many short ones in a job. The jobs write files of results
/// (JobBatch); this process alone gathers them and writes the database. What is submitted goes on without it:
/// the next sweep finds the jobs by their names, gathers what they have left, and submits what is lost anew.
class SlurmExecutor final : public PointExecutor {
 public:
  explicit SlurmExecutor(SlurmOptions options);

  void run(PointStore& store, SweepProgress& progress, const std::vector<PointTask>& tasks) override;
  std::string shared_folder() const override { return options_.folder; }

 private:
  /// A job of a batch that has not been gathered to its end.
  struct Job {
    std::set<std::string> points;  ///< that no result has come of
    bool runs = false;
    double missed_at = 0;  ///< since when the queue does not have it; 0: it has
  };
  struct Batch {
    JobBatch files;
    std::map<std::size_t, Job> jobs;
    bool ours = true;  ///< all of its points are among the tasks
  };
  enum class State { kWaiting, kSubmitted, kEnded };

  void adopt();
  void submit();
  void gather(Batch& batch);
  void take(const Batch& batch, const JobBatch::Part& part);
  void look_at_queue();
  void look_at_ended(Batch& batch);
  void give_up(const Batch& batch, std::size_t job, std::size_t place);
  bool is_more() const;
  void remove_batches();

  SlurmOptions options_;
  SlurmClient client_;
  PointStore* store_ = nullptr;
  SweepProgress* progress_ = nullptr;
  const std::vector<PointTask>* tasks_ = nullptr;
  std::map<std::string, std::size_t> places_;  ///< of tasks, by id
  std::vector<State> states_;
  std::vector<unsigned> submissions_;
  std::vector<Batch> batches_;
  unsigned submitted_ = 0;  ///< batches by this process
};

}  // namespace heddle
