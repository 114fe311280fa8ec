#include "top/machine/clock_period.h"

#include <fmt/format.h>

#include <cmath>

#include "modules/config/setting_error.h"

namespace heddle {

namespace {

constexpr double kHzPerMhz = 1e6;
constexpr double kPsPerSecond = 1e12;
constexpr double kOffToWarn = 1e-4;
constexpr double kMostOff = 1e-2;

struct Rounded {
  Rounded(double mhz, double step_s)
      : period_s(1 / (mhz * kHzPerMhz)),
        rounded_s(std::round(period_s / step_s) * step_s),
        off(rounded_s / period_s - 1) {}
  std::string text(double mhz) const {
    return fmt::format(
        "the period of {} MHz, {:.3f} ps, becomes {:.3f} ps, {:+.3f}%, in steps of the time "
        "resolution",
        mhz, period_s * kPsPerSecond, rounded_s * kPsPerSecond, 100 * off);
  }
  double period_s;
  double rounded_s;
  double off;
};

}  // namespace

std::string rounded_period(double mhz, double step_s) {
  const Rounded rounded(mhz, step_s);
  if (std::abs(rounded.off) <= kOffToWarn) return "";
  return rounded.text(mhz) + "; call sc_set_time_resolution(1, SC_FS) before the first module is built";
}

std::string too_coarse(double mhz, double step_s) {
  const Rounded rounded(mhz, step_s);
  if (std::abs(rounded.off) <= kMostOff) return "";
  // Rounding is off by half a step at most; a resolution is a power of ten.
  const double enough_s = std::pow(10, std::floor(std::log10(2 * kMostOff * rounded.period_s)));
  return fmt::format(
      "{}, of which at most 1% is accepted: expected a time resolution of {:g} ps or finer, found {:g} ps; "
      "call sc_set_time_resolution(1, SC_FS), which is exact enough for every clock, before the first module "
      "is built",
      rounded.text(mhz), enough_s * kPsPerSecond, step_s * kPsPerSecond);
}

void check_rounding(const char* key, double mhz) {
  const double step_s = sc_core::sc_get_time_resolution().to_seconds();
  const std::string coarse = too_coarse(mhz, step_s);
  if (!coarse.empty()) throw SettingError(key, coarse);
  const std::string rounded = rounded_period(mhz, step_s);
  if (!rounded.empty()) SC_REPORT_WARNING("/heddle/clock", rounded.c_str());
}

sc_core::sc_time clock_period(double mhz) { return {1 / (mhz * kHzPerMhz), sc_core::SC_SEC}; }

}  // namespace heddle
