#include <fmt/format.h>

#include "top/command_config.h"
#include "top/commands.h"
#include "top/config_print.h"

namespace heddle {

ExitCode show_command(const ShowOptions& options) {
  const LoadedConfig loaded = load_command_config(options.config);
  fmt::print("{}", print_config(loaded, {options.describe}));
  return ExitCode::kOk;
}

}  // namespace heddle
