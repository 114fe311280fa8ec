// What an SM's scheduling policies and load statistics hear of it.
#include "modules/sm/sm.h"

namespace heddle {

void Sm::connect_policies(const GpuConfig& config) {
  PolicyFeed& feed = issue.feed;
  const auto forward = [&feed](const auto& event) { feed.publish(event); };
  if (feed.heard<event::L1dAccess, event::LoadLookedUp>()) l1d.accessed.bind(forward);
  if (MissReplay* const replay = feed.policies().miss_replay(); replay != nullptr) {
    l1d.replay_misses(*replay, mshr);
    replays_misses_ = true;
  }
  if (feed.policies().read_line_warps()) {
    l1d.keep_line_warps(issue.hardware().child("l1d"), LineOwnersShape::of_l1d(config));
  }
  if (feed.heard<event::L1dEviction>()) l1d.evicted.bind(forward);
  if (feed.heard<event::L1dStore>()) l1d.stored.bind(forward);
  if (feed.heard<event::L2Reply>()) mshr.replied.bind(forward);
  if (feed.heard<event::MshrRoom>()) mshr.room_changed.bind(forward);
  if (feed.heard<event::LoadCoalesced>()) {
    ldst.load_coalesced.bind([this](const WarpInstruction& instruction, const AccessList& accesses,
                                    Cycle cycle) { publish_coalesced(instruction, accesses, cycle); });
  }
  if (feed.heard<event::LoadReturned>()) {
    ldst.load_completed.bind([&feed](const WarpInstruction& load, Cycle cycle) {
      if (load.space != Space::kGlobal && load.space != Space::kLocal) return;
      feed.publish(LoadReturned{cycle, load.warp, load.index * std::uint64_t{Instruction::kBytes}, load.id});
    });
  }
}

void Sm::connect_load_statistics() {
  issue.issuer.issued.listen([this](const WarpInstruction& load) {
    const WarpTable& table = issue.warps();
    unsigned age = 0;
    for (WarpMask left = table.resident & ~table.finished; left != 0; left &= left - 1) {
      age += table.age[lowest_warp(left)] < table.age[load.warp];
    }
    load_statistics_->executed(age);
    const bool cached = load.space == Space::kGlobal || load.space == Space::kLocal;
    if (load.instruction->mem != MemOp::kLoad || !cached || load.access == 0) return;
    load_statistics_->issued(load, age, l1d.occluded_cycles(load.issued_at));
  });
  l1d.accessed.listen([this](const L1dAccess& access) {
    load_statistics_->accessed(access, l1d.occluded_cycles(access.cycle - 1));
  });
  ldst.load_completed.listen(
      [this](const WarpInstruction& load, Cycle cycle) { load_statistics_->completed(load, cycle); });
}

void Sm::follow_launches(LaunchEvents& launches) {
  launches.launched.bind([this](std::uint64_t /*launch_id*/, Cycle /*cycle*/) { texture.flush(); });
  PolicyFeed& feed = issue.feed;
  if (feed.heard<event::KernelStart>()) {
    launches.launched.bind([&feed](std::uint64_t launch_id, Cycle cycle) {
      feed.publish(KernelEvent{launch_id, cycle});
    });
  }
  if (feed.heard<event::GridDispatched>()) {
    launches.grid_dispatched.bind([&feed](std::uint64_t launch_id, Cycle cycle) {
      feed.announce({launch_id, cycle});
    });
  }
}

void Sm::publish_coalesced(const WarpInstruction& instruction, const AccessList& accesses, Cycle cycle) {
  coalesced_.clear();
  for (unsigned i = 0; i < accesses.size(); ++i) {
    const std::uint64_t line = l1d.line_address(accesses[i].address);
    coalesced_.push_back({line, l1d.set_of(line)});
  }
  LoadCoalesced event;
  event.cycle = cycle;
  event.warp = instruction.warp;
  event.pc = instruction.pc;
  event.instruction = instruction.id;
  event.lanes = instruction.access;
  event.bypasses_l1d = ldst.bypasses_l1d(*instruction.instruction);
  event.lines = accesses.size();
  event.line = coalesced_.data();
  issue.feed.publish(event);
}

}  // namespace heddle
