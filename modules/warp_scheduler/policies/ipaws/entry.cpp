#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/ipaws/ipaws.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"

namespace heddle {
namespace {

class IpawsPrioritizer final : public PairedFacet {
 public:
  explicit IpawsPrioritizer(const PolicyContext& context)
      : PairedFacet(context, context.shared_as<Ipaws>()), ipaws_(context.shared_as<Ipaws>()) {}

  unsigned select(std::uint64_t cycle, WarpMask issuable) override {
    if (!ipaws_.shares()) return select_by_phase(cycle, issuable);
    const WarpMask favoured = issuable & ipaws_.favoured();
    if (favoured != 0) {
      const unsigned warp = ipaws_.adapts_to_favoured() ? select_by_phase(cycle, favoured)
                                                        : select_by_decision(cycle, favoured);
      if (warp != kNoWarp) return warp;
    }
    return select_by_decision(cycle, issuable & ~favoured);
  }
  hw::TimingPath choice_path() const override {
    const hw::TimingPath sides = PairedFacet::choice_path();
    if (ipaws_.least_issued() == nullptr) return sides;
    return hw::TimingPath::longer(
        sides, ipaws_.least_issued()->choice_path().through("which side", hw::gates::enable_fo4()));
  }

 private:
  unsigned select_by_decision(std::uint64_t cycle, WarpMask issuable) {
    const WarpMask greedy = issuable & ~ipaws_.convex();
    const unsigned warp = greedy != 0 ? choose_greedy(cycle, greedy) : kNoWarp;
    const WarpMask fair = issuable & ipaws_.convex();
    return warp == kNoWarp && fair != 0 ? choose_fair(cycle, fair) : warp;
  }

  unsigned select_by_phase(std::uint64_t cycle, WarpMask issuable) {
    switch (ipaws_.phase()) {
      case IpawsPhase::kRecover:
        return ipaws_.least_issued()->select(cycle, issuable);
      case IpawsPhase::kExecuteFair:
        return choose_fair(cycle, issuable);
      case IpawsPhase::kAdapt:
      case IpawsPhase::kJudge:
      case IpawsPhase::kExecuteGreedy:
        break;
    }
    return choose_greedy(cycle, issuable);
  }

  Ipaws& ipaws_;
};

std::unique_ptr<Prioritizer> create(const PolicyContext& context) {
  return std::make_unique<IpawsPrioritizer>(context);
}

constexpr SharedPolicyEntry shared_entry = shared_policy<Ipaws>("ipaws");

}  // namespace

const ParametersOf<IpawsParameters> ipaws_parameters{
    "ipaws",
    {parameter::scheduler(&IpawsParameters::greedy, "greedy",
                          "iPAWS: scheduler of the Adapt phase and of concave kernels"),
     parameter::scheduler(&IpawsParameters::fair, "fair", "iPAWS: scheduler of convex kernels"),
     parameter::flag(&IpawsParameters::recover, "recover",
                     "iPAWS: Recover phase (fewest issued instructions first) before the fair one"),
     parameter::flag(&IpawsParameters::warps_of_interest, "warps_of_interest",
                     "iPAWS: judge by the warps up to the one with the most stalls; false: by all"),
     parameter::choice(
         &IpawsParameters::decider, "decider", {"first_sm", "each_sm", "sm_pair"},
         "iPAWS: the first SM to judge a kernel decides for all, or each SM for itself, or of each pair "
         "of SMs with two kernels one SM for each kernel"),
     parameter::choice(&IpawsParameters::counters, "counters", {"warp", "tb"},
                       "iPAWS: score and stall counters per warp or per TB"),
     parameter::choice(&IpawsParameters::stall_of, "stall_of",
                       {"oldest", "oldest_valid", "oldest_ready", "first_tried"},
                       "iPAWS: whom a stall is charged to: the oldest warp of all, of those with an "
                       "instruction, of those past the scoreboard, or the one that GTO tries first"),
     parameter::choice(
         &IpawsParameters::stall_when, "stall_when", {"none_issues", "none_ready", "all_blocked"},
         "iPAWS: what a stall is: no warp issues, none passes the scoreboard, or none passes it "
         "though one has an instruction"),
     parameter::choice(&IpawsParameters::stall_scope, "stall_scope", {"scheduler", "sm"},
                       "iPAWS: a stall is a scheduler's, or the SM's, when all of its schedulers stall")}};

extern const PrioritizerEntry ipaws_entry;
const PrioritizerEntry ipaws_entry{
    "ipaws", "adapts to the instruction-issue pattern: greedy if concave, fair if convex", &create,
    &shared_entry, &ipaws_parameters};

}  // namespace heddle
