#pragma once

#include <string>

namespace heddle {

/// Time that points took, as pages show it: "1.5 min"; "-" when none has ended, "at least 1.5 min" when some
/// are missing.
std::string shown_time(double seconds, bool any_ended, bool all_ended);

}  // namespace heddle
