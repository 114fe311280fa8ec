#include "modules/warp_scheduler/policy_registry.h"
#include "modules/warp_scheduler/warp_list.h"

namespace heddle {
namespace {

/// The oldest ready warp at every cycle; age is the order in which the warps were launched on the SM.
class Oldest final : public Prioritizer {
 public:
  unsigned select(WarpMask issuable) override { return by_age_.first_of(issuable); }
  void on_start(unsigned warp) override { by_age_.append(warp); }
  void on_finish(unsigned warp) override { by_age_.remove(warp); }

 private:
  WarpList by_age_;
};

std::unique_ptr<Prioritizer> create(const PolicyContext& /*context*/) { return std::make_unique<Oldest>(); }

}  // namespace

extern const PrioritizerEntry oldest_entry;
const PrioritizerEntry oldest_entry{"oldest", "the oldest ready warp", &create};

}  // namespace heddle
