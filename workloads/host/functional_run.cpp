#include "workloads/host/functional_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.h"

namespace heddle {

namespace {

constexpr unsigned kBarriers = 16;
/// Of a TB before another has its turn: more than most TBs have in all.
constexpr std::uint64_t kTurnInstructions = 32768;

/// The warps of one TB, stepped in turn.
class TbRun {
 public:
  TbRun(KernelLaunch& launch, std::uint64_t tb, FunctionalCounts& counts)
      : launch_(launch),
        tb_(tb),
        block_(launch.start(tb)),
        warps_(launch.warps_per_tb()),
        unfinished_(static_cast<unsigned>(warps_.size())),
        counts_(counts) {}

  /// Runs until the TB has ended or counts.warp_instructions are `end`. True when it has ended.
  bool run(std::uint64_t end) {
    while (unfinished_ > 0) {
      throw_if_stopped();
      bool progress = false;
      for (unsigned warp = 0; warp < warps_.size(); ++warp) {
        if (warps_[warp].finished || warps_[warp].waiting) {
          continue;
        }
        if (counts_.warp_instructions >= end) {
          return false;
        }
        progress = true;
        if (step(warp)) {
          --unfinished_;
        }
      }
      progress = release_barriers(unfinished_) || progress;
      if (!progress && unfinished_ > 0) {
        throw BarrierDeadlock(deadlock());
      }
    }
    return true;
  }

 private:
  struct Warp {
    bool finished = false;
    bool waiting = false;
    unsigned barrier = 0;
  };

  /// True when the warp has finished.
  bool step(unsigned warp) {
    Step done;
    const ExecutionSite site{0, 1, warp, 48, counts_.warp_instructions};
    block_->step(warp, site, done, addresses_);
    ++counts_.warp_instructions;
    counts_.thread_instructions += std::bitset<kWarpSize>(done.active).count();
    if (done.warp_finished) {
      warps_[warp].finished = true;
    } else if (done.at_barrier) {
      warps_[warp].waiting = true;
      warps_[warp].barrier = done.barrier;
      ++arrived_[done.barrier];
      expected_[done.barrier] = done.barrier_warps;
    }
    return done.warp_finished;
  }

  bool release_barriers(unsigned unfinished) {
    bool released = false;
    for (unsigned barrier = 0; barrier < kBarriers; ++barrier) {
      const unsigned needed = expected_[barrier] != 0 ? expected_[barrier] : unfinished;
      if (arrived_[barrier] == 0 || arrived_[barrier] < needed) {
        continue;
      }
      block_->barrier_released(barrier);
      arrived_[barrier] = 0;
      released = true;
      for (Warp& warp : warps_) {
        warp.waiting = warp.waiting && warp.barrier != barrier;
      }
    }
    return released;
  }

  std::string deadlock() const {
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

  KernelLaunch& launch_;
  std::uint64_t tb_;
  std::unique_ptr<ThreadBlock> block_;
  std::vector<Warp> warps_;
  unsigned unfinished_;
  std::array<unsigned, kBarriers> arrived_{};
  std::array<unsigned, kBarriers> expected_{};
  LaneAddresses addresses_{};
  FunctionalCounts& counts_;
};

}  // namespace

FunctionalCounts& FunctionalCounts::operator+=(const FunctionalCounts& other) {
  launches += other.launches;
  thread_blocks += other.thread_blocks;
  warp_instructions += other.warp_instructions;
  thread_instructions += other.thread_instructions;
  complete = complete && other.complete;
  return *this;
}

FunctionalCounts run_functionally(KernelLaunch& launch, const FunctionalLimits& limits) {
  FunctionalCounts counts;
  counts.launches = 1;
  counts.thread_blocks = launch.grid().count();
  const std::uint64_t resident = limits.resident_tbs ? limits.resident_tbs(launch) : 1;
  const std::uint64_t end = limits.warp_instructions != 0 ? limits.warp_instructions : ~std::uint64_t{0};
  std::deque<std::unique_ptr<TbRun>> running;
  for (std::uint64_t next = 0; next < counts.thread_blocks || !running.empty();) {
    // A TB that has had a turn and is not done may wait for one that has not begun.
    if (next < counts.thread_blocks && running.size() < std::max<std::uint64_t>(resident, 1))
      running.push_front(std::make_unique<TbRun>(launch, next++, counts));
    std::unique_ptr<TbRun> tb = std::move(running.front());
    running.pop_front();
    if (tb->run(std::min(end, counts.warp_instructions + kTurnInstructions))) continue;
    if (counts.warp_instructions >= end) {
      counts.complete = false;
      return counts;
    }
    running.push_back(std::move(tb));
  }
  return counts;
}

FunctionalCounts run_functionally(HostProgram& program, const FunctionalLimits& limits) {
  FunctionalCounts total;
  FunctionalLimits left = limits;
  for (std::size_t stream = 0; stream < program.streams(); ++stream) {
    while (const std::unique_ptr<KernelLaunch> launch = program.next(stream)) {
      if (limits.warp_instructions != 0) {
        total.complete = total.warp_instructions < limits.warp_instructions;
        left.warp_instructions = limits.warp_instructions - total.warp_instructions;
      }
      if (total.complete) total += run_functionally(*launch, left);
      if (!total.complete) return total;
      program.take_host_copies();  // nobody installs them
    }
  }
  return total;
}

}  // namespace heddle
