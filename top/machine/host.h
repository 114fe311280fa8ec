#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "modules/counts/launch_counts.h"
#include "tlm/clocked.h"
#include "top/machine/gpu.h"
#include "top/machine/repeated_launches.h"
#include "top/machine/run_result.h"
#include "top/machine/sampled_launch.h"
#include "top/support/output/progress.h"
#include "workloads/host/host_program.h"

namespace heddle {

struct HostOptions {
  std::uint64_t max_cycles = 0;  ///< 0 = no limit
  /// Called every kPollCycles simulated cycles; returns true to stop the run.
  std::function<bool(const ProgressState&)> poll;
  /// Fast-forward TBs of launches that allow it (LaunchSampler), and launches that repeat others
  /// (RepeatedLaunches).
  bool sample = false;
};

/// A stream of a program, as one of several that run at the same time.
struct HostStream {
  HostProgram* program = nullptr;
  std::size_t stream = 0;  ///< of the program
  std::string name;
  std::uint64_t delay_cycles = 0;             ///< added to the arrivals that the program says
  std::vector<std::uint64_t> alone_cycles;    ///< of its launches, for oracles; {}: not known
  std::uint64_t alone_turnaround_cycles = 0;  ///< of the stream; 0: not known

  std::uint64_t all_alone_cycles() const {
    return std::accumulate(alone_cycles.begin(), alone_cycles.end(), std::uint64_t{0});
  }
};

/// The host of the GPU: gives kernels to the dispatcher, waits until they have ended, takes the statistics of
/// each, and stops the simulation. Lines that it copies to the device are installed in the L2 (gtx480.md,
/// "Clocks, size, occupancy").
///
/// A program without streams has its kernels run one after the other, each when nothing of the one before is
/// in flight; its statistics are what the blocks counted meanwhile. Streams run at the same time: each has
/// one launch at a time with the dispatcher, the next one is given in the cycle after the one in which the
/// dispatcher saw the last TB end. Statistics of such a launch are those that can be attributed to it
/// (LaunchCounts).
///
/// When launches are sampled, cycles and counts of the result are those that the whole launches would have
/// had; the clock, max_cycles and the watchdog go by what is simulated.
///
/// It looks at the GPU one delta cycle after a core edge, when every block of every clock domain with an edge
/// at that time has done its work, so that what it sees does not depend on their order.
class Host : public sc_core::sc_module, public Clocked {
 public:
  SC_HAS_PROCESS(Host);

  static constexpr Cycle kPollCycles = 1024;

  /// Runs the program: its launches one after the other, or its streams at the same time. References are
  /// kept.
  Host(const sc_core::sc_module_name& name, Gpu& gpu, HostProgram& program, HostOptions options);
  /// Runs the streams at the same time.
  Host(const sc_core::sc_module_name& name, Gpu& gpu, const std::vector<HostStream>& streams,
       HostOptions options);

  /// Runs the simulation to its end. Errors of the program (a fault, a launch that does not fit, a host loop
  /// that does not end) are in the result, unless nothing had been launched: then they are thrown.
  RunResult run();

  const StatRegistry& registry() const { return registry_; }

  bool tick() override;

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Stream {
    HostStream source;
    std::size_t running = kNone;  ///< its launch with the dispatcher, by id
    std::size_t launched = 0;
    bool done = false;
  };
  struct Ended {
    std::uint64_t launch;
    Cycle cycle;
    Cycle first_tb_at;
  };

  Host(const sc_core::sc_module_name& name, Gpu& gpu, const std::vector<HostStream>& streams,
       HostOptions options, bool concurrent);

  void look();
  void look_at_launches();
  bool take_ended();
  void start_next(std::size_t stream);
  void start_one(std::size_t stream);
  LaunchTerms terms_of(const Stream& stream);
  /// Of the launch that the stream is about to give to the dispatcher.
  AloneTimes alone_times(const Stream& stream) const;
  /// The number of its first stream.
  unsigned program_of(const HostStream& source) const;
  void end_launch(std::size_t launch, Cycle end, bool complete);
  bool samples() const { return options_.sample && result_.sampling->in_full.empty(); }
  bool skip(KernelLaunch& launch, HostProgram& program, LaunchResult& record);
  void begin_sampling(const KernelLaunch& launch, LaunchResult& record, LaunchTerms& terms);
  void add_estimate(const LaunchResult& record, const StatValues& simulated, std::uint64_t cycles);
  void end_sampling(LaunchResult& record, Cycle end);
  void add_estimates();
  void keep_memory_to_write() const;
  void poll();
  ProgressState progress() const;
  void stop(RunEnd end, std::string reason);
  void stop_stuck();
  void stop_early(RunEnd end, const std::string& reason);
  void end_unfinished();
  void take_attributed();
  StatValues snapshot();
  Cycle last_progress() const;
  bool running() const;

  Gpu& gpu_;
  HostOptions options_;
  const bool concurrent_;
  Cycle watchdog_cycles_;
  Cycle look_cycles_;  ///< between two looks at whether to stop: kPollCycles or a part of it
  sc_core::sc_event look_event_;
  StatRegistry registry_;
  StatValues before_launch_;  ///< not concurrent
  std::vector<Stream> streams_;
  std::vector<Ended> ended_;                       ///< launches of which the end was not looked at yet
  std::vector<std::vector<LaunchCounts>> counts_;  ///< concurrent: by launch, the GPU's sets
  std::uint64_t tbs_before_launch_ = 0;
  // Of launches that are sampled.
  std::unique_ptr<SampledLaunch> sampled_;  ///< the one that runs
  RepeatedLaunches repeated_;
  std::vector<std::int64_t> beyond_;  ///< counts of the estimates beyond what was simulated
  std::int64_t cycles_beyond_ = 0;
  std::vector<std::int64_t> first_cycle_beyond_;  ///< by launch
  bool stopped_ = false;
  RunResult result_;
  std::exception_ptr fault_;
};

}  // namespace heddle
