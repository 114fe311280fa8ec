#include "modules/tb_dispatcher/dispatch_policy.h"

namespace heddle {
namespace {

/// Launches in order: the next TB is always one of the first launch that has one waiting (SRTF 5.2.1).
class Fifo final : public DispatchPolicy {
 public:
  LaunchRecord* select(const DispatchView& view, unsigned sm) override {
    for (const auto& launch : view.launches()) {
      if (launch->tbs_waiting() == 0) continue;
      return view.can_start(*launch, sm) ? launch.get() : nullptr;
    }
    return nullptr;
  }
};

std::unique_ptr<DispatchPolicy> create_fifo(const DispatchContext& /*context*/) {
  return std::make_unique<Fifo>();
}

}  // namespace

extern const DispatchPolicyEntry fifo_entry;
const DispatchPolicyEntry fifo_entry{"fifo", "launches in order, thread blocks in order", false,
                                     &create_fifo};

}  // namespace heddle
