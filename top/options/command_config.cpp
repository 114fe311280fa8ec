#include "top/options/command_config.h"

#include "top/support/project_files.h"

namespace heddle {

LoadedConfig load_command_config(const ConfigOptions& options, const std::string& scheduler) {
  std::vector<std::string> assignments = options.assignments;
  if (!scheduler.empty()) {
    assignments.push_back("scheduler.name=" + scheduler);
  }
  return load_config(options.config.empty() ? "" : ProjectFiles().config(options.config), assignments);
}

}  // namespace heddle
