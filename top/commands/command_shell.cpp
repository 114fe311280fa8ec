#include <fmt/format.h>

#include "top/commands/commands.h"
#include "top/guide/completion.h"
#include "top/guide/guide_files.h"

namespace heddle {

ExitCode shell_command(const ShellOptions& options) {
  switch (options.wanted) {
    case ShellOptions::Wanted::kScript:
      fmt::print("{}", completion_script(options.words.front()));
      break;
    case ShellOptions::Wanted::kWords:
      fmt::print("{}", complete(options.words).text());
      break;
    case ShellOptions::Wanted::kGuide:
      write_guide(options.words.front());
      break;
  }
  return ExitCode::kOk;
}

}  // namespace heddle
