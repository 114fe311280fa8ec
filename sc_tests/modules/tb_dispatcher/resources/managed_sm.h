#pragma once

#include <deque>
#include <memory>
#include <string>

#include "modules/tb_dispatcher/resources/resource_manager.h"

namespace heddle::testing {

inline TbDemand demand_of(unsigned warps, unsigned registers_per_thread, unsigned shared_bytes = 0) {
  TbDemand demand;
  demand.warps = warps;
  demand.threads = warps * kWarpSize;
  demand.registers_per_thread = registers_per_thread;
  demand.registers = registers_per_thread * demand.threads;
  demand.shared_bytes = shared_bytes;
  return demand;
}

inline CoreConfig core_with(const std::string& management, const std::string& contention = "none") {
  CoreConfig core;
  core.resources.management = management;
  core.resources.contention = contention;
  return core;
}

/// A manager and the shares of its TBs.
struct Manager {
  explicit Manager(const CoreConfig& core, const hw::Owner& hardware = {})
      : manager(resource_management(core).create(core, hardware)) {}
  /// Starts a TB with all that there is room for; how many warps that is.
  unsigned start(const TbDemand& demand, std::uint64_t launch = 0, bool use_fragments = true) {
    const unsigned warps = manager->room(launch, demand, use_fragments);
    if (warps == 0) return 0;
    shares.push_back({launch, demand, 0, 0, use_fragments});
    manager->start(shares.back(), warps);
    return warps;
  }
  void end_warps(std::size_t share, unsigned count) {
    for (unsigned n = 0; n < count; ++n) manager->warp_ended(shares[share]);
  }
  std::unique_ptr<ResourceManager> manager;
  std::deque<TbShare> shares;
};

}  // namespace heddle::testing
