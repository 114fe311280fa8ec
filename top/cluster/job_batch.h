#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "top/experiment/point/point_job.h"
#include "top/experiment/point/point_result.h"

namespace heddle {

/// The folder of an array of jobs, on a file system that all machines see. Every file in it is written by one
/// process, under another name, and renamed when it is whole; none needs a lock.
///
///     job.sh            what each job runs
///     tasks/N.json      points of job N, written by who submits
///     results/N-K.json  results of some of them, written by the job, removed by who gathers
///     results/N.end     the job has come to its end
///     run/N/            where its points run
///     logs/N.txt        what the job has said
class JobBatch {
 public:
  explicit JobBatch(std::string folder) : folder_(std::move(folder)) {}

  /// Writes tasks and script; the jobs are numbered from 0. Throws OutputError.
  void write(const std::vector<std::vector<PointJob>>& jobs) const;
  /// The batches in a folder; those that were not written to their end are removed.
  static std::vector<JobBatch> in(const std::string& folder);

  const std::string& folder() const { return folder_; }
  /// The last part of the folder's name: that of the jobs.
  std::string name() const;
  std::string script() const;
  std::string log() const;
  /// Of a job: its log's last line that says something.
  std::string last_words(std::size_t job) const;
  std::string point_folder(std::size_t job, const std::string& id) const;
  /// The last of these points of a job, in its order, that the job has begun to run.
  std::optional<std::string> last_begun(std::size_t job, const std::vector<std::string>& points) const;
  std::size_t jobs() const;

  /// Throws ResultsError when they can't be read.
  std::vector<PointJob> tasks(std::size_t job) const;

  /// For the job.
  void write_results(std::size_t job, std::size_t part, const std::vector<PointResult>& results) const;
  void write_end(std::size_t job) const;

  /// For who gathers: a file of results, which job it is of, and what is in it.
  struct Part {
    std::string file;
    std::size_t job = 0;
    std::vector<PointResult> results;
  };
  std::vector<Part> parts() const;
  bool has_ended(std::size_t job) const;
  void remove() const;

 private:
  std::string folder_;
};

}  // namespace heddle
