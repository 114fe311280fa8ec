#pragma once

#include <string>

namespace heddle {

/// Where points run, when that is not this machine.
struct ClusterOptions {
  bool slurm = false;
  std::string partition;  ///< "" of these: the cluster's default
  std::string account;
  std::string time;            ///< of a job, as sbatch takes it
  std::string memory;          ///< likewise
  std::string folder;          ///< that all machines see
  unsigned job_seconds = 600;  ///< that a job is filled with
  unsigned poll_seconds = 5;   ///< between two looks
};

}  // namespace heddle
