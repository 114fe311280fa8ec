#pragma once

#include "modules/config/policy_parameters.h"

namespace heddle {

struct SwlParameters {
  unsigned warps = 2;  ///< warps of an SM that may issue; the median of OAWS Table 3, "SWL-Best"
};
extern const ParametersOf<SwlParameters> swl_parameters;

/// OAWS Table 3.
struct CcwsParameters {
  unsigned base_score = 100;
  unsigned k_throttle = 8;
  unsigned vta_entries = 16;  ///< victim tags per warp
  unsigned vta_ways = 8;
};
extern const ParametersOf<CcwsParameters> ccws_parameters;

}  // namespace heddle
