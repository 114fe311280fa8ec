#include "top/host.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

namespace {

std::string without_empty_lines(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != '\n' || (!result.empty() && result.back() != '\n')) {
      result += c;
    }
  }
  return result;
}

}  // namespace

Host::Host(const sc_core::sc_module_name& name, Gpu& gpu, HostProgram& program, HostOptions options)
    : sc_module(name),
      Clocked(gpu.core_clock(), rank::kHost, this->name()),
      gpu_(gpu),
      program_(program),
      options_(std::move(options)),
      watchdog_cycles_(gpu.config().core.watchdog_cycles) {
  SC_METHOD(look);
  sensitive << look_event_;
  dont_initialize();
  gpu_.dispatcher().launch_ended.listen([this](const LaunchRecord& /*record*/) {
    drained_tbs_ = true;
    tbs_ended_at_ = domain().cycle();
    wake();
  });
}

bool Host::tick() {
  look_event_.notify(sc_core::SC_ZERO_TIME);
  const Cycle now = domain().cycle();
  wake_in(kPollCycles - now % kPollCycles);
  if (options_.max_cycles > now) {
    wake_in(options_.max_cycles - now);
  }
  return drained_tbs_;
}

void Host::look() {
  if (stopped_) {
    return;
  }
  try {
    look_at_launch();
    if (!stopped_) {
      poll();
    }
  } catch (...) {
    fault_ = std::current_exception();
    stop(RunEnd::kFault, "");
  }
}

void Host::look_at_launch() {
  // The edge at which the last TB ended is not looked at: with sleeping the host ticks behind it only.
  if (running_ && (!drained_tbs_ || domain().cycle() == tbs_ended_at_ || !gpu_.idle())) {
    return;
  }
  if (running_) {
    end_launch(true);
  }
  start_next();
}

void Host::start_next() {
  std::unique_ptr<KernelLaunch> next = program_.next();
  for (const HostCopy& copy : program_.take_host_copies()) {
    gpu_.install(copy.address, copy.bytes);
  }
  if (next == nullptr) {
    stop(RunEnd::kComplete, "");
    return;
  }
  LaunchResult record;
  record.id = result_.launches.size();
  record.kernel = next->program().name;
  record.grid = next->grid();
  record.block = next->block();
  record.first_cycle = domain().cycle();
  record.occupancy = Occupancy::of(*next, gpu_.config().core);
  gpu_.launch(std::move(next), record.id);
  result_.launches.push_back(std::move(record));
  running_ = true;
  drained_tbs_ = false;
  before_launch_ = snapshot();
  tbs_before_launch_ = gpu_.tbs_ended();
}

void Host::end_launch(bool complete) {
  LaunchResult& record = result_.launches.back();
  record.complete = complete;
  record.cycles = domain().cycle_now() - record.first_cycle;
  record.values = difference(snapshot(), before_launch_);
  running_ = false;
}

void Host::poll() {
  const Cycle now = domain().cycle();
  if (options_.max_cycles != 0 && now >= options_.max_cycles) {
    stop(RunEnd::kCycleLimit, fmt::format("stopped at core cycle {}, the limit of --max-cycles", now));
    return;
  }
  if (now % kPollCycles != 0) {
    return;
  }
  if (running_ && now > last_progress() + watchdog_cycles_) {
    stop(RunEnd::kDeadlock,
         fmt::format(
             "deadlock: no warp has issued and nothing has returned for {} core cycles, since cycle {}\n{}",
             now - last_progress(), last_progress(), without_empty_lines(gpu_.describe_waiting())));
    return;
  }
  if (options_.poll) {
    const LaunchResult& record = result_.launches.back();
    if (options_.poll(
            {now, record.id, record.kernel, gpu_.tbs_ended() - tbs_before_launch_, record.grid.count()})) {
      stop(RunEnd::kInterrupted, fmt::format("interrupted at core cycle {}", now));
    }
  }
}

Cycle Host::last_progress() const {
  const LaunchResult& record = result_.launches.back();
  return std::max(gpu_.last_progress(), record.first_cycle + gpu_.config().core.launch_latency_cycles);
}

void Host::stop(RunEnd end, std::string reason) {
  stopped_ = true;
  result_.end = end;
  result_.reason = std::move(reason);
  sc_core::sc_stop();
}

StatValues Host::snapshot() {
  gpu_.settle();
  registry_.begin();
  gpu_.report(registry_);
  return registry_.end();
}

RunResult Host::run() {
  sc_core::sc_start();
  try {
    if (fault_) {
      std::rethrow_exception(fault_);
    }
    gpu_.rethrow_fault();
  } catch (const ExecutionFault& fault) {
    result_.end = RunEnd::kFault;
    result_.reason = fault.what();
  } catch (const std::exception& error) {
    // What earlier launches have done is worth keeping; without any, there is nothing to lose.
    if (result_.launches.empty()) {
      throw;
    }
    result_.end = RunEnd::kBadInput;
    result_.reason = error.what();
  }
  if (running_) {
    end_launch(false);
  }
  result_.cycles = domain().cycle_now();
  result_.values = snapshot();
  return std::move(result_);
}

}  // namespace heddle
