#include "workloads/host/functional_run.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

namespace heddle {

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
  std::deque<std::unique_ptr<FunctionalTb>> running;
  for (std::uint64_t next = 0; next < counts.thread_blocks || !running.empty();) {
    // A TB that has had a turn and is not done may wait for one that has not begun.
    if (next < counts.thread_blocks && running.size() < std::max<std::uint64_t>(resident, 1))
      running.push_front(std::make_unique<FunctionalTb>(launch, next++, ExecutionSite()));
    std::unique_ptr<FunctionalTb> tb = std::move(running.front());
    running.pop_front();
    const TbWork before = tb->work();
    const bool ended = tb->run(std::min(end - counts.warp_instructions, FunctionalTb::kTurnInstructions),
                               counts.warp_instructions);
    counts.warp_instructions += tb->work().warp_instructions - before.warp_instructions;
    counts.thread_instructions += tb->work().thread_instructions - before.thread_instructions;
    if (ended) continue;
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
