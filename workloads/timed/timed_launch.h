#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/launch/kernel_launch.h"

namespace heddle {

/// A kernel whose thread blocks last a drawn time instead of executing instructions.
struct TimedKernel {
  std::string name;
  std::uint64_t tbs = 1;
  unsigned threads_per_tb = 32;
  unsigned registers_per_thread = 16;
  unsigned shared_bytes = 0;     ///< of a TB
  double mean_cycles = 1;        ///< of the core clock, > 0
  double deviation_percent = 0;  ///< standard deviation over mean
  std::uint64_t seed = 1;
  unsigned launches = 1;          ///< of the kernel, one after the other: a program
  double residency_slowdown = 1;  ///< duration of a TB on an SM full of them over that of one alone, >= 1
};

/// The kernel of launch `launch` of its program, from 0: durations are drawn anew.
TimedKernel kernel_of_launch(const TimedKernel& kernel, unsigned launch);

/// One launch of it. Durations are drawn from a log-normal distribution, which has no negative values, in the
/// order of the TB indices: the same for the same kernel, whatever runs beside it and on whatever SM. They
/// are those on an SM full of the kernel's TBs.
class TimedLaunch final : public KernelLaunch {
 public:
  explicit TimedLaunch(const TimedKernel& kernel);

  /// Core cycles that the TB lasts, at least 1.
  std::uint64_t duration_cycles(std::uint64_t tb) const { return durations_[tb]; }
  /// TimedKernel
  double residency_slowdown() const { return kernel_.residency_slowdown; }

  const Program& program() const override { return program_; }
  Dim3 grid() const override;
  Dim3 block() const override { return {kernel_.threads_per_tb, 1, 1}; }
  unsigned registers_per_thread() const override { return kernel_.registers_per_thread; }
  unsigned shared_bytes() const override { return kernel_.shared_bytes; }
  std::uint64_t code_base() const override { return 0; }
  std::uint64_t param_base() const override { return 0; }
  std::uint64_t local_base() const override { return 0; }
  /// A TB that can't be stepped: an SM that executes instructions stops with an ExecutionFault.
  std::unique_ptr<ThreadBlock> start(std::uint64_t tb) override;

 private:
  TimedKernel kernel_;
  Program program_;
  std::vector<std::uint64_t> durations_;
};

}  // namespace heddle
