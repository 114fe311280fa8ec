#include "top/pair_runs/folder_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/memory_budget.h"
#include "top/machine/gpu_builder.h"
#include "top/options/command_config.h"
#include "top/pair_runs/pair_programs.h"
#include "top/support/output/console.h"
#include "top/support/processes/out_of_memory.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

std::optional<AloneRun> run_times(const BatchOutcome& outcome) {
  return outcome.figures ? alone_run_of(*outcome.figures) : std::nullopt;
}

}  // namespace

FolderPairs::FolderPairs(const PairsOptions& options)
    : options_(options),
      cache_(options.cache),
      planned_(PlannedPairs::of_workloads(options)),
      points_(points_of(planned_.experiment)),
      alone_(planned_.programs.size()) {
  for (const std::string& policy : options_.policies) {
    const auto of_policy = std::find_if(points_.begin(), points_.end(), [&policy](const Point& point) {
      return label_of(point.labels, "tb_policy") == policy;
    });
    build_gpu(load_command_config(of_policy->run.config, of_policy->run.scheduler));  // before the runs alone
  }
}

void FolderPairs::fail(ExitCode code) {
  if (code_ == ExitCode::kOk) code_ = code;
}

const Point& FolderPairs::point_of(const PolicyResult& result, const PairResult& pair) const {
  const PointLabels labels = planned_.labels_of(result, pair);
  return *std::find_if(points_.begin(), points_.end(),
                       [&labels](const Point& point) { return has_labels(point.labels, labels); });
}

RunOptions FolderPairs::alone_options(std::size_t workload) const {
  const PolicyResult& result = planned_.figures.results.front();
  for (const PairResult& pair : result.pairs) {
    const auto place = std::find(pair.programs.begin(), pair.programs.end(), workload);
    if (place == pair.programs.end()) continue;
    return alone_run_options(point_of(result, pair), static_cast<std::size_t>(place - pair.programs.begin()));
  }
  throw std::logic_error("a workload of no pair");
}

void FolderPairs::run() {
  folder_.emplace(OutputFolder::open("pairs", options_.out, PairsOptions::kOut));
  folder_->clear_runs();
  find_alone();
  if (code_ != ExitCode::kInterrupted) {
    run_pairs();
  } else {
    give_up();
  }
  for (PolicyResult& result : planned_.figures.results) result.set_mean();
}

void FolderPairs::know(std::size_t workload, const AloneRun& run) {
  alone_[workload].run = run;
  planned_.figures.alone[workload] = run.turnaround();
}

void FolderPairs::find_alone() {
  std::vector<std::size_t> missing;
  for (std::size_t w = 0; w < alone_.size(); ++w) {
    const RunOptions run = alone_options(w);
    Alone& alone = alone_[w];
    try {
      const LoadedConfig config = load_command_config(run.config, run.scheduler);
      alone.identity = RunIdentity::of(run, config);
      alone.key = alone_key(config, run);
    } catch (const MemoryError&) {
      throw;
    } catch (const std::exception& error) {
      if (ran_out_of_memory()) throw;
      alone.failure = error.what();
      tell("heddle pairs: {}: {}\n", planned_.figures.names[w], error.what());
      fail(ExitCode::kBadInput);
      continue;
    }
    alone.file = cache_.file_of(alone.key);
    const bool is_copy = first_of_key(w) != w;
    if (is_copy) continue;
    if (const auto found = cache_.find(alone.key)) {
      know(w, *found);
    } else {
      missing.push_back(w);
    }
  }
  if (!missing.empty()) run_alone(missing);
  for (std::size_t w = 0; w < alone_.size(); ++w) {
    if (alone_[w].key.empty() || first_of_key(w) == w) continue;
    alone_[w] = alone_[first_of_key(w)];
    planned_.figures.alone[w] = planned_.figures.alone[first_of_key(w)];
  }
}

std::size_t FolderPairs::first_of_key(std::size_t workload) const {
  std::size_t first = 0;
  while (alone_[first].key != alone_[workload].key) ++first;
  return first;
}

void FolderPairs::run_alone(const std::vector<std::size_t>& missing) {
  std::vector<BatchRun> batch;
  batch.reserve(missing.size());
  for (const std::size_t w : missing)
    batch.push_back({alone_options(w), planned_.figures.names[w] + " alone"});
  check_batch(batch);
  const OutputFolder folder(folder_->path_of("alone"), OutputFolder::Wait::kShort);
  folder.clear_runs();
  const std::vector<BatchOutcome> outcomes = run_batch("pairs", batch, folder, options_.quiet, options_.jobs);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    Alone& alone = alone_[missing[i]];
    const auto run = run_times(outcomes[i]);
    if (outcomes[i].code != ExitCode::kOk || !run) {
      alone.failure = fmt::format("{} did not run alone: {}", planned_.figures.names[missing[i]],
                                  outcomes[i].message.empty() ? outcomes[i].status() : outcomes[i].message);
      fail(outcomes[i].code == ExitCode::kOk ? ExitCode::kInternal : outcomes[i].code);
      continue;
    }
    if (!outcomes[i].identity.differences(alone.identity).empty()) {  // so that the key is not of what ran
      alone.failure = fmt::format("{} changed before it ran alone", planned_.figures.names[missing[i]]);
      tell("heddle pairs: {}\n", alone.failure);
      fail(ExitCode::kBadInput);
      continue;
    }
    know(missing[i], *run);
    if (cache_.store(alone.key, *run)) continue;
    const OutputFolder of_run(outcomes[i].folder, OutputFolder::Wait::kShort);
    of_run.write("alone.json", to_json(*run, alone.key));
    alone.file = fs::absolute(of_run.path_of("alone.json")).string();
    tell("heddle pairs: {}: can't be written: the run alone of {} is not kept\n",
         cache_.folder().empty() ? "cache folder" : cache_.folder(), planned_.figures.names[missing[i]]);
  }
}

void FolderPairs::give_up() {
  for (PolicyResult& result : planned_.figures.results) {
    for (PairResult& pair : result.pairs) pair.failure = "interrupted";
  }
}

RunOptions FolderPairs::pair_options(const PolicyResult& result, PairResult& pair) const {
  Point point = point_of(result, pair);
  std::vector<std::uint64_t> alone;
  for (const std::size_t workload : pair.programs) {
    point.run.alone.push_back(alone_[workload].file);
    alone.push_back(planned_.figures.alone[workload]);
  }
  pair.arrivals = drawn_arrivals(point, alone);
  point.run.arrivals = pair.arrivals;
  return point.run;
}

void FolderPairs::run_pairs() {
  std::vector<BatchRun> batch;
  std::vector<std::pair<PolicyResult*, PairResult*>> places;
  for (PolicyResult& result : planned_.figures.results) {
    for (PairResult& pair : result.pairs) {
      std::string names;
      for (const std::size_t workload : pair.programs) {
        names += (names.empty() ? "" : " + ") + planned_.figures.names[workload];
        if (!alone_[workload].run && pair.failure.empty()) pair.failure = alone_[workload].failure;
      }
      if (!pair.failure.empty()) continue;
      std::string label = fmt::format("{} {} {}", names, result.policy, result.arrival.text());
      if (options_.repetitions > 1) label += fmt::format(" repetition {}", pair.repetition + 1);
      batch.push_back({pair_options(result, pair), label});
      places.emplace_back(&result, &pair);
    }
  }
  check_batch(batch);
  const std::vector<BatchOutcome> outcomes =
      run_batch("pairs", batch, *folder_, options_.quiet, options_.jobs);
  for (std::size_t i = 0; i < places.size(); ++i) collect(*places[i].first, *places[i].second, outcomes[i]);
}

void FolderPairs::collect(const PolicyResult& result, PairResult& pair, const BatchOutcome& outcome) {
  const auto run = run_times(outcome);
  if (outcome.code != ExitCode::kOk || !run) {
    pair.failure = outcome.message.empty() ? outcome.status() : outcome.message;
    fail(outcome.code == ExitCode::kOk ? ExitCode::kInternal : outcome.code);
    return;
  }
  std::vector<std::uint64_t> alone;
  std::size_t stream = 0;
  for (const std::size_t workload : pair.programs) {
    const std::size_t streams = alone_[workload].run->streams.size();
    pair.shared.push_back(turnaround_of(run->streams, stream, stream + streams));
    stream += streams;
    alone.push_back(planned_.figures.alone[workload]);
  }
  pair.metrics = multiprogram_metrics(alone, pair.shared);
  pair.delays = delays_in(*outcome.figures, result.policy);
}

}  // namespace heddle
