#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <systemc>
#include <vector>

#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/resources/occupancy.h"
#include "top/commands/commands.h"
#include "top/config/config_error.h"
#include "top/options/options.h"
#include "top/support/atomic_file.h"
#include "top/support/project_files.h"
#include "workloads/description/workload_error.h"
#include "workloads/launch/kernel_launch.h"
#include "workloads/ptx/load.h"

namespace {

using heddle::ExitCode;

ExitCode execute(const std::vector<std::string>& arguments) {
  const heddle::CommandLine line = heddle::parse_command_line(arguments);
  if (line.run) {
    return heddle::run_command(*line.run);
  }
  if (line.cost) {
    return heddle::cost_command(*line.cost);
  }
  if (line.compare) {
    return heddle::compare_command(*line.compare);
  }
  if (line.sweep) {
    return heddle::sweep_command(*line.sweep);
  }
  if (line.check) {
    return heddle::check_command(*line.check);
  }
  if (line.show) {
    return heddle::show_command(*line.show);
  }
  if (line.list) {
    return heddle::list_command(*line.list);
  }
  if (line.pairs) {
    return heddle::pairs_command(*line.pairs);
  }
  fmt::print("{}", line.help);
  return ExitCode::kOk;
}

ExitCode report(const std::exception& error, ExitCode code) {
  std::fflush(stdout);
  fmt::print(stderr, "heddle: {}\n", error.what());
  return code;
}

ExitCode execute_and_report(const std::vector<std::string>& arguments) {
  try {
    return execute(arguments);
  } catch (const heddle::UsageError& error) {
    std::fflush(stdout);
    fmt::print(stderr, "{}\n", error.what());
    return ExitCode::kUsage;
  } catch (const heddle::ExecutionFault& error) {
    return report(error, ExitCode::kProgramFault);
  } catch (const heddle::OutputError& error) {
    return report(error, ExitCode::kNoOutput);
  } catch (const heddle::ConfigError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const heddle::FileNotFound& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const heddle::WorkloadError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const heddle::ptx::PtxError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const heddle::DispatchError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const heddle::OccupancyError& error) {
    return report(error, ExitCode::kBadInput);
  } catch (const std::invalid_argument& error) {  // sizes that a block can't work with, unknown parameters
    return report(error, ExitCode::kBadInput);
  } catch (const std::length_error& error) {  // buffers larger than the device memory
    return report(error, ExitCode::kBadInput);
  } catch (const std::exception& error) {
    return report(error, ExitCode::kInternal);
  }
}

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  // What SystemC has to say about sc_stop and the VCD's time unit is no news to the user.
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  return static_cast<int>(execute_and_report({argv + 1, argv + argc}));
}

/// Replaces libsystemc's own, so that its banner does not stand before every result.
int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
