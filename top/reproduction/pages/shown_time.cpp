#include "top/reproduction/pages/shown_time.h"

#include <fmt/format.h>

namespace heddle {

std::string shown_time(double seconds, bool any_ended, bool all_ended) {
  constexpr double kSecondsPerMinute = 60;
  if (!any_ended) return "-";
  return fmt::format("{}{:.1f} min", all_ended ? "" : "at least ", seconds / kSecondsPerMinute);
}

}  // namespace heddle
