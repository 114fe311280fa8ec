#include "top/options/cluster_options.h"

#include <fmt/format.h>

namespace heddle::option_parser {

namespace {

constexpr const char* kOfSlurm[] = {"partition", "account", "time", "mem", "shared", "job-seconds", "poll"};

unsigned seconds_option(const std::string& command, const po::variables_map& values, const char* name,
                        unsigned otherwise) {
  constexpr std::uint64_t kMostSeconds = 1'000'000;
  const std::string text = text_of(values, name);
  if (text.empty()) return otherwise;
  const auto seconds = whole_number(text);
  if (seconds && *seconds != 0 && *seconds <= kMostSeconds) return static_cast<unsigned>(*seconds);
  throw UsageError(fmt::format("heddle {}: --{} {}: expected a whole number of seconds, 1 to {}", command,
                               name, text, kMostSeconds));
}

}  // namespace

void add_cluster_options(po::options_description& options) {
  options.add_options()("executor", po::value<std::string>()->value_name("local|slurm"),
                        "points of a database run here (when not given), or as jobs of Slurm")(
      "partition", po::value<std::string>()->value_name("NAME"), "of Slurm's jobs")(
      "account", po::value<std::string>()->value_name("NAME"), "of Slurm's jobs")(
      "time", po::value<std::string>()->value_name("TIME"), "most time of a job, as sbatch --time takes it")(
      "mem", po::value<std::string>()->value_name("SIZE"), "memory of a job, as sbatch --mem takes it")(
      "shared", po::value<std::string>()->value_name("DIR"), "with Slurm: a folder that all machines see")(
      "job-seconds", po::value<std::string>()->value_name("N"),
      "predicted time that a job is filled with, of points one after the other; 600 when not given")(
      "poll", po::value<std::string>()->value_name("SECONDS"),
      "between two looks at jobs and their results; 5 when not given");
}

ClusterOptions cluster_options(const std::string& command, const po::variables_map& values) {
  ClusterOptions cluster;
  const std::string executor = text_of(values, "executor");
  cluster.slurm = executor == "slurm";
  if (!cluster.slurm && !executor.empty() && executor != "local")
    throw UsageError(fmt::format("heddle {}: --executor {}: expected local or slurm", command, executor));
  for (const char* const name : kOfSlurm) {
    if (!cluster.slurm && values.count(name) != 0)
      throw UsageError(fmt::format("heddle {}: --{} is for --executor slurm", command, name));
  }
  if (cluster.slurm && values.count("jobs") != 0)
    throw UsageError(fmt::format(
        "heddle {}: --jobs is for --executor local: of Slurm's jobs the cluster runs what it can", command));
  cluster.partition = text_of(values, "partition");
  cluster.account = text_of(values, "account");
  cluster.time = text_of(values, "time");
  cluster.memory = text_of(values, "mem");
  cluster.folder = text_of(values, "shared");
  if (cluster.slurm && cluster.folder.empty())
    throw UsageError(
        fmt::format("heddle {}: --executor slurm needs --shared DIR: a folder that all machines see, unlike "
                    "the database, "
                    "which is on a disk of this one",
                    command));
  cluster.job_seconds = seconds_option(command, values, "job-seconds", cluster.job_seconds);
  cluster.poll_seconds = seconds_option(command, values, "poll", cluster.poll_seconds);
  return cluster;
}

}  // namespace heddle::option_parser
