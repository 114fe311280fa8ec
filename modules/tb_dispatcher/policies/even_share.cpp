#include <algorithm>

#include "modules/tb_dispatcher/residency_limits.h"

namespace heddle {
namespace {

/// Sharing (iPAWS 4.3, "sCKE"): each of n running kernels may have an n-th of each resource of every SM. What
/// was shared is taken back when kernels end. A kernel whose TB is larger than its share may hold one where
/// there is room; kernels that can't share an SM run one after the other.
class EvenShare final : public ResidencyLimits {
 public:
  using ResidencyLimits::ResidencyLimits;

 private:
  unsigned limit_of(const DispatchView& view, const LaunchRecord& launch) const override {
    const auto count = static_cast<unsigned>(view.launches().size());
    CoreConfig share = core();
    share.tb_slots /= count;
    share.threads /= count;
    share.warps /= count;
    share.registers /= count;
    share.shared_bytes /= count;
    return std::max(fitting(launch, SmResources(share)), 1U);
  }
};

std::unique_ptr<DispatchPolicy> create_even_share(const DispatchContext& context) {
  return std::make_unique<EvenShare>(context);
}

}  // namespace

extern const DispatchPolicyEntry even_share_entry;
const DispatchPolicyEntry even_share_entry{
    "even_share", "each running kernel may have an equal share of every SM's resources", true,
    &create_even_share};

}  // namespace heddle
