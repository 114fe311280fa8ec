#include "top/pair_runs/planned_pairs.h"

#include "top/pair_runs/pair_programs.h"

namespace heddle {

namespace {

constexpr const char* kConfig = "srtf";

std::string label_of_set(const PairFigures& figures, const std::vector<std::size_t>& programs) {
  std::string label;
  for (const std::size_t program : programs) label += (label.empty() ? "" : " + ") + figures.names[program];
  return label;
}

/// What all pairs have in common.
Experiment experiment_of(const PairsOptions& options, const std::vector<Arrival>& arrivals) {
  Experiment experiment;
  experiment.name = "pairs";
  experiment.configs = {options.config.config.empty() ? kConfig : options.config.config};
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
  return experiment;
}

}  // namespace

PlannedPairs PlannedPairs::of_workloads(const PairsOptions& options) {
  PlannedPairs planned;
  planned.programs = pair_programs(options);
  planned.figures.names = pair_names(planned.programs);
  planned.figures.alone.resize(planned.programs.size());
  std::vector<Arrival> arrivals;
  for (const std::string& text : options.arrivals)
    arrivals.push_back(Arrival::parse_for(text, options.repetitions));
  const PairPlan plan{options.together, options.both_orders, options.repetitions, options.seed};
  planned.figures.results = planned_results(planned.programs.size(), plan, options.policies, arrivals);
  planned.experiment = experiment_of(options, arrivals);
  for (const std::vector<std::size_t>& set : sets_of(planned.programs.size(), plan)) {
    ExperimentWorkload& workload = planned.experiment.workloads.emplace_back();
    workload.label = label_of_set(planned.figures, set);
    for (const std::size_t program : set) workload.programs.push_back(planned.programs[program]);
  }
  return planned;
}

PlannedPairs PlannedPairs::of_timed(const PairsOptions& options, const TimedWorkload& workload) {
  PlannedPairs planned;
  std::vector<Arrival> arrivals;
  for (const std::string& text : options.arrivals) arrivals.push_back(Arrival::parse(text));
  planned.figures = figures_of(workload, options.together);
  const PairPlan plan{options.together, true, options.repetitions, options.seed};
  planned.figures.results = planned_results(workload.kernels.size(), plan, options.policies, arrivals);
  planned.experiment = experiment_of(options, arrivals);
  ExperimentWorkload& timed = planned.experiment.workloads.emplace_back();
  timed.label = options.workloads.front();
  timed.programs = options.workloads;
  timed.timed = true;
  timed.together = options.together;
  timed.interference = options.interference;
  return planned;
}

PointLabels PlannedPairs::labels_of(const PolicyResult& result, const PairResult& pair) const {
  const bool timed = experiment.workloads.front().timed;
  PointLabels labels{
      {"workload", timed ? experiment.workloads.front().label : label_of_set(figures, pair.programs)},
      {"tb_policy", result.policy},
      {"arrival", result.arrival.text()}};
  if (experiment.repetitions > 1) labels.emplace_back("repetition", std::to_string(pair.repetition + 1));
  return labels;
}

}  // namespace heddle
