#include "modules/warp_scheduler/policies/ipaws/ipaws.h"

namespace heddle {
namespace {

class IpawsPrioritizer final : public PairedFacet {
 public:
  explicit IpawsPrioritizer(const PolicyContext& context)
      : PairedFacet(context, context.shared_as<Ipaws>()), ipaws_(context.shared_as<Ipaws>()) {}

  std::uint64_t update(std::uint64_t cycle) override {
    cycle_ = cycle;
    return PairedFacet::update(cycle);
  }

  unsigned select(WarpMask issuable) override {
    if (!ipaws_.shares()) return select_by_phase(issuable);
    const WarpMask favoured = issuable & ipaws_.favoured();
    if (favoured != 0) {
      const unsigned warp =
          ipaws_.adapts_to_favoured() ? select_by_phase(favoured) : select_by_decision(favoured);
      if (warp != kNoWarp) return warp;
    }
    return select_by_decision(issuable & ~favoured);
  }

 private:
  unsigned select_by_decision(WarpMask issuable) {
    const WarpMask greedy = issuable & ~ipaws_.convex();
    const unsigned warp = greedy != 0 ? choose_greedy(greedy) : kNoWarp;
    const WarpMask fair = issuable & ipaws_.convex();
    return warp == kNoWarp && fair != 0 ? choose_fair(fair) : warp;
  }

  unsigned select_by_phase(WarpMask issuable) {
    switch (ipaws_.phase()) {
      case IpawsPhase::kRecover:
        return ipaws_.least_issued()->select(cycle_, issuable);
      case IpawsPhase::kExecuteFair:
        return choose_fair(issuable);
      case IpawsPhase::kAdapt:
      case IpawsPhase::kJudge:
      case IpawsPhase::kExecuteGreedy:
        break;
    }
    return choose_greedy(issuable);
  }

  Ipaws& ipaws_;
  std::uint64_t cycle_ = 0;
};

std::unique_ptr<SharedPolicy> create_shared(const SmContext& context, const PolicyChannel& channel) {
  return std::make_unique<Ipaws>(context, channel);
}
std::unique_ptr<Prioritizer> create(const PolicyContext& context) {
  return std::make_unique<IpawsPrioritizer>(context);
}

const SharedPolicyEntry shared_entry{"ipaws", &create_shared};

}  // namespace

extern const PrioritizerEntry ipaws_entry;
const PrioritizerEntry ipaws_entry{
    "ipaws", "adapts to the instruction-issue pattern: greedy if concave, fair if convex", &create,
    &shared_entry};

}  // namespace heddle
