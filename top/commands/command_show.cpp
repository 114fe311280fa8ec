#include <fmt/format.h>

#include "top/commands/commands.h"
#include "top/config/config_print.h"
#include "top/options/command_config.h"

namespace heddle {

ExitCode show_command(const ShowOptions& options) {
  const LoadedConfig loaded = load_command_config(options.config);
  fmt::print("{}", print_config(loaded, {options.describe}));
  return ExitCode::kOk;
}

}  // namespace heddle
