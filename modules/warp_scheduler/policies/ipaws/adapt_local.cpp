#include <algorithm>
#include <array>

#include "hw/logic/comparator.h"
#include "hw/storage/counter_array.h"
#include "modules/warp_scheduler/policies/ipaws/paired_policies.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"

namespace heddle {
namespace {

/// The locality-based adaptive scheduler that iPAWS is compared with (iPAWS 5.3; scheduler-details.md,
/// "iPAWS"): counts the loads that find, in the L1D or the L2, a line that their own warp had brought in, and
/// those that find another warp's. At the end of every sampling period the greater count says which scheduler
/// has the next one; equal counts change nothing. Every kernel begins under the greedy one.
class AdaptLocal final : public PairedPolicies {
 public:
  AdaptLocal(const SmContext& context, const PolicyChannel& /*channel*/)
      : PairedPolicies(context, "adapt_local", context.values_of(adapt_local_parameters).greedy,
                       context.values_of(adapt_local_parameters).fair),
        config_(context.values_of(adapt_local_parameters)),
        hits_(context.hardware.child("adapt_local"), "hits", counters()),
        same_warp_(context.hardware.child("adapt_local"), "same_warp", warp_comparator(context.gpu)),
        comparator_(context.hardware.child("adapt_local"), "comparator", hw::ComparatorShape{}) {}

  bool fair_chosen() const { return fair_chosen_ != 0; }

  void on_tb_start(const TbEvent& event) override {
    const bool first = resident_tbs_++ == 0;
    if (any_kernel_ && event.launch_id <= launch_) {
      if (first) period_end_ = event.cycle + config_.sampling_period_cycles;
      return;
    }
    any_kernel_ = true;
    launch_ = event.launch_id;
    hits_.clear();
    fair_chosen_ = 0;
    period_end_ = event.cycle + config_.sampling_period_cycles;
    decided_at_ = kNever;
  }

  void on_tb_end(const TbEvent& /*event*/) override {
    if (--resident_tbs_ == 0) period_end_ = kNever;
  }

  void on_l1d_access(const L1dAccess& event) override {
    const bool found = event.outcome == L1dOutcome::kHit || event.outcome == L1dOutcome::kMerged;
    if (!found) return;
    count(same_warp_.equal(event.cycle, event.line_warp, event.warp));
  }

  void on_l2_reply(const L2Reply& event) override {
    if (event.origin != LineOrigin::kNobody) count(event.origin == LineOrigin::kSameWarp);
  }

  bool greedy_chosen() const override { return !fair_chosen(); }

  std::uint64_t update(std::uint64_t cycle) override {
    const std::uint64_t next = PairedPolicies::update(cycle);
    if (cycle >= decided_at_) {
      fair_chosen_ = winner_;
      decided_at_ = kNever;
    }
    if (cycle >= period_end_) end_period(cycle);
    return std::min({next, period_end_, decided_at_});
  }

  void report(StatSink& sink) const override {
    PairedPolicies::report(sink);
    sink.count("intra_warp_hits", total_[kIntra], "accesses", "found the own warp's line in the L1D or L2");
    sink.count("inter_warp_hits", total_[kInter], "accesses", "found another warp's line in the L1D or L2");
    sink.count("periods_greedy", periods_[0], "periods", "sampling periods that the greedy scheduler won");
    sink.count("periods_fair", periods_[1], "periods", "sampling periods that the fair scheduler won");
  }

  void trace(WaveSink& sink) override {
    PairedPolicies::trace(sink);
    trace_own(sink);
  }
  void trace_state(WaveSink& sink) override {
    PairedPolicies::trace_state(sink);
    trace_own(sink);
  }

 private:
  enum Kind : std::uint8_t { kIntra, kInter };

  static hw::CounterArrayShape counters() {
    hw::CounterArrayShape shape;
    shape.entries = 2;
    shape.read_ports = 0;
    shape.write_ports = 0;
    shape.adders = 0;
    shape.clear = true;
    shape.counts_in_place = true;
    shape.amount_bits = 8;  // a weight, from the L1D and from the L2 in one cycle
    return shape;
  }

  /// For what hits, or is merged, in the L1D: one access a cycle.
  static hw::ComparatorShape warp_comparator(const GpuConfig& gpu) {
    hw::ComparatorShape shape;
    shape.bits = hw::index_bits(gpu.core.warps);
    shape.equality = true;
    return shape;
  }

  void trace_own(WaveSink& sink) const {
    sink.enumeration(fair_chosen_, "chosen", {"greedy", "fair"});
    hits_.trace(sink);
  }

  void count(bool intra) {
    ++total_[intra ? kIntra : kInter];
    hits_.count(intra ? kIntra : kInter, intra ? config_.intra_weight : config_.inter_weight);
  }

  void end_period(std::uint64_t cycle) {
    const std::uint64_t intra = hits_.value(kIntra);
    const std::uint64_t inter = hits_.value(kInter);
    winner_ = intra == inter ? fair_chosen_ : std::uint64_t{comparator_.less(cycle, intra, inter)};
    ++periods_[winner_];
    hits_.clear();
    decided_at_ = cycle + comparator_.cycles();
    if (decided_at_ == cycle) {
      fair_chosen_ = winner_;
      decided_at_ = kNever;
    }
    period_end_ = cycle + config_.sampling_period_cycles;
  }

  const AdaptLocalParameters config_;
  hw::CounterArray hits_;  ///< of the present period, weighted
  hw::Comparator same_warp_;
  hw::Comparator comparator_;
  bool any_kernel_ = false;
  std::uint64_t launch_ = 0;
  unsigned resident_tbs_ = 0;
  std::uint64_t period_end_ = kNever;  ///< with TBs on the SM
  std::uint64_t decided_at_ = kNever;  ///< hardware timing: when the last period's winner takes over
  std::uint64_t winner_ = 0;
  std::uint64_t fair_chosen_ = 0;  ///< 0 or 1
  std::array<std::uint64_t, 2> total_{};
  std::array<std::uint64_t, 2> periods_{};
};

class AdaptLocalPrioritizer final : public InnerFacet {
 public:
  explicit AdaptLocalPrioritizer(const PolicyContext& context)
      : InnerFacet(context, context.shared_as<AdaptLocal>()), shared_(context.shared_as<AdaptLocal>()) {}
  unsigned select(std::uint64_t cycle, WarpMask issuable) override {
    return choose(cycle, chosen_side(), issuable);
  }
  WarpMask admitted(std::uint64_t cycle, WarpMask offered) override {
    asked_for_admitted(cycle);
    return admit(cycle, chosen_side(), offered);
  }

 private:
  unsigned chosen_side() const {
    return shared_.fair_chosen() ? PairedPolicies::kFair : PairedPolicies::kGreedy;
  }

  const AdaptLocal& shared_;
};

std::unique_ptr<Prioritizer> create_adapt_local(const PolicyContext& context) {
  return std::make_unique<AdaptLocalPrioritizer>(context);
}

constexpr SharedPolicyEntry kAdaptLocalShared =
    shared_policy<AdaptLocal>("adapt_local", /*reads_line_warps=*/true);

}  // namespace

constexpr double kMaxPeriodCycles = 1e9;
const ParametersOf<AdaptLocalParameters> adapt_local_parameters{
    "adapt_local",
    {parameter::scheduler(&AdaptLocalParameters::greedy, "greedy",
                          "adapt_local: scheduler while intra-warp locality prevails"),
     parameter::scheduler(&AdaptLocalParameters::fair, "fair",
                          "adapt_local: scheduler while inter-warp locality prevails"),
     parameter::whole(&AdaptLocalParameters::sampling_period_cycles, "sampling_period_cycles", 100,
                      kMaxPeriodCycles, "core cycles",
                      "adapt_local: after each period the locality counted in it decides"),
     parameter::whole(&AdaptLocalParameters::intra_weight, "intra_weight", 0, 100, "",
                      "adapt_local: weight of an intra-warp hit"),
     parameter::whole(&AdaptLocalParameters::inter_weight, "inter_weight", 0, 100, "",
                      "adapt_local: weight of an inter-warp hit")}};

extern const PrioritizerEntry adapt_local_entry;
const PrioritizerEntry adapt_local_entry{
    "adapt_local",
    "greedy or fair by which locality prevails, intra-warp or inter-warp (iPAWS 5.3)",
    &create_adapt_local,
    &kAdaptLocalShared,
    &adapt_local_parameters,
    Hardware::kOfParts,
    true};

}  // namespace heddle
