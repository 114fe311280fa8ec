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
  explicit PointFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string run_folder() const;
  /// The process of the job; it ends with this one. `memory_bytes` 0: no limit.
  ProgramCopy copy(const PointJob& job, std::uint64_t memory_bytes) const;

  /// What the process has left, as far as it can be read; else the result is a failure that says so.
  PointResult collect(const PointJob& job, const EndedCopy& ended, double began) const;
  /// What a run has left that came to its end with nobody to see it; nothing when there is no such thing.
  std::optional<PointResult> left_behind(const PointJob& job) const;
  void remove() const;

 private:
  std::string file(const char* name) const;
  std::string problem_of(const PointJob& job, PointResult& result) const;

  std::string path_;
};

/// Seconds since 1970.
double seconds_now();

}  // namespace heddle
