#pragma once

#include <string>
#include <vector>

#include "top/support/processes/exit_code.h"

namespace heddle {

/// Runs Heddle's command line: `arguments` without the name of the program. Results go to stdout, errors to
/// stderr; nothing is thrown. To be called within sc_main before anything is elaborated, once: it sets
/// SystemC's time resolution and may run a simulation.
ExitCode run_command_line(const std::vector<std::string>& arguments);

}  // namespace heddle
