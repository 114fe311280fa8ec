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
#include "top/machine/gpu.h"
#include "top/machine/repeated_launches.h"
#include "top/machine/run_result.h"
#include "top/machine/sampled_launch.h"
#include "top/support/output/progress.h"
#include "workloads/host/host_program.h"

namespace heddle {

struct HostOptions {
  std::uint64_t max_cycles = 0;  ///< from when the run begins; 0 = no limit
  /// Called every HostRun::kPollCycles simulated cycles; returns true to stop the run.
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

/// A run of a program, or of streams of several, on the GPU: gives kernels to the dispatcher, waits until
/// they have ended, and takes the statistics of each. Lines that it copies to the device are installed in the
/// L2 (gtx480.md, "Clocks, size, occupancy").
///
/// A program without streams has its kernels run one after the other, each when nothing of the one before is
/// in flight; its statistics are what the blocks counted meanwhile. Streams run at the same time: each has
/// one launch at a time with the dispatcher, the next one is given in the cycle after the one in which the
/// dispatcher saw the last TB end. Statistics of such a launch are those that can be attributed to it
/// (LaunchCounts).
///
/// When launches are sampled, cycles and counts of the result are those that the whole launches would have
/// had; the clock, max_cycles and the watchdog go by what is simulated.
class HostRun {
 public:
  static constexpr Cycle kPollCycles = 1024;

  /// What is run.
  struct Work {
    std::vector<HostStream> streams;
    bool concurrent = false;  ///< they run at the same time; if not there is one
  };
  /// All streams of the program.
  static Work work_of(HostProgram& program);

  enum class Begin : std::uint8_t {
    kAtTimeZero,
    kAtNextLook,  ///< its cycles, and what the blocks count for it, are from there on
  };

  /// References are kept. `registry` has nothing but what this GPU reports. The launches have the ids
  /// `first_launch` and up with the dispatcher.
  HostRun(Gpu& gpu, StatRegistry& registry, const Work& work, HostOptions options, Begin begin,
          std::uint64_t first_launch);

  /// From the dispatcher, in its tick: the last TB of one of the launches has ended.
  void take_end(const LaunchRecord& record);
  /// To be called after an edge of the core clock at which every block of every domain has done its work, so
  /// that what is seen does not depend on their order.
  void look();
  /// After the next edge too, not just when a launch has ended or now and then.
  bool looks_at_each_edge() const { return !ended_.empty() || !running(); }
  /// The core cycle of the limit HostOptions::max_cycles; 0 without.
  Cycle limit() const;
  /// Nothing more will happen.
  bool over() const { return over_; }
  /// One more than the id of the last launch.
  std::uint64_t next_launch() const { return first_launch_ + launched_; }

  /// To be called once, when the run is over, or when the simulation has been stopped. Errors of the program
  /// (a fault, a launch that does not fit, a host loop that does not end) are in the result, unless nothing
  /// had been launched: then they are thrown.
  RunResult result();

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

  ClockDomain& domain() const { return gpu_.core_clock(); }
  void begin();
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
  void finish();
  void take_attributed();
  StatValues snapshot();
  Cycle last_progress() const;
  bool running() const;

  Gpu& gpu_;
  StatRegistry& registry_;
  HostOptions options_;
  const bool concurrent_;
  const std::uint64_t first_launch_;
  const Cycle watchdog_cycles_;
  bool began_;
  std::uint64_t launched_ = 0;
  Cycle began_at_ = 0;
  StatValues before_run_;     ///< none when it began at time 0
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
  bool over_ = false;
  bool finished_ = false;  ///< the result is whole
  RunResult result_;
  std::exception_ptr fault_;
};

}  // namespace heddle
