#include "modules/tb_dispatcher/resources/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "modules/tb_dispatcher/resources/resource_manager.h"
#include "workloads/launch/device_memory.h"

namespace heddle {

namespace {

void check_registers(const KernelLaunch& launch, const CoreConfig& core) {
  const unsigned limit = core.max_registers_per_thread;
  if (limit == 0 || launch.registers_per_thread() <= limit) return;
  throw OccupancyError(fmt::format(
      "{}kernel '{}': {} registers per thread, but a thread of this machine has at most {} "
      "(core.max_registers_per_thread): as `registers` expected what `ptxas -v -maxrregcount {}` reports, or "
      "nothing, so that what does not fit is kept in local memory",
      launch.place(), launch.program().name, launch.registers_per_thread(), limit, limit));
}

/// As CUDA, which takes local memory for as many threads as the GPU holds. It ends where global memory
/// begins.
void check_local(const KernelLaunch& launch, const CoreConfig& core) {
  const std::uint64_t bytes = launch.program().local_bytes_per_thread;
  const std::uint64_t threads = std::uint64_t{core.sms} * core.threads;
  const std::uint64_t most =
      (DeviceMemory::kBase - launch.local_base()) / std::max<std::uint64_t>(threads, 1);
  if (bytes <= most) return;
  throw OccupancyError(fmt::format(
      "{}kernel '{}': {} bytes of local memory per thread, expected at most {} on a GPU of {} threads "
      "(core.sms, core.threads)",
      launch.place(), launch.program().name, bytes, most, threads));
}

unsigned round_up(unsigned value, unsigned unit) { return (value + unit - 1) / unit * unit; }

struct Need {
  SmResource resource;
  unsigned needed;
  unsigned available;
  const char* unit;
};

}  // namespace

const char* to_string(SmResource resource) {
  static constexpr std::array<const char*, 6> kNames{"TB slots",  "threads",       "warp slots",
                                                     "registers", "shared memory", "grid size"};
  return kNames[static_cast<unsigned>(resource)];
}

TbDemand TbDemand::of(const KernelLaunch& launch, const CoreConfig& core) {
  TbDemand demand;
  demand.warps = launch.warps_per_tb();
  demand.threads = demand.warps * kWarpSize;
  demand.registers_per_thread = round_up(launch.registers_per_thread(), core.register_allocation_unit);
  demand.registers = demand.registers_per_thread * demand.threads;
  demand.shared_bytes = round_up(launch.shared_bytes(), core.shared_allocation_bytes);
  return demand;
}

Occupancy Occupancy::of(const KernelLaunch& launch, const CoreConfig& core) {
  check_registers(launch, core);
  check_local(launch, core);
  Occupancy result;
  result.demand = TbDemand::of(launch, core);
  const TbDemand& d = result.demand;
  const std::array<Need, 5> needs{{
      {SmResource::kTbSlots, 1, core.tb_slots, "slots"},
      {SmResource::kThreads, d.threads, core.threads, "threads"},
      {SmResource::kWarps, d.warps, core.warps, "warps"},
      {SmResource::kRegisters, d.registers, core.registers, "32-bit registers"},
      {SmResource::kSharedMemory, d.shared_bytes, core.shared_bytes, "bytes"},
  }};
  result.tbs_per_sm = core.tb_slots;
  for (const Need& need : needs) {
    if (need.needed > need.available) {
      throw OccupancyError(fmt::format(
          "{}kernel '{}': no thread block fits on an SM: {} needed are {} {}, an SM has {}", launch.place(),
          launch.program().name, to_string(need.resource), need.needed, need.unit, need.available));
    }
    if (need.needed == 0 || need.available / need.needed >= result.tbs_per_sm) continue;
    result.tbs_per_sm = need.available / need.needed;
    result.limiter = need.resource;
  }
  result.warp_occupancy = static_cast<double>(result.tbs_per_sm) * d.warps / core.warps;
  result.resource_limit = result.tbs_per_sm;
  if (manages_warps(core)) {
    result.resource_limit = core.tb_slots;
    if (d.shared_bytes != 0)
      result.resource_limit = std::min(result.resource_limit, core.shared_bytes / d.shared_bytes);
  }
  result.spread(launch.grid().count(), core.sms);
  if (result.resident_limit < result.tbs_per_sm) result.limiter = SmResource::kGrid;
  return result;
}

void Occupancy::spread(std::uint64_t tbs, unsigned sms) {
  const std::uint64_t per_sm = (tbs + sms - 1) / sms;
  resident_limit = static_cast<unsigned>(std::clamp<std::uint64_t>(per_sm, 1, resource_limit));
}

}  // namespace heddle
