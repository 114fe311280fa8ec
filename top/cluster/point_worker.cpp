#include "top/cluster/point_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "top/batch/fingerprint.h"
#include "top/batch/program_pool.h"
#include "top/cluster/job_batch.h"
#include "top/experiment/point/point_folder.h"
#include "top/support/output/atomic_file.h"

namespace heddle {

namespace {

/// Results that wait to be written: what a job that is lost has run in vain. Of one that has just begun it is
/// less, so that short jobs too bring what they have.
constexpr double kMostSecondsUnwritten = 10;
constexpr double kMostShareUnwritten = 0.25;  ///< of the time since the job began
constexpr std::size_t kMostUnwritten = 64;

class PointWorker {
 public:
  PointWorker(const std::string& batch, std::size_t job) : batch_(batch), job_(job) {}

  ExitCode run() {
    const std::vector<PointJob> tasks = batch_.tasks(job_);
    for (const PointJob& task : tasks) {
      if (pool_.interrupted()) break;
      run(task);
      if (is_to_write()) write();
    }
    write();
    if (pool_.interrupted()) return ExitCode::kInterrupted;
    batch_.write_end(job_);
    return ExitCode::kOk;
  }

 private:
  void run(const PointJob& task) {
    const PointFolder folder(batch_.point_folder(job_, task.id));
    if (program_ != task.identity.program) {
      PointResult result;
      result.id = task.id;
      result.code = static_cast<int>(ExitCode::kNoOutput);
      result.message = "the program is another one than that which submitted the job";
      unwritten_.push_back(result);
      return;
    }
    folder.remove();  // what the job has left that was killed in its midst
    std::error_code error;
    std::filesystem::create_directories(folder.path(), error);
    if (error)
      throw OutputError(fmt::format("{}: can't create the folder: {}", folder.path(), error.message()));
    const double began = seconds_now();
    pool_.start(0, folder.copy(task, task.memory_bytes));
    std::vector<EndedCopy> ended;
    while (ended.empty()) ended = pool_.wait();
    const bool counts =
        !pool_.interrupted() || ended.front().code != static_cast<int>(ExitCode::kInterrupted);
    if (counts) unwritten_.push_back(folder.collect(task, ended.front(), began));
    // That of a point that was interrupted stays, by which others see which one it was.
    if (counts && task.records.empty()) folder.remove();
  }

  bool is_to_write() const {
    const double now = seconds_now();
    const double most = std::min(kMostSecondsUnwritten, kMostShareUnwritten * (now - began_at_));
    return now - written_at_ > most || unwritten_.size() >= kMostUnwritten;
  }

  void write() {
    written_at_ = seconds_now();
    if (unwritten_.empty()) return;
    batch_.write_results(job_, part_++, unwritten_);
    unwritten_.clear();
  }

  JobBatch batch_;
  const std::size_t job_;
  const std::string program_ = program_fingerprint();
  ProgramPool pool_;
  std::vector<PointResult> unwritten_;
  std::size_t part_ = 0;
  const double began_at_ = seconds_now();
  double written_at_ = began_at_;
};

}  // namespace

ExitCode run_points(const std::string& batch, std::size_t job) { return PointWorker(batch, job).run(); }

}  // namespace heddle
