#include <fmt/format.h>

#include <filesystem>

#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/resources/contention_control.h"
#include "modules/tb_dispatcher/resources/resource_manager.h"
#include "modules/warp_scheduler/policy_registry.h"
#include "top/catalog/paper_comparison.h"
#include "top/commands/commands.h"
#include "top/config/config_loader.h"
#include "top/support/project_files.h"
#include "top/text/shown_path.h"
#include "top/text/table.h"
#include "top/text/text_width.h"
#include "workloads/description/workload_loader.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;

Table named_table(std::vector<TableColumn> more = {}) {
  std::vector<TableColumn> columns{{"name", "name", Kind::kText, Rank::kKey}};
  columns.insert(columns.end(), more.begin(), more.end());
  return Table(columns);
}

Table schedulers() {
  Table table = named_table({{"kind", "kind"}, {"description", "description", Kind::kText, Rank::kKey}});
  for (const PrioritizerEntry* entry : prioritizers())
    table.add({entry->name, "prioritizer", entry->description});
  for (const QualifierEntry* entry : qualifiers()) table.add({entry->name, "qualifier", entry->description});
  return table;
}

template <class Entry>
Table described(const std::vector<const Entry*>& entries) {
  Table table = named_table({{"description", "description", Kind::kText, Rank::kKey}});
  for (const Entry* entry : entries) table.add({entry->name, entry->description});
  return table;
}

Table configs(const ProjectFiles& files) {
  Table table = named_table({{"path", "file", Kind::kText, Rank::kKey}});
  for (const std::string& name : files.config_names()) table.add({name, shown_path(files.config(name))});
  return table;
}

Table workloads(const ProjectFiles& files) {
  Table table = named_table({{"sizes", "sizes"}, {"description", "description", Kind::kText, Rank::kKey}});
  for (const std::string& name : files.workload_names()) {
    const Workload workload = load_workload(files.workload(name));
    std::string sizes;
    for (const auto& size : workload.sizes) sizes += (sizes.empty() ? "" : " ") + size.first;
    table.add({name, sizes, workload.description});
  }
  return table;
}

/// An empty list would hide that Heddle's files are looked for in the wrong place.
void expect_files(const ProjectFiles& files) {
  for (const std::string& folder : files.folders()) {
    if (std::filesystem::is_directory(folder)) continue;
    throw FileNotFound(
        fmt::format("{}: there is no such folder, in which names are looked up (HEDDLE_HOME "
                    "names another one)",
                    folder));
  }
}

Table list_of(const std::string& what) {
  if (what == "schedulers") return schedulers();
  if (what == "dispatch_policies") return described(dispatch_policies());
  if (what == "resource_managements") return described(resource_managements());
  if (what == "contention_controls") return described(contention_controls());
  expect_files(ProjectFiles());
  if (what == "configs") return configs(ProjectFiles());
  if (what == "papers") {
    const GpuConfig machine;
    return paper_table(match_papers(ProjectFiles(), machine), machine.core);
  }
  return workloads(ProjectFiles());
}

}  // namespace

ExitCode list_command(const ListOptions& options) {
  fmt::print("{}", list_of(options.what).print(options.format));
  if (options.what == "schedulers" && options.format == OutputFormat::kText) {
    fmt::print("{}", fill_text("\nA prioritizer orders the warps that may issue, a qualifier says which may: "
                               "--scheduler QUALIFIER+PRIORITIZER; a qualifier alone goes with gto.",
                               stdout_layout().width));
  }
  return ExitCode::kOk;
}

}  // namespace heddle
