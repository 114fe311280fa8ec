#pragma once

#include <string>
#include <vector>

#include "top/options/option_parser.h"
#include "top/options/options.h"

namespace heddle {

/// What stands on a command line beside options.
enum class Operands : std::uint8_t { kNone, kWorkloads, kFiles, kFolders, kWords };

/// A command: what is known of it by its help, its manual and shells that complete it.
struct CommandEntry {
  const char* name;
  const char* summary;                ///< one line, without a full stop
  std::vector<const char*> usage;     ///< what follows "heddle"
  const char* about;                  ///< paragraphs, with an empty line between them
  std::vector<const char*> examples;  ///< what follows "heddle"
  Operands operands = Operands::kNone;
  std::vector<const char*> words = {};  ///< of Operands::kWords, what there is to choose from
  option_parser::po::options_description (*options)() = nullptr;  ///< without those of every command
  CommandLine (*parse)(const std::vector<std::string>& arguments) = nullptr;
};

/// In the order of the help text.
const std::vector<CommandEntry>& command_table();
/// nullptr when there is none of that name.
const CommandEntry* find_command(const std::string& name);

}  // namespace heddle
