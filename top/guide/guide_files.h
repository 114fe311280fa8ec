#pragma once

#include <string>

namespace heddle {

/// Writes what an installation has beside the program, for the folders that CMake copies it to: manual pages,
/// `folder`/man1/heddle.1 and heddle-COMMAND.1, and the scripts of completion, bash/heddle and zsh/_heddle.
/// Throws OutputError.
void write_guide(const std::string& folder);

}  // namespace heddle
