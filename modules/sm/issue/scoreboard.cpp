#include "modules/sm/issue/scoreboard.h"

#include <algorithm>

namespace heddle {

bool Scoreboard::any_pending(unsigned warp) const {
  const Pending& pending = warps_[warp];
  return std::any_of(pending.begin(), pending.end(), [](std::uint8_t writer) { return writer != kFree; });
}

}  // namespace heddle
