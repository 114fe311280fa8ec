#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// What jobs ask the cluster for; "": the cluster's defaults.
struct SlurmRequest {
  std::string partition;
  std::string account;
  std::string time;    ///< as sbatch --time takes it
  std::string memory;  ///< of a job, as sbatch --mem takes it
};

/// An array of jobs.
struct SlurmArray {
  std::string name;      ///< of its jobs; nobody else's
  std::string script;    ///< path
  std::string log;       ///< path, with %a for the job's number
  std::size_t jobs = 1;  ///< numbered from 0
};

/// The programs of Slurm that a sweep calls: sbatch and squeue, from the PATH.
class SlurmClient {
 public:
  explicit SlurmClient(SlurmRequest request) : request_(std::move(request)) {}

  /// The array's number. Throws OutputError with what sbatch says.
  std::string submit(const SlurmArray& array) const;
  /// The jobs of arrays with these names that wait or run: by name, numbers and whether they run. Nothing
  /// when the controller does not answer.
  using Jobs = std::map<std::string, std::map<std::size_t, bool>>;
  std::optional<Jobs> jobs(const std::vector<std::string>& names) const;

 private:
  SlurmRequest request_;
};

}  // namespace heddle
