#include <optional>

#include "hw/logic/multiplexer.h"
#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/basic/own_warps.h"
#include "modules/warp_scheduler/policies/inner/turns.h"
#include "modules/warp_scheduler/policies/ipaws/ipaws.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"

namespace heddle {
namespace {

class IpawsPrioritizer final : public InnerFacet {
 public:
  explicit IpawsPrioritizer(const PolicyContext& context)
      : InnerFacet(context, context.shared_as<Ipaws>()), ipaws_(context.shared_as<Ipaws>()) {
    const hw::Owner owner = context.hardware.child("ipaws");
    const unsigned sides = ipaws_.least_issued() == nullptr ? 2 : kSides;
    side_.emplace(owner, "side" + std::to_string(context.scheduler),
                  hw::MultiplexerShape{sides, 2 * OwnWarps(context).count(), 1});
    if (!ipaws_.shares()) return;
    turns_.emplace(owner, "turn" + std::to_string(context.scheduler), Ipaws::kChoosers);
    owner.note("turn*",
               "whose turn it is after the decisions about kernels that share an SM; iPAWS 4.3 "
               "doesn't say how their schedulers share issue slots");
  }

  unsigned select(std::uint64_t cycle, WarpMask issuable) override {
    if (!turns_) return select_by_phase(cycle, issuable);
    const WarpMask favoured = issuable & ipaws_.favoured();
    const unsigned warp = favoured == 0 ? kNoWarp : select_in_turn(cycle, favoured);
    return warp != kNoWarp ? warp : select_in_turn(cycle, issuable & ~favoured);
  }
  WarpMask admitted(std::uint64_t cycle, WarpMask offered) override {
    asked_for_admitted(cycle);
    if (!turns_) return admitted_by_phase(cycle, offered);
    const WarpMask favoured = offered & ipaws_.favoured();
    return admitted_in_turn(cycle, favoured) | admitted_in_turn(cycle, offered & ~favoured);
  }
  void on_issue(const IssueEvent& event) override {
    side_->read(event.cycle);
    if (!turns_) return tell_all_sides(event);
    issued_at_ = event.cycle;
    InnerFacet::on_issue(event);
    for (unsigned chooser = 0; chooser < Ipaws::kChoosers; ++chooser) {
      if (is_chosen_by(chooser, event.warp)) turns_->issued(event.cycle, chooser);
    }
  }
  void trace(WaveSink& sink) override {
    InnerFacet::trace(sink);
    if (turns_) turns_->trace(sink);
  }
  hw::TimingPath choice_path() const override {
    hw::TimingPath sides = InnerFacet::choice_path();
    if (ipaws_.least_issued() == nullptr) return sides;
    const hw::Depth side = hw::gates::one_hot_mux_fo4(kSides);  // which one it is has long been known
    return hw::TimingPath::longer(sides, ipaws_.least_issued()->choice_path().through("which side", side));
  }

 private:
  /// Kernels that share the SM, for which there are turns, don't disturb each other's order.
  bool orders(unsigned side, unsigned warp) const override {
    return is_chosen_by(side == PairedPolicies::kFair ? Ipaws::kByFair : Ipaws::kByGreedy, warp);
  }
  /// That of a chooser which is not kByRecover.
  static unsigned side_of(unsigned chooser) {
    return chooser == Ipaws::kByFair ? PairedPolicies::kFair : PairedPolicies::kGreedy;
  }
  bool is_chosen_by(unsigned chooser, unsigned warp) const {
    return (ipaws_.chosen_by(chooser, issued_at_) >> warp & 1U) != 0;
  }

  unsigned select_in_turn(std::uint64_t cycle, WarpMask issuable) {
    return turns_->take([&](unsigned chooser) {
      const WarpMask own = issuable & ipaws_.chosen_by(chooser, cycle);
      if (own == 0) return kNoWarp;
      if (chooser == Ipaws::kByRecover) return ipaws_.least_issued()->select(cycle, own);
      return choose(cycle, side_of(chooser), own);
    });
  }

  WarpMask admitted_in_turn(std::uint64_t cycle, WarpMask offered) {
    WarpMask admitted = offered & ipaws_.chosen_by(Ipaws::kByRecover, cycle);
    for (const unsigned chooser : {Ipaws::kByGreedy, Ipaws::kByFair}) {
      const WarpMask own = offered & ipaws_.chosen_by(chooser, cycle);
      if (own != 0) admitted |= admit(cycle, side_of(chooser), own);
    }
    return admitted;
  }

  /// Who chooses in the phase of the choice: kByRecover, kByFair or kByGreedy.
  unsigned chooser_by_phase(std::uint64_t cycle) const {
    switch (ipaws_.phase_of_choice(cycle)) {
      case IpawsPhase::kRecover:
        return Ipaws::kByRecover;
      case IpawsPhase::kExecuteFair:
        return Ipaws::kByFair;
      case IpawsPhase::kAdapt:
      case IpawsPhase::kJudge:
      case IpawsPhase::kExecuteGreedy:
        break;
    }
    return Ipaws::kByGreedy;
  }
  WarpMask admitted_by_phase(std::uint64_t cycle, WarpMask offered) {
    const unsigned chooser = chooser_by_phase(cycle);
    return chooser == Ipaws::kByRecover ? offered : admit(cycle, side_of(chooser), offered);
  }
  unsigned select_by_phase(std::uint64_t cycle, WarpMask issuable) {
    const unsigned chooser = chooser_by_phase(cycle);
    if (chooser == Ipaws::kByRecover) return ipaws_.least_issued()->select(cycle, issuable);
    return choose(cycle, side_of(chooser), issuable);
  }

  static constexpr unsigned kSides = 3;  ///< greedy, fair, fewest instructions

  Ipaws& ipaws_;
  std::optional<hw::Multiplexer> side_;  ///< whose choice is taken, and who is passed over
  std::optional<Turns> turns_;           ///< when kernels share the SM
  std::uint64_t issued_at_ = 0;          ///< likewise: the cycle of the issue that sides are told of
};

std::unique_ptr<Prioritizer> create_ipaws(const PolicyContext& context) {
  return std::make_unique<IpawsPrioritizer>(context);
}

constexpr SharedPolicyEntry kIpawsShared = shared_policy<Ipaws>("ipaws");

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
     parameter::choice(&IpawsParameters::favour, "favour", {"until_decided", "always"},
                       "iPAWS, sm_pair: how long an SM puts warps of the kernel that it adapts to before "
                       "those of the other"),
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
                       "iPAWS: a stall is a scheduler's, or the SM's, when all of its schedulers stall"),
     parameter::choice(&IpawsParameters::judge_at, "judge_at", {"first_warp", "oldest_warp", "first_tb"},
                       "iPAWS: the pattern of a kernel is judged when any of its warps on the SM ends, the "
                       "oldest, or a TB"),
     parameter::whole(&IpawsParameters::convex_eighths, "convex_eighths", kEighthsOfOne,
                      2 * kEighthsOfOne - 1, "eighths",
                      "iPAWS: degree of convexity from which on a pattern is convex; 8: Algorithm 1")}};

extern const PrioritizerEntry ipaws_entry;
const PrioritizerEntry ipaws_entry{
    "ipaws",
    "adapts to the instruction-issue pattern: greedy if concave, fair if convex",
    &create_ipaws,
    &kIpawsShared,
    &ipaws_parameters,
    Hardware::kOfParts,
    true,
    true};

}  // namespace heddle
