#pragma once

#include <cstdint>
#include <string>

#include "modules/config/policy_parameters.h"

namespace heddle {

/// Who decides about a kernel: the first SM on which a warp finishes, for all; each SM for itself; or, of a
/// pair of SMs that share two kernels, each SM about one of them, for all (iPAWS 4.3).
enum class IpawsDecider : std::uint8_t { kFirstSm, kEachSm, kSmPair };
/// What has an instruction-issue counter and a stall counter of its own.
enum class IpawsCounters : std::uint8_t { kWarp, kTb };
struct IpawsParameters {
  std::string greedy = "gto";     ///< QUALIFIER+PRIORITIZER of the Adapt phase and of concave kernels
  std::string fair = "lrr";       ///< of convex kernels
  bool recover = true;            ///< Recover phase before the fair scheduler
  bool warps_of_interest = true;  ///< false: all warps of the SM count
  IpawsDecider decider = IpawsDecider::kFirstSm;
  IpawsCounters counters = IpawsCounters::kWarp;
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
