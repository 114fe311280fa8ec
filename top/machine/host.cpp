#include "top/machine/host.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

/// HostRun::kPollCycles, or so much less that a clock which is faster than the core's has not many more edges
/// meanwhile.
Cycle cycles_between_looks(const ClockConfig& clock) {
  constexpr double kMostFaster = 8;
  const double fastest = std::max({clock.interconnect_mhz, clock.l2_mhz, clock.dram_mhz});
  Cycle cycles = HostRun::kPollCycles;
  while (cycles > 1 && static_cast<double>(cycles) * fastest >
                           kMostFaster * static_cast<double>(HostRun::kPollCycles) * clock.core_mhz) {
    cycles /= 2;
  }
  return cycles;
}

}  // namespace

Host::Host(const sc_core::sc_module_name& name, Gpu& gpu, bool stops_simulation)
    : sc_module(name),
      Clocked(gpu.core_clock(), tick_order::kHost, this->name()),
      gpu_(gpu),
      stops_simulation_(stops_simulation),
      look_cycles_(cycles_between_looks(gpu.config().clock)) {
  gpu_.take_host();
  SC_METHOD(look);
  sensitive << look_event_;
  dont_initialize();
  gpu_.dispatcher().launch_ended.bind([this](const LaunchRecord& record) {
    if (!running()) return;  // it ended early
    run_->take_end(record);
    wake();
  });
}

Host::Host(const sc_core::sc_module_name& name, Gpu& gpu) : Host(name, gpu, false) {}

Host::Host(const sc_core::sc_module_name& name, Gpu& gpu, HostProgram& program, HostOptions options)
    : Host(name, gpu, true) {
  give(HostRun::work_of(program), std::move(options), HostRun::Begin::kAtTimeZero);
}

Host::Host(const sc_core::sc_module_name& name, Gpu& gpu, const std::vector<HostStream>& streams,
           HostOptions options)
    : Host(name, gpu, true) {
  give({streams, true}, std::move(options), HostRun::Begin::kAtTimeZero);
}

void Host::give(const HostRun::Work& work, HostOptions options, HostRun::Begin begin) {
  run_ = std::make_unique<HostRun>(gpu_, registry_, work, std::move(options), begin, next_launch_);
}

RunResult Host::run() {
  sc_core::sc_start();
  return run_->result();
}

void Host::begin(HostProgram& program, HostOptions options) {
  if (running()) throw std::logic_error("a program runs on the GPU already");
  if (!gpu_.idle()) throw std::logic_error("the GPU holds thread blocks of a program that ended early");
  if (program.begun()) {
    throw std::logic_error(
        "the program has been begun before, and runs once; to run it again, make another HostProgram of its "
        "workload");
  }
  if (run_ != nullptr) next_launch_ = run_->next_launch();
  if (!sc_core::sc_start_of_simulation_invoked()) {  // every block is awake then
    give(HostRun::work_of(program), std::move(options), HostRun::Begin::kAtTimeZero);
    return;
  }
  give(HostRun::work_of(program), std::move(options), HostRun::Begin::kAtNextLook);
  wake();
}

RunResult Host::result() {
  const bool stopped = sc_core::sc_get_status() == sc_core::SC_STOPPED;
  if (run_ == nullptr || (running() && !stopped)) throw std::logic_error("no program has ended");
  const std::unique_ptr<HostRun> run = std::move(run_);
  next_launch_ = run->next_launch();
  return run->result();
}

bool Host::tick() {
  if (!running()) return false;
  domain().notify_after_edge(look_event_);
  const Cycle now = domain().cycle();
  wake_in(look_cycles_ - now % look_cycles_);
  if (run_->limit() > now) {
    wake_in(run_->limit() - now);
  }
  return run_->looks_at_each_edge();
}

void Host::look() {
  if (!running()) return;
  run_->look();
  if (running()) return;
  if (stops_simulation_) {
    sc_core::sc_stop();
  } else {
    ended_.notify(sc_core::SC_ZERO_TIME);
  }
}

}  // namespace heddle
