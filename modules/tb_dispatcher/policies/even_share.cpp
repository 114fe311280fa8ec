#include <string>

#include "modules/tb_dispatcher/residency_limits.h"

namespace heddle {
namespace {

/// Sharing (iPAWS 4.3, "sCKE"): each of n running kernels may have an n-th of each resource of every SM. What
/// was shared is taken back when kernels end.
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
    const unsigned limit = fitting(launch, SmResources(share));
    if (limit == 0) {
      throw DispatchError("tb_dispatcher.policy even_share: kernel '" + launch.launch->program().name +
                          "' can't run beside " + std::to_string(count - 1) +
                          " other kernel(s): no thread block fits into 1/" + std::to_string(count) +
                          " of an SM's threads, warps, registers, shared memory and TB slots");
    }
    return limit;
  }
};

std::unique_ptr<DispatchPolicy> create(const DispatchContext& context) {
  return std::make_unique<EvenShare>(context);
}

}  // namespace

extern const DispatchPolicyEntry even_share_entry;
const DispatchPolicyEntry even_share_entry{
    "even_share", "each running kernel may have an equal share of every SM's resources", true, &create};

}  // namespace heddle
