#include "top/cluster/cluster_executor.h"

#include "top/cluster/slurm_executor.h"

namespace heddle {

std::unique_ptr<PointExecutor> cluster_executor(const ClusterOptions& options) {
  constexpr unsigned kPollsOfGrace = 6;  // half a minute, unless the user says otherwise
  if (!options.slurm) return nullptr;
  SlurmOptions slurm;
  slurm.request = {options.partition, options.account, options.time, options.memory};
  slurm.folder = options.folder;
  slurm.job_seconds = options.job_seconds;
  slurm.poll_seconds = options.poll_seconds;
  slurm.grace_seconds = kPollsOfGrace * options.poll_seconds;
  return std::make_unique<SlurmExecutor>(std::move(slurm));
}

}  // namespace heddle
