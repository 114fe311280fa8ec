#pragma once

#include <string>

#include "top/experiment/experiment_run.h"

namespace heddle {

/// On stderr, after "heddle `command`: LABEL: ": what a run had to say, or how one that said nothing failed.
void tell_problem(const std::string& command, const std::string& label, const ExperimentRow& row,
                  const RunOutcome& outcome);

/// A line for people: where the results of an engine's runs are.
std::string where_results_are(const EngineOptions& engine);

}  // namespace heddle
