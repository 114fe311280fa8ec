// Options of the commands that price and compare.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "top/options/cluster_options.h"
#include "top/options/option_parser.h"
#include "top/options/twin_options.h"

namespace heddle {

using namespace option_parser;

const char* const option_parser::kNoAxis =
    "heddle sweep: expected a key with several values, e.g. --set l1d.mshr.entries=16,32,64, or the file of "
    "an "
    "experiment";

namespace {

/// What the commands take that start several runs.
po::options_description batch_table(const char* out) {
  po::options_description options = new_table();
  add_config_options(options);
  options.add_options()("scheduler", po::value<Arguments>()->value_name("NAME,...")->composing(),
                        "warp schedulers; may be given several times");
  add_workload_options(options);
  add_sample_option(options);
  add_record_options(options);
  add_format_option(options);
  options.add_options()("out", po::value<std::string>()->value_name("DIR"),
                        fmt::format("folder for the results of each run; {} when not given", out).c_str());
  options.add_options()("quiet", "no progress");
  return options;
}

/// "KEY=V1,V2" -> KEY and its values.
SweepOptions::Axis parse_axis(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(
        fmt::format("heddle sweep: --set {}: expected KEY=VALUE or KEY=VALUE,VALUE...", assignment));
  }
  return {assignment.substr(0, equals),
          split_values("sweep", "--set " + assignment, assignment.substr(equals + 1))};
}

}  // namespace

po::options_description cost_options_table() {
  po::options_description options = new_table();
  add_config_options(options);
  options.add_options()("scheduler", po::value<std::string>()->value_name("NAME"),
                        "warp scheduler; short for --set scheduler.name=NAME");
  add_format_option(options);
  options.add_options()("technology", po::value<std::string>()->value_name("FILE|NAME"),
                        "a technology of the project, FILE with one technology, or FILE:NAME");
  options.add_options()(
      "all", "in text and Markdown every structure, area by purpose, every path and the assumptions")(
      "synthesize",
      "synthesise the scheduler's SystemVerilog twin, and show its netlist beside the estimate")(
      "rtl-sources", po::value<std::string>()->value_name("DIR"),
      "with --synthesize: folder of the SystemVerilog; the one that comes with Heddle when not given");
  add_twin_option(options);
  return options;
}

CommandLine parse_cost(const Arguments& arguments) {
  const po::variables_map values = parse("cost", arguments, cost_options_table(), "nothing");
  CommandLine line;
  if (values.count("nothing") != 0) {
    throw UsageError(fmt::format("heddle cost: found '{}', expected options only; see `heddle cost --help`",
                                 list_of(values, "nothing").front()));
  }
  line.limits = limit_options("cost", values);
  line.cost = CostOptions{config_options(values),         text_of(values, "scheduler"),
                          text_of(values, "technology"),  format_option("cost", values),
                          values.count("all") != 0,       values.count("synthesize") != 0,
                          text_of(values, "rtl-sources"), text_of(values, "twin")};
  if (!line.cost->rtl_sources.empty() && !line.cost->synthesize)
    throw UsageError("heddle cost: --rtl-sources is of what is synthesised: expected --synthesize with it");
  if (!line.cost->twin.empty() && !line.cost->synthesize)
    throw UsageError("heddle cost: --twin is what is synthesised: expected --synthesize with it");
  return line;
}

po::options_description compare_options_table() {
  po::options_description options = batch_table(CompareOptions::kOut);
  options.add_options()("timing", "each run in ideal and in hardware timing of the scheduler's parts");
  add_database_option(options);
  return options;
}

CommandLine parse_compare(const Arguments& arguments) {
  CompareOptions compare;
  const po::variables_map values = parse("compare", arguments, compare_options_table(), "workload");
  CommandLine line;
  compare.config = config_options(values);
  compare.workloads = list_of(values, "workload");
  compare.schedulers = values_of("compare", values, "scheduler");
  compare.on = workload_options("compare", values);
  compare.format = format_option("compare", values);
  compare.record = record_options("compare", values);
  compare.sample = sample_option("compare", values, compare.record);
  compare.quiet = values.count("quiet") != 0;
  compare.timing = values.count("timing") != 0;
  compare.out = text_of(values, "out");
  compare.database = database_option("compare", values, {});
  compare.jobs = jobs_option("compare", values);
  if (compare.workloads.empty()) {
    throw UsageError("heddle compare: expected at least one workload; see `heddle compare --help`");
  }
  refuse_twice("compare", "workload", compare.workloads);
  refuse_twice("compare", "scheduler", compare.schedulers);
  if (compare.schedulers.size() < 2 && !compare.timing) {
    throw UsageError(
        "heddle compare: expected two schedulers at least, e.g. --scheduler gto,lrr, or --timing");
  }
  line.limits = limit_options("compare", values);
  line.compare = compare;
  return line;
}

po::options_description sweep_options_table() {
  po::options_description options = batch_table(SweepOptions::kOut);
  options.add_options()("metric", po::value<Arguments>()->value_name("NAME,...")->composing(),
                        "metrics of stats.json to show beside the others; may be given several times");
  options.add_options()("jobs", po::value<std::string>()->value_name("N"),
                        "processes at once, as many as processors when not given");
  options.add_options()(
      "db", po::value<std::string>()->value_name("FILE"),
      fmt::format("the database of results, in which runs are points as an experiment's are; of an "
                  "experiment, and with the options below, {} when not given",
                  SweepOptions::kDatabase)
          .c_str());
  options.add_options()("retry-failed", "in a database: points that have failed run again");
  options.add_options()("dry-run", "in a database: show the points and what is there, run nothing");
  add_cluster_options(options);
  return options;
}

namespace {

/// What an experiment's file says, so that the command line doesn't.
constexpr const char* kOfExperiments[] = {"config",     "scheduler", "param",   "size",       "registers",
                                          "max-cycles", "out",       "vcd",     "vcd-window", "vcd-scope",
                                          "fst",        "interval",  "profile", "tb-log",     "technology",
                                          "energy",     "sample"};
/// What makes the runs points of a database.
constexpr const char* kOfDatabases[] = {"db", "retry-failed", "dry-run", "executor"};

bool any_given(const po::variables_map& values, Arguments names) {
  return std::any_of(names.begin(), names.end(),
                     [&values](const std::string& name) { return values.count(name) != 0; });
}

void take_experiment(const po::variables_map& values, SweepOptions& sweep) {
  for (const char* const name : kOfExperiments) {
    if (values.count(name) == 0) continue;
    throw UsageError(fmt::format(
        "heddle sweep: --{} is for a key with several values (--set KEY=V1,V2...); an experiment's "
        "file says it",
        name));
  }
  sweep.experiment = sweep.workloads.front();
}

}  // namespace

CommandLine parse_sweep(const Arguments& arguments) {
  SweepOptions sweep;
  const po::variables_map values = parse("sweep", arguments, sweep_options_table(), "workload");
  CommandLine line;
  sweep.workloads = list_of(values, "workload");
  if (sweep.workloads.empty()) {
    throw UsageError("heddle sweep: expected at least one workload; see `heddle sweep --help`");
  }
  refuse_twice("sweep", "workload", sweep.workloads);
  sweep.config.config = text_of(values, "config");
  for (const std::string& assignment : list_of(values, "set")) {
    const SweepOptions::Axis axis = parse_axis(assignment);
    if (axis.values.size() == 1) {
      sweep.config.assignments.push_back(assignment);
    } else {
      refuse_twice("sweep", fmt::format("--set {}:", axis.key), axis.values);
      sweep.axes.push_back(axis);
    }
  }
  sweep.jobs = jobs_option("sweep", values);
  sweep.database = text_of(values, "db");
  sweep.retry_failed = values.count("retry-failed") != 0;
  sweep.dry_run = values.count("dry-run") != 0;
  sweep.cluster = cluster_options("sweep", values);
  const bool database = any_given(values, {std::begin(kOfDatabases), std::end(kOfDatabases)});
  const bool combines =
      !sweep.axes.empty() || (database && (sweep.workloads.size() > 1 || values.count("scheduler") != 0));
  if (!combines) {
    if (sweep.workloads.size() > 1) throw UsageError(kNoAxis);
    take_experiment(values, sweep);
  } else if (database) {
    refuse_folders("sweep", values);
    sweep.in_database = true;
  }
  sweep.schedulers = values_of("sweep", values, "scheduler");
  refuse_twice("sweep", "scheduler", sweep.schedulers);
  sweep.metrics = values_of("sweep", values, "metric");
  sweep.on = workload_options("sweep", values);
  sweep.format = format_option("sweep", values);
  sweep.record = record_options("sweep", values);
  sweep.sample = sample_option("sweep", values, sweep.record);
  sweep.quiet = values.count("quiet") != 0;
  sweep.out = text_of(values, "out");
  line.limits = limit_options("sweep", values);
  line.sweep = sweep;
  return line;
}

}  // namespace heddle
