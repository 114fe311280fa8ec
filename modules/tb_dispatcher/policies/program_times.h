#pragma once

#include <cstdint>

#include "modules/tb_dispatcher/dispatch_policy.h"

namespace heddle {

/// What oracles rank a launch by, in core cycles alone: its program and, among launches of one program, its
/// stream. Programs are what the metrics count (SRTF 6): a program whose launch is short may be long.
struct ProgramTime {
  std::uint64_t program_cycles = 0;
  std::uint64_t stream_cycles = 0;

  friend bool operator<(const ProgramTime& a, const ProgramTime& b) {
    return a.program_cycles != b.program_cycles ? a.program_cycles < b.program_cycles
                                                : a.stream_cycles < b.stream_cycles;
  }
};

/// What is left of the launch: the share of its TBs that has not ended.
std::uint64_t launch_left_cycles(const LaunchRecord& launch);
/// What is left of the longest of the program's streams that have a launch running or on its way; 0: none.
std::uint64_t program_left_cycles(const DispatchView& view, unsigned program);
/// What is left of the launch's program and stream.
ProgramTime left_cycles(const DispatchView& view, const LaunchRecord& launch);

}  // namespace heddle
