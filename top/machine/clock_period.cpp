#include "top/machine/clock_period.h"

#include <fmt/format.h>

#include <cmath>

namespace heddle {

namespace {

constexpr double kHzPerMhz = 1e6;
constexpr double kPsPerSecond = 1e12;
constexpr double kMostOff = 1e-4;

}  // namespace

std::string rounded_period(double mhz, double step_s) {
  const double period_s = 1 / (mhz * kHzPerMhz);
  const double rounded_s = std::round(period_s / step_s) * step_s;
  const double off = rounded_s / period_s - 1;
  if (std::abs(off) <= kMostOff) return "";
  return fmt::format(
      "the period of {} MHz, {:.3f} ps, becomes {:.3f} ps, {:+.3f}%, in steps of the time resolution; call "
      "sc_set_time_resolution(1, SC_FS) before the first module is built",
      mhz, period_s * kPsPerSecond, rounded_s * kPsPerSecond, 100 * off);
}

void warn_of_rounding(double mhz) {
  const std::string rounded = rounded_period(mhz, sc_core::sc_get_time_resolution().to_seconds());
  if (!rounded.empty()) SC_REPORT_WARNING("/heddle/clock", rounded.c_str());
}

sc_core::sc_time clock_period(double mhz) { return {1 / (mhz * kHzPerMhz), sc_core::SC_SEC}; }

}  // namespace heddle
