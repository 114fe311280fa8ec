#pragma once

#include <map>
#include <string>

namespace heddle::bench {

/// Speed of a workload in warp instructions per time of the fixed computation (Yardstick), by workload.
using Ratios = std::map<std::string, double>;

/// The figures that a measurement is compared with, kept in the repository.
struct Accepted {
  double tolerance_percent = 15;  ///< a slowdown by more is pointed out
  Ratios ratios;

  /// Throws std::runtime_error naming the file and what is wrong in it.
  static Accepted load(const std::string& path);
  void save(const std::string& path) const;

  /// By how many percent `ratio` is above (or, negative, below) the accepted one; 0 without one.
  double change_percent(const std::string& workload, double ratio) const;
  bool slower(const std::string& workload, double ratio) const {
    return change_percent(workload, ratio) < -tolerance_percent;
  }
};

}  // namespace heddle::bench
