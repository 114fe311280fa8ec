#pragma once

#include "modules/config/policy_parameters.h"

namespace heddle {

/// OAWS 5, "MASCAR": the memory is saturated with so many free or fewer.
struct MascarParameters {
  unsigned free_entries = 1;  ///< of the L1D's MSHRs
  unsigned free_queue = 1;    ///< places of the miss queue
};
extern const ParametersOf<MascarParameters> mascar_parameters;

}  // namespace heddle
