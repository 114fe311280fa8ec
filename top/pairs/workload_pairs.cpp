#include "top/pairs/workload_pairs.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <numeric>

#include "top/machine/gpu_builder.h"
#include "top/options/command_config.h"
#include "top/support/atomic_file.h"
#include "top/support/sized_workload.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

/// A workload with several streams takes as long as the last of them.
std::uint64_t turnaround(const AloneRun& run) {
  std::uint64_t longest = 0;
  for (const AloneRun::Stream& stream : run.streams) longest = std::max(longest, stream.cycles);
  return longest;
}

}  // namespace

WorkloadPairs::WorkloadPairs(const PairsOptions& options)
    : options_(options), cache_(options.cache), alone_(options.workloads.size()) {
  if (options_.config.config.empty()) options_.config.config = "srtf";
  static_cast<void>(load_command_config(options_.config, options_.scheduler));
  for (const std::string& workload : options_.workloads)
    figures_.names.push_back(SizedWorkload::of(workload).name());
  figures_.alone.resize(options_.workloads.size());
  for (const std::string& text : options_.arrivals) arrivals_.push_back(Arrival::parse(text));
  for (const Arrival& arrival : arrivals_) {
    for (const std::string& policy : options_.policies) {
      ConfigOptions config = options_.config;
      config.assignments.push_back("tb_dispatcher.policy=" + policy);
      build_gpu(load_command_config(config, options_.scheduler));  // before the runs alone
      figures_.results.push_back({policy, arrival, {}, {}});
      for (std::size_t first = 0; first < figures_.names.size(); ++first) {
        for (std::size_t second = first + 1; second < figures_.names.size(); ++second) {
          figures_.results.back().pairs.push_back({first, second, {}, {}, {}});
        }
      }
    }
  }
}

void WorkloadPairs::fail(ExitCode code) {
  if (code_ == ExitCode::kOk) code_ = code;
}

RunOptions WorkloadPairs::base() const {
  RunOptions run;
  run.config = options_.config;
  run.scheduler = options_.scheduler;
  run.on.max_cycles = options_.max_cycles;
  return run;
}

RunOptions WorkloadPairs::alone_options(std::size_t workload) const {
  RunOptions run = base();
  run.workload = options_.workloads[workload];
  run.arrivals = {0};
  run.config.assignments.emplace_back("tb_dispatcher.policy=fifo");
  return run;
}

void WorkloadPairs::run() {
  find_alone();
  if (code_ != ExitCode::kInterrupted) {
    run_pairs();
  } else {
    give_up();
  }
  for (PolicyResult& result : figures_.results) result.set_mean();
}

void WorkloadPairs::know(std::size_t workload, const AloneRun& run) {
  alone_[workload].known = true;
  figures_.alone[workload] = turnaround(run);
}

void WorkloadPairs::find_alone() {
  std::vector<std::size_t> missing;
  for (std::size_t w = 0; w < alone_.size(); ++w) {
    const RunOptions run = alone_options(w);
    Alone& alone = alone_[w];
    try {
      alone.key = alone_key(load_command_config(run.config, run.scheduler), run);
    } catch (const std::exception& error) {
      alone.failure = error.what();
      fmt::print(stderr, "heddle pairs: {}: {}\n", figures_.names[w], error.what());
      fail(ExitCode::kBadInput);
      continue;
    }
    alone.file = cache_.file_of(alone.key);
    if (const auto found = cache_.find(alone.key)) {
      know(w, *found);
    } else {
      missing.push_back(w);
    }
  }
  if (!missing.empty()) run_alone(missing);
}

void WorkloadPairs::run_alone(const std::vector<std::size_t>& missing) {
  std::vector<BatchRun> batch;
  batch.reserve(missing.size());
  for (const std::size_t w : missing) batch.push_back({alone_options(w), figures_.names[w] + " alone"});
  const std::vector<BatchOutcome> outcomes =
      run_batch("pairs", batch, (fs::path(options_.out) / "alone").string());
  for (std::size_t i = 0; i < missing.size(); ++i) {
    Alone& alone = alone_[missing[i]];
    const auto run = alone_run_of((fs::path(outcomes[i].folder) / "stats.json").string());
    if (outcomes[i].code != ExitCode::kOk || !run) {
      alone.failure = fmt::format("{} did not run alone: {}", figures_.names[missing[i]],
                                  outcomes[i].message.empty() ? outcomes[i].status() : outcomes[i].message);
      fail(outcomes[i].code == ExitCode::kOk ? ExitCode::kInternal : outcomes[i].code);
      continue;
    }
    know(missing[i], *run);
    if (cache_.store(alone.key, *run)) continue;
    alone.file = fs::absolute(fs::path(outcomes[i].folder) / "alone.json").string();
    write_file_atomically(alone.file, to_json(*run, alone.key));
    fmt::print(stderr, "heddle pairs: {}: can't be written: the run alone of {} is not kept\n",
               cache_.folder().empty() ? "cache folder" : cache_.folder(), figures_.names[missing[i]]);
  }
}

void WorkloadPairs::give_up() {
  for (PolicyResult& result : figures_.results) {
    for (PairResult& pair : result.pairs) pair.failure = "interrupted";
  }
}

void WorkloadPairs::run_pairs() {
  std::vector<BatchRun> batch;
  std::vector<PairResult*> pairs;
  for (PolicyResult& result : figures_.results) {
    for (PairResult& pair : result.pairs) {
      const Alone& first = alone_[pair.first];
      const Alone& second = alone_[pair.second];
      if (!first.known || !second.known) {
        pair.failure = first.known ? second.failure : first.failure;
        continue;
      }
      RunOptions run = base();
      run.workload = options_.workloads[pair.first];
      run.beside = {options_.workloads[pair.second]};
      run.arrivals = {0, result.arrival.cycles(figures_.alone[pair.first])};
      run.alone = {first.file, second.file};
      run.config.assignments.push_back("tb_dispatcher.policy=" + result.policy);
      batch.push_back({run, fmt::format("{} + {} {} {}", figures_.names[pair.first],
                                        figures_.names[pair.second], result.policy, result.arrival.text())});
      pairs.push_back(&pair);
    }
  }
  const std::vector<BatchOutcome> outcomes = run_batch("pairs", batch, options_.out);
  for (std::size_t i = 0; i < pairs.size(); ++i) collect(*pairs[i], outcomes[i]);
}

void WorkloadPairs::collect(PairResult& pair, const BatchOutcome& outcome) {
  const auto run = alone_run_of((fs::path(outcome.folder) / "stats.json").string());
  if (outcome.code != ExitCode::kOk || !run) {
    pair.failure = outcome.message.empty() ? outcome.status() : outcome.message;
    fail(outcome.code == ExitCode::kOk ? ExitCode::kInternal : outcome.code);
    return;
  }
  const auto first = read_alone_run(alone_[pair.first].file);
  const std::size_t split = first ? first->streams.size() : 1;
  AloneRun parts[2];
  for (std::size_t s = 0; s < run->streams.size(); ++s)
    parts[s < split ? 0 : 1].streams.push_back(run->streams[s]);
  pair.shared = {turnaround(parts[0]), turnaround(parts[1])};
  pair.metrics = multiprogram_metrics({figures_.alone[pair.first], figures_.alone[pair.second]}, pair.shared);
}

}  // namespace heddle
