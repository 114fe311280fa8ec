#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "base/memory_budget.h"
#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/resources/occupancy.h"
#include "sc_tests/fuzz/target.h"
#include "top/config/config_error.h"
#include "top/options/options.h"
#include "top/support/project_files.h"
#include "workloads/description/workload_error.h"
#include "workloads/expression/expression.h"
#include "workloads/launch/kernel_launch.h"
#include "workloads/ptx/load.h"

namespace heddle::fuzz {

/// Does `read`. What the program tells its user (run_command_line.cpp) refuses the input; every other
/// exception goes on.
template <class Read>
Verdict verdict_of(const Read& read) {
  try {
    read();
    return Verdict::kLoaded;
  } catch (const ptx::PtxError&) {
  } catch (const WorkloadError&) {
  } catch (const ConfigError&) {
  } catch (const MemoryError&) {
  } catch (const UsageError&) {
  } catch (const FileNotFound&) {
  } catch (const DispatchError&) {
  } catch (const OccupancyError&) {
  } catch (const ExpressionError&) {
  } catch (const ExecutionFault&) {
  } catch (const std::invalid_argument&) {
  } catch (const std::length_error&) {
  }
  return Verdict::kRefused;
}

/// Ends the process: what holds for every input does not hold.
[[noreturn]] inline void finding(const std::string& message) {
  std::fprintf(stderr, "heddle_fuzz: %s\n", message.c_str());
  std::abort();
}

}  // namespace heddle::fuzz
