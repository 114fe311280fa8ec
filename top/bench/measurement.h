#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "top/bench/yardstick.h"

namespace heddle::bench {

/// Repeated runs of one workload, each between two runs of the fixed computation.
struct Speed {
  double seconds = 0;  ///< CPU time of the fastest run's simulation, as the reference's figures are
  double ratio = 0;    ///< warp instructions per time of the fixed computation: median over the runs
  std::uint64_t warp_instructions = 0;
  std::uint64_t cycles = 0;
  std::uint64_t peak_memory_bytes = 0;

  double warp_instructions_per_second() const { return static_cast<double>(warp_instructions) / seconds; }
  double cycles_per_second() const { return static_cast<double>(cycles) / seconds; }
};

/// Two ways to simulate a workload.
struct Cost {
  double with = 0;  ///< CPU seconds per simulated cycle: medians
  double without = 0;
  double ratio = 0;  ///< median over the pairs of runs
};

/// Runs simulations as processes of their own, so that peak memory is theirs, and takes their CPU time where
/// one thread works: wall-clock time on a shared machine says little.
class Measurement {
 public:
  /// `heddle` is the program. Output goes to a folder of its own under the temporary folder.
  explicit Measurement(std::string heddle);
  ~Measurement();
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  /// Runs `workload` with `options` (as `heddle run` takes them) `runs` >= 1 times. Throws
  /// std::runtime_error when a run fails.
  Speed speed(const std::string& workload, const std::vector<std::string>& options, unsigned runs);
  /// What the simulation costs with `with` and with `without`, in alternating runs: `runs` >= 1 of each.
  Cost cost(const std::string& workload, const std::vector<std::string>& with,
            const std::vector<std::string>& without, unsigned runs);

  /// Wall-clock time of the simulation without `with` over that with it: median over `runs` >= 1 pairs.
  double gain(const std::string& workload, const std::vector<std::string>& with, unsigned runs);

 private:
  void run_once(const std::string& workload, const std::vector<std::string>& options);
  double seconds_per_cycle(const std::string& workload, const std::vector<std::string>& options);
  /// A figure that the last run has written to speed.json.
  template <class Number>
  Number told(const char* figure) const;

  std::string heddle_;
  std::string out_;
  std::string messages_;  ///< the file with what the run says
  Yardstick yardstick_;
};

/// The middle one of an odd number of values, the mean of the middle two of an even number; `values` is not
/// empty.
double median(std::vector<double> values);
/// `values` is not empty.
double geometric_mean(const std::vector<double>& values);

}  // namespace heddle::bench
