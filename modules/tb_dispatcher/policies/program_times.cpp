#include "modules/tb_dispatcher/policies/program_times.h"

#include <algorithm>

namespace heddle {

namespace {

std::uint64_t stream_left_cycles(const LaunchRecord& launch) {
  return launch_left_cycles(launch) + launch.alone.following_cycles;
}

std::uint64_t longest_of(const DispatchView::Launches& launches, unsigned program) {
  std::uint64_t longest = 0;
  for (const auto& launch : launches) {
    if (launch->program == program) longest = std::max(longest, stream_left_cycles(*launch));
  }
  return longest;
}

}  // namespace

std::uint64_t launch_left_cycles(const LaunchRecord& launch) {
  return launch.alone.launch_cycles * (launch.tbs - launch.tbs_ended) / launch.tbs;
}

std::uint64_t program_left_cycles(const DispatchView& view, unsigned program) {
  return std::max(longest_of(view.launches(), program), longest_of(view.coming(), program));
}

ProgramTime left_cycles(const DispatchView& view, const LaunchRecord& launch) {
  return {program_left_cycles(view, launch.program), stream_left_cycles(launch)};
}

}  // namespace heddle
