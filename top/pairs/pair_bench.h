#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"
#include "top/pairs/pair_figures.h"
#include "top/pairs/test_bed.h"
#include "top/pairs/timed_log.h"

namespace heddle {

struct PairBenchOptions {
  std::vector<std::string> policies;
  std::vector<Arrival> arrivals = {Arrival{}};
  PairPlan plan = {};
  double interference = 0;  ///< TestBed
  std::string log_folder;   ///< logs of each pair, in a folder of its own here; "": none
};

/// All ordered pairs (or sets of more) of the kernels of a timed workload under several dispatch policies,
/// and each kernel alone, on test beds that share one simulation: first the kernels alone, then, since
/// oracles must know how long those took, the pairs. In the first repetition durations are those of the
/// kernels' seeds, in others drawn anew.
class PairBench {
 public:
  /// References are kept. Policies that need mixed SMs get them. Throws std::invalid_argument when there are
  /// fewer kernels than run together.
  PairBench(const GpuConfig& config, const TimedWorkload& workload, const PairBenchOptions& options);

  /// Builds the beds and runs; once. Throws as TestBed does, what a policy threw, naming the kernels, and
  /// OutputError.
  void run();

  /// Cycles of each kernel alone, in the first repetition.
  const std::vector<std::uint64_t>& alone() const { return alone_.front(); }
  /// By arrival, then by policy, in the order given.
  const std::vector<PolicyResult>& results() const { return results_; }
  PairFigures figures() const;

 private:
  struct Bed {
    std::unique_ptr<TestBed> bed;
    std::unique_ptr<TimedLog> log;  ///< nullptr: none
    std::size_t result;
    std::size_t pair;
  };

  TimedKernel kernel_in(unsigned repetition, std::size_t kernel) const;
  void build_alone();
  void build_pairs();
  void launch(const Bed& bed);
  void collect(const Bed& bed);

  const GpuConfig& config_;
  const TimedWorkload& workload_;
  const PairBenchOptions options_;
  std::vector<TbDispatcherConfig> dispatch_;                       ///< by result
  std::vector<std::vector<std::unique_ptr<TestBed>>> alone_beds_;  ///< by repetition, then by kernel
  std::vector<Bed> pair_beds_;
  std::vector<std::vector<std::uint64_t>> alone_;                        ///< likewise
  std::vector<std::vector<std::vector<std::uint64_t>>> alone_launches_;  ///< likewise, of each launch
  std::vector<PolicyResult> results_;
};

}  // namespace heddle
