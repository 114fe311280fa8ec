#pragma once

#include <string>
#include <vector>

namespace heddle {

/// What a box plot shows of some values.
struct FiveNumbers {
  double least = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double most = 0;
  /// The least and the greatest value within 1.5 times the box beside it (SRTF 3.2); what lies beyond are
  /// outliers.
  double low_whisker = 0;
  double high_whisker = 0;
  std::vector<double> outliers;  ///< ascending

  /// `values`: at least one. Quartiles between two values lie in proportion between them.
  static FiveNumbers of(std::vector<double> values);
};

}  // namespace heddle
