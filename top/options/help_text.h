#pragma once

#include <string>
#include <vector>

#include "top/options/command_table.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

/// What an exit code tells, for help and manual.
struct ExitCodeText {
  ExitCode code;
  const char* text;
};
const std::vector<ExitCodeText>& exit_code_texts();

/// What environment variables say.
struct VariableText {
  const char* name;
  const char* text;
};
const std::vector<VariableText>& variable_texts();

/// `heddle help`: every command in a line, examples, exit codes.
std::string general_help();
/// `heddle help COMMAND`: usage, what it does, examples, options.
std::string command_help(const CommandEntry& command);

/// The paragraphs of `about`, whose single line breaks are spaces.
std::vector<std::string> paragraphs_of(const std::string& about);

}  // namespace heddle
