#include "modules/tb_dispatcher/sampling/rate_error.h"

#include <array>
#include <cmath>
#include <limits>

namespace heddle {

double deviation_of(const RateError& error, std::size_t windows, const MeasuredWindow& window,
                    double stands_for) {
  const auto count = static_cast<double>(windows);
  return error.t * std::sqrt(count / (count - 1)) * stands_for *
         (window.taken - error.per_work * window.work);
}

double student_t(std::size_t degrees) {
  constexpr std::array<double, 30> kTable{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                          2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                          2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                          2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
  if (degrees <= kTable.size()) return kTable[degrees == 0 ? 0 : degrees - 1];
  // Cornish-Fisher's expansion about the normal quantile.
  constexpr double kNormal = 1.959964;
  constexpr double kCube = kNormal * kNormal * kNormal;
  constexpr double kFifth = kCube * kNormal * kNormal;
  const auto n = static_cast<double>(degrees);
  return kNormal + (kCube + kNormal) / (4 * n) + (5 * kFifth + 16 * kCube + 3 * kNormal) / (96 * n * n);
}

RateError rate_error(const std::vector<MeasuredWindow>& windows) {
  RateError error;
  double work = 0;
  double taken = 0;
  for (const MeasuredWindow& window : windows) {
    work += window.work;
    taken += window.taken;
  }
  if (work == 0) return error;
  error.per_work = taken / work;
  if (windows.size() < 2) return error;
  double squares = 0;
  for (const MeasuredWindow& window : windows) {
    const double rest = window.taken - error.per_work * window.work;
    squares += rest * rest;
  }
  error.deviation = std::sqrt(squares / static_cast<double>(windows.size() - 1));
  error.t = student_t(windows.size() - 1);
  return error;
}

double RateError::of_rate(const std::vector<MeasuredWindow>& windows) const {
  double work = 0;
  for (const MeasuredWindow& window : windows) work += window.work;
  if (t == 0 || work == 0) return std::numeric_limits<double>::infinity();
  return deviation * std::sqrt(static_cast<double>(windows.size())) / work;
}

double RateError::relative(const std::vector<MeasuredWindow>& windows) const {
  const double error = of_rate(windows);
  return t == 0 || per_work == 0 ? std::numeric_limits<double>::infinity() : t * error / per_work;
}

}  // namespace heddle
