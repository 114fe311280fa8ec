#include "workloads/launch/functional_tb.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/stop.h"

namespace heddle {

FunctionalTb::FunctionalTb(KernelLaunch& launch, std::uint64_t tb, const ExecutionSite& site,
                           MemoryWatch* watch)
    : launch_(launch),
      tb_(tb),
      site_(site),
      watch_(watch),
      block_(launch.start(tb)),
      warps_(launch.warps_per_tb()),
      unfinished_(static_cast<unsigned>(warps_.size())) {}

bool FunctionalTb::run(std::uint64_t warp_instructions, std::uint64_t cycle) {
  std::uint64_t left = warp_instructions;
  site_.cycle = cycle;
  while (unfinished_ > 0) {
    throw_if_stopped();
    bool progress = false;
    for (unsigned warp = 0; warp < warps_.size(); ++warp) {
      if (warps_[warp].finished || warps_[warp].waiting) continue;
      if (left == 0) return false;
      progress = true;
      left -= turn(warp, std::min(kTurn, left));
    }
    if (arrived_at_all_) progress = release_barriers() || progress;
    if (!progress && unfinished_ > 0) throw BarrierDeadlock(deadlock());
  }
  work_.tbs = 1;
  return true;
}

std::uint64_t FunctionalTb::turn(unsigned index, std::uint64_t instructions) {
  site_.warp_slot = index;
  Step last;
  const std::uint64_t executed = watch_ == nullptr
                                     ? block_->run(index, site_, {instructions, work_}, last, addresses_)
                                     : watched_turn(index, instructions, last);
  Warp& warp = warps_[index];
  if (last.warp_finished) {
    warp.finished = true;
    --unfinished_;
  } else if (last.at_barrier) {
    warp.waiting = true;
    warp.barrier = last.barrier;
    ++arrived_[last.barrier];
    arrived_at_all_ = true;
    expected_[last.barrier] = last.barrier_warps;
  }
  return executed;
}

std::uint64_t FunctionalTb::watched_turn(unsigned index, std::uint64_t instructions, Step& last) {
  std::uint64_t executed = 0;
  while (executed < instructions && !last.warp_finished && !last.at_barrier) {
    executed += block_->run(index, site_, {instructions - executed, work_, true}, last, addresses_);
    if (last.access != 0) tell_accesses(launch_.program().code[last.index], last);
  }
  return executed;
}

/// All lanes in their order access what follows each other.
bool FunctionalTb::is_row(const Step& done, unsigned bytes) const {
  if (done.space != Space::kGlobal || done.access != kAllLanes) return false;
  std::uint64_t differences = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    differences |= addresses_.lane[lane] ^ (addresses_.lane[0] + std::uint64_t{lane} * bytes);
  return differences == 0;
}

/// Lanes next to each other mostly access the same block.
void FunctionalTb::tell_accesses(const Instruction& instruction, const Step& done) {
  std::uint64_t block = 0;
  unsigned sectors = 0;
  const bool writes = instruction.mem != MemOp::kLoad;
  const auto add = [&](std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t last = address + std::max<std::uint64_t>(bytes, 1) - 1;
    for (std::uint64_t sector = address / MemoryWatch::kSectorBytes;
         sector <= last / MemoryWatch::kSectorBytes; ++sector) {
      constexpr std::uint64_t kSectors = MemoryWatch::kBlockBytes / MemoryWatch::kSectorBytes;
      const std::uint64_t of_block = sector / kSectors * MemoryWatch::kBlockBytes;
      if (of_block != block && sectors != 0) {
        watch_->accessed(block, sectors, writes);
        sectors = 0;
      }
      block = of_block;
      sectors |= 1U << sector % kSectors;
    }
  };
  const unsigned bytes = instruction.bytes_per_lane;
  if (is_row(done, bytes)) {
    add(addresses_.lane[0], std::uint64_t{kWarpSize} * bytes);
  } else if (done.space == Space::kGlobal) {
    for (LaneMask left = done.access; left != 0; left &= left - 1)
      add(addresses_.lane[static_cast<unsigned>(__builtin_ctz(left))], bytes);
  } else if (done.space == Space::kTexture) {
    for (const std::uint64_t address : addresses_.texels.address) add(address, addresses_.texels.bytes);
  }
  if (sectors != 0) watch_->accessed(block, sectors, writes);
}

bool FunctionalTb::release_barriers() {
  bool released = false;
  arrived_at_all_ = false;
  for (unsigned barrier = 0; barrier < kBarriers; ++barrier) {
    const unsigned needed = expected_[barrier] != 0 ? expected_[barrier] : unfinished_;
    if (arrived_[barrier] == 0) continue;
    if (arrived_[barrier] < needed) {
      arrived_at_all_ = true;
      continue;
    }
    block_->barrier_released(barrier);
    arrived_[barrier] = 0;
    released = true;
    for (Warp& warp : warps_) warp.waiting = warp.waiting && warp.barrier != barrier;
  }
  return released;
}

std::string FunctionalTb::deadlock() const {
  std::string text =
      fmt::format("{}: thread block {} is deadlocked at barriers:", launch_.program().name, tb_);
  for (unsigned warp = 0; warp < warps_.size(); ++warp) {
    if (warps_[warp].finished) {
      text += fmt::format("\n  warp {} has finished", warp);
      continue;
    }
    const unsigned barrier = warps_[warp].barrier;
    const std::string needed =
        expected_[barrier] != 0 ? fmt::format("{}", expected_[barrier]) : "all unfinished";
    text += fmt::format("\n  warp {} waits at barrier {}, where {} of {} warps have arrived: {}", warp,
                        barrier, arrived_[barrier], needed, block_->describe_warp(warp));
  }
  return text;
}

}  // namespace heddle
