#pragma once

#include <cstdint>

#include "modules/config/policy_parameters.h"

namespace heddle {

struct TwoLevelParameters {
  unsigned fetch_group_warps = 8;  ///< warps per fetch group (Narasiman et al.)
};
extern const ParametersOf<TwoLevelParameters> two_level_parameters;

enum class LongWait : std::uint8_t { kUntilData, kMarked };
struct TwoLevelActiveParameters {
  unsigned active_warps = 6;               ///< active warps per scheduler
  LongWait long_wait = LongWait::kMarked;  ///< who makes room for others
};
extern const ParametersOf<TwoLevelActiveParameters> two_level_active_parameters;

}  // namespace heddle
