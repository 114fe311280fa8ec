#pragma once

#include "modules/tb_dispatcher/policies/program_times.h"
#include "modules/tb_dispatcher/policies/srtf/runtime_predictor.h"

namespace heddle {

/// The predictor of zero-sampling SRTF (SRTF 6.2.2): the run times of kernels alone are given, and what
/// remains of one is the share of its TBs that has not ended. Since it knows what follows a launch, it orders
/// programs by what remains of them. The same on all SMs.
class KnownRuntimes final : public RuntimePredictor {
 public:
  explicit KnownRuntimes(const CoreConfig& core) : sms_(core.sms) {}

  bool known(const LaunchRecord& /*launch*/, unsigned /*sm*/) const override { return true; }
  std::uint64_t remaining_cycles(const LaunchRecord& launch, unsigned /*sm*/) const override {
    return launch_left_cycles(launch);
  }
  bool ends_before(const DispatchView& view, const LaunchRecord& a, const LaunchRecord& b,
                   unsigned /*sm*/) override {
    return left_cycles(view, a) < left_cycles(view, b);
  }
  std::uint64_t total_cycles(const LaunchRecord& launch, unsigned /*sm*/) const override {
    return launch.alone.launch_cycles;
  }
  std::uint64_t tb_cycles(const LaunchRecord& launch, unsigned /*sm*/) const override {
    return launch.alone.launch_cycles * launch.occupancy.resident_limit / per_sm(launch.tbs);
  }
  std::uint64_t tbs_left(const LaunchRecord& launch, unsigned /*sm*/) const override {
    return per_sm(launch.tbs - launch.tbs_ended);
  }

 private:
  std::uint64_t per_sm(std::uint64_t tbs) const { return (tbs + sms_ - 1) / sms_; }

  unsigned sms_;
};

}  // namespace heddle
