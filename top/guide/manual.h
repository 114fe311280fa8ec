#pragma once

#include <string>

#include "top/options/command_table.h"

namespace heddle {

// Pages of the manual, for man(1), from what `heddle help` says.

/// heddle(1): the commands, exit codes and environment.
std::string manual_page();
/// heddle-COMMAND(1).
std::string manual_page(const CommandEntry& command);

}  // namespace heddle
