#pragma once

#include <string>
#include <vector>

#include "hw/pricing/inventory.h"
#include "modules/warp_scheduler/policies/pro/parameters.h"
#include "modules/warp_scheduler/policies/pro/pro_policy.h"

namespace heddle::testing {

/// PRO's shared half on its own, at a cycle that the test sets. TB slot s holds the warps 4 s to 4 s + 3,
/// unless told otherwise; its index in the grid is 10 + s.
class ProRig {
 public:
  explicit ProRig(hw::Timing timing = hw::Timing::kIdeal, const ProParameters& pro = {}, unsigned warps = 48,
                  const std::string& management = "tb") {
    config.scheduler.timing = timing;
    config.scheduler.settings.edit(pro_parameters) = pro;
    config.core.warps = warps;
    config.core.resources.management = management;
    hw::Owner owner;
    owner.path = "sm0";
    owner.timing = timing;
    policy = std::make_unique<ProPolicy>(SmContext{table, config, 0, nullptr, nullptr, owner});
  }

  static unsigned count(WarpMask warps) { return static_cast<unsigned>(__builtin_popcountll(warps)); }
  static WarpMask warps_of(unsigned slot) { return WarpMask{0xF} << 4 * slot; }

  void start(unsigned slot) { start(slot, 10 + slot, warps_of(slot)); }
  void start(unsigned slot, std::uint64_t tb, WarpMask warps) {
    policy->on_tb_start({slot, tb, 0, warps, cycle, count(warps)});
  }
  /// A warp of the TB starts in `warp`, one that starts with it or a later one.
  void start_warp(unsigned warp, unsigned slot) {
    policy->on_warp_start({warp, slot, blocks().tb(slot), warp, cycle});
  }
  void start_all(unsigned count) {
    for (unsigned slot = 0; slot < count; ++slot) start(slot);
  }
  void end(unsigned slot) { policy->on_tb_end({slot, blocks().tb(slot), 0, blocks().warps(slot), cycle}); }
  /// Issues an instruction of `warp` with `lanes` active threads.
  void issue(unsigned warp, unsigned lanes = 32) {
    IssueEvent event;
    event.warp = warp;
    event.active = static_cast<LaneMask>((std::uint64_t{1} << lanes) - 1);
    event.cycle = cycle;
    policy->on_issue(event);
  }
  void arrive(unsigned warp, unsigned barrier = 0) {
    policy->on_barrier_arrive({blocks().slot_of(warp), barrier, warp_bit(warp), cycle});
  }
  void release(unsigned slot, WarpMask warps, unsigned barrier = 0) {
    policy->on_barrier_release({slot, barrier, warps, cycle});
  }
  void finish(unsigned warp) {
    const unsigned slot = blocks().slot_of(warp);
    policy->on_warp_finish({warp, slot, blocks().tb(slot), 0, cycle});
  }
  /// The last TB was given away in the cycle before the present one.
  void grid_dispatched() { policy->on_grid_dispatched({0, cycle - 1}); }
  std::uint64_t update_at(std::uint64_t at) {
    cycle = at;
    return policy->update(at);
  }
  /// Past the next sort of all.
  void threshold() { update_at((cycle / 1000 + 1) * 1000); }

  const ProBlocks& blocks() const { return policy->blocks(); }
  ProState state(unsigned slot) const { return blocks().state(slot); }
  std::vector<unsigned> tbs() const {
    return {policy->order().tbs(), policy->order().tbs() + policy->order().num_tbs()};
  }
  std::vector<unsigned> warps(unsigned slot) const {
    return {policy->order().warps(slot), policy->order().warps(slot) + policy->order().num_warps(slot)};
  }

  WarpTable table;
  GpuConfig config;
  std::uint64_t cycle = 1;
  std::unique_ptr<ProPolicy> policy;
};

}  // namespace heddle::testing
