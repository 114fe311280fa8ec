#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "top/batch/program_pool.h"
#include "top/experiment/point/point_job.h"
#include "top/experiment/point/point_result.h"

namespace heddle {

/// The folder in which a point runs: its process's results in `run`, what it prints and says beside that.
class PointFolder {
 public:
  explicit PointFolder(std::string path);
  /// One that stays, for people: the results are right in it, beside what the process says.
  static PointFolder kept(std::string path);

  const std::string& path() const { return path_; }
  const std::string& run_folder() const { return run_folder_; }
  /// The process of the job; it ends with this one. `memory_bytes` 0: no limit.
  ProgramCopy copy(const PointJob& job, std::uint64_t memory_bytes) const;

  /// What the process has left, as far as it can be read; else the result is a failure that says so.
  PointResult collect(const PointJob& job, const EndedCopy& ended, double began) const;
  /// What a run has left that came to its end with nobody to see it; nothing when there is no such thing.
  std::optional<PointResult> left_behind(const PointJob& job) const;
  /// Unless it is kept.
  void remove() const;

 private:
  bool is_kept() const { return run_folder_ == path_; }
  std::string file(const char* name) const;
  std::string problem_of(const PointJob& job, PointResult& result) const;

  std::string path_;
  std::string run_folder_;
};

/// The first line of what a process had to say, without the program's name.
std::string first_message(const std::string& messages_file);

/// Seconds since 1970.
double seconds_now();

}  // namespace heddle
