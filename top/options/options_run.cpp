#include <fmt/format.h>

#include "top/options/option_parser.h"
#include "top/options/timeline_options.h"
#include "top/options/twin_options.h"
#include "top/text/shell_word.h"
#include "workloads/host/host_program.h"

namespace heddle {

using namespace option_parser;

namespace {

constexpr unsigned kMostThreads = 64;

std::vector<std::uint64_t> parse_arrivals(const Arguments& texts, std::size_t workloads) {
  std::vector<std::uint64_t> arrivals;
  for (const std::string& text : texts) {
    const auto cycle = whole_number(text);
    if (!cycle || *cycle > static_cast<std::uint64_t>(HostProgram::kMaxArrival)) {
      throw UsageError(fmt::format("heddle run: --arrival {}: expected a core cycle, 0 to {}", text,
                                   HostProgram::kMaxArrival));
    }
    arrivals.push_back(*cycle);
  }
  if (arrivals.size() > workloads) {
    throw UsageError(fmt::format("heddle run: --arrival is given {} times for {} workload(s)",
                                 arrivals.size(), workloads));
  }
  return arrivals;
}

Implementation parse_implementation(const std::string& text) {
  if (text.empty() || text == "model") return Implementation::kModel;
  if (text == "rtl") return Implementation::kRtl;
  if (text == "lockstep") return Implementation::kLockstep;
  throw UsageError(fmt::format("heddle run: --impl {}: expected model, rtl or lockstep", text));
}

void take_vector_options(const po::variables_map& values, RunOptions& run) {
  const std::string cycles = text_of(values, "vectors");
  const std::string sm = text_of(values, "vectors-sm");
  if (cycles.empty() && sm.empty()) return;
  if (run.impl == Implementation::kModel) {
    throw UsageError("heddle run: --vectors is of a twin: expected --impl lockstep or --impl rtl with it");
  }
  run.vector_cycles = vector_cycles("run", cycles);
  run.vectors_sm = vectors_sm("run", sm);
}

/// A twin is hardware, and takes its time: the run is one in hardware timing.
void take_twin_options(const po::variables_map& values, RunOptions& run) {
  run.impl = parse_implementation(text_of(values, "impl"));
  run.twin = text_of(values, "twin");
  run.rtl_cache = text_of(values, "rtl-cache");
  run.rtl_sources = text_of(values, "rtl-sources");
  take_vector_options(values, run);
  if (run.impl == Implementation::kModel) {
    if (run.twin.empty()) return;
    throw UsageError("heddle run: --twin is of a twin: expected --impl lockstep or --impl rtl with it");
  }
  if (run.functional) {
    throw UsageError(
        "heddle run: --functional has no time, so that no scheduler chooses: expected --impl model");
  }
  run.config.assignments.insert(run.config.assignments.begin(), "scheduler.timing=hardware");
}

void take_sample_option(const po::variables_map& values, RunOptions& run) {
  run.sample = sample_option("run", values, run.record);
  if (!run.sample) return;
  const auto refuse = [](const char* other, const char* why) {
    throw UsageError(fmt::format("heddle run: {} {}: expected one of it and --sample", other, why));
  };
  if (run.functional) refuse("--functional", "has no time, of which a part could be simulated");
  if (run.timeline) refuse("--timeline", "is of all cycles");
  if (run.impl != Implementation::kModel) refuse("--impl", "has a twin beside the model in all cycles");
}

unsigned parse_threads(const std::string& text) {
  if (text.empty()) return 1;
  const auto threads = whole_number(text);
  if (!threads || *threads == 0 || *threads > kMostThreads) {
    throw UsageError(fmt::format("heddle run: --threads {}: expected a number, 1 to {}", text, kMostThreads));
  }
  return static_cast<unsigned>(*threads);
}

}  // namespace

po::options_description run_options_table() {
  po::options_description options = new_table();
  add_config_options(options);
  options.add_options()("scheduler", po::value<std::string>()->value_name("NAME"),
                        "warp scheduler; short for --set scheduler.name=NAME");
  add_workload_options(options, "stop after N core cycles, with --functional after N warp instructions");
  options.add_options()("arrival", po::value<Arguments>()->value_name("CYCLE")->composing(),
                        "core cycle at which a workload arrives, 0 when not given; once for each workload in "
                        "turn; workloads that arrive run as streams, at the same time")(
      "alone", po::value<Arguments>()->value_name("FILE")->composing(),
      "run times alone, for oracles and slowdowns; once for each workload in turn; heddle pairs writes them");
  options.add_options()("out", po::value<std::string>()->value_name("DIR"),
                        "folder for results; heddle-out/WORKLOAD when not given");
  options.add_options()("dump", po::value<Arguments>()->value_name("BUFFER")->composing(),
                        "write what the buffer holds after the end, as raw little-endian elements, to "
                        "buffer-BUFFER.bin in the folder for results; may be given several times");
  options.add_options()("functional", "execute without timing: only check the outputs");
  add_sample_option(options);
  add_record_options(options);
  add_timeline_options(options);
  options.add_options()("threads", po::value<std::string>()->value_name("N"),
                        "threads that simulate SMs side by side, 1 when not given, at most one per "
                        "processor; same results, sooner, for more processor time; not with --processes");
  options.add_options()(
      "oversubscribe", "take the threads that --threads says even of fewer processors: slower, same results");
  options.add_options()("processes",
                        "tick each block in a SystemC process of its own: slower, same results; not with "
                        "--threads");
  options.add_options()("no-sleep", "tick every block at every cycle: slower, same results");
  options.add_options()("reverse-construction", "build the GPU's blocks in reverse order: same results");
  options.add_options()(
      "impl", po::value<std::string>()->value_name("model|rtl|lockstep"),
      "who chooses warps: the model (when not given), its SystemVerilog twin, verilated, or "
      "both in step, compared at every edge; the twin's are runs in hardware timing");
  add_twin_option(options);
  add_twin_source_options(options);
  add_vector_options(options,
                     "with --impl rtl or lockstep: what an SM's twin is told and chooses in its first N "
                     "clock cycles, as golden vectors in vectors.txt");
  options.add_options()("quiet", "no progress and no summary; an output that differs is told on stderr");
  add_format_option(options);
  return options;
}

CommandLine parse_run(const Arguments& arguments) {
  po::options_description options;
  options.add(run_options_table()).add_options()("started-by", po::value<std::string>());
  const po::variables_map values = parse("run", with_timeline_file(arguments), options, "workload");
  CommandLine line;
  const Arguments workloads = list_of(values, "workload");
  if (workloads.empty()) {
    throw UsageError("heddle run: expected a workload; see `heddle run --help` and `heddle list workloads`");
  }
  RunOptions run;
  run.workload = workloads.front();
  run.beside.assign(workloads.begin() + 1, workloads.end());
  run.arrivals = parse_arrivals(list_of(values, "arrival"), workloads.size());
  run.alone = list_of(values, "alone");
  if (run.alone.size() > workloads.size() || (!run.alone.empty() && !run.concurrent())) {
    throw UsageError(
        fmt::format("heddle run: --alone is given {} time(s) for {} workload(s) that run as streams",
                    run.alone.size(), run.concurrent() ? workloads.size() : 0));
  }
  run.config = config_options(values);
  run.scheduler = text_of(values, "scheduler");
  run.on = workload_options("run", values);
  run.out = text_of(values, "out");
  run.dumps = list_of(values, "dump");
  run.record = record_options("run", values);
  take_timeline_options(values, run);
  run.threads = parse_threads(text_of(values, "threads"));
  run.oversubscribe = values.count("oversubscribe") != 0;
  run.processes = values.count("processes") != 0;
  run.no_sleep = values.count("no-sleep") != 0;
  run.reverse_construction = values.count("reverse-construction") != 0;
  run.quiet = values.count("quiet") != 0;
  run.format = format_option("run", values);
  run.functional = values.count("functional") != 0;
  run.started_by = starting_process("run", values);
  take_twin_options(values, run);
  take_sample_option(values, run);
  if (run.functional && run.record.waves.wanted) {
    throw UsageError("heddle run: --functional has no time, so that there are no waveforms to write");
  }
  if (run.functional && run.record.interval_cycles != 0) {
    throw UsageError("heddle run: --functional has no time, so that there are no intervals of it");
  }
  if (run.functional && run.timeline) {
    throw UsageError("heddle run: --functional has no time, so that there is no timeline to write");
  }
  if (run.functional && run.record.profile) {
    throw UsageError("heddle run: --functional has no time, so that there is nothing to profile");
  }
  if (run.processes && run.threads > 1) {
    throw UsageError(
        "heddle run: --processes has the SystemC kernel tick each block, on one thread: expected --threads 1 "
        "with it");
  }
  line.limits = limit_options("run", values);
  line.run = run;
  return line;
}

std::vector<std::string> RunOptions::model_arguments() const {
  std::vector<std::string> words{"run", workload};
  words.insert(words.end(), beside.begin(), beside.end());
  const auto option = [&words](const char* name, const std::string& value) {
    words.emplace_back(name);
    words.push_back(value);
  };
  if (!config.config.empty()) {
    option("--config", config.config);
  }
  if (!scheduler.empty()) {
    option("--scheduler", scheduler);
  }
  for (const std::string& assignment : config.assignments) {
    option("--set", assignment);
  }
  if (!on.size.empty()) {
    option("--size", on.size);
  }
  for (const auto& [name, value] : on.parameters) {
    option("--param", fmt::format("{}={}", name, value));
  }
  for (const std::uint64_t arrival : arrivals) {
    option("--arrival", std::to_string(arrival));
  }
  for (const std::string& file : alone) {
    option("--alone", file);
  }
  if (!record.energy.empty()) {
    option("--energy", record.energy);
  }
  if (!on.registers.empty()) {
    option("--registers", on.registers);
  }
  if (on.max_cycles != 0) {
    option("--max-cycles", std::to_string(on.max_cycles));
  }
  if (sample) words.emplace_back("--sample");
  return words;
}

std::vector<std::string> RunOptions::record_arguments() const {
  std::vector<std::string> words;
  const WaveOptions& waves = record.waves;
  if (waves.wanted) {
    words.emplace_back("--vcd");
    const bool open = waves.window.to == CycleWindow().to;
    if (waves.window.from != 0 || !open) {
      words.insert(words.end(), {"--vcd-window", fmt::format("{}:{}", waves.window.from,
                                                             open ? "" : std::to_string(waves.window.to))});
    }
    for (const std::string& scope : waves.scopes) words.insert(words.end(), {"--vcd-scope", scope});
    if (waves.fst) words.emplace_back("--fst");
  }
  if (record.interval_cycles != 0)
    words.insert(words.end(), {"--interval", std::to_string(record.interval_cycles)});
  if (record.profile) words.emplace_back("--profile");
  if (record.tb_log) words.emplace_back("--tb-log");
  if (!record.technology.empty()) words.insert(words.end(), {"--technology", record.technology});
  return words;
}

std::string RunOptions::model_command() const {
  std::string command = "heddle";
  for (const std::string& word : model_arguments()) command += " " + shell_word(word);
  return command;
}

}  // namespace heddle
