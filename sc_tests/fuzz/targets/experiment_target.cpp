#include <algorithm>
#include <set>

#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/experiment/definition/experiment_reader.h"
#include "top/experiment/definition/points.h"

namespace heddle::fuzz {

namespace {

constexpr std::size_t kMostPoints = 10'000;

/// As many as its lists say: what a user is free to ask for.
double points_in(const Experiment& experiment) {
  double points = 1;
  for (const ExperimentAxis& axis : experiment.axes) points *= static_cast<double>(axis.values.size());
  for (const auto* const list :
       {&experiment.configs, &experiment.schedulers, &experiment.tb_policies, &experiment.arrivals}) {
    points *= static_cast<double>(std::max<std::size_t>(list->size(), 1));
  }
  return points * static_cast<double>(experiment.workloads.size() * experiment.seeds.size()) *
         experiment.repetitions;
}

/// With its points made: no two have the same labels.
Verdict run_experiment(std::string_view input) {
  return verdict_of([input] {
    const Experiment experiment = parse_experiment(std::string(input), "experiment.yaml");
    if (points_in(experiment) > kMostPoints) throw std::invalid_argument("more points than are made here");
    std::set<std::string> labels;
    for (const Point& point : points_of(experiment)) {
      std::string text;
      for (const auto& [name, value] : point.labels)
        text += std::to_string(name.size()) + name + std::to_string(value.size()) + value;
      if (!labels.insert(text).second) finding("two points have the same labels");
    }
  });
}

}  // namespace

Target experiment_target() {
  return {"experiment", "experiments of `heddle sweep`", 2048, &run_experiment, &write_experiment};
}

}  // namespace heddle::fuzz
