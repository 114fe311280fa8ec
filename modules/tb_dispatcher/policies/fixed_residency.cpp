#include "modules/tb_dispatcher/residency_limits.h"

namespace heddle {
namespace {

/// Limits that are given: how long a kernel's thread blocks take beside so many of another's (SRTF 3.4.3,
/// 3.4.4). A study, no policy to be built. They hold while a kernel runs alone, too.
class FixedResidency final : public ResidencyLimits {
 public:
  explicit FixedResidency(const DispatchContext& context)
      : ResidencyLimits(context), config_(context.config) {}

 private:
  unsigned limit_of(const DispatchView& /*view*/, const LaunchRecord& launch) const override {
    const unsigned given = launch.stream == 0 ? config_.first_residency : config_.other_residency;
    return given == 0 ? launch.occupancy.resident_limit : given;
  }

  const TbDispatcherConfig& config_;
};

std::unique_ptr<DispatchPolicy> create_fixed_residency(const DispatchContext& context) {
  return std::make_unique<FixedResidency>(context);
}

}  // namespace

extern const DispatchPolicyEntry fixed_residency_entry;
const DispatchPolicyEntry fixed_residency_entry{
    "fixed_residency", "kernels in order, of each stream as many thread blocks per SM as given", false,
    &create_fixed_residency};

}  // namespace heddle
