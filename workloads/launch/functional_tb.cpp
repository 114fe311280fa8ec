#include "workloads/launch/functional_tb.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "base/stop.h"

namespace heddle {

namespace {

/// Instructions that follow each other belong to different parts, so that a loop shows in many of them.
unsigned part_of(std::uint32_t index) {
  constexpr std::uint32_t kSpread = 2654435761U;  // 2^32 over the golden ratio
  constexpr unsigned kShift = 27;
  static_assert(TbWork::kParts == 1U << (32 - kShift));
  return (index * kSpread) >> kShift;
}

}  // namespace

TbWork& TbWork::operator+=(const TbWork& other) {
  tbs += other.tbs;
  warp_instructions += other.warp_instructions;
  thread_instructions += other.thread_instructions;
  for (unsigned part = 0; part < kParts; ++part) of_part[part] += other.of_part[part];
  return *this;
}

FunctionalTb::FunctionalTb(KernelLaunch& launch, std::uint64_t tb, const ExecutionSite& site,
                           MemoryWatch* watch)
    : launch_(launch),
      tb_(tb),
      site_(site),
      watch_(watch),
      block_(launch.start(tb)),
      warps_(launch.warps_per_tb()),
      unfinished_(static_cast<unsigned>(warps_.size())) {
  for (unsigned warp = 0; warp < warps_.size(); ++warp) warps_[warp].next_index = block_->next_index(warp);
}

bool FunctionalTb::run(std::uint64_t warp_instructions, std::uint64_t cycle) {
  const std::uint64_t begin = work_.warp_instructions;
  site_.cycle = cycle;
  while (unfinished_ > 0) {
    throw_if_stopped();
    bool progress = false;
    for (unsigned warp = 0; warp < warps_.size(); ++warp) {
      if (warps_[warp].finished || warps_[warp].waiting) continue;
      if (work_.warp_instructions - begin >= warp_instructions) return false;
      progress = true;
      step(warp);
    }
    progress = release_barriers() || progress;
    if (!progress && unfinished_ > 0) throw BarrierDeadlock(deadlock());
  }
  work_.tbs = 1;
  return true;
}

void FunctionalTb::step(unsigned index) {
  Warp& warp = warps_[index];
  Step done;
  site_.warp_slot = index;
  block_->step(index, site_, done, addresses_);
  ++site_.cycle;
  ++work_.warp_instructions;
  ++work_.of_part[part_of(warp.next_index)];
  work_.thread_instructions += std::bitset<kWarpSize>(done.active).count();
  if (watch_ != nullptr && done.access != 0) tell_accesses(launch_.program().code[warp.next_index], done);
  warp.next_index = done.next_index;
  if (done.warp_finished) {
    warp.finished = true;
    --unfinished_;
  } else if (done.at_barrier) {
    warp.waiting = true;
    warp.barrier = done.barrier;
    ++arrived_[done.barrier];
    expected_[done.barrier] = done.barrier_warps;
  }
}

/// Lanes next to each other mostly access the same block.
void FunctionalTb::tell_accesses(const Instruction& instruction, const Step& done) {
  std::uint64_t block = 0;
  unsigned sectors = 0;
  const bool writes = instruction.mem != MemOp::kLoad;
  const auto add = [&](std::uint64_t address, unsigned bytes) {
    const std::uint64_t last = address + std::max(bytes, 1U) - 1;
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
  if (done.space == Space::kGlobal) {
    for (LaneMask left = done.access; left != 0; left &= left - 1)
      add(addresses_.lane[static_cast<unsigned>(__builtin_ctz(left))], instruction.bytes_per_lane);
  } else if (done.space == Space::kTexture) {
    for (const std::uint64_t address : addresses_.texels.address) add(address, addresses_.texels.bytes);
  }
  if (sectors != 0) watch_->accessed(block, sectors, writes);
}

bool FunctionalTb::release_barriers() {
  bool released = false;
  for (unsigned barrier = 0; barrier < kBarriers; ++barrier) {
    const unsigned needed = expected_[barrier] != 0 ? expected_[barrier] : unfinished_;
    if (arrived_[barrier] == 0 || arrived_[barrier] < needed) continue;
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
