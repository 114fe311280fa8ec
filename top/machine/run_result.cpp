#include "top/machine/run_result.h"

#include <algorithm>

namespace heddle {

const char* to_string(RunEnd end) {
  switch (end) {
    case RunEnd::kComplete:
      return "complete";
    case RunEnd::kInterrupted:
      return "interrupted";
    case RunEnd::kCycleLimit:
      return "cycle limit";
    case RunEnd::kMemoryLimit:
      return "memory limit";
    case RunEnd::kTimeLimit:
      return "time limit";
    case RunEnd::kDeadlock:
      return "deadlock";
    case RunEnd::kPolicyDeadlock:
      return "policy deadlock";
    case RunEnd::kFault:
      return "fault";
    default:
      return "bad input";
  }
}

RunEnd run_end_of(StopCause cause) {
  switch (cause) {
    case StopCause::kMemory:
      return RunEnd::kMemoryLimit;
    case StopCause::kTime:
      return RunEnd::kTimeLimit;
    default:
      return RunEnd::kInterrupted;
  }
}

void SampleDeviation::add(const SampleDeviation& other) {
  cycles += other.cycles;
  counts.resize(std::max(counts.size(), other.counts.size()));
  for (std::size_t i = 0; i < other.counts.size(); ++i) counts[i] += other.counts[i];
}

void add_deviations(std::vector<SampleDeviation>& to, const std::vector<SampleDeviation>& deviations,
                    double factor) {
  for (SampleDeviation deviation : deviations) {
    deviation.cycles *= factor;
    for (double& count : deviation.counts) count *= factor;
    const auto same = std::find_if(to.begin(), to.end(), [&](const SampleDeviation& known) {
      return known.of_all_launches && deviation.of_all_launches;
    });
    if (same == to.end()) {
      to.push_back(std::move(deviation));
    } else {
      same->add(deviation);
    }
  }
}

}  // namespace heddle
