#include "top/pairs/test_bed.h"

#include <numeric>

namespace heddle {

TestBed::TestBed(const std::string& name, const CoreConfig& core, const TbDispatcherConfig& dispatch,
                 const sc_core::sc_time& period, double interference, const hw::Owner& hardware)
    : clock_(std::make_unique<ClockDomain>((name + "_clock").c_str(), period)),
      dispatcher_(
          std::make_unique<TbDispatcher>((name + "_dispatcher").c_str(), *clock_, core, dispatch, hardware)) {
  for (unsigned sm = 0; sm < core.sms; ++sm) {
    const std::string sm_name = name + "_sm" + std::to_string(sm);
    sms_.push_back(std::make_unique<TimedSm>(sm_name.c_str(), *clock_, core, interference));
    dispatcher_->sm[sm].bind(sms_.back()->tb);
  }
  dispatcher_->launch_ended.bind([this](const LaunchRecord& record) { end_launch(record); });
}

void TestBed::launch(const TimedKernel& kernel, Cycle after, std::uint64_t alone_cycles) {
  launch(kernel, after, {alone_cycles, 0, alone_cycles, alone_cycles},
         static_cast<unsigned>(programs_.size()));
}

void TestBed::launch(const TimedKernel& kernel, Cycle after, const AloneTimes& alone, unsigned program) {
  programs_.push_back({kernel, program, {alone}, clock_->cycle_now() + after, {}});
  programs_.back().kernel.launches = 1;
  turnarounds_.push_back(0);
  launch_next(programs_.size() - 1, programs_.back().arrived);
}

void TestBed::run_program(const TimedKernel& kernel, Cycle after,
                          const std::vector<std::uint64_t>& alone_cycles) {
  const auto number = static_cast<unsigned>(programs_.size());
  std::vector<AloneTimes> alone(kernel.launches);
  const std::uint64_t all = std::accumulate(alone_cycles.begin(), alone_cycles.end(), std::uint64_t{0});
  std::uint64_t following = all;
  for (std::size_t n = 0; n < alone_cycles.size(); ++n) {
    following -= alone_cycles[n];
    alone[n] = {alone_cycles[n], following, all, all};
  }
  programs_.push_back({kernel, number, std::move(alone), clock_->cycle_now() + after, {}});
  turnarounds_.push_back(0);
  launch_next(number, programs_.back().arrived);
}

void TestBed::launch_next(std::size_t program, Cycle at) {
  Program& source = programs_[program];
  const auto number = static_cast<unsigned>(source.launch_cycles.size());
  launches_.push_back(std::make_unique<TimedLaunch>(kernel_of_launch(source.kernel, number)));
  program_of_launch_.push_back(program);
  LaunchTerms terms;
  terms.arrives_at = at;
  terms.alone = source.alone[number];
  terms.program = source.number;
  terms.stream = source.number;
  dispatcher_->launch(*launches_.back(), launches_.size() - 1, terms);
}

/// The next launch comes in the cycle after, as the host's do.
void TestBed::end_launch(const LaunchRecord& record) {
  const std::size_t program = program_of_launch_[record.launch_id];
  Program& source = programs_[program];
  source.launch_cycles.push_back(record.turnaround_cycles());
  if (source.launch_cycles.size() < source.kernel.launches) {
    launch_next(program, record.ended_at + 1);
    return;
  }
  turnarounds_[program] = record.ended_at - source.arrived;
  ++ended_;
}

}  // namespace heddle
