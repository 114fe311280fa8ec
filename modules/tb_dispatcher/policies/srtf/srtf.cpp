#include "modules/tb_dispatcher/policies/srtf/known_runtimes.h"
#include "modules/tb_dispatcher/policies/srtf/simple_slicing.h"
#include "modules/tb_dispatcher/policies/srtf/srtf_order.h"

namespace heddle {
namespace {

/// SRTF (SRTF 5.1.1): one kernel executes, the one that is predicted to end first; when it does not fit, the
/// SM waits until it does (hand-off).
class Srtf final : public DispatchPolicy {
 public:
  Srtf(const DispatchContext& context, std::unique_ptr<RuntimePredictor> predictor, bool sample)
      : order_(context, std::move(predictor), sample), needs_runtimes_(!sample) {}

  LaunchRecord* select(const DispatchView& view, unsigned sm) override {
    LaunchRecord* first = order_.first(view, sm);
    if (first == nullptr || view.can_start(*first, sm)) return first;
    order_.waits_for_room(view, *first, sm);
    return nullptr;
  }
  void on_launch(const DispatchView& view, const LaunchRecord& launch) override {
    if (needs_runtimes_ && launch.alone.launch_cycles == 0) {
      throw DispatchError("kernel '" + launch.launch->program().name +
                          "': srtf_zero_sampling needs its run time alone: none found, expected --alone "
                          "FILE, or a run by 'heddle pairs'");
    }
    order_.on_launch(view, launch);
  }
  void on_end(const DispatchView& view, const LaunchRecord& launch) override { order_.on_end(view, launch); }
  void on_tb_start(const DispatchView& /*view*/, const DispatchEvent& event) override {
    order_.on_tb_start(event);
  }
  void on_tb_end(const DispatchView& /*view*/, const DispatchEvent& event) override {
    order_.on_tb_end(event);
  }
  bool advance(const DispatchView& view) override { return order_.advance(view); }
  std::uint64_t next_change() const override { return order_.next_change(); }
  SlicingMachines* slicing_machines() override { return order_.predictor().machines(); }
  void report(StatSink& sink) const override { order_.report(sink); }
  void trace(WaveSink& sink) override { order_.trace(sink); }

 private:
  SrtfOrder order_;
  bool needs_runtimes_;
};

std::unique_ptr<DispatchPolicy> create_srtf(const DispatchContext& context) {
  return std::make_unique<Srtf>(context, std::make_unique<SimpleSlicing>(context), true);
}
std::unique_ptr<DispatchPolicy> create_slice_unaware(const DispatchContext& context) {
  return std::make_unique<Srtf>(context, std::make_unique<SimpleSlicing>(context, false), true);
}
std::unique_ptr<DispatchPolicy> create_zero_sampling(const DispatchContext& context) {
  return std::make_unique<Srtf>(context, std::make_unique<KnownRuntimes>(context.core), false);
}

}  // namespace

extern const DispatchPolicyEntry srtf_entry;
const DispatchPolicyEntry srtf_entry{
    "srtf", "shortest predicted remaining time first, new kernels are sampled", false, &create_srtf};
extern const DispatchPolicyEntry srtf_slice_unaware_entry;
const DispatchPolicyEntry srtf_slice_unaware_entry{
    "srtf_slice_unaware", "srtf that predicts each kernel once per SM, from its first thread block", false,
    &create_slice_unaware};
extern const DispatchPolicyEntry srtf_zero_sampling_entry;
const DispatchPolicyEntry srtf_zero_sampling_entry{
    "srtf_zero_sampling", "srtf of programs, given the run times alone instead of sampling", false,
    &create_zero_sampling};

}  // namespace heddle
