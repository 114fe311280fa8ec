#include "top/report/cost/scheduler_cost.h"

#include <deque>
#include <stdexcept>

#include "modules/config/setting_error.h"
#include "modules/sm/residency/tb_slots.h"
#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/resources/contention_control.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "top/config/config_origin.h"

namespace heddle {

namespace {

/// One SM of the configuration, whose policies are built only to see what they are built of.
hw::Owner one_sm(hw::Inventory& inventory, const GpuConfig& config) {
  hw::Owner sm;
  sm.inventory = &inventory;
  sm.path = "sm0";
  sm.timing = config.scheduler.timing;
  sm.clock_fo4 = config.scheduler.clock_fo4;
  return sm;
}

std::vector<std::string> unpriced_policies(const GpuConfig& config) {
  const WarpTable no_warps;
  hw::Inventory inventory;
  return SmPolicies({no_warps, config, 0, nullptr, nullptr, one_sm(inventory, config)}).unpriced();
}

}  // namespace

hw::CostContext cost_context(const GpuConfig& config, const std::optional<hw::Technology>& technology,
                             std::uint64_t cycles) {
  constexpr std::uint64_t kRegisterBits = 32;
  constexpr std::uint64_t kByteBits = 8;
  const CacheConfig& l1d = config.l1d.cache;
  hw::CostContext context;
  context.about = {
      {"scheduler", config.scheduler.name},
      {"timing", config.scheduler.timing == hw::Timing::kHardware ? "hardware" : "ideal"},
      {"config", config.name},
  };
  context.sms = config.core.sms;
  context.register_file_bits = config.core.registers * kRegisterBits;
  context.l1d_bits = std::uint64_t{l1d.sets} * l1d.ways * l1d.line_bytes * kByteBits;
  context.cycles = cycles;
  context.clock_fo4 = config.scheduler.clock_fo4;
  context.technology = technology;
  context.unpriced = unpriced_policies(config);
  return context;
}

namespace {

/// Who brought in the lines of the caches, when the policies need to know.
std::deque<LineOwners> line_owners_of(const SmPolicies& policies, const GpuConfig& config,
                                      const hw::Owner& sm) {
  std::deque<LineOwners> owners;
  if (policies.read_line_warps()) owners.emplace_back(sm.child("l1d"), LineOwnersShape::of_l1d(config));
  if (!policies.hear<event::L2Reply>()) return owners;
  const unsigned slices = config.dram.channels * config.l2.slices_per_channel;
  for (unsigned i = 0; i < slices; ++i) {
    owners.emplace_back(l2_slice_hardware(*sm.inventory, config, i), LineOwnersShape::of_l2(config));
  }
  return owners;
}

}  // namespace

hw::CostTable scheduler_cost(const LoadedConfig& loaded, const std::optional<hw::Technology>& technology) {
  const WarpTable no_warps;
  hw::Inventory inventory;
  const hw::Owner sm = one_sm(inventory, loaded.config);
  try {
    const SmPolicies policies({no_warps, loaded.config, 0, nullptr, nullptr, sm});
    const std::deque<LineOwners> line_owners = line_owners_of(policies, loaded.config, sm);
    const TbSlots slots(loaded.config.core, sm);  // with the workload buffer
    CoreConfig core = loaded.config.core;         // its parts stand for those of all
    core.sms = 1;
    hw::Owner gpu;
    gpu.inventory = &inventory;
    const auto contention = make_contention_control(loaded.config.core, gpu);
    gpu.timing = loaded.config.scheduler.timing;
    gpu.clock_fo4 = loaded.config.scheduler.clock_fo4;
    const auto dispatch = make_dispatch_policy(
        {core, loaded.config.tb_dispatcher, gpu, nullptr, nullptr, loaded.config.core.sms});
    return hw::make_cost_table(inventory, cost_context(loaded.config, technology));
  } catch (const SettingError& error) {
    throw ConfigError(origin_of(loaded, error.keys()) + error.what());
  } catch (const std::invalid_argument& error) {
    throw ConfigError(error.what());
  }
}

hw::CostTable run_cost(const Gpu& gpu, const std::optional<hw::Technology>& technology,
                       std::uint64_t cycles) {
  return hw::make_cost_table(gpu.inventories(), cost_context(gpu.config(), technology, cycles));
}

}  // namespace heddle
