#include "top/commands/run_command_line.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <systemc>

#include "base/input_scope.h"
#include "base/memory_budget.h"
#include "base/stop.h"
#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/resources/occupancy.h"
#include "top/cluster/point_worker.h"
#include "top/commands/commands.h"
#include "top/config/config_error.h"
#include "top/options/options.h"
#include "top/rtl/rtl_error.h"
#include "top/support/output/atomic_file.h"
#include "top/support/output/console.h"
#include "top/support/output/unread_output.h"
#include "top/support/processes/budget_guard.h"
#include "top/support/processes/out_of_memory.h"
#include "top/support/processes/ptxas.h"
#include "top/support/project_files.h"
#include "top/support/results.h"
#include "top/text/terminal.h"
#include "workloads/description/workload_error.h"
#include "workloads/host/functional_run.h"
#include "workloads/launch/kernel_launch.h"
#include "workloads/ptx/load.h"

namespace heddle {

namespace {

ExitCode execute(const CommandLine& line) {
  if (line.run) {
    return run_command(*line.run);
  }
  if (line.cost) {
    return cost_command(*line.cost);
  }
  if (line.rtl) return rtl_command(*line.rtl);
  if (line.handover) return handover_command(*line.handover);
  if (line.report) {
    return report_command(*line.report);
  }
  if (line.stats) {
    return stats_command(*line.stats);
  }
  if (line.compare) {
    return compare_command(*line.compare);
  }
  if (line.sweep) {
    return sweep_command(*line.sweep);
  }
  if (line.points) {
    return run_points(line.points->batch, line.points->job);
  }
  if (line.results) {
    return results_command(*line.results);
  }
  if (line.check) {
    return check_command(*line.check);
  }
  if (line.show) {
    return show_command(*line.show);
  }
  if (line.list) {
    return list_command(*line.list);
  }
  if (line.describe) {
    return describe_command(*line.describe);
  }
  if (line.reproduce) return reproduce_command(*line.reproduce);
  if (line.pairs) {
    return pairs_command(*line.pairs);
  }
  if (line.shell) {
    return shell_command(*line.shell);
  }
  fmt::print("{}", line.help);
  return ExitCode::kOk;
}

ExitCode report(const std::string& message, ExitCode code) {
  if (ran_out_of_memory()) return report_no_memory();
  tell("heddle: {}\n", message);
  return code;
}

ExitCode report(const std::exception& error, ExitCode code) { return report(error.what(), code); }

ExitCode report_unexpected(const std::exception& error) {
  // Output that can't be written is an exception of fmt's, with the reason.
  if (ran_out_of_memory() || std::ferror(stdout) == 0) return report(error, ExitCode::kInternal);
  if (!output_is_read()) return ExitCode::kNoOutput;
  tell("heddle: standard output: {}\n", error.what());
  return ExitCode::kNoOutput;
}

}  // namespace

ExitCode run_command_line(const std::vector<std::string>& arguments) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  // What SystemC has to say about sc_stop and the VCD's time unit is no news to the user.
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  try {
    const CommandLine line = parse_command_line(arguments);
    choose_colour(line.limits.colour);
    const BudgetGuard guard(line.limits.budget);
    allow_files_outside(line.limits.allow_outside);
    for (const std::string& folder : ProjectFiles().folders()) trust_folder(folder);
    try {
      const ExitCode code = execute(line);
      finish_output();
      return code;
    } catch (const Stopped& stopped) {
      return report(stop_text(stopped.cause()), exit_code_of(stopped.cause()));
    }
  } catch (const UsageError& error) {
    tell("{}\n", error.what());
    return ExitCode::kUsage;
  } catch (const BarrierDeadlock& error) {
    return report(error, ExitCode::kDeadlock);
  } catch (const ExecutionFault& error) {
    return report(error, ExitCode::kProgramFault);
  } catch (const MemoryError& error) {
    return report(error, ExitCode::kMemoryLimit);
  } catch (const UnreadOutput&) {  // whoever read it has what he wanted
    return ExitCode::kNoOutput;
  } catch (const OutputError& error) {
    return report(error, ExitCode::kNoOutput);
  } catch (const ConfigError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const FileNotFound& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const WorkloadError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const RtlError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const TwinMismatch& error) {
    return report(error, ExitCode::kTwinDiffers);
  } catch (const ptx::PtxError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const DispatchError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const PtxasError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const ResultsError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const OccupancyError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const std::invalid_argument& error) {  // sizes that a block can't work with, unknown parameters
    return report(error, ExitCode::kBadInput);
  } catch (const std::length_error& error) {  // buffers larger than the device memory
    return report(error, ExitCode::kBadInput);
  } catch (const std::bad_alloc&) {
    return report_no_memory();
  } catch (const std::exception& error) {
    return report_unexpected(error);
  }
}

}  // namespace heddle
