#include <algorithm>
#include <vector>

#include "modules/tb_dispatcher/policies/program_times.h"

namespace heddle {
namespace {

/// The oracles SJF and LJF (SRTF 2 and 6.2.2): the program that has the least left alone, or the one that
/// takes the longest alone, goes first. LJF goes by the whole program, since two that are ranked by what is
/// left would take turns. They know the run times, and what arrives within the lookahead: "SJF schedules
/// kernels even before they run", so that an SM is left empty for a launch that comes before those that are
/// there. The next launch of a program that goes first is such a launch from the end of the last one on.
/// Nothing comes as long as tb_dispatcher.max_kernels launches are there.
class JobOrder final : public DispatchPolicy {
 public:
  JobOrder(const DispatchContext& context, bool longest)
      : lookahead_cycles_(context.config.oracle_lookahead_cycles),
        max_kernels_(context.config.max_kernels),
        longest_(longest) {}

  LaunchRecord* select(const DispatchView& view, unsigned sm) override {
    LaunchRecord* first = nullptr;
    for (const auto& launch : view.launches()) {
      if (launch->tbs_waiting() == 0) continue;
      if (first == nullptr || before(time_of(view, *launch), time_of(view, *first))) first = launch.get();
    }
    if (first == nullptr || !view.can_start(*first, sm)) return nullptr;
    return better_comes(view, time_of(view, *first)) ? nullptr : first;
  }

  void on_launch(const DispatchView& /*view*/, const LaunchRecord& launch) override {
    if (launch.alone.launch_cycles == 0) {
      throw DispatchError(
          "kernel '" + launch.launch->program().name +
          "': the dispatch policy is an oracle and needs its run time alone: none found, expected --alone "
          "FILE, or a run by 'heddle pairs'");
    }
    const auto awaited = std::find_if(between_.begin(), between_.end(),
                                      [&](const Between& stream) { return stream.goes_on_with(launch); });
    if (awaited != between_.end()) between_.erase(awaited);
  }

  void on_end(const DispatchView& view, const LaunchRecord& launch) override {
    between_.erase(std::remove_if(between_.begin(), between_.end(),
                                  [&](const Between& stream) { return stream.until <= view.cycle(); }),
                   between_.end());
    if (launch.alone.following_cycles != 0)
      between_.push_back({launch.program, launch.alone, view.cycle() + lookahead_cycles_});
  }

 private:
  /// A stream of which a launch has ended and the next has not come.
  struct Between {
    unsigned program;
    AloneTimes last;
    std::uint64_t until;  ///< cycle from which on it is awaited no more

    bool goes_on_with(const LaunchRecord& launch) const {
      return launch.program == program &&
             launch.alone.launch_cycles + launch.alone.following_cycles == last.following_cycles;
    }
  };

  bool before(const ProgramTime& a, const ProgramTime& b) const { return longest_ ? b < a : a < b; }

  ProgramTime time_of(const DispatchView& view, const LaunchRecord& launch) const {
    if (longest_) return {launch.alone.program_cycles, launch.alone.stream_cycles};
    return left_cycles(view, launch);
  }
  ProgramTime time_of(const DispatchView& view, const Between& stream) const {
    if (longest_) return {stream.last.program_cycles, stream.last.stream_cycles};
    const std::uint64_t left = stream.last.following_cycles;
    return {std::max(left, program_left_cycles(view, stream.program)), left};
  }

  bool better_comes(const DispatchView& view, const ProgramTime& first) const {
    if (view.launches().size() >= max_kernels_) return false;
    for (const auto& launch : view.coming()) {
      if (launch->launched_at <= view.cycle() + lookahead_cycles_ && before(time_of(view, *launch), first))
        return true;
    }
    return std::any_of(between_.begin(), between_.end(), [&](const Between& stream) {
      return view.cycle() < stream.until && before(time_of(view, stream), first) && !on_its_way(view, stream);
    });
  }
  /// Its arrival is known: coming() tells when it is to be waited for.
  static bool on_its_way(const DispatchView& view, const Between& stream) {
    return std::any_of(view.coming().begin(), view.coming().end(),
                       [&](const auto& launch) { return stream.goes_on_with(*launch); });
  }

  std::uint64_t lookahead_cycles_;
  unsigned max_kernels_;
  bool longest_;
  std::vector<Between> between_;
};

std::unique_ptr<DispatchPolicy> create_sjf(const DispatchContext& context) {
  return std::make_unique<JobOrder>(context, false);
}
std::unique_ptr<DispatchPolicy> create_ljf(const DispatchContext& context) {
  return std::make_unique<JobOrder>(context, true);
}

}  // namespace

extern const DispatchPolicyEntry sjf_entry;
const DispatchPolicyEntry sjf_entry{"sjf", "oracle: the program that has the least left alone first", false,
                                    &create_sjf};
extern const DispatchPolicyEntry ljf_entry;
const DispatchPolicyEntry ljf_entry{"ljf", "oracle: the program that is longest alone first", false,
                                    &create_ljf};

}  // namespace heddle
