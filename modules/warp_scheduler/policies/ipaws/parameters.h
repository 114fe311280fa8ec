#pragma once

#include <cstdint>
#include <string>

#include "modules/config/policy_parameters.h"

namespace heddle {

/// Who decides about a kernel: the first SM on which a warp finishes, for all; each SM for itself; or, of a
/// pair of SMs that share two kernels, each SM about one of them, for all (iPAWS 4.3).
enum class IpawsDecider : std::uint8_t { kFirstSm, kEachSm, kSmPair };
/// How long an SM of a pair favours its kernel: as long as that serves the decision about it, or always.
enum class IpawsFavour : std::uint8_t { kUntilDecided, kAlways };
/// What has an instruction-issue counter and a stall counter of its own.
enum class IpawsCounters : std::uint8_t { kWarp, kTb };
/// The warp that is "stalled even though it is the oldest warp" (iPAWS 3.2): of all that run, of those with
/// an instruction, of those past the scoreboard, or the one that greedy-then-oldest tries first, which is the
/// one that issued last as long as it runs.
enum class IpawsStallOf : std::uint8_t { kOldest, kOldestValid, kOldestReady, kFirstTried };
/// What a stall is: no warp issues; none passes the scoreboard; none passes it though one has an instruction.
enum class IpawsStallWhen : std::uint8_t { kNoneIssues, kNoneReady, kAllBlocked };
/// Among whom warps are the oldest, and none issues.
enum class IpawsStallScope : std::uint8_t { kScheduler, kSm };
/// What of a kernel ends its Adapt phase on an SM: the exit of any of its warps ("until the first warp
/// finishes", iPAWS 3.1), of its oldest ("most likely the oldest warp", 3.2), or the end of a TB.
enum class IpawsJudgeAt : std::uint8_t { kFirstWarp, kOldestWarp, kFirstTb };
/// Algorithm 1's threshold, in units of IpawsParameters::convex_eighths.
constexpr unsigned kEighthsOfOne = 8;
struct IpawsParameters {
  std::string greedy = "gto";     ///< QUALIFIER+PRIORITIZER of the Adapt phase and of concave kernels
  std::string fair = "lrr";       ///< of convex kernels
  bool recover = true;            ///< Recover phase before the fair scheduler
  bool warps_of_interest = true;  ///< false: all warps of the SM count
  IpawsDecider decider = IpawsDecider::kFirstSm;
  IpawsFavour favour = IpawsFavour::kUntilDecided;  ///< with kSmPair
  IpawsCounters counters = IpawsCounters::kWarp;
  IpawsStallOf stall_of = IpawsStallOf::kFirstTried;
  IpawsStallWhen stall_when = IpawsStallWhen::kAllBlocked;
  IpawsStallScope stall_scope = IpawsStallScope::kSm;
  IpawsJudgeAt judge_at = IpawsJudgeAt::kFirstWarp;
  /// Degree of convexity from which on a pattern is convex, 8 to 15; Algorithm 1's is kEighthsOfOne.
  unsigned convex_eighths = kEighthsOfOne;
};
extern const ParametersOf<IpawsParameters> ipaws_parameters;

struct AdaptLocalParameters {
  std::string greedy = "gto";  ///< while intra-warp locality prevails, and at first
  std::string fair = "lrr";    ///< while inter-warp locality prevails
  unsigned sampling_period_cycles = 10000;
  unsigned intra_weight = 1;  ///< of an intra-warp hit
  unsigned inter_weight = 1;  ///< of an inter-warp hit
};
extern const ParametersOf<AdaptLocalParameters> adapt_local_parameters;

}  // namespace heddle
