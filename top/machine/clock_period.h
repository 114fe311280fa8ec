#pragma once

#include <string>
#include <systemc>

namespace heddle {

/// Of a clock of `mhz` > 0, in whole steps of the time resolution.
sc_core::sc_time clock_period(double mhz);

/// A SystemC warning when that is off by more than a part in 10,000.
void warn_of_rounding(double mhz);
/// What the warning says with steps of `step_s` seconds; "": there is none.
std::string rounded_period(double mhz, double step_s);

}  // namespace heddle
