#pragma once

#include <map>
#include <optional>
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
///
/// The loss of a job counts against the point that it was running, which is then a job of its own: the other
/// points have had no part in it. One that is lost several times has failed.
class SlurmExecutor final : public PointExecutor {
 public:
  explicit SlurmExecutor(SlurmOptions options);

  void run(PointStore& store, SweepProgress& progress, const std::vector<PointTask>& tasks) override;
  std::string shared_folder() const override { return options_.folder; }

 private:
  /// A job of a batch that has not been gathered to its end.
  struct Job {
    std::vector<std::string> points;  ///< that no result has come of, in the order in which it runs them
    bool has_brought = false;         ///< results
    bool runs = false;
    double waited_at = 0;  ///< when it was last known not to run yet
    double missed_at = 0;  ///< since when the queue does not have it; 0: it has

    /// A result of the point has come; false: it is none that was to come.
    bool take(const std::string& id);
  };
  struct Batch {
    JobBatch files;
    std::map<std::size_t, Job> jobs;
    bool ours = true;  ///< all of its points are among the tasks
  };
  enum class State { kWaiting, kSubmitted, kEnded };
  /// How far a task is.
  struct Standing {
    State state = State::kWaiting;
    unsigned losses = 0;
    bool alone = false;  ///< has been lost while it ran: its next job has no other points
  };

  void adopt();
  void submit();
  bool submit_array(const std::vector<std::vector<std::size_t>>& jobs);
  void tell_refusal(const std::string& problem);
  void gather(Batch& batch);
  void take(Batch& batch, const JobBatch::Part& part);
  bool is_lost_for_good(std::size_t place);
  void look_at_queue();
  void look_at_ended(Batch& batch);
  void lose(const Batch& batch, std::size_t number, const Job& job);
  bool was_out_of_time(const Job& job, const std::string& words) const;
  void give_up(const Batch& batch, std::size_t number, const Job& job, std::size_t place);
  bool is_more() const;
  void remove_batches();

  SlurmOptions options_;
  SlurmClient client_;
  std::optional<double> limit_;  ///< seconds of a job that the user has set
  PointStore* store_ = nullptr;
  SweepProgress* progress_ = nullptr;
  const std::vector<PointTask>* tasks_ = nullptr;
  std::map<std::string, std::size_t> places_;  ///< of tasks, by id
  std::vector<Standing> standings_;            ///< of tasks
  std::vector<Batch> batches_;
  unsigned written_ = 0;        ///< batches by this process
  bool has_submitted_ = false;  ///< this process, some batch
  bool refusal_told_ = false;   ///< since the last one that was submitted
};

}  // namespace heddle
