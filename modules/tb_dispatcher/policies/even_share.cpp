#include <algorithm>
#include <string>

#include "modules/tb_dispatcher/dispatch_policy.h"

namespace heddle {
namespace {

/// Sharing (iPAWS 4.3, "sCKE"): each of n running kernels may have an n-th of each resource of every SM. What
/// was shared is taken back when kernels end.
class EvenShare final : public DispatchPolicy {
 public:
  explicit EvenShare(const DispatchContext& context)
      : core_(context.core), limits_(context.config.max_kernels) {}

  LaunchRecord* select(const DispatchView& view, unsigned sm) override {
    for (const auto& launch : view.launches()) {
      if (launch->resident[sm] < limits_[launch->kernel_slot] && view.can_start(*launch, sm))
        return launch.get();
    }
    return nullptr;
  }

  void on_launch(const DispatchView& view, const LaunchRecord& /*launch*/) override { set_limits(view); }
  void on_end(const DispatchView& view, const LaunchRecord& /*launch*/) override { set_limits(view); }

 private:
  void set_limits(const DispatchView& view) {
    const auto count = static_cast<unsigned>(view.launches().size());
    for (const auto& launch : view.launches()) {
      CoreConfig share = core_;
      share.tb_slots /= count;
      share.threads /= count;
      share.warps /= count;
      share.registers /= count;
      share.shared_bytes /= count;
      SmResources free(share);
      unsigned limit = 0;
      for (; limit < launch->occupancy.resident_limit && free.fits(launch->occupancy.demand); ++limit) {
        free.take(launch->occupancy.demand);
      }
      if (limit == 0) {
        throw DispatchError("tb_dispatcher.policy even_share: kernel '" + launch->launch->program().name +
                            "' can't run beside " + std::to_string(count - 1) +
                            " other kernel(s): no thread block fits into 1/" + std::to_string(count) +
                            " of an SM's threads, warps, registers, shared memory and TB slots");
      }
      limits_[launch->kernel_slot] = limit;
    }
  }

  const CoreConfig& core_;
  std::vector<unsigned> limits_;  ///< TBs per SM, by kernel slot
};

std::unique_ptr<DispatchPolicy> create(const DispatchContext& context) {
  return std::make_unique<EvenShare>(context);
}

}  // namespace

extern const DispatchPolicyEntry even_share_entry;
const DispatchPolicyEntry even_share_entry{
    "even_share", "each running kernel may have an equal share of every SM's resources", true, &create};

}  // namespace heddle
