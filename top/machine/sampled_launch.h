#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"
#include "modules/tb_dispatcher/sampling/launch_sampler.h"
#include "top/machine/estimated_counts.h"
#include "top/machine/gpu.h"
#include "top/machine/run_result.h"
#include "top/machine/stat_registry.h"

namespace heddle {

/// Why no launch can be sampled on a GPU of that configuration; "" when they can.
std::string reason_against_sampling(const GpuConfig& config);

/// A launch of which TBs are fast-forwarded: its sampler, and what the blocks counted in each stretch of the
/// detailed simulation. References are kept.
class SampledLaunch : public SampleMarks {
 public:
  /// Before the launch is given to the GPU.
  SampledLaunch(Gpu& gpu, StatRegistry& registry, const KernelLaunch& launch, std::uint64_t tbs_a_round,
                std::uint64_t first_cycle);

  LaunchSampler& sampler() { return sampler_; }
  /// It was given to the GPU: what the blocks have counted before it.
  void begin(const StatValues& before) { last_ = before; }
  SampleMark mark() override;
  void accessed(std::uint64_t address, unsigned sectors, bool writes) override {
    sampler_.accessed();
    gpu_.warm(address, sectors, writes);
  }
  /// At its end, or at that of the run when the launch is not `complete`.
  void end(std::uint64_t cycle, bool complete);

  // After end().
  std::uint64_t cycles() const;
  /// What the whole launch, or what the run has done of it, would have counted. TBs, warps, and the
  /// instructions of warps and threads are known, all others are estimated. Counts are rounded so that their
  /// sums over the blocks of a kind are what they are but for less than one; levels are those of what was
  /// simulated.
  StatValues values() const;
  LaunchSampling sampling() const;

 private:
  StatValues take();
  KnownTotals known_totals() const;
  std::vector<SampleDeviation> deviations() const;
  void add_overlap(std::vector<SampleDeviation>& deviations, const std::vector<std::uint64_t>& counted) const;

  Gpu& gpu_;
  StatRegistry& registry_;
  StatValues last_;
  std::vector<StatValues> stretches_;  ///< what was counted in each
  std::uint64_t tbs_;
  std::uint64_t warps_per_tb_;
  std::uint64_t simulated_cycles_ = 0;
  bool complete_ = false;
  std::uint64_t first_cycle_;
  LaunchSampler sampler_;
};

}  // namespace heddle
