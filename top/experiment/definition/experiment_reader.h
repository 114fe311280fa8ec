#pragma once

#include <string>

#include "top/experiment/definition/experiment.h"

namespace heddle {

/// A YAML file with a key that only workloads have. False when it can't be read.
bool is_workload(const std::string& path);

/// Reads an experiment (docs/experiments.md). Workloads, configurations, schedulers and keys are looked up;
/// an unknown one is an error with the nearest known one. Throws WorkloadError, which names line and column.
Experiment read_experiment(const std::string& path);
/// The same from a text; `path` is used in messages, and files are named relative to its folder.
Experiment parse_experiment(const std::string& text, const std::string& path);

}  // namespace heddle
