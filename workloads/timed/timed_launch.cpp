#include "workloads/timed/timed_launch.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/memory_budget.h"
#include "base/stop.h"

namespace heddle {

namespace {

class TimedBlock final : public ThreadBlock {
 public:
  explicit TimedBlock(const std::string& kernel) : kernel_(kernel) {}
  std::uint32_t next_index(unsigned /*warp*/) const override { return 0; }
  LaneMask next_path(unsigned /*warp*/) const override { return 0; }
  void step(unsigned /*warp*/, const ExecutionSite& /*site*/, Step& /*out*/,
            LaneAddresses& /*addresses*/) override {
    throw ExecutionFault("kernel '" + kernel_ +
                         "': its thread blocks last a fixed time and have no instructions");
  }
  void barrier_released(unsigned /*barrier*/) override {}
  std::string describe_warp(unsigned /*warp*/) const override { return "lasts a fixed time\n"; }

 private:
  const std::string& kernel_;
};

}  // namespace

TimedLaunch::TimedLaunch(const TimedKernel& kernel) : kernel_(kernel) {
  program_.name = kernel.name;
  require_memory(kernel.tbs * sizeof(durations_.front()), "durations of thread blocks");
  durations_.reserve(kernel.tbs);
  const double relative = kernel.deviation_percent / 100;
  const double variance = std::log1p(relative * relative);
  std::mt19937_64 generator(kernel.seed);
  std::lognormal_distribution<double> draw(std::log(kernel.mean_cycles) - variance / 2, std::sqrt(variance));
  for (std::uint64_t tb = 0; tb < kernel.tbs; ++tb) {
    throw_if_stopped();
    durations_.push_back(static_cast<std::uint64_t>(std::max(1.0, std::round(draw(generator)))));
  }
}

TimedKernel kernel_of_launch(const TimedKernel& kernel, unsigned launch) {
  TimedKernel drawn = kernel;
  if (launch == 0) return drawn;
  std::seed_seq sequence{kernel.seed, std::uint64_t{launch}};
  std::mt19937_64 generator(sequence);
  drawn.seed = generator();
  return drawn;
}

Dim3 TimedLaunch::grid() const { return {static_cast<std::uint32_t>(kernel_.tbs), 1, 1}; }

std::unique_ptr<ThreadBlock> TimedLaunch::start(std::uint64_t /*tb*/) {
  return std::make_unique<TimedBlock>(kernel_.name);
}

}  // namespace heddle
