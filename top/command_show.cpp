#include <fmt/format.h>

#include "top/commands.h"
#include "top/config_loader.h"
#include "top/config_print.h"
#include "top/project_files.h"

namespace heddle {

ExitCode show_command(const ShowOptions& options) {
  const std::string file = options.config.config.empty() ? "" : ProjectFiles().config(options.config.config);
  const LoadedConfig loaded = load_config(file, options.config.assignments);
  fmt::print("{}", print_config(loaded, {options.describe}));
  return ExitCode::kOk;
}

}  // namespace heddle
