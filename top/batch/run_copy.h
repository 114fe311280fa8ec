#pragma once

#include <string>
#include <vector>

#include "top/batch/program_pool.h"
#include "top/options/options.h"

namespace heddle {

/// `heddle run` as `options` say, for this process: it ends when this one does. `limits` are further
/// arguments.
ProgramCopy copy_of_run(const RunOptions& options, const std::string& messages_file,
                        const std::vector<std::string>& limits);

/// The first line of what a copy had to say, without the program's name.
std::string first_message(const std::string& messages_file);

}  // namespace heddle
