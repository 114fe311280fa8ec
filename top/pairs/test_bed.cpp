#include "top/pairs/test_bed.h"

namespace heddle {

TestBed::TestBed(const std::string& name, const CoreConfig& core, const TbDispatcherConfig& dispatch,
                 const sc_core::sc_time& period)
    : clock_(std::make_unique<ClockDomain>((name + "_clock").c_str(), period)),
      dispatcher_(std::make_unique<TbDispatcher>((name + "_dispatcher").c_str(), *clock_, core, dispatch)) {
  for (unsigned sm = 0; sm < core.sms; ++sm) {
    const std::string sm_name = name + "_sm" + std::to_string(sm);
    sms_.push_back(std::make_unique<TimedSm>(sm_name.c_str(), *clock_, core));
    dispatcher_->sm[sm].bind(sms_.back()->tb);
  }
  dispatcher_->launch_ended.bind([this](const LaunchRecord& record) {
    turnarounds_[record.launch_id] = record.turnaround_cycles();
    ++ended_;
  });
}

void TestBed::launch(const TimedKernel& kernel, Cycle after, std::uint64_t alone_cycles) {
  launch(kernel, after, {alone_cycles, 0, alone_cycles, alone_cycles},
         static_cast<unsigned>(launches_.size()));
}

void TestBed::launch(const TimedKernel& kernel, Cycle after, const AloneTimes& alone, unsigned program) {
  launches_.push_back(std::make_unique<TimedLaunch>(kernel));
  turnarounds_.push_back(0);
  dispatcher_->launch(*launches_.back(), launches_.size() - 1, {clock_->cycle_now() + after, alone, program});
}

}  // namespace heddle
