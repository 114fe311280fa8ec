#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "modules/warp_scheduler/policy_registry.h"
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
#include "top/support/processes/interrupt.h"
#include "top/support/project_files.h"
#include "top/support/version.h"

namespace heddle {

namespace {

ConfigOptions config_of(const HandoverOptions& options) {
  ConfigOptions config = options.config;
  config.assignments.insert(config.assignments.begin(), "scheduler.timing=hardware");
  return config;
}

/// What the model has of the twin: the warp schedulers with their policies and what these hear of, or the
/// dispatcher with what it is told of the SM.
std::vector<std::string> scopes_of(const HandoverOptions& options, const GpuConfig& gpu) {
  const auto of_sm = [&options](const std::string& name) {
    return fmt::format("sm{}.{}*", options.vectors_sm, name);
  };
  if (!options.twin.empty() && options.twin != kSchedulerTwin)
    return {"tb_dispatcher*", of_sm("workload_buffer")};
  const PolicyNames names = find_policies(gpu.scheduler.name);
  return {of_sm("scheduler"), of_sm("events"), of_sm(names.prioritizer->name), of_sm(names.qualifier->name)};
}

/// The run that golden vectors and waves are of: both see one SM's schedulers, for as many cycles.
RunOptions run_of(const HandoverOptions& options, const LoadedConfig& loaded, const HandoverFolder& folder) {
  RunOptions run;
  run.workload = options.workload;
  run.config = config_of(options);
  run.scheduler = options.scheduler;
  run.on = options.on;
  run.out = folder.path_of(kHandoverRun);
  run.shown_in = folder.final_path_of(kHandoverRun);
  run.quiet = options.quiet;
  run.impl = Implementation::kLockstep;
  run.twin = options.twin;
  run.rtl_cache = options.rtl_cache;
  run.rtl_sources = options.rtl_sources;
  run.vector_cycles = options.vector_cycles;
  run.vectors_sm = options.vectors_sm;
  run.record.waves.wanted = true;
  run.record.waves.window.to = options.vector_cycles;
  run.record.waves.scopes = scopes_of(options, loaded.config);
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
  const InterruptGuard interrupts;
  const LoadedConfig loaded = load_command_config(config_of(options), options.scheduler);
  Handover handover;
  handover.design = checked_design_of(loaded, options.twin);
  const TwinSources sources(options.rtl_sources.empty() ? ProjectFiles().rtl() : options.rtl_sources);
  if (options.synthesis) check_synthesis(sources);
  HandoverFolder folder(options.out);
  folder.write_sources(handover.design, sources);
  const RunOptions run = run_of(options, loaded, folder);
  const ExitCode code = run_command(run);
  if (code == ExitCode::kCycleLimit) {  // as the user wants it
    handover.cut_after = options.on.max_cycles;
  } else if (code != ExitCode::kOk) {
    if (code == ExitCode::kTwinDiffers) folder.keep();
    tell("heddle handover: the run has not ended well: {} has no new handover{}\n", options.out,
         code == ExitCode::kTwinDiffers ? "; what there is of it is in " + folder.path_of("") : "");
    return code;
  }
  if (options.synthesis) handover.netlist = synthesise_twin(handover.design, sources);
  write_cost(folder, loaded, handover.netlist);
  const auto compared = nlohmann::json::parse(std::ifstream(run.out + "/lockstep.json"));
  handover.config = loaded.config.name;
  handover.command = run.model_command();
  handover.sm = options.vectors_sm;
  handover.sms = compared.at("sms").get<unsigned>();
  handover.edges = compared.at("edges").get<std::uint64_t>();
  handover.grants = compared.at("grants").get<std::uint64_t>();
  handover.vectors = vectors_in(run.out + "/" + kVectorsFile);
  handover.version = version_text();
  handover.formal = std::filesystem::exists(folder.path_of("rtl/formal"));
  folder.write("README.md", handover_page(handover));
  folder.finish(handover.design);
  fmt::print("{}: {}, {}, {} clock cycles of golden vectors; README.md says what can be done with it\n",
             options.out, handover.design.scheduler, handover.design.modules(), handover.vectors);
  return ExitCode::kOk;
}

}  // namespace heddle
