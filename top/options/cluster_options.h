#pragma once

#include "top/options/option_parser.h"

namespace heddle::option_parser {

/// --executor, and what it says of Slurm's jobs.
void add_cluster_options(po::options_description& options);
/// Throws UsageError, which names `command`: also for --jobs with Slurm, and for Slurm's options without it.
ClusterOptions cluster_options(const std::string& command, const po::variables_map& values);

}  // namespace heddle::option_parser
