#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/observe.h"
#include "top/pairs/arrival.h"
#include "top/report/metrics/multiprogram_metrics.h"
#include "workloads/timed/timed_workload.h"

namespace heddle {

/// What the dispatch policy of a pair did; nothing where the policy has no such thing.
struct DispatchDelays {
  std::optional<std::uint64_t> changes_to_sharing;
  std::optional<std::uint64_t> sampling_delay_cycles;
  std::optional<std::uint64_t> hand_off_cycles;
};

/// Programs that ran together: two, or more.
struct PairResult {
  std::vector<std::size_t> programs;  ///< kernels, or workloads, in the order of their arrival
  unsigned repetition = 0;
  std::vector<std::uint64_t> arrivals = {};  ///< core cycles
  std::vector<std::uint64_t> alone = {};     ///< turnaround cycles alone, in this repetition
  std::vector<std::uint64_t> shared = {};    ///< turnaround cycles
  MultiprogramMetrics metrics = {};
  DispatchDelays delays = {};
  std::string failure = {};  ///< why there are no figures; "": there are
};

struct PolicyResult {
  std::string policy;
  Arrival arrival;
  std::vector<PairResult> pairs = {};
  MultiprogramMetrics mean = {};                         ///< geometric, of the pairs with figures
  std::vector<MultiprogramMetrics> of_repetitions = {};  ///< the same of each repetition

  void set_mean();
};

/// The results of pairs that are printed: pairs of kernels with drawn times, or of workloads.
struct PairFigures {
  std::string workload;  ///< that the kernels are of; "": names are workloads
  std::vector<std::string> names;
  std::vector<std::uint64_t> alone;  ///< turnaround cycles alone, in the first repetition; 0: not known
  std::vector<PolicyResult> results;
  std::vector<PublishedFigures> published;
};

/// Of the kernels of a timed workload, none of which has run; together with what is published of as many at
/// once.
PairFigures figures_of(const TimedWorkload& workload, unsigned together);

/// What the programs of a set are called in results, in the order of their arrival.
constexpr std::array<const char*, 8> kPlaceNames{"first", "second", "third",   "fourth",
                                                 "fifth", "sixth",  "seventh", "eighth"};

/// Which programs run together, and how often.
struct PairPlan {
  unsigned together = 2;     ///< programs at once
  bool all_orders = true;    ///< false: as they are numbered, each set once
  unsigned repetitions = 1;  ///< each with drawn arrivals and durations of its own
  std::uint64_t seed = 1;
};

/// The sets of `plan.together` of `count` programs, by their numbers in the order of their arrival.
std::vector<std::vector<std::size_t>> sets_of(std::size_t count, const PairPlan& plan);

/// Results to be filled in, by arrival, then by policy: each with all sets, repetition by repetition.
std::vector<PolicyResult> planned_results(std::size_t count, const PairPlan& plan,
                                          const std::vector<std::string>& policies,
                                          const std::vector<Arrival>& arrivals);

/// Takes the delays out of what a dispatcher reports.
class DelaySink final : public StatSink {
 public:
  void enter(std::string_view /*scope*/) override {}
  void leave() override {}
  void count(std::string_view name, std::uint64_t value, std::string_view unit,
             std::string_view description) override;
  void level(std::string_view /*name*/, double /*value*/, std::string_view /*unit*/,
             std::string_view /*description*/) override {}

  DispatchDelays delays;
};

}  // namespace heddle
