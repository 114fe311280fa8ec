#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// What a scheduler's cycle went to; every cycle has exactly one. The classes are the reference's
/// (gtx480.md, "Stall statistics"): idle, no warp had a valid instruction; scoreboard, some had, none passed
/// the scoreboard; pipeline, some passed, none issued. The cause inside a class is that of the oldest warp
/// that puts the cycle into the class (for idle: of the oldest unfinished warp).
enum class IssueCause : std::uint8_t {
  kIssued,
  kEmpty,  ///< idle: the scheduler has no warp
  kDrain,  ///< idle: all its warps have issued their exit and wait for instructions in flight
  kBarrier,
  kMembar,
  kFlush,             ///< idle: the I-buffer held instructions from after a taken branch
  kFetch,             ///< idle: empty I-buffer
  kScoreboardMemory,  ///< a pending load, texture fetch or atomic, shared memory excepted
  kScoreboardShared,
  kScoreboardSfu,
  kScoreboardAlu,
  kPipelineSp,  ///< the operand collector had no free input register for the SP units
  kPipelineSfu,
  kPipelineLdst,
  kPolicy,  ///< pipeline: qualifier or prioritizer held every warp back that could have issued
};
constexpr unsigned kNumIssueCauses = 15;

enum class IssueClass : std::uint8_t { kIssued, kIdle, kScoreboard, kPipeline };
constexpr unsigned kNumIssueClasses = 4;

struct IssueCauseInfo {
  IssueClass issue_class;
  const char* name;  ///< as in statistics and waves
  const char* description;
};
const IssueCauseInfo& info(IssueCause cause);
const char* to_string(IssueClass issue_class);
/// Names in the order of the values, for wave viewers.
std::vector<std::string> issue_cause_names();

using CauseCycles = std::array<std::uint64_t, kNumIssueCauses>;
using ClassCycles = std::array<std::uint64_t, kNumIssueClasses>;
std::uint64_t cycles_of(const CauseCycles& cycles, IssueClass issue_class);

}  // namespace heddle
