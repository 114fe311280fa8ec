#include <fmt/format.h>

#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/resources/contention_control.h"
#include "modules/tb_dispatcher/resources/resource_manager.h"
#include "modules/warp_scheduler/policy_registry.h"
#include "top/commands/commands.h"
#include "top/config/config_loader.h"
#include "top/support/project_files.h"
#include "workloads/description/workload_loader.h"

namespace heddle {

namespace {

void list_schedulers() {
  fmt::print("Prioritizers, which order the warps that may issue:\n");
  for (const PrioritizerEntry* entry : prioritizers()) {
    fmt::print("  {:<20} {}\n", entry->name, entry->description);
  }
  if (qualifiers().empty()) {
    return;
  }
  fmt::print("Qualifiers, which say what warps may issue (QUALIFIER+PRIORITIZER; alone, with gto):\n");
  for (const QualifierEntry* entry : qualifiers()) {
    fmt::print("  {:<20} {}\n", entry->name, entry->description);
  }
}

template <class Entry>
void list_entries(const std::vector<const Entry*>& entries) {
  for (const Entry* entry : entries) fmt::print("{:<24} {}\n", entry->name, entry->description);
}

void list_configs(const ProjectFiles& files) {
  for (const std::string& name : files.config_names()) {
    fmt::print("{:<20} {}\n", name, files.config(name));
  }
}

void list_workloads(const ProjectFiles& files) {
  for (const std::string& name : files.workload_names()) {
    const Workload workload = load_workload(files.workload(name));
    std::string sizes;
    for (const auto& size : workload.sizes) {
      sizes += (sizes.empty() ? " [--size " : "|") + size.first;
    }
    fmt::print("{:<20} {}{}\n", name, workload.description, sizes.empty() ? "" : sizes + "]");
  }
}

}  // namespace

ExitCode list_command(const ListOptions& options) {
  const ProjectFiles files;
  if (options.what == "schedulers") {
    list_schedulers();
  } else if (options.what == "dispatch_policies") {
    list_entries(dispatch_policies());
  } else if (options.what == "resource_managements") {
    list_entries(resource_managements());
  } else if (options.what == "contention_controls") {
    list_entries(contention_controls());
  } else if (options.what == "configs") {
    list_configs(files);
  } else {
    list_workloads(files);
  }
  return ExitCode::kOk;
}

}  // namespace heddle
