#include "top/catalog/workload_shape.h"

#include "workloads/host/launch_plan.h"

namespace heddle {

const LaunchShape* WorkloadShape::find(const std::string& kernel) const {
  const LaunchShape* found = nullptr;
  for (const LaunchShape& launch : launches) {
    if (!kernel.empty() && launch.kernel != kernel) continue;
    const bool larger = found == nullptr ||
                        (kernel.empty() ? launch.tb_rounds > found->tb_rounds : launch.tbs() > found->tbs());
    if (larger) found = &launch;
  }
  return found;
}

WorkloadShape shape_of(const Workload& workload, const std::string& size,
                       const std::map<std::string, std::int64_t>& parameters, const CoreConfig& core,
                       const std::vector<ptx::CompileOptions>& compile) {
  std::map<std::string, std::int64_t> overrides = workload.size_parameters(size);
  for (const auto& [name, value] : parameters) overrides[name] = value;
  const LaunchPlan plan(workload, overrides, compile);
  WorkloadShape shape;
  shape.workload = workload.name;
  shape.size = size;
  shape.buffer_bytes = plan.buffer_bytes();
  for (const PlannedLaunch& planned : plan.launches()) {
    const KernelLaunch& launch = *planned.launch;
    LaunchShape row;
    row.kernel = planned.kernel;
    row.times = planned.times;
    row.by_data = planned.by_data;
    row.grid = launch.grid();
    row.block = launch.block();
    row.registers_per_thread = launch.registers_per_thread();
    row.shared_bytes = launch.shared_bytes();
    row.occupancy = Occupancy::of(launch, core);
    row.tb_rounds = static_cast<double>(row.tbs()) / (double{1} * core.sms * row.occupancy.tbs_per_sm);
    shape.launches.push_back(std::move(row));
  }
  if (shape.launches.empty())
    throw WorkloadError({workload.file, 0, 0}, "nothing is launched, expected at least one launch");
  return shape;
}

}  // namespace heddle
