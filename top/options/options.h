#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "top/options/cluster_settings.h"
#include "top/options/reproduce_options.h"
#include "top/support/cycle_window.h"
#include "top/support/processes/budget_guard.h"
#include "top/text/output_format.h"
#include "top/text/terminal.h"
#include "top/timeline/timeline_settings.h"

namespace heddle {

/// A command line that can't be understood. what() is one line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The configuration that a command works on.
struct ConfigOptions {
  std::string config;  ///< path or name; "" = defaults
  std::vector<std::string> assignments;
};

/// What every command takes: its limits, and whether it prints in colour.
struct LimitOptions {
  Budget budget;
  bool allow_outside = false;  ///< inputs may name files anywhere
  ColourChoice colour = ColourChoice::kAuto;
};

/// What is run of a workload.
struct WorkloadOptions {
  std::map<std::string, std::int64_t> parameters;
  std::string size;
  std::uint64_t max_cycles = 0;  ///< 0 = no limit
  std::string registers;         ///< who counts a thread's registers: "" = Heddle, or see ptxas_registers()
};

/// What waveforms are written of a run.
struct WaveOptions {
  bool wanted = false;
  CycleWindow window;
  std::vector<std::string> scopes;  ///< {}: all signals
  bool fst = false;                 ///< as FST, not VCD
};

/// What is written of a run beside its counts; they don't depend on it.
struct RecordOptions {
  WaveOptions waves;
  std::uint64_t interval_cycles = 0;  ///< core cycles of an interval of the statistics over time; 0 = none
  bool tb_log = false;                ///< thread_blocks.json
  bool profile = false;               ///< profile.json
  std::string technology;             ///< FILE, FILE:NAME or NAME; "" = the project's
  std::string energy;                 ///< path or name of an energy table; "" = the project's

  /// The option that wants what is only there when every cycle is simulated: "--profile"; "" without any.
  const char* needs_all_cycles() const;

  /// Whether something is wanted for which instructions must be executed: all but logs of thread blocks.
  bool needs_instructions() const {
    return waves.wanted || interval_cycles != 0 || profile || !technology.empty() || !energy.empty();
  }
};

/// Who chooses warps: the model, its SystemVerilog twin, or both in step.
enum class Implementation : std::uint8_t { kModel, kRtl, kLockstep };

struct RunOptions {
  ConfigOptions config;
  std::string workload;                 ///< path or name, also with a size: PATH:SIZE
  std::vector<std::string> beside;      ///< workloads that run at the same time, likewise
  std::vector<std::uint64_t> arrivals;  ///< core cycles, by workload; any: streams even if there is one only
  std::vector<std::string> alone;       ///< files with the run times alone (AloneRun), by workload
  std::string scheduler;                ///< "" = the configuration's
  WorkloadOptions on;
  std::string out;                 ///< "" = kOut/WORKLOAD
  std::string shown_in;            ///< where they are found in the end, unless a twin differs; "": `out`
  std::vector<std::string> dumps;  ///< buffers that are written whole after the end
  RecordOptions record;
  bool timeline = false;
  std::string timeline_file;  ///< "" = kTimelineFile in the folder for results
  TimelineSettings timeline_settings;
  bool no_sleep = false;
  unsigned threads = 1;
  bool oversubscribe = false;  ///< as many threads, even of fewer processors
  bool processes = false;
  bool reverse_construction = false;
  bool quiet = false;
  OutputFormat format = OutputFormat::kText;  ///< of the summary
  bool functional = false;
  bool sample = false;  ///< simulate a part in detail, fast-forward the rest, and estimate
  Implementation impl = Implementation::kModel;
  std::string twin;                 ///< of which block; "" = the warp schedulers'
  std::string rtl_cache;            ///< folder of built twins; "" = the user's cache folder
  std::string rtl_sources;          ///< folder of the SystemVerilog; "" = the one that comes with Heddle
  std::uint64_t vector_cycles = 0;  ///< golden vectors of the twin, so many clock cycles at most; 0 = none
  unsigned vectors_sm = 0;          ///< of this SM
  /// The process of Heddle that wants the results: without it the run is worth nothing. 0: the user does.
  int started_by = 0;

  static constexpr const char* kOut = "heddle-out";

  bool concurrent() const { return !beside.empty() || !arrivals.empty(); }
  /// The arguments that decide what is simulated, alone and as a command line.
  std::vector<std::string> model_arguments() const;
  /// Those that decide what is written beside its results.
  std::vector<std::string> record_arguments() const;
  std::string model_command() const;
};

struct ReportOptions {
  std::vector<std::string> folders;  ///< of runs
  std::string out;                   ///< "" = report.html in the first folder
};

/// Figures of results, one by one.
struct StatsOptions {
  /// Whose: of each run as a whole, of each of its launches, or of each of its blocks.
  enum class Of : std::uint8_t { kRuns, kLaunches, kBlocks };

  std::vector<std::string> folders;   ///< of runs
  std::vector<std::string> patterns;  ///< of full names, with * and ?; {}: all figures
  Of of = Of::kRuns;
  OutputFormat format = OutputFormat::kText;
};

struct CostOptions {
  ConfigOptions config;
  std::string scheduler;
  std::string technology;
  OutputFormat format = OutputFormat::kText;
  bool all = false;         ///< not only what is most of it
  bool synthesize = false;  ///< beside the netlist of the SystemVerilog twin
  std::string rtl_sources;  ///< as RunOptions::rtl_sources
  std::string twin;         ///< as RunOptions::twin
};

/// What heddle rtl writes.
struct RtlOptions {
  ConfigOptions config;
  std::string scheduler;  ///< "" = the configuration's
  std::string out;        ///< folder
  std::string sources;    ///< as RunOptions::rtl_sources
  std::string twin;       ///< as RunOptions::twin
};

/// A twin with what proves it, in a folder that works without Heddle.
struct HandoverOptions {
  ConfigOptions config;
  std::string scheduler;  ///< "" = the configuration's
  std::string workload;   ///< path or name, also with a size: whose run gives golden vectors and waves
  WorkloadOptions on;
  std::string out;  ///< folder
  std::uint64_t vector_cycles = kVectorCycles;
  unsigned vectors_sm = 0;
  bool synthesis = true;
  bool quiet = false;
  std::string rtl_cache;    ///< as RunOptions::rtl_cache
  std::string rtl_sources;  ///< as RunOptions::rtl_sources
  std::string twin;         ///< as RunOptions::twin

  static constexpr std::uint64_t kVectorCycles = 20'000;
};

/// Runs of each workload under each scheduler.
struct CompareOptions {
  ConfigOptions config;
  std::vector<std::string> workloads;   ///< as RunOptions::workload
  std::vector<std::string> schedulers;  ///< {} = the configuration's
  WorkloadOptions on;
  std::string out;  ///< "" = kOut
  OutputFormat format = OutputFormat::kText;
  RecordOptions record;  ///< of each run
  bool sample = false;   ///< as RunOptions::sample
  bool quiet = false;    ///< no progress
  bool timing = false;   ///< each in ideal and in hardware timing
  std::string database;  ///< of the results; "": each run leaves a folder in `out`
  unsigned jobs = 0;     ///< processes at once; 0: as many as processors

  static constexpr const char* kOut = "heddle-out/compare";
};

/// Runs of each workload for each combination of values.
struct SweepOptions {
  struct Axis {
    std::string key;
    std::vector<std::string> values;
  };
  ConfigOptions config;                 ///< with the keys that have one value
  std::vector<std::string> workloads;   ///< as RunOptions::workload
  std::vector<std::string> schedulers;  ///< {} = the configuration's
  std::vector<Axis> axes;
  std::vector<std::string> metrics;  ///< of stats.json, shown beside the others
  WorkloadOptions on;
  std::string out;  ///< "" = kOut
  OutputFormat format = OutputFormat::kText;
  RecordOptions record;  ///< of each run
  bool sample = false;   ///< as RunOptions::sample
  bool quiet = false;    ///< no progress
  unsigned jobs = 0;     ///< processes at once; 0: as many as processors

  /// A file or the name of an experiment, instead of all these but `metrics`; "": none. `config.assignments`
  /// go over what it says.
  std::string experiment;
  /// The runs are points of a database, as those of an experiment; without, each leaves a folder in `out`.
  bool in_database = false;
  std::string database;  ///< of results; "" = kDatabase
  bool retry_failed = false;
  bool dry_run = false;
  ClusterOptions cluster;

  static constexpr const char* kOut = "heddle-out/sweep";
  static constexpr const char* kDatabase = "heddle-out/results.sqlite";
};

/// What is asked of a database of results.
struct ResultsOptions {
  enum class Action : std::uint8_t { kList, kFailed, kExport, kForget };

  Action action = Action::kList;
  std::vector<std::string> ids;                            ///< beginnings of points' names; {}: all points
  std::string database;                                    ///< "" = SweepOptions::kDatabase
  std::string experiment;                                  ///< "": points of all
  std::vector<std::pair<std::string, std::string>> where;  ///< label or column, glob
  std::vector<std::string> metrics;                        ///< globs
  bool wide = false;                                       ///< of an export: a row a point
  OutputFormat format = OutputFormat::kText;
};

struct CheckOptions {
  std::vector<std::string> files;
  OutputFormat format = OutputFormat::kText;
};

struct ShowOptions {
  ConfigOptions config;
  bool describe = false;
  OutputFormat format = OutputFormat::kText;  ///< kText: YAML
};

struct ListOptions {
  std::string what;  ///< one of the command's words
  OutputFormat format = OutputFormat::kText;
};

/// What workloads launch, or, with results, what bounds them.
struct DescribeOptions {
  ConfigOptions config;
  std::vector<std::string> workloads;  ///< as RunOptions::workload; {}: all
  WorkloadOptions on;
  std::vector<std::string> results;  ///< folders of runs
  OutputFormat format = OutputFormat::kText;
};

struct PairsOptions {
  ConfigOptions config;  ///< "" = configs/srtf.yaml
  /// Paths or names: one of kind `timed`, or some that execute instructions, as NAME or NAME:SIZE.
  std::vector<std::string> workloads;
  std::vector<std::string> policies;  ///< none = all
  std::vector<std::string> arrivals;  ///< of each further program: see Arrival
  unsigned together = 2;              ///< programs at once
  bool both_orders = false;           ///< of workloads: also with another one first
  unsigned repetitions = 1;
  std::uint64_t seed = 1;
  RecordOptions record;     ///< of each pair
  double interference = 0;  ///< between thread blocks of drawn durations: TimedSm
  OutputFormat format = OutputFormat::kText;
  bool detail = false;
  bool quiet = false;            ///< no progress
  std::string scheduler;         ///< "" = the configuration's
  std::string out;               ///< "" = kOut
  std::string cache;             ///< folder of run times alone; "" = the user's cache folder
  std::string database;          ///< of the results, those alone too; "": each run leaves a folder in `out`
  unsigned jobs = 0;             ///< processes at once; 0: as many as processors
  std::uint64_t max_cycles = 0;  ///< of each run; 0 = no limit
  std::string registers;         ///< as WorkloadOptions::registers
  int started_by = 0;            ///< as RunOptions::started_by

  static constexpr const char* kOut = "heddle-out/pairs";
};

/// What shells ask for.
struct ShellOptions {
  enum class Wanted : std::uint8_t {
    kScript,  ///< completion for the shell `words[0]`
    kWords,   ///< what may stand for the last of `words`, which follow the program's name
    kGuide    ///< manual pages and scripts for shells, in the folder `words[0]`
  };
  Wanted wanted = Wanted::kScript;
  std::vector<std::string> words;
};

/// What a job of a cluster is started with: no user has to know of it.
struct PointsOptions {
  std::string batch;  ///< folder
  std::size_t job = 0;
};

/// What the user asked for: one of the commands, or a text to print.
struct CommandLine {
  std::optional<RunOptions> run;
  std::optional<CostOptions> cost;
  std::optional<RtlOptions> rtl;
  std::optional<HandoverOptions> handover;
  std::optional<ReportOptions> report;
  std::optional<StatsOptions> stats;
  std::optional<CompareOptions> compare;
  std::optional<SweepOptions> sweep;
  std::optional<ResultsOptions> results;
  std::optional<PointsOptions> points;
  std::optional<CheckOptions> check;
  std::optional<ShowOptions> show;
  std::optional<ListOptions> list;
  std::optional<DescribeOptions> describe;
  std::optional<PairsOptions> pairs;
  std::optional<ReproduceOptions> reproduce;
  std::optional<ShellOptions> shell;
  std::string help;  ///< the text to print, when no command is set
  LimitOptions limits;
};

/// Parses the arguments that follow the program's name; throws UsageError.
CommandLine parse_command_line(const std::vector<std::string>& arguments);

}  // namespace heddle
