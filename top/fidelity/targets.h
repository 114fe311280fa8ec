#pragma once

#include <string>
#include <vector>

#include "top/fidelity/figures.h"

namespace heddle::fidelity {

constexpr double kMeanTarget = 0.025;    ///< geometric mean of the error of cycles
constexpr double kRowTarget = 0.08;      ///< error of cycles of one row
constexpr double kKnownRowTarget = 0.2;  ///< likewise of one whose difference is known (docs/fidelity.md)
constexpr double kShareTarget = 0.05;    ///< difference of a stall share of one row
constexpr double kRankingDifference =
    0.03;  ///< schedulers that differ by more on the reference must rank alike

/// By how much one is larger than the other, whichever it is: exp(|ln(a / b)|) - 1.
double error_of(double a, double b);

/// exp(mean of |ln ratio|) - 1 over the rows' cycles.
double mean_error(const std::vector<Row>& rows);

struct Verdict {
  unsigned pairs = 0;               ///< pairs of schedulers whose ranking counts
  std::vector<std::string> misses;  ///< one line for each target that is missed
};

Verdict judge(const std::vector<Row>& rows);

}  // namespace heddle::fidelity
