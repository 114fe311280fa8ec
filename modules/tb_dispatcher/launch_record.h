#pragma once

#include <cstdint>
#include <vector>

#include "modules/tb_dispatcher/resources/occupancy.h"

namespace heddle {

class LaunchSampler;
class SampleMarks;
struct LaunchCounts;

/// Run times on a GPU that runs nothing but the launch's program, in core cycles: what oracles know.
struct AloneTimes {
  std::uint64_t launch_cycles = 0;     ///< the launch itself; 0: not known
  std::uint64_t following_cycles = 0;  ///< the launches of its stream that come after it
  std::uint64_t stream_cycles = 0;     ///< all launches of its stream
  std::uint64_t program_cycles = 0;    ///< those of its program's longest stream
};

/// What a launch brings beside the kernel itself.
struct LaunchTerms {
  std::uint64_t arrives_at = 0;  ///< core cycle at which it reaches the GPU; 0: at once
  AloneTimes alone = {};         ///< for oracles
  unsigned program = 0;          ///< number of the program that it is a part of
  unsigned stream = 0;           ///< number of its stream, of those of all programs
  /// Where blocks count what they do for it: the first of as many as there are sets (count_apart). They live
  /// as long as the GPU.
  LaunchCounts* counts = nullptr;
  /// What says which TBs are fast-forwarded, and what it is told by; they live until the launch has ended.
  /// nullptr: all are simulated.
  LaunchSampler* sampler = nullptr;
  SampleMarks* marks = nullptr;
};

/// A kernel launch as the dispatcher sees it. Cycles are of the core clock.
struct LaunchRecord {
  KernelLaunch* launch = nullptr;
  std::uint64_t launch_id = 0;
  AloneTimes alone;                  ///< LaunchTerms
  unsigned program = 0;              ///< LaunchTerms
  unsigned stream = 0;               ///< LaunchTerms
  LaunchCounts* counts = nullptr;    ///< LaunchTerms
  LaunchSampler* sampler = nullptr;  ///< LaunchTerms
  SampleMarks* marks = nullptr;      ///< LaunchTerms
  unsigned kernel_slot = 0;  ///< its number among the running kernels, below tb_dispatcher.max_kernels
  Occupancy occupancy;
  unsigned sms = 0;  ///< over which its grid is spread (Occupancy::spread)
  std::uint64_t tbs = 0;
  std::uint64_t tbs_started = 0;
  std::uint64_t tbs_ended = 0;
  std::vector<std::uint16_t> resident;  ///< TBs that each SM holds
  std::uint64_t launched_at = 0;        ///< it arrived
  std::uint64_t ready_at = 0;           ///< first cycle at which a TB may start: after the launch latency
  std::uint64_t first_tb_at = 0;
  std::uint64_t ended_at = 0;  ///< the end of the last TB was seen

  std::uint64_t tbs_waiting() const { return tbs - tbs_started; }
  /// From its arrival to its end.
  std::uint64_t turnaround_cycles() const { return ended_at - launched_at; }
};

}  // namespace heddle
