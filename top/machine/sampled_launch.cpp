#include "top/machine/sampled_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {

namespace {

/// That all L2 slices hold.
std::uint64_t l2_blocks(const GpuConfig& config) {
  const CacheConfig& cache = config.l2.cache;
  return std::uint64_t{config.dram.channels} * config.l2.slices_per_channel * cache.sets * cache.ways *
         cache.line_bytes / MemoryWatch::kBlockBytes;
}

}  // namespace

std::string reason_against_sampling(const GpuConfig& config) {
  const PolicyNames names = find_policies(config.scheduler.name);
  if (names.prioritizer->learns_over_kernel || names.qualifier->learns_over_kernel)
    return fmt::format("the scheduler {} learns over the whole kernel", config.scheduler.name);
  if (config.tb_dispatcher.policy != "fifo")
    return fmt::format("tb_dispatcher.policy {} goes by how long thread blocks take",
                       config.tb_dispatcher.policy);
  if (make_contention_control(config.core)->period_cycles() != 0)
    return fmt::format("core.resources.contention {} compares SMs over the whole kernel",
                       config.core.resources.contention);
  return "";
}

SampledLaunch::SampledLaunch(Gpu& gpu, StatRegistry& registry, const KernelLaunch& launch,
                             std::uint64_t tbs_a_round, std::uint64_t first_cycle)
    : gpu_(gpu),
      registry_(registry),
      tbs_(launch.grid().count()),
      warps_per_tb_(launch.warps_per_tb()),
      first_cycle_(first_cycle),
      sampler_({tbs_, tbs_a_round, launch.grid().x, l2_blocks(gpu.config())},
               {first_cycle, gpu.warp_instructions()}) {}

StatValues SampledLaunch::take() {
  gpu_.settle();
  registry_.begin();
  gpu_.report(registry_);
  return registry_.end();
}

SampleMark SampledLaunch::mark() {
  StatValues now = take();
  stretches_.push_back(difference(now, last_));
  last_ = std::move(now);
  return {gpu_.core_clock().cycle(), gpu_.warp_instructions()};
}

void SampledLaunch::end(std::uint64_t cycle, bool complete) {
  complete_ = complete;
  const SampleMark now{cycle, mark().warp_instructions};
  simulated_cycles_ = cycle > first_cycle_ ? cycle - first_cycle_ : 0;
  sampler_.end(now);
}

std::uint64_t SampledLaunch::cycles() const {
  return static_cast<std::uint64_t>(std::llround(sampler_.cycles()));
}

KnownTotals SampledLaunch::known_totals() const {
  KnownTotals known;
  known.thread_instructions = static_cast<double>(sampler_.fast_forwarded().thread_instructions);
  known.warp_instructions = static_cast<double>(sampler_.fast_forwarded().warp_instructions);
  for (const StatValues& stretch : stretches_) {
    const TotalView totals(registry_, stretch);
    known.thread_instructions += static_cast<double>(totals.count("sm.thread_instructions"));
    known.warp_instructions += static_cast<double>(totals.count("sm.warp_instructions"));
    known.tbs_dispatched += static_cast<double>(totals.count("tb_dispatcher.tbs_dispatched"));
    known.tbs += static_cast<double>(totals.count("sm.tbs"));
    known.warps += static_cast<double>(totals.count("sm.warps"));
  }
  const auto skipped = static_cast<double>(sampler_.fast_forwarded().tbs);
  known.tbs_dispatched += skipped;
  known.tbs += skipped;
  known.warps += skipped * static_cast<double>(warps_per_tb_);
  if (complete_) {  // with those that waited for each other, and ended beside the simulation
    known.tbs_dispatched = static_cast<double>(tbs_);
    known.tbs = static_cast<double>(tbs_);
    known.warps = known.tbs * static_cast<double>(warps_per_tb_);
  }
  return known;
}

StatValues SampledLaunch::values() const {
  std::vector<double> sums(last_.counts.size());
  for (std::size_t s = 0; s < stretches_.size(); ++s) {
    const double weight = sampler_.stretches()[s].weight;
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] += weight * static_cast<double>(stretches_[s].counts[i]);
  }
  StatValues values;
  values.levels = last_.levels;
  values.counts = whole_counts(registry_, sums, known_totals());
  return values;
}

std::vector<SampleDeviation> SampledLaunch::deviations() const {
  const std::vector<double> of_cycles = sampler_.deviations_of_cycles();
  std::vector<SampleDeviation> deviations(of_cycles.size());
  for (std::size_t w = 0; w < of_cycles.size(); ++w) deviations[w].cycles = of_cycles[w];
  deviations.back().of_all_launches = true;
  std::vector<std::vector<std::uint64_t>> totals;  // by stretch
  for (const StatValues& stretch : stretches_) totals.push_back(registry_.totals(stretch).counts);
  const std::map<std::string, double> known = known_totals().by_name();
  std::vector<double> taken(totals.size());
  for (const Metric& metric : registry_.total_metrics()) {
    if (!metric.is_count) continue;
    for (std::size_t s = 0; s < totals.size(); ++s) taken[s] = static_cast<double>(totals[s][metric.index]);
    const std::vector<double> of_count = sampler_.deviations(taken);
    const bool exact = known.count(metric.full_name()) != 0;
    for (std::size_t w = 0; w < deviations.size(); ++w)
      deviations[w].counts.push_back(exact ? 0 : of_count[w]);
  }
  if (sampler_.overlapped_cycles() > 0) add_overlap(deviations, totals.back());
  const std::size_t counts = deviations.back().counts.size();
  for (const double cycles : {sampler_.outlasting_cycles(), sampler_.waiting_cycles()}) {
    if (complete_ && cycles > 0) deviations.push_back({cycles, std::vector<double>(counts), false});
  }
  return deviations;
}

/// What was counted in the cycles that are left out of the last stretch, which has the cycles of a time in
/// which others ran, but not what the TBs that ran alone did in them.
void SampledLaunch::add_overlap(std::vector<SampleDeviation>& deviations,
                                const std::vector<std::uint64_t>& counted) const {
  const auto cycles = static_cast<double>(sampler_.stretches().back().cycles);
  const std::map<std::string, double> known = known_totals().by_name();
  SampleDeviation of_speed{sampler_.overlap_deviation(), {}, false};
  SampleDeviation of_counts{0, {}, false};
  for (const Metric& metric : registry_.total_metrics()) {
    if (!metric.is_count) continue;
    const bool exact = known.count(metric.full_name()) != 0;
    const double each_cycle = exact ? 0 : static_cast<double>(counted[metric.index]) / cycles;
    of_speed.counts.push_back(each_cycle * sampler_.overlap_deviation());
    of_counts.counts.push_back(each_cycle * sampler_.overlapped_cycles());
  }
  deviations.push_back(of_speed);
  deviations.push_back(of_counts);
}

LaunchSampling SampledLaunch::sampling() const {
  LaunchSampling sampling;
  const TbWork& work = sampler_.fast_forwarded();
  sampling.in_full = work.tbs == 0 ? sampler_.given_up() : "";
  if (work.tbs == 0 && sampling.in_full.empty()) {
    sampling.in_full =
        complete_ ? "its rate settled only towards its end" : "the run ended before its rate had settled";
  }
  sampling.simulated_cycles = simulated_cycles_;
  if (work.tbs == 0) return sampling;
  sampling.fast_forwarded_tbs = work.tbs;
  sampling.fast_forwarded_warp_instructions = work.warp_instructions;
  sampling.phases = sampler_.phases();
  sampling.windows = sampler_.windows();
  sampling.deviations = deviations();
  return sampling;
}

}  // namespace heddle
