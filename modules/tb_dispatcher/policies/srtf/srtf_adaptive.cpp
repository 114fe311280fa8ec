#include <algorithm>

#include "modules/tb_dispatcher/policies/srtf/simple_slicing.h"
#include "modules/tb_dispatcher/policies/srtf/srtf_order.h"

namespace heddle {
namespace {

/// It judges slowdowns at every event, with what is predicted then: no hardware of that is modelled.
DispatchContext in_ideal_timing(DispatchContext context) {
  context.hardware.timing = hw::Timing::kIdeal;
  return context;
}

/// SRTF/Adaptive (SRTF 5.1.2): as SRTF, until the predicted slowdowns of the running kernels lie further
/// apart than the threshold. Then they share the SMs: the fastest kernel holds a few TBs per SM, the next one
/// what is left.
class SrtfAdaptive final : public DispatchPolicy {
 public:
  explicit SrtfAdaptive(const DispatchContext& context)
      : core_(context.core),
        config_(context.config),
        order_(context, std::make_unique<SimpleSlicing>(in_ideal_timing(context)), true),
        exclusive_(context.config.max_kernels) {}

  LaunchRecord* select(const DispatchView& view, unsigned sm) override {
    if (!sharing_) return can(view, order_.first(view, sm), sm);
    const std::vector<LaunchRecord*> order = order_.order(view, sm);
    for (LaunchRecord* launch : order) {
      const bool limited = launch == order.front() && order.size() > 1;
      if (limited && launch->resident[sm] >= config_.adaptive_residency) continue;
      if (view.can_start(*launch, sm)) return launch;
    }
    return nullptr;
  }

  void on_launch(const DispatchView& view, const LaunchRecord& launch) override {
    order_.on_launch(view, launch);
    judge(view);
  }
  void on_end(const DispatchView& view, const LaunchRecord& launch) override {
    order_.on_end(view, launch);
    judge(view);
  }
  void on_tb_start(const DispatchView& /*view*/, const DispatchEvent& event) override {
    order_.on_tb_start(event);
  }
  void on_tb_end(const DispatchView& view, const DispatchEvent& event) override {
    order_.on_tb_end(event);
    judge(view);
  }
  void report(StatSink& sink) const override {
    sink.count("changes_to_sharing", changes_to_sharing_, "changes",
               "times the kernels began to share the SMs");
    order_.report(sink);
  }
  void trace(WaveSink& sink) override {
    sink.signal(sharing_, 1, "sharing");
    order_.trace(sink);
  }

 private:
  /// What is predicted of one running kernel, means over the SMs.
  struct Outlook {
    const LaunchRecord* launch;
    double elapsed = 0;    ///< since its arrival
    double alone = 0;      ///< run time alone, as last predicted while kernels did not share (5.1.2)
    double remaining = 0;  ///< with all SMs to itself
    double tbs_left = 0;   ///< per SM
    double tb_cycles = 0;
  };

  LaunchRecord* can(const DispatchView& view, LaunchRecord* launch, unsigned sm) {
    if (launch == nullptr || view.can_start(*launch, sm)) return launch;
    order_.waits_for_room(view, *launch, sm);
    return nullptr;
  }

  /// A kernel that arrives is not known, which ends sharing: each kernel that shares has a prediction of
  /// before, and none is sampled meanwhile.
  void judge(const DispatchView& view) {
    std::vector<Outlook> kernels;
    for (const auto& launch : view.launches()) {
      Outlook outlook{launch.get()};
      if (!fill(outlook, view)) {
        kernels.clear();  // something is not known yet: as SRTF
        break;
      }
      kernels.push_back(outlook);
    }
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const Outlook& a, const Outlook& b) { return a.remaining < b.remaining; });
    const double apart = kernels.size() < 2 ? 0 : unfairness(kernels, false);
    const bool share = apart > config_.adaptive_threshold &&
                       (!config_.adaptive_only_if_fairer || unfairness(kernels, true) < apart);
    changes_to_sharing_ += share && sharing_ == 0 ? 1 : 0;
    sharing_ = share ? 1 : 0;
  }

  bool fill(Outlook& outlook, const DispatchView& view) {
    const RuntimePredictor& predictor = order_.predictor();
    const LaunchRecord& launch = *outlook.launch;
    for (unsigned sm = 0; sm < core_.sms; ++sm) {
      if (!predictor.known(launch, sm)) return false;
      outlook.alone += static_cast<double>(predictor.total_cycles(launch, sm)) / core_.sms;
      outlook.remaining += static_cast<double>(predictor.remaining_cycles(launch, sm)) / core_.sms;
      outlook.tbs_left += static_cast<double>(predictor.tbs_left(launch, sm)) / core_.sms;
      outlook.tb_cycles += static_cast<double>(predictor.tb_cycles(launch, sm)) / core_.sms;
    }
    double& exclusive = exclusive_[launch.kernel_slot];
    if (sharing_ == 0) exclusive = outlook.alone;
    outlook.alone = exclusive;
    outlook.elapsed = static_cast<double>(view.cycle() - launch.launched_at);
    return true;
  }

  /// Largest less smallest slowdown, when the kernels run one after the other, or (figure 13) the second
  /// beside the first, in what the first leaves, and then alone.
  double unfairness(const std::vector<Outlook>& kernels, bool shared) const {
    double now = 0;
    double low = 0;
    double high = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const Outlook& kernel = kernels[i];
      double ahead = now;
      double left = kernel.remaining;
      // One that never holds more than the limit takes what is predicted of it: the same to the last digit,
      // so that sharing which changes nothing is not taken for fairer.
      const bool limited = limit_of(kernel) < kernel.launch->occupancy.resident_limit;
      if (shared && i == 0 && limited) left = kernel.tbs_left * kernel.tb_cycles / limit_of(kernel);
      if (shared && i == 1) {
        // NB1 = T R / t blocks run beside the first (5.1.2), the others after it.
        const double beside = beside_first(kernels[0], kernel);
        const double done = std::min(kernel.tbs_left, now * beside / std::max(kernel.tb_cycles, 1.0));
        left = kernel.remaining * (1 - done / std::max(kernel.tbs_left, 1.0));
        if (done == kernel.tbs_left) ahead = kernel.tbs_left * kernel.tb_cycles / std::max(beside, 1.0);
      }
      const double end = ahead + left;
      now = std::max(now, end);
      const double slowdown = (kernel.elapsed + end) / std::max(kernel.alone, 1.0);
      low = i == 0 ? slowdown : std::min(low, slowdown);
      high = i == 0 ? slowdown : std::max(high, slowdown);
    }
    return high - low;
  }

  unsigned limit_of(const Outlook& kernel) const {
    return std::max(1U, std::min(config_.adaptive_residency, kernel.launch->occupancy.resident_limit));
  }
  /// TBs of `second` that fit on an SM beside those of `first`.
  double beside_first(const Outlook& first, const Outlook& second) const {
    SmResources free(core_);
    for (unsigned n = 0; n < limit_of(first); ++n) free.take(first.launch->occupancy.demand);
    unsigned tbs = 0;
    const Occupancy& occupancy = second.launch->occupancy;
    for (; tbs < occupancy.resident_limit && free.fits(occupancy.demand); ++tbs) free.take(occupancy.demand);
    return tbs;
  }

  const CoreConfig& core_;
  const TbDispatcherConfig& config_;
  SrtfOrder order_;
  std::vector<double> exclusive_;  ///< by kernel slot: the last prediction while kernels did not share
  std::uint64_t sharing_ = 0;
  std::uint64_t changes_to_sharing_ = 0;
};

std::unique_ptr<DispatchPolicy> create_srtf_adaptive(const DispatchContext& context) {
  return std::make_unique<SrtfAdaptive>(context);
}

}  // namespace

extern const DispatchPolicyEntry srtf_adaptive_entry;
const DispatchPolicyEntry srtf_adaptive_entry{
    "srtf_adaptive", "srtf that lets kernels share the SMs when their slowdowns lie far apart", true,
    &create_srtf_adaptive};

}  // namespace heddle
