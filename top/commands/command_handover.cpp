#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "top/commands/commands.h"
#include "top/config/technology_file.h"
#include "top/options/command_config.h"
#include "top/report/cost/cost_report.h"
#include "top/report/cost/scheduler_cost.h"
#include "top/rtl/choice/twin_choice.h"
#include "top/rtl/golden_vectors.h"
#include "top/rtl/handover/handover_folder.h"
#include "top/rtl/handover/handover_page.h"
#include "top/rtl/netlist_report.h"
#include "top/support/output/console.h"
#include "top/support/project_files.h"
#include "top/support/version.h"

namespace heddle {

namespace {

/// The run that golden vectors and waves are of: both see one SM's schedulers, for as many cycles.
RunOptions run_of(const HandoverOptions& options, const std::string& out) {
  RunOptions run;
  run.workload = options.workload;
  run.config = options.config;
  run.config.assignments.insert(run.config.assignments.begin(), "scheduler.timing=hardware");
  run.scheduler = options.scheduler;
  run.on = options.on;
  run.out = out;
  run.quiet = options.quiet;
  run.impl = Implementation::kLockstep;
  run.twin = options.twin;
  run.rtl_cache = options.rtl_cache;
  run.rtl_sources = options.rtl_sources;
  run.vector_cycles = options.vector_cycles;
  run.vectors_sm = options.vectors_sm;
  run.record.waves.wanted = true;
  run.record.waves.window.to = options.vector_cycles;
  const bool of_scheduler = options.twin.empty() || options.twin == kSchedulerTwin;
  run.record.waves.scopes = {fmt::format("sm{}.scheduler*", options.vectors_sm)};
  if (!of_scheduler) {
    run.record.waves.scopes = {"tb_dispatcher*", fmt::format("sm{}.workload_buffer*", options.vectors_sm)};
  }
  return run;
}

void write_cost(const HandoverFolder& folder, const LoadedConfig& loaded,
                const std::optional<TwinNetlist>& netlist) {
  const hw::CostTable table = scheduler_cost(loaded, choose_technology("", ProjectFiles().technologies()));
  for (const auto& [file, format] :
       {std::pair{"cost.txt", OutputFormat::kText}, std::pair{"cost.json", OutputFormat::kJson}}) {
    const std::string report = cost_report(table, format, true);
    folder.write(file, netlist ? with_netlist(report, table, *netlist, format) : report);
  }
}

/// Lines of golden vectors in a file.
std::uint64_t vectors_in(const std::string& path) {
  std::ifstream in(path);
  std::uint64_t lines = 0;
  for (std::string line; std::getline(in, line);) lines += line.front() == '#' ? 0U : 1U;
  return lines;
}

}  // namespace

ExitCode handover_command(const HandoverOptions& options) {
  RunOptions run = run_of(options, "");
  const LoadedConfig loaded = load_command_config(run.config, run.scheduler);
  Handover handover;
  handover.design = checked_design_of(loaded, options.twin);
  const TwinSources sources(options.rtl_sources.empty() ? ProjectFiles().rtl() : options.rtl_sources);
  if (options.synthesis) handover.netlist = synthesise_twin(handover.design, sources);
  const HandoverFolder folder(options.out);
  folder.write_sources(handover.design, sources);
  write_cost(folder, loaded, handover.netlist);
  run.out = folder.path_of(kHandoverRun);
  if (const ExitCode code = run_command(run); code != ExitCode::kOk) {
    tell("heddle handover: the run has not ended well: what is in {} is not whole\n", options.out);
    return code;
  }
  const auto compared = nlohmann::json::parse(std::ifstream(run.out + "/lockstep.json"));
  handover.config = loaded.config.name;
  handover.command = run.model_command();
  handover.sm = options.vectors_sm;
  handover.sms = compared.at("sms").get<unsigned>();
  handover.edges = compared.at("edges").get<std::uint64_t>();
  handover.grants = compared.at("grants").get<std::uint64_t>();
  handover.vectors = vectors_in(run.out + "/" + kVectorsFile);
  handover.version = version_text();
  folder.write("README.md", handover_page(handover));
  folder.finish(handover.design);
  fmt::print("{}: {}, {}, {} clock cycles of golden vectors; README.md says what can be done with it\n",
             options.out, handover.design.scheduler, handover.design.modules(), handover.vectors);
  return ExitCode::kOk;
}

}  // namespace heddle
