#include <fmt/format.h>
#include <fmt/ranges.h>

#include "top/commands/commands.h"
#include "top/config/technology_file.h"
#include "top/options/command_config.h"
#include "top/report/cost/cost_report.h"
#include "top/report/cost/scheduler_cost.h"
#include "top/rtl/choice/twin_choice.h"
#include "top/rtl/netlist_report.h"
#include "top/support/output/console.h"
#include "top/support/project_files.h"

namespace heddle {

ExitCode cost_command(const CostOptions& options) {
  ConfigOptions config = options.config;
  // A twin is hardware, and so is what it is held against, unless something else is said.
  if (options.synthesize) config.assignments.insert(config.assignments.begin(), "scheduler.timing=hardware");
  const LoadedConfig loaded = load_command_config(config, options.scheduler);
  const auto technology = choose_technology(options.technology, ProjectFiles().technologies());
  const hw::CostTable table = scheduler_cost(loaded, technology);
  std::string report = cost_report(table, options.format, options.all);
  if (options.synthesize) {
    const TwinSources sources(options.rtl_sources.empty() ? ProjectFiles().rtl() : options.rtl_sources);
    const TwinNetlist netlist = synthesise_twin(checked_design_of(loaded, options.twin), sources);
    report = with_netlist(report, table, netlist, options.format);
  }
  fmt::print("{}", report);
  if (!options.technology.empty()) {
    for (const MissingFigure& missing : missing_figures(*technology)) {
      tell("heddle cost: --technology {}: '{}' has no {}: {} is left out\n", options.technology,
           technology->name, missing.key, missing.effect);
    }
  }
  if (table.context.unpriced.empty()) {
    return ExitCode::kOk;
  }
  tell("heddle cost: unpriced: {}: built of no parts, so that nothing says what it costs\n",
       fmt::join(table.context.unpriced, ", "));
  return ExitCode::kUnpriced;
}

}  // namespace heddle
