#pragma once

#include <string>
#include <systemc>

namespace heddle {

/// Of a clock of `mhz` > 0, in whole steps of the time resolution.
sc_core::sc_time clock_period(double mhz);

/// Whether the time resolution does for a clock of `mhz` > 0, the value of `key`. Throws SettingError when
/// its period is off by more than 1%; a SystemC warning with the id `/heddle/clock` when by more than a part
/// in 10,000.
void check_rounding(const char* key, double mhz);
/// What the warning says with steps of `step_s` seconds; "": there is none.
std::string rounded_period(double mhz, double step_s);
/// What the error says; "": there is none.
std::string too_coarse(double mhz, double step_s);

}  // namespace heddle
