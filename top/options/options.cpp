#include "top/options/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest_name.h"
#include "top/options/command_table.h"
#include "top/options/help_text.h"
#include "top/support/version.h"

namespace heddle {

namespace {

using Arguments = std::vector<std::string>;

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandEntry& command : command_table()) names.emplace_back(command.name);
  return names;
}

const CommandEntry& known_command(const std::string& name) {
  const CommandEntry* const command = find_command(name);
  if (command != nullptr) return *command;
  throw UsageError(
      fmt::format("heddle: unknown command '{}'{}", name, name_hint(name, command_names(), "commands")));
}

CommandLine help_line(const std::string& text) {
  CommandLine line;
  line.help = text;
  return line;
}

CommandLine shell_line(ShellOptions::Wanted wanted, const Arguments& words) {
  CommandLine line;
  line.shell = ShellOptions{wanted, words};
  return line;
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    throw UsageError(
        fmt::format("heddle: expected a command: {}; see `heddle help`", fmt::join(command_names(), ", ")));
  }
  const std::string& name = arguments.front();
  const Arguments rest(arguments.begin() + 1, arguments.end());
  // For scripts: what completes a word, what is installed beside the program, what a job of a cluster runs.
  if (name == "__complete") return shell_line(ShellOptions::Wanted::kWords, rest);
  if (name == "__points" && rest.size() == 2 && option_parser::whole_number(rest[1])) {
    CommandLine line;
    line.points = PointsOptions{rest[0], *option_parser::whole_number(rest[1])};
    return line;
  }
  if (name == "__guide" && rest.size() == 1) return shell_line(ShellOptions::Wanted::kGuide, rest);
  if (name == "--version") return help_line("heddle " + version_text() + "\n");
  const bool asks = name == "--help" || name == "-h" || name == "help";
  if (asks && rest.size() > 1) {
    throw UsageError(fmt::format("heddle help: expected one command, found '{}'", fmt::join(rest, " ")));
  }
  if (asks && (rest.empty() || rest.front() == "help" || rest.front() == "--help")) {
    return help_line(general_help());
  }
  if (asks) return help_line(command_help(known_command(rest.front())));
  const CommandEntry& command = known_command(name);
  const auto options_end = std::find(rest.begin(), rest.end(), "--");
  if (std::find(rest.begin(), options_end, "--help") != options_end) return help_line(command_help(command));
  return command.parse(rest);
}

}  // namespace heddle
