#include "modules/warp_scheduler/policies/oaws/watch.h"

#include <algorithm>

namespace heddle {

LoadWatch::LoadWatch(const hw::Owner& owner, const GpuConfig& gpu)
    : set_bits_(std::min(gpu.l1d.cache.sets, 64U)),
      div_(owner, "div", {1}),
      fcl_(owner, "fcl", {8, hw::Overflow::kSaturate}),
      sets_(owner, "sets", set_bits_),
      set_count_(owner, "set_count", set_bits_) {
  for (const char* part : {"div", "fcl", "sets"}) {
    owner.note(part, "one of the five registers that the paper names beside its bytes");
  }
}

void LoadWatch::access(hw::Cycle cycle, const L1dAccess& access) {
  const bool missed = access.outcome != L1dOutcome::kHit;
  const std::uint64_t set = std::uint64_t{1} << access.line.set % set_bits_;
  if (access.instruction != load_) {
    load_ = access.instruction;
    fcl_.write(cycle, missed);
    sets_.load(set);
    return;
  }
  if (missed) fcl_.write(cycle, fcl_.value() + 1);
  sets_.set_bits(set);
}

void LoadWatch::trace(WaveSink& sink) const {
  div_.trace(sink);
  fcl_.trace(sink);
  sets_.trace(sink);
}

}  // namespace heddle
