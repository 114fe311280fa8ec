#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

/// A time in which something was measured: how much was done, and what it took (cycles, or any other count).
struct MeasuredWindow {
  double work = 0;
  double taken = 0;
};

/// What a unit of work takes, and how far that is known.
struct RateError {
  double per_work = 0;   ///< what all windows took over all their work
  double deviation = 0;  ///< standard deviation of a window's `taken` about per_work times its work
  double t = 0;          ///< of the two-sided 95% confidence interval; 0: fewer than two windows

  /// Standard error of per_work; infinite with fewer than two windows.
  double of_rate(const std::vector<MeasuredWindow>& windows) const;
  /// Half the confidence interval of what the mean window takes, over that; infinite with fewer than two
  /// windows.
  double relative(const std::vector<MeasuredWindow>& windows) const;
};

/// The ratio estimator of `windows`, which are taken as independent.
RateError rate_error(const std::vector<MeasuredWindow>& windows);

/// How far the estimate of work may be off for one of the windows, each of which stands for so many times its
/// own: the root of the sum of their squares is half the 95% confidence interval. `error` is of all of them,
/// `windows` >= 2.
double deviation_of(const RateError& error, std::size_t windows, const MeasuredWindow& window,
                    double stands_for);

/// 97.5th percentile of Student's t distribution; `degrees` >= 1.
double student_t(std::size_t degrees);

}  // namespace heddle
