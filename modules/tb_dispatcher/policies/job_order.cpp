#include "modules/tb_dispatcher/dispatch_policy.h"

namespace heddle {
namespace {

/// The oracles SJF and LJF (SRTF 2 and 6.2.2): the launch that takes the shortest, or the longest, alone goes
/// first. They know the run times, and what arrives within the lookahead: "SJF schedules kernels even
/// before they run", so that an SM is left empty for a launch that comes before those that are there.
class JobOrder final : public DispatchPolicy {
 public:
  JobOrder(const DispatchContext& context, bool longest)
      : lookahead_cycles_(context.config.oracle_lookahead_cycles), longest_(longest) {}

  LaunchRecord* select(const DispatchView& view, unsigned sm) override {
    LaunchRecord* first = nullptr;
    for (const auto& launch : view.launches()) {
      if (launch->tbs_waiting() != 0 && (first == nullptr || before(*launch, *first))) first = launch.get();
    }
    if (first == nullptr || !view.can_start(*first, sm)) return nullptr;
    for (const auto& launch : view.coming()) {
      if (launch->launched_at <= view.cycle() + lookahead_cycles_ && before(*launch, *first)) return nullptr;
    }
    return first;
  }

  void on_launch(const DispatchView& /*view*/, const LaunchRecord& launch) override {
    if (launch.alone_cycles != 0) return;
    throw DispatchError(
        "kernel '" + launch.launch->program().name +
        "': the dispatch policy is an oracle and needs its run time alone: none found, expected --alone "
        "FILE, or a run by 'heddle pairs'");
  }

 private:
  bool before(const LaunchRecord& a, const LaunchRecord& b) const {
    return longest_ ? a.alone_cycles > b.alone_cycles : a.alone_cycles < b.alone_cycles;
  }

  std::uint64_t lookahead_cycles_;
  bool longest_;
};

std::unique_ptr<DispatchPolicy> create_sjf(const DispatchContext& context) {
  return std::make_unique<JobOrder>(context, false);
}
std::unique_ptr<DispatchPolicy> create_ljf(const DispatchContext& context) {
  return std::make_unique<JobOrder>(context, true);
}

}  // namespace

extern const DispatchPolicyEntry sjf_entry;
const DispatchPolicyEntry sjf_entry{"sjf", "oracle: the kernel that is shortest alone first", false,
                                    &create_sjf};
extern const DispatchPolicyEntry ljf_entry;
const DispatchPolicyEntry ljf_entry{"ljf", "oracle: the kernel that is longest alone first", false,
                                    &create_ljf};

}  // namespace heddle
