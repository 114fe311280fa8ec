#include "top/machine/host_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/memory_budget.h"
#include "base/stop.h"
#include "top/support/processes/budget_guard.h"

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

HostRun::Work HostRun::work_of(HostProgram& program) {
  Work work{{}, program.concurrent()};
  for (std::size_t stream = 0; stream < program.streams(); ++stream) {
    work.streams.push_back({&program, stream, program.stream_name(stream), 0, {}, 0});
  }
  return work;
}

HostRun::HostRun(Gpu& gpu, StatRegistry& registry, const Work& work, HostOptions options, Begin begin,
                 std::uint64_t first_launch)
    : gpu_(gpu),
      registry_(registry),
      options_(std::move(options)),
      concurrent_(work.concurrent),
      first_launch_(first_launch),
      watchdog_cycles_(gpu.config().core.watchdog_cycles),
      began_(begin == Begin::kAtTimeZero),
      repeated_(gpu, registry_) {
  for (const HostStream& stream : work.streams) {
    streams_.push_back({stream});
    if (concurrent_) {
      result_.streams.push_back({stream.name, 0, 0, stream.alone_turnaround_cycles, false});
    }
  }
  if (options_.sample) {
    result_.sampling.emplace();
    result_.sampling->in_full =
        concurrent_ ? "kernels run at the same time" : reason_against_sampling(gpu_.config());
  }
}

void HostRun::take_end(const LaunchRecord& record) {
  ended_.push_back({record.launch_id - first_launch_, domain().cycle(), record.first_tb_at});
}

Cycle HostRun::limit() const { return options_.max_cycles == 0 ? 0 : began_at_ + options_.max_cycles; }

bool HostRun::running() const {
  return std::any_of(streams_.begin(), streams_.end(),
                     [](const Stream& stream) { return stream.running != kNone; });
}

void HostRun::look() {
  if (over_) return;
  try {
    if (!began_) {
      begin();
      return;
    }
    look_at_launches();
    if (!over_) poll();
    if (over_) finish();
  } catch (...) {
    fault_ = std::current_exception();
    stop(RunEnd::kFault, "");
  }
}

/// What the blocks have counted so far is not this run's. Its first launch comes at the next edge, as after
/// time 0.
void HostRun::begin() {
  began_ = true;
  began_at_ = domain().cycle();
  before_run_ = snapshot();
}

void HostRun::look_at_launches() {
  if (!take_ended()) {
    return;
  }
  for (std::size_t stream = 0; stream < streams_.size(); ++stream) {
    if (streams_[stream].running == kNone && !streams_[stream].done) {
      start_next(stream);
    }
  }
  const bool all_done =
      std::all_of(streams_.begin(), streams_.end(), [](const Stream& stream) { return stream.done; });
  if (all_done && gpu_.idle()) {
    stop(RunEnd::kComplete, "");
  }
}

/// True when streams may go on, those of which no launch runs. The edge at which the last TB ended is not
/// looked at: with sleeping the host ticks after it only. Another stream's launch that ends at this edge
/// holds up none.
bool HostRun::take_ended() {
  const Cycle now = domain().cycle();
  if (!concurrent_ && !ended_.empty() && (ended_.front().cycle == now || !gpu_.idle())) {
    return false;
  }
  while (!ended_.empty() && ended_.front().cycle < now) {
    const Ended ended = ended_.front();
    ended_.erase(ended_.begin());
    LaunchResult& launch = result_.launches[ended.launch];
    if (concurrent_) launch.start_delay_cycles = ended.first_tb_at - launch.first_cycle;
    end_launch(ended.launch, concurrent_ ? ended.cycle : domain().cycle_now(), true);
  }
  return true;
}

/// Launches that need not be simulated are done at once.
void HostRun::start_next(std::size_t index) {
  Stream& stream = streams_[index];
  while (!stream.done && stream.running == kNone) {
    throw_if_stopped();
    start_one(index);
  }
}

void HostRun::start_one(std::size_t index) {
  Stream& stream = streams_[index];
  HostProgram& program = *stream.source.program;
  std::unique_ptr<KernelLaunch> next = program.next(stream.source.stream);
  for (const HostCopy& copy : program.take_host_copies()) {
    gpu_.install(copy.address, copy.bytes);
  }
  if (next == nullptr) {
    stream.done = true;
    if (concurrent_) result_.streams[index].complete = true;
    return;
  }
  LaunchResult record;
  record.id = launched_++;
  record.stream = index;
  record.kernel = next->program().name;
  record.spilled_bytes_per_thread = next->program().spilled_bytes_per_thread;
  record.grid = next->grid();
  record.block = next->block();
  record.occupancy = Occupancy::of(*next, gpu_.config().core);
  LaunchTerms terms = terms_of(stream);
  record.first_cycle = std::max(terms.arrives_at, domain().cycle());
  record.alone_cycles = terms.alone.launch_cycles;
  if (options_.sample) first_cycle_beyond_.push_back(cycles_beyond_);
  if (samples() && skip(*next, program, record)) {
    ++stream.launched;
    result_.launches.push_back(std::move(record));
    return;
  }
  if (samples()) begin_sampling(*next, record, terms);
  gpu_.launch(std::move(next), first_launch_ + record.id, terms);
  if (concurrent_ && stream.launched == 0) result_.streams[index].arrival_cycle = record.first_cycle;
  stream.running = record.id;
  ++stream.launched;
  result_.launches.push_back(std::move(record));
  if (concurrent_) return;
  before_launch_ = snapshot();
  if (sampled_) sampled_->begin(before_launch_);
  tbs_before_launch_ = gpu_.tbs_ended();
}

unsigned HostRun::program_of(const HostStream& source) const {
  const auto first = std::find_if(streams_.begin(), streams_.end(), [&](const Stream& stream) {
    return stream.source.program == source.program;
  });
  return static_cast<unsigned>(first - streams_.begin());
}

AloneTimes HostRun::alone_times(const Stream& stream) const {
  AloneTimes times;
  const std::vector<std::uint64_t>& launches = stream.source.alone_cycles;
  if (stream.launched >= launches.size()) return times;
  const auto own = launches.begin() + static_cast<std::ptrdiff_t>(stream.launched);
  times.launch_cycles = *own;
  times.following_cycles = std::accumulate(own + 1, launches.end(), std::uint64_t{0});
  times.stream_cycles = stream.source.all_alone_cycles();
  for (const Stream& other : streams_) {
    if (other.source.program == stream.source.program)
      times.program_cycles = std::max(times.program_cycles, other.source.all_alone_cycles());
  }
  return times;
}

LaunchTerms HostRun::terms_of(const Stream& stream) {
  LaunchTerms terms;
  if (!concurrent_) return terms;
  const HostStream& source = stream.source;
  terms.arrives_at = source.program->arrival_cycles(source.stream);
  if (stream.launched == 0 || terms.arrives_at != 0) terms.arrives_at += source.delay_cycles;
  terms.arrives_at += began_at_;
  terms.alone = alone_times(stream);
  terms.program = program_of(source);
  terms.stream = static_cast<unsigned>(&stream - streams_.data());
  counts_.emplace_back(gpu_.count_sets());
  terms.counts = counts_.back().data();
  return terms;
}

void HostRun::end_launch(std::size_t launch, Cycle end, bool complete) {
  LaunchResult& record = result_.launches[launch];
  record.complete = complete;
  record.cycles = end > record.first_cycle ? end - record.first_cycle : 0;
  streams_[record.stream].running = kNone;
  if (concurrent_) {
    StreamResult& stream = result_.streams[record.stream];
    stream.cycles = end > stream.arrival_cycle ? end - stream.arrival_cycle : 0;
  } else {
    record.values = difference(snapshot(), before_launch_);
  }
  if (sampled_) end_sampling(record, end);
  if (complete && samples()) repeated_.simulated(record);
  if (complete) gpu_.release(first_launch_ + record.id);
  keep_memory_to_write();
}

/// True: it need not be given to the GPU.
bool HostRun::skip(KernelLaunch& launch, HostProgram& program, LaunchResult& record) {
  if (!repeated_.skip(launch, program.memory(), record)) return false;
  add_estimate(record, StatValues(), 0);
  return true;
}

/// It is about to be given to the GPU.
void HostRun::begin_sampling(const KernelLaunch& launch, LaunchResult& record, LaunchTerms& terms) {
  const std::uint64_t tbs = record.grid.count();
  const std::uint64_t round = std::uint64_t{gpu_.config().core.sms} * record.occupancy.tbs_per_sm;
  record.sampling.emplace();
  record.sampling->in_full = LaunchSampler::refusal(tbs, round, {});
  if (!record.sampling->in_full.empty()) return;
  sampled_ = std::make_unique<SampledLaunch>(gpu_, registry_, launch, round, record.first_cycle);
  terms.sampler = &sampled_->sampler();
  terms.marks = sampled_.get();
}

void HostRun::end_sampling(LaunchResult& record, Cycle end) {
  sampled_->end(end, record.complete);
  record.sampling = sampled_->sampling();
  if (record.sampling->sampled()) {
    const StatValues simulated = std::exchange(record.values, sampled_->values());
    const std::uint64_t cycles = std::exchange(record.cycles, sampled_->cycles());
    add_estimate(record, simulated, cycles);
  }
  sampled_.reset();
}

/// The launch has estimates, of which so much was simulated.
void HostRun::add_estimate(const LaunchResult& record, const StatValues& simulated, std::uint64_t cycles) {
  const std::vector<std::uint64_t>& estimate = record.values.counts;
  beyond_.resize(estimate.size());
  for (std::size_t i = 0; i < beyond_.size(); ++i) {
    const std::uint64_t counted = i < simulated.counts.size() ? simulated.counts[i] : 0;
    beyond_[i] += static_cast<std::int64_t>(estimate[i] - counted);
  }
  cycles_beyond_ += static_cast<std::int64_t>(record.cycles - cycles);
  ++result_.sampling->sampled_launches;
  result_.sampling->fast_forwarded_tbs += record.sampling->fast_forwarded_tbs;
}

/// Of launches that were sampled, what was not simulated.
void HostRun::add_estimates() {
  if (!result_.sampling) return;
  for (const LaunchResult& launch : result_.launches) {
    const bool simulated = launch.sampling && launch.sampling->simulated_cycles != 0;
    if (simulated) result_.sampling->add(launch.sampling->deviations, 1 + repeated_.stands_for(launch.id));
  }
  result_.sampling->add(repeated_.deviations());
  result_.sampling->simulated_cycles = result_.cycles;
  result_.cycles += static_cast<std::uint64_t>(cycles_beyond_);
  for (std::size_t i = 0; i < beyond_.size(); ++i)
    result_.values.counts[i] += static_cast<std::uint64_t>(beyond_[i]);
  // The run may have ended before the last one was given to the GPU.
  for (std::size_t i = 0; i < result_.launches.size(); ++i)
    result_.launches[i].first_cycle += static_cast<std::uint64_t>(first_cycle_beyond_[i]);
}

/// What is known of a launch is written at the end, for which it is laid out in memory.
void HostRun::keep_memory_to_write() const {
  constexpr std::uint64_t kBytesOfAMetric = 1536;
  constexpr std::uint64_t kLeastMetrics = 128;
  if (memory_budget() == 0) return;
  const std::uint64_t metrics = std::max<std::uint64_t>(registry_.total_metrics().size(), kLeastMetrics);
  const std::uint64_t to_write = result_.launches.size() * metrics * kBytesOfAMetric;
  if (resident_bytes() + to_write > memory_budget()) request_stop(StopCause::kMemory);
}

void HostRun::poll() {
  const Cycle now = domain().cycle();
  if (options_.max_cycles != 0 && now >= limit()) {
    stop_early(RunEnd::kCycleLimit, fmt::format("stopped at core cycle {}, the limit of --max-cycles", now));
    return;
  }
  if (const StopCause cause = stop_cause(); cause != StopCause::kNone && !result_.launches.empty()) {
    stop_early(run_end_of(cause), stop_text(cause, fmt::format("at core cycle {}", now)));
    return;
  }
  if (now % kPollCycles != 0) {
    return;
  }
  gpu_.look_for_starved();
  if (running() && now > last_progress() + watchdog_cycles_) {
    stop_stuck();
    return;
  }
  if (options_.poll && !result_.launches.empty()) {
    if (options_.poll(progress())) {
      stop_early(RunEnd::kInterrupted, fmt::format("interrupted at core cycle {}", now));
    }
  }
}

/// The watchdog: whoever could go on is held back by a policy; when nobody could, the program is stuck.
void HostRun::stop_stuck() {
  const std::string stuck =
      fmt::format("no warp has issued and nothing has returned for {} core cycles, since cycle {}",
                  domain().cycle() - last_progress(), last_progress());
  const std::string held_back = gpu_.describe_held_back();
  const std::string waiting = without_empty_lines(gpu_.describe_waiting());
  if (held_back.empty()) {
    stop(RunEnd::kDeadlock, fmt::format("deadlock: {}\n{}", stuck, waiting));
  } else {
    stop(RunEnd::kPolicyDeadlock,
         fmt::format("policy deadlock: {}, though the program could go on\n{}{}", stuck, held_back, waiting));
  }
}

/// A run that may never have ended: warps that wait in loops for others keep the watchdog quiet.
void HostRun::stop_early(RunEnd end, const std::string& reason) {
  gpu_.look_for_starved();
  const std::string starved = without_empty_lines(gpu_.describe_starved(watchdog_cycles_));
  stop(end, starved.empty() ? reason : reason + "\n" + starved);
}

/// Of the launches that run, the first names the line; their TBs are added up.
ProgressState HostRun::progress() const {
  const LaunchResult& last = result_.launches.back();
  ProgressState state{domain().cycle(), last.id, last.kernel, 0, 0};
  if (!concurrent_) {
    state.tbs_done = gpu_.tbs_ended() - tbs_before_launch_;
    state.tbs = last.grid.count();
    return state;
  }
  bool first = true;
  for (const Stream& stream : streams_) {
    if (stream.running == kNone) continue;
    const LaunchResult& launch = result_.launches[stream.running];
    if (first) {
      state.launch = launch.id;
      state.kernel = launch.kernel;
    }
    first = false;
    for (const LaunchCounts& set : counts_[launch.id]) state.tbs_done += set.issue.tbs;
    state.tbs += launch.grid.count();
  }
  return state;
}

/// Until a launch's latency is over nothing can be expected of it.
Cycle HostRun::last_progress() const {
  Cycle last = gpu_.last_progress();
  bool arrived = false;
  for (const Stream& stream : streams_) {
    if (stream.running == kNone) continue;
    const LaunchResult& launch = result_.launches[stream.running];
    const Cycle begin = launch.first_cycle + gpu_.config().core.launch_latency_cycles;
    last = std::max(last, std::min(begin, domain().cycle()));
    arrived = arrived || begin <= domain().cycle();
  }
  return arrived ? last : domain().cycle();
}

void HostRun::stop(RunEnd end, std::string reason) {
  over_ = true;
  result_.end = end;
  result_.reason = std::move(reason);
}

StatValues HostRun::snapshot() {
  gpu_.settle();
  registry_.begin();
  gpu_.report(registry_);
  return registry_.end();
}

void HostRun::end_unfinished() {
  for (const Stream& stream : streams_) {
    if (stream.running != kNone) end_launch(stream.running, domain().cycle_now(), false);
  }
}

/// What was fetched for a launch may have come after its end: its counts are read at the end of the run.
void HostRun::take_attributed() {
  const auto registry = std::make_shared<StatRegistry>();
  for (LaunchResult& launch : result_.launches) {
    registry->begin();
    LaunchCounts all;
    for (const LaunchCounts& set : counts_[launch.id]) all.add(set);
    all.report(*registry);
    launch.values = registry->end();
  }
  result_.launch_registry = registry;
}

void HostRun::finish() {
  end_unfinished();
  result_.cycles = domain().cycle_now() - began_at_;
  result_.values = before_run_.counts.empty() ? snapshot() : difference(snapshot(), before_run_);
  add_estimates();
  result_.foreign_modules = socket_peers().foreign;
  if (concurrent_) take_attributed();
  finished_ = true;
}

RunResult HostRun::result() {
  try {
    if (fault_) {
      std::rethrow_exception(fault_);
    }
    gpu_.rethrow_fault();
    if (!over_) {
      stop(RunEnd::kInterrupted,
           fmt::format("the simulation was stopped at core cycle {}", domain().cycle_now()));
    }
  } catch (const Stopped& stopped) {
    if (result_.launches.empty()) throw;
    result_.end = run_end_of(stopped.cause());
    result_.reason = stop_text(stopped.cause(), fmt::format("at core cycle {}", domain().cycle_now()));
  } catch (const MemoryError& error) {
    if (result_.launches.empty()) throw;
    result_.end = RunEnd::kMemoryLimit;
    result_.reason = error.what();
  } catch (const ExecutionFault& fault) {
    result_.end = RunEnd::kFault;
    result_.reason = fault.what();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    // What earlier launches have done is worth keeping; without any, there is nothing to lose.
    if (result_.launches.empty()) {
      throw;
    }
    result_.end = RunEnd::kBadInput;
    result_.reason = error.what();
  }
  over_ = true;
  if (!finished_) finish();
  return std::move(result_);
}

}  // namespace heddle
