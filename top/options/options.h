#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/reports/cost_report.h"
#include "top/support/budget_guard.h"
#include "top/support/cycle_window.h"
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

/// What a command may take.
struct LimitOptions {
  Budget budget;
  bool allow_outside = false;  ///< inputs may name files anywhere
};

/// What is run of a workload.
struct WorkloadOptions {
  std::map<std::string, std::int64_t> parameters;
  std::string size;
  std::uint64_t max_cycles = 0;  ///< 0 = no limit
  /// Core cycles of an interval of the statistics over time; 0 = none. No result depends on it.
  std::uint64_t interval_cycles = 0;
  std::string registers;  ///< who counts a thread's registers: "" = Heddle, or see ptxas_registers()
};

struct RunOptions {
  ConfigOptions config;
  std::string workload;                 ///< path or name, also with a size: PATH:SIZE
  std::vector<std::string> beside;      ///< workloads that run at the same time, likewise
  std::vector<std::uint64_t> arrivals;  ///< core cycles, by workload; any: streams even if there is one only
  std::vector<std::string> alone;       ///< files with the run times alone (AloneRun), by workload
  std::string scheduler;                ///< "" = the configuration's
  WorkloadOptions on;
  std::string out;         ///< "" = kOut/WORKLOAD
  std::string technology;  ///< FILE, FILE:NAME or NAME; "" = the project's
  std::string energy;      ///< path or name of an energy table; "" = the project's
  bool vcd = false;
  CycleWindow vcd_window;
  std::vector<std::string> vcd_scopes;
  bool fst = false;  ///< with `vcd`: as FST
  bool timeline = false;
  std::string timeline_file;  ///< "" = kTimelineFile in the folder for results
  TimelineSettings timeline_settings;
  bool no_sleep = false;
  unsigned threads = 1;
  bool oversubscribe = false;  ///< as many threads, even of fewer processors
  bool processes = false;
  bool reverse_construction = false;
  bool quiet = false;
  bool functional = false;
  bool tb_log = false;  ///< thread_blocks.json
  /// The process of Heddle that wants the results: without it the run is worth nothing. 0: the user does.
  int started_by = 0;

  static constexpr const char* kOut = "heddle-out";

  bool concurrent() const { return !beside.empty() || !arrivals.empty(); }
  /// The arguments that decide what is simulated, alone and as a command line.
  std::vector<std::string> model_arguments() const;
  std::string model_command() const;
};

struct ReportOptions {
  std::vector<std::string> folders;  ///< of runs
  std::string out;                   ///< "" = report.html in the first folder
};

struct CostOptions {
  ConfigOptions config;
  std::string scheduler;
  std::string technology;
  hw::CostFormat format = hw::CostFormat::kMarkdown;
};

/// Runs of each workload under each scheduler.
struct CompareOptions {
  ConfigOptions config;
  std::vector<std::string> workloads;   ///< as RunOptions::workload
  std::vector<std::string> schedulers;  ///< {} = the configuration's
  WorkloadOptions on;
  std::string out;  ///< "" = kOut
  hw::CostFormat format = hw::CostFormat::kMarkdown;
  bool timing = false;  ///< each in ideal and in hardware timing

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
  hw::CostFormat format = hw::CostFormat::kMarkdown;

  static constexpr const char* kOut = "heddle-out/sweep";
};

struct CheckOptions {
  std::vector<std::string> files;
};

struct ShowOptions {
  ConfigOptions config;
  bool describe = false;
};

struct ListOptions {
  std::string what;  ///< schedulers, dispatch_policies, configs or workloads
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
  bool tb_log = false;      ///< logs of thread blocks and predictions in `out`
  double interference = 0;  ///< between thread blocks of drawn durations: TimedSm
  std::string format;       ///< text, md, csv or json
  bool detail = false;
  std::string scheduler;         ///< "" = the configuration's
  std::string out;               ///< "" = kOut
  std::string cache;             ///< folder of run times alone; "" = the user's cache folder
  std::uint64_t max_cycles = 0;       ///< of each run; 0 = no limit
  std::uint64_t interval_cycles = 0;  ///< as WorkloadOptions, of each pair

  static constexpr const char* kOut = "heddle-out/pairs";
};

/// What the user asked for: one of the commands, or a text to print.
struct CommandLine {
  std::optional<RunOptions> run;
  std::optional<CostOptions> cost;
  std::optional<ReportOptions> report;
  std::optional<CompareOptions> compare;
  std::optional<SweepOptions> sweep;
  std::optional<CheckOptions> check;
  std::optional<ShowOptions> show;
  std::optional<ListOptions> list;
  std::optional<PairsOptions> pairs;
  std::string help;  ///< the text to print, when no command is set
  LimitOptions limits;
};

/// Parses the arguments that follow the program's name; throws UsageError.
CommandLine parse_command_line(const std::vector<std::string>& arguments);

}  // namespace heddle
