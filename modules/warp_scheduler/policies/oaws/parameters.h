#pragma once

#include <cstdint>

#include "modules/config/policy_parameters.h"

namespace heddle {

/// Delta of OAWS's CNT (OAWS 4.3.1): by the load's sensitivity to associativity, or always the same.
enum class OawsDelta : std::uint8_t { kByLoad, kOne, kHalf };

/// oaws_static, oaws_dynamic, ocw_throttling (OAWS 4.2 to 4.4).
struct OawsParameters {
  unsigned miss_percent =
      50;  ///< of a divergent load's active lanes (dynamic: of thrashing warps); 0: no load is held back
  unsigned coherent_lines = 2;  ///< a load of more lines is divergent
  unsigned dlc_entries = 32;    ///< divergent load classifier
  unsigned ocw_min = 2;         ///< optimal cached warps: start and least value
  unsigned cnt_start = 128;
  unsigned cnt_max = 255;
  OawsDelta delta = OawsDelta::kByLoad;
};
extern const ParametersOf<OawsParameters> oaws_parameters;

}  // namespace heddle
