#include "top/machine/repeated_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/memory_budget.h"
#include "modules/tb_dispatcher/sampling/launch_sampler.h"

namespace heddle {

namespace {

/// What kernels can change, as it was.
class KeptMemory {
 public:
  explicit KeptMemory(DeviceMemory& memory) : memory_(memory) {
    for (const DeviceMemory::Buffer& buffer : memory.buffers()) {
      if (buffer.is_constant) continue;
      const std::uint8_t* const begin = memory.host(buffer.address);
      kept_.push_back({buffer.address, {begin, begin + buffer.bytes}});
    }
  }
  void restore() {
    for (const Part& part : kept_)
      std::memcpy(memory_.host(part.address), part.bytes.data(), part.bytes.size());
  }

 private:
  struct Part {
    std::uint64_t address;
    std::vector<std::uint8_t> bytes;
  };
  DeviceMemory& memory_;
  std::vector<Part> kept_;
};

/// Counts what is accessed, and keeps the last of it for the L2.
class CountingWatch : public MemoryWatch {
 public:
  void accessed(std::uint64_t address, unsigned sectors, bool writes) override {
    sectors_ += static_cast<std::uint64_t>(__builtin_popcount(sectors));
    kept_[next_ % kKept] = {address, sectors, writes};
    ++next_;
  }
  std::uint64_t sectors() const { return sectors_; }
  void warm(Gpu& gpu) const {
    for (std::uint64_t i = next_ - std::min(next_, kKept); i < next_; ++i) {
      const Access& access = kept_[i % kKept];
      gpu.warm(access.address, access.sectors, access.writes);
    }
  }

 private:
  /// Ten times the lines of GTX480's L2.
  static constexpr std::uint64_t kKept = 65536;
  struct Access {
    std::uint64_t address = 0;
    unsigned sectors = 0;
    bool writes = false;
  };
  std::uint64_t sectors_ = 0;
  std::uint64_t next_ = 0;
  std::vector<Access> kept_ = std::vector<Access>(kKept);
};

/// Executes all TBs, one after the other. Nothing when one of them faults or waits for another: the
/// simulation is to tell that.
std::optional<LaunchWork> executed(KernelLaunch& launch, const CoreConfig& core, std::uint64_t cycle,
                                   CountingWatch& watch) {
  LaunchWork work;
  ExecutionSite site;
  site.num_sms = core.sms;
  site.num_warp_slots = core.warps;
  try {
    for (std::uint64_t tb = 0; tb < launch.grid().count(); ++tb) {
      site.sm = static_cast<std::uint32_t>(tb % core.sms);
      FunctionalTb block(launch, tb, site, &watch);
      if (!block.run(FunctionalTb::kMostInstructions, cycle)) return std::nullopt;
      work.executed += block.work();
    }
  } catch (const ExecutionFault&) {
    return std::nullopt;
  }
  work.sectors = watch.sectors();
  return work;
}

bool prints(const Program& program) {
  return std::any_of(program.text.begin(), program.text.end(),
                     [](const std::string& text) { return text.find("vprintf") != std::string::npos; });
}

}  // namespace

/// What has to be equal for launches to take as long: kernels by their place, as two PTX files may each have
/// one of a name, and what a TB takes of an SM, which says how many run side by side.
std::string RepeatedLaunches::name_of(const KernelLaunch& launch, const LaunchResult& record) {
  const TbDemand& demand = record.occupancy.demand;
  return fmt::format("{:x} {} {} {} {} {} {} {} {}", launch.code_base(), record.grid.x, record.grid.y,
                     record.grid.z, record.block.x, record.block.y, record.block.z,
                     demand.registers_per_thread, demand.shared_bytes);
}

/// What it prints can't be taken back, and its memory has to be there twice.
bool RepeatedLaunches::may_be_executed(const KernelLaunch& launch, const DeviceMemory& memory) const {
  std::uint64_t bytes = 0;
  for (const DeviceMemory::Buffer& buffer : memory.buffers()) bytes += buffer.is_constant ? 0 : buffer.bytes;
  return !prints(launch.program()) && (memory_budget() == 0 || resident_bytes() + bytes < memory_budget());
}

bool RepeatedLaunches::skip(KernelLaunch& launch, DeviceMemory& memory, LaunchResult& record) {
  work_.reset();
  name_ = name_of(launch, record);
  LaunchRepeats& repeats = repeats_[name_];
  if (!repeats.wants_work() || !may_be_executed(launch, memory)) return false;
  KeptMemory kept(memory);
  CountingWatch watch;
  work_ = executed(launch, gpu_.config().core, record.first_cycle, watch);
  if (work_ && repeats.skips(*work_)) {
    watch.warm(gpu_);
    estimate(*work_, repeats.windows(), record);
    return true;
  }
  if (!work_) repeats.give_up();
  kept.restore();
  return false;
}

void RepeatedLaunches::simulated(const LaunchResult& record) {
  repeats_[name_].simulated(record.id, work_, record.cycles);
  if (!work_) return;
  Simulated& launch = simulated_[record.id];
  launch.warp_instructions = static_cast<double>(work_->executed.warp_instructions);
  launch.cycles = record.cycles;
  launch.values = record.values;
  launch.totals = registry_.totals(record.values).counts;
  if (record.sampling) launch.deviations = record.sampling->deviations;
}

/// What a unit of work took in the windows, times the work.
void RepeatedLaunches::estimate(const LaunchWork& work, const std::vector<std::size_t>& windows,
                                LaunchResult& record) {
  const auto instructions = static_cast<double>(work.executed.warp_instructions);
  double of_windows = 0;
  double cycles = 0;
  for (const std::size_t window : windows) {
    of_windows += simulated_.at(window).warp_instructions;
    cycles += static_cast<double>(simulated_.at(window).cycles);
  }
  const double scale = instructions / std::max(of_windows, 1.0);
  const Simulated& last = simulated_.at(windows.back());
  std::vector<double> sums(last.values.counts.size());
  for (const std::size_t window : windows) {
    const std::vector<std::uint64_t>& counts = simulated_.at(window).values.counts;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += scale * static_cast<double>(counts[i]);
  }
  KnownTotals known;
  const std::uint64_t warps_a_tb = (record.block.count() + kWarpSize - 1) / kWarpSize;
  known.tbs = static_cast<double>(record.grid.count());
  known.tbs_dispatched = known.tbs;
  known.warps = static_cast<double>(record.grid.count() * warps_a_tb);
  known.warp_instructions = instructions;
  known.thread_instructions = static_cast<double>(work.executed.thread_instructions);
  record.complete = true;
  record.cycles = static_cast<std::uint64_t>(std::llround(scale * cycles));
  record.values.levels = last.values.levels;
  record.values.counts = whole_counts(registry_, sums, known);
  LaunchSampling& sampling = record.sampling.emplace();
  sampling.fast_forwarded_tbs = record.grid.count();
  sampling.fast_forwarded_warp_instructions = work.executed.warp_instructions;
  sampling.phases = 1;
  sampling.windows = windows.size();
  sampling.deviations = deviations_of(instructions, windows, known);
  for (std::size_t w = 0; w < windows.size(); ++w) {
    of_run_[windows[w]].add(sampling.deviations[w]);
  }
  sampling.deviations.push_back(alike(record));
  add_deviations(alike_, {sampling.deviations.back()});
  for (const std::size_t window : windows) {
    Simulated& one = simulated_.at(window);
    one.stands_for += scale;
    add_deviations(sampling.deviations, one.deviations, scale);
  }
}

/// What a launch finds in caches and DRAM, and what its data are, is not that of those which stand for it,
/// even when these agree to the cycle: what counts as alike of TBs does so of launches.
SampleDeviation RepeatedLaunches::alike(const LaunchResult& record) const {
  const double share = SamplingTerms{}.drift;
  SampleDeviation deviation;
  deviation.of_all_launches = true;
  deviation.cycles = share * static_cast<double>(record.cycles);
  const std::vector<std::uint64_t> totals = registry_.totals(record.values).counts;
  const std::map<std::string, double> exact = KnownTotals{}.by_name();
  for (const Metric& metric : registry_.total_metrics()) {
    if (!metric.is_count) continue;
    const bool is_known = exact.count(metric.full_name()) != 0;
    deviation.counts.push_back(is_known ? 0 : share * static_cast<double>(totals[metric.index]));
  }
  return deviation;
}

/// As those of a launch's windows (LaunchSampler::deviations).
std::vector<SampleDeviation> RepeatedLaunches::deviations_of(double work,
                                                             const std::vector<std::size_t>& windows,
                                                             const KnownTotals& known) const {
  std::vector<SampleDeviation> deviations(windows.size());
  std::vector<MeasuredWindow> measured(windows.size());
  double of_windows = 0;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    measured[w].work = simulated_.at(windows[w]).warp_instructions;
    of_windows += measured[w].work;
  }
  const auto deviation = [&](std::size_t w) {
    return deviation_of(rate_error(measured), windows.size(), measured[w], work / of_windows);
  };
  for (std::size_t w = 0; w < windows.size(); ++w)
    measured[w].taken = static_cast<double>(simulated_.at(windows[w]).cycles);
  for (std::size_t w = 0; w < windows.size(); ++w) deviations[w].cycles = deviation(w);
  const std::map<std::string, double> exact = known.by_name();
  for (const Metric& metric : registry_.total_metrics()) {
    if (!metric.is_count) continue;
    for (std::size_t w = 0; w < windows.size(); ++w)
      measured[w].taken = static_cast<double>(simulated_.at(windows[w]).totals[metric.index]);
    const bool is_known = exact.count(metric.full_name()) != 0;
    for (std::size_t w = 0; w < windows.size(); ++w)
      deviations[w].counts.push_back(is_known ? 0 : deviation(w));
  }
  return deviations;
}

double RepeatedLaunches::stands_for(std::size_t launch) const {
  const auto found = simulated_.find(launch);
  return found == simulated_.end() ? 0 : found->second.stands_for;
}

std::vector<SampleDeviation> RepeatedLaunches::deviations() const {
  std::vector<SampleDeviation> all;
  for (const auto& [launch, deviation] : of_run_) all.push_back(deviation);
  all.insert(all.end(), alike_.begin(), alike_.end());
  return all;
}

}  // namespace heddle
