#include "top/commands/stored_pairs.h"

#include <fmt/format.h>

#include "top/experiment/experiment_run.h"
#include "top/pairs/alone_run.h"
#include "top/pairs/pair_programs.h"
#include "top/support/output/console.h"

namespace heddle {

namespace {

std::string label_of_set(const PairFigures& figures, const std::vector<std::size_t>& programs) {
  std::string label;
  for (const std::size_t program : programs) label += (label.empty() ? "" : " + ") + figures.names[program];
  return label;
}

PairPlan plan_of(const PairsOptions& options) {
  return {options.together, options.both_orders, options.repetitions, options.seed};
}

Experiment experiment_of(const PairsOptions& options, const PairFigures& figures,
                         const std::vector<std::string>& programs, const std::vector<Arrival>& arrivals) {
  Experiment experiment;
  experiment.name = "pairs";
  experiment.configs = {options.config.config.empty() ? "srtf" : options.config.config};
  if (!options.scheduler.empty()) experiment.schedulers = {options.scheduler};
  experiment.tb_policies = options.policies;
  experiment.assignments = options.config.assignments;
  experiment.arrivals.clear();
  for (const Arrival& arrival : arrivals) experiment.arrivals.push_back(arrival.text());
  experiment.seeds = {options.seed};
  experiment.repetitions = options.repetitions;
  experiment.registers = options.registers;
  experiment.limits.cycles = options.max_cycles;
  experiment.record = options.record;
  for (const std::vector<std::size_t>& set : sets_of(programs.size(), plan_of(options))) {
    ExperimentWorkload& workload = experiment.workloads.emplace_back();
    workload.label = label_of_set(figures, set);
    for (const std::size_t program : set) workload.programs.push_back(programs[program]);
  }
  return experiment;
}

/// What came of the pair's point.
void take(const BatchOutcome& outcome, const RunOptions& run, const std::string& policy, PairResult& pair,
          PairFigures& figures) {
  pair.arrivals = run.arrivals;
  std::vector<std::uint64_t> alone;
  std::size_t stream = 0;
  for (std::size_t place = 0; place < pair.programs.size(); ++place) {
    const auto times = read_alone_run(run.alone.at(place));
    if (!times) throw std::logic_error("the run alone of a pair that ran is gone");
    const std::size_t end = stream + times->streams.size();
    alone.push_back(turnaround_of(times->streams, 0, times->streams.size()));
    figures.alone[pair.programs[place]] = alone.back();
    pair.shared.push_back(turnaround_of(outcome.figures->streams, stream, end));
    stream = end;
  }
  pair.metrics = multiprogram_metrics(alone, pair.shared);
  pair.delays = delays_in(*outcome.figures, policy);
}

PointLabels labels_of(const PairsOptions& options, const PairFigures& figures, const PolicyResult& result,
                      const PairResult& pair) {
  PointLabels labels{{"workload", label_of_set(figures, pair.programs)},
                     {"tb_policy", result.policy},
                     {"arrival", result.arrival.text()}};
  if (options.repetitions > 1) labels.emplace_back("repetition", std::to_string(pair.repetition + 1));
  return labels;
}

}  // namespace

StoredPairs pairs_in_database(const PairsOptions& options) {
  StoredPairs stored;
  PairFigures& figures = stored.figures;
  const std::vector<std::string> programs = pair_programs(options);
  figures.names = pair_names(programs);
  figures.alone.resize(programs.size());
  std::vector<Arrival> arrivals;
  for (const std::string& text : options.arrivals)
    arrivals.push_back(Arrival::parse_for(text, options.repetitions));
  EngineOptions engine;
  engine.database = options.database;
  engine.jobs = options.jobs;
  engine.quiet = options.quiet;
  engine.command = "pairs";
  const ExperimentResults results =
      run_experiment(experiment_of(options, figures, programs, arrivals), engine);
  stored.code = results.code();
  figures.results = planned_results(programs.size(), plan_of(options), options.policies, arrivals);
  for (PolicyResult& result : figures.results) {
    for (PairResult& pair : result.pairs) {
      const ExperimentRow* const row = results.find(labels_of(options, figures, result, pair));
      if (row->state == ExperimentRow::State::kDone) {
        take(results.outcome(*row), row->point.run, result.policy, pair, figures);
        continue;
      }
      pair.failure = row->message.empty() ? row->status : row->message;
      if (row->state == ExperimentRow::State::kFailed)
        tell("heddle pairs: {}: {}\n", text_of(row->point.labels), pair.failure);
    }
    result.set_mean();
  }
  return stored;
}

}  // namespace heddle
