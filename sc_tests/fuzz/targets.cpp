#include <algorithm>

#include "sc_tests/fuzz/target.h"

namespace heddle::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {expression_target(),      config_target(),
                                          machine_target(),         workload_target(),
                                          workload_timing_target(), ptx_target(),
                                          ptx_timing_target(),      kernel_target(),
                                          timed_workload_target(),  experiment_target(),
                                          technology_target(),      alone_cache_target(),
                                          run_figures_target(),     reference_figures_target(),
                                          accepted_speeds_target(), report_logs_target(),
                                          profile_target(),         timeline_target(),
                                          intervals_target(),       report_target(),
                                          reproduction_target(),    run_identity_target(),
                                          papers_target(),          energy_target(),
                                          command_line_target()};
  return all;
}

const Target* find_target(std::string_view name) {
  const auto found = std::find_if(targets().begin(), targets().end(),
                                  [name](const Target& target) { return target.name == name; });
  return found == targets().end() ? nullptr : &*found;
}

}  // namespace heddle::fuzz
