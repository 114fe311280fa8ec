#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "modules/warp_scheduler/policies/oaws/oaws.h"

namespace heddle::testing {

/// OAWS of one SM without a simulation: the test says what the warps want to issue and what the memory does.
class OawsRig : private PolicyHost {
 public:
  static constexpr std::uint64_t kLoadPc = 240;

  OawsRig(OawsPrediction kind, GpuConfig gpu, hw::Timing timing = hw::Timing::kIdeal)
      : config(std::move(gpu)), made_(make(kind, timing)), oaws(*made_) {
    load.unit = Unit::kLdst;
    load.mem = MemOp::kLoad;
    load.space = Space::kGlobal;
    store = load;
    store.mem = MemOp::kStore;
    bypass = load;
    bypass.cache = CacheOp::kGlobalLevel;
    available_ = config.l1d.mshr.entries;
  }

  void start(unsigned warp) {
    table.resident |= warp_bit(warp);
    oaws.on_warp_start({warp, 0, 0, warp, cycle});
  }
  void finish(unsigned warp) {
    table.valid &= ~warp_bit(warp);
    table.finished |= warp_bit(warp);
    oaws.on_warp_finish({warp, 0, 0, warp, cycle});
  }
  /// `warp`'s next instruction.
  void next(unsigned warp, const Instruction& instruction, unsigned lanes = 32, std::uint64_t pc = kLoadPc) {
    table.valid |= warp_bit(warp);
    table.next[warp] = &instruction;
    table.needs[static_cast<unsigned>(Unit::kLdst)] |= warp_bit(warp);
    lanes_[warp] = static_cast<LaneMask>((std::uint64_t{1} << lanes) - 1);
    pcs_[warp] = pc;
  }
  void diverged(std::uint64_t pc = kLoadPc, unsigned lines = 32) {
    std::vector<CacheLine> addresses(lines);
    oaws.on_load_coalesced({cycle, 0, pc, 0, kAllLanes, false, lines, addresses.data()});
  }
  /// The next cycle: what happened before it is known, update() has run.
  std::uint64_t step() { return oaws.update(++cycle); }

  WarpMask qualified() { return oaws.qualify(cycle, table.valid); }
  bool may_issue(unsigned warp) { return (oaws.qualify(cycle, warp_bit(warp)) & warp_bit(warp)) != 0; }
  /// Issues the next instruction of `warp`; its number.
  std::uint64_t issue(unsigned warp) {
    IssueEvent event;
    event.warp = warp;
    event.instruction = table.next[warp];
    event.access = lanes_[warp];
    event.space = Space::kGlobal;
    event.cycle = cycle;
    event.id = next_id_++;
    event.pc = pcs_[warp];
    table.valid &= ~warp_bit(warp);
    oaws.on_issue(event);
    return event.id;
  }
  /// Load `id` left the L1D having taken `misses` entries. Of a load with `hits` only, OCW learns.
  void left(std::uint64_t id, unsigned misses, unsigned hits = 0, std::uint64_t pc = kLoadPc) {
    for (unsigned i = 0; i < misses + hits; ++i) {
      L1dAccess access;
      access.cycle = 64 * cycle + i;  // one a cycle; nothing here looks at when
      access.outcome = i < misses ? L1dOutcome::kMiss : L1dOutcome::kHit;
      access.instruction = id;
      access.line.set = i % 32;
      if (oaws.locality() != nullptr) oaws.on_l1d_access(access);
    }
    oaws.on_load_looked_up({cycle, 0, pc, id, misses + hits, hits, 0, misses});
    available(available_ - misses);
  }
  void available(unsigned entries) {
    available_ = entries;
    oaws.on_mshr_room({cycle, entries, 8});
  }
  void returned(unsigned entries) { available(available_ + entries); }

  GpuConfig config;
  WarpTable table;
  std::uint64_t cycle = 0;
  Instruction load, store, bypass;

 private:
  std::unique_ptr<Oaws> make(OawsPrediction kind, hw::Timing timing) {
    if (kind == OawsPrediction::kStatic) return std::make_unique<OawsStatic>(context(timing));
    return std::make_unique<OawsDynamic>(context(timing));
  }
  std::unique_ptr<Oaws> made_;

 public:
  Oaws& oaws;

 private:
  SmContext context(hw::Timing timing) {
    hw::Owner owner;
    owner.path = "sm0/oaws";
    owner.timing = timing;
    owner.strict = true;
    return {table, config, 0, this, nullptr, owner};
  }
  LaneMask next_lanes(unsigned warp) const override { return lanes_[warp]; }
  std::uint64_t next_pc(unsigned warp) const override { return pcs_[warp]; }

  std::array<LaneMask, kMaxWarps> lanes_{};
  std::array<std::uint64_t, kMaxWarps> pcs_{};
  std::uint64_t next_id_ = 0;
  unsigned available_ = 0;
};

/// `warps` slots, `entries` MSHR entries, one scheduler.
inline GpuConfig oaws_config(unsigned warps, unsigned entries, unsigned schedulers = 1) {
  GpuConfig gpu;
  gpu.core.warps = warps;
  gpu.core.schedulers = schedulers;
  gpu.l1d.mshr.entries = entries;
  return gpu;
}

}  // namespace heddle::testing
