#pragma once

#include <optional>
#include <string>
#include <vector>

#include "top/guide/completion.h"
#include "top/options/command_table.h"

namespace heddle {

/// Workloads by name, also those of kind `timed` when `timed`; after "NAME:" its sizes. Files too.
Completion complete_workload(const std::string& word, bool timed);

/// The value of an option, of which `word` is there. `workloads`: what the command line names.
Completion complete_value(const option_parser::po::option_description& option, const std::string& word,
                          const std::vector<std::string>& workloads);

}  // namespace heddle
