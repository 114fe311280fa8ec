#include "hw/parts/priority_selector.h"
#include "modules/warp_scheduler/policies/pro/pro_policy.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

/// One scheduler's part of PRO: of the TBs in their order the first with a warp that may issue, and of that
/// TB's warps in theirs the first (PRO III.E).
class Pro final : public Prioritizer {
 public:
  explicit Pro(const PolicyContext& context)
      : shared_(context.shared_as<ProPolicy>()),
        tb_selector_(context.hardware.child("pro"), "tb_selector" + std::to_string(context.scheduler),
                     context.gpu.core.tb_slots, hw::SelectorForm::kOrdered),
        warp_selector_(context.hardware.child("pro"), "warp_selector" + std::to_string(context.scheduler),
                       context.gpu.core.warps, hw::SelectorForm::kOrdered) {}

  unsigned select(WarpMask issuable) override {
    const ProOrder& order = shared_.order();
    std::uint64_t requests = 0;
    for (unsigned i = 0; i < order.num_tbs(); ++i) {
      const unsigned slot = order.tbs()[i];
      if ((issuable & shared_.blocks().warps(slot)) != 0) requests |= std::uint64_t{1} << slot;
    }
    const unsigned slot = tb_selector_.select_in_order(requests, order.tbs(), order.num_tbs());
    if (slot == hw::kNoInput) return kNoWarp;
    return warp_selector_.select_in_order(issuable, order.warps(slot), order.num_warps(slot));
  }

 private:
  const ProPolicy& shared_;
  hw::PrioritySelector tb_selector_;
  hw::PrioritySelector warp_selector_;
};

std::unique_ptr<Prioritizer> create(const PolicyContext& context) { return std::make_unique<Pro>(context); }
std::unique_ptr<SharedPolicy> create_shared(const SmContext& context, const PolicyChannel& /*channel*/) {
  return std::make_unique<ProPolicy>(context);
}

const SharedPolicyEntry shared_entry{"pro", &create_shared};

}  // namespace

extern const PrioritizerEntry pro_entry;
const PrioritizerEntry pro_entry{
    "pro", "progress-aware: TBs by what their warps wait for and by progress, warps by progress", &create,
    &shared_entry};

}  // namespace heddle
