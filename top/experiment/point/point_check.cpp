#include "top/experiment/point/point_check.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "top/config/technology_file.h"
#include "top/energy/energy_check.h"
#include "top/machine/gpu_builder.h"
#include "top/options/command_config.h"
#include "top/options/compile_options.h"
#include "top/pairs/program_parameters.h"
#include "top/support/project_files.h"
#include "top/support/sized_workload.h"
#include "workloads/description/workload_loader.h"
#include "workloads/host/host_program.h"

namespace heddle {

namespace {

/// What runs have in common is checked once.
class RunCheck {
 public:
  void check(const RunOptions& options) {
    const GpuConfig& machine = machine_of(options);
    check_tables(options);
    RunOptions alone = options;
    for (std::size_t program = 0; program <= options.beside.size(); ++program) {
      if (program != 0) alone.workload = options.beside[program - 1];
      if (options.concurrent()) alone.on.parameters = parameters_alone(options, program);
      check_program(alone, machine);
    }
  }

 private:
  /// The configuration of a run, read and built by the first that has it, with what its events cost.
  const GpuConfig& machine_of(const RunOptions& options) {
    const Machine key{options.config.config, options.config.assignments, options.scheduler,
                      options.record.energy};
    const auto known = machines_.find(key);
    if (known != machines_.end()) return known->second;
    const LoadedConfig loaded = load_command_config(options.config, options.scheduler);
    const std::unique_ptr<Gpu> gpu = build_gpu(loaded);
    if (const auto energy = choose_energy_table(options.record.energy)) check_energy_table(*energy, *gpu);
    return machines_.emplace(key, loaded.config).first->second;
  }

  void check_tables(const RunOptions& options) {
    if (technologies_.insert(options.record.technology).second)
      static_cast<void>(choose_technology(options.record.technology, ProjectFiles().technologies()));
  }

  void check_program(const RunOptions& options, const GpuConfig& config) {
    if (workloads_
            .insert({options.workload, options.on.size, options.on.parameters,
                     config.core.max_registers_per_thread})
            .second)
      check_workload(options, config);
  }

  static void check_workload(const RunOptions& options, const GpuConfig& config) {
    const SizedWorkload sized = SizedWorkload::of(options.workload);
    Workload workload = load_workload(ProjectFiles().workload(sized.workload));
    auto parameters = workload.size_parameters(sized.size.empty() ? options.on.size : sized.size);
    for (const auto& [name, value] : options.on.parameters) {
      parameters[name] = value;
    }
    const std::vector<ptx::CompileOptions> compile = compile_options(config, options.on, workload);
    HostProgram program(std::move(workload), parameters, {}, compile);
    program.check_expected_files();
    program.rehearse();
  }

  /// Configuration, assignments, scheduler, energy table.
  using Machine = std::tuple<std::string, std::vector<std::string>, std::string, std::string>;
  std::map<Machine, GpuConfig> machines_;
  std::set<std::string> technologies_;
  std::set<std::tuple<std::string, std::string, std::map<std::string, std::int64_t>, unsigned>> workloads_;
};

}  // namespace

void check_points(const std::vector<Point>& points) {
  RunCheck check;
  for (const Point& point : points) check.check(point.run);
}

}  // namespace heddle
