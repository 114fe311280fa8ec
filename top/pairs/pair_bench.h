#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"
#include "top/pairs/multiprogram_metrics.h"
#include "top/pairs/test_bed.h"
#include "workloads/timed/timed_workload.h"

namespace heddle {

/// When the second kernel of a pair arrives.
struct Arrival {
  double value = 100;
  bool percent = false;  ///< of the first kernel's run time alone; false: core cycles

  std::uint64_t cycles(std::uint64_t first_alone) const;
  /// "100", "25%"; parse() reads it and throws std::invalid_argument.
  std::string text() const;
  static Arrival parse(const std::string& text);
};

struct PairResult {
  std::size_t first = 0;  ///< kernels, or workloads
  std::size_t second = 0;
  std::vector<std::uint64_t> shared;  ///< turnaround cycles of the two
  MultiprogramMetrics metrics;
  std::string failure = {};  ///< why there are no figures; "": there are
};

struct PolicyResult {
  std::string policy;
  Arrival arrival;
  std::vector<PairResult> pairs;
  MultiprogramMetrics mean;  ///< geometric, of the pairs with figures

  void set_mean();
};

/// The results of pairs that are printed: pairs of kernels with drawn times, or of workloads.
struct PairFigures {
  std::string workload;  ///< that the kernels are of; "": names are workloads
  std::vector<std::string> names;
  std::vector<std::uint64_t> alone;  ///< turnaround cycles alone; 0: not known
  std::vector<PolicyResult> results;
  std::vector<PublishedFigures> published;
};

/// All ordered pairs of the kernels of a timed workload under several dispatch policies, and each kernel
/// alone, on test beds that share one simulation: first the kernels alone, then, since oracles must know how
/// long those took, the pairs.
class PairBench {
 public:
  /// References are kept. Policies that need mixed SMs get them. Throws as TestBed does.
  PairBench(const GpuConfig& config, const TimedWorkload& workload, const std::vector<std::string>& policies,
            const std::vector<Arrival>& arrivals);

  /// Runs; once. Throws what a policy threw, naming the pair.
  void run();

  /// Cycles of each kernel alone.
  const std::vector<std::uint64_t>& alone() const { return alone_; }
  /// By arrival, then by policy, in the order given.
  const std::vector<PolicyResult>& results() const { return results_; }
  PairFigures figures() const;

 private:
  struct Bed {
    std::unique_ptr<TestBed> bed;
    std::size_t result;
    std::size_t first;
    std::size_t second;
  };

  void build_pairs(const sc_core::sc_time& period);
  void collect(const Bed& bed);

  const GpuConfig& config_;
  const TimedWorkload& workload_;
  std::vector<TbDispatcherConfig> dispatch_;  ///< by policy
  std::vector<std::unique_ptr<TestBed>> alone_beds_;
  std::vector<Bed> pair_beds_;
  std::vector<std::uint64_t> alone_;
  std::vector<PolicyResult> results_;
};

}  // namespace heddle
