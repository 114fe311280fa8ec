#include "top/reproduction/run/paper_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "top/experiment/definition/experiment_reader.h"
#include "top/experiment/experiment_run.h"
#include "top/reproduction/custom/custom_figure.h"
#include "top/reproduction/definition/paper_files.h"
#include "top/reproduction/figures/figure_evaluation.h"
#include "top/reproduction/run/engine_points.h"

namespace heddle {

namespace {

/// What the figures that need `experiment` ask of its points.
WantedOfPoints wanted_of(const PaperDefinition& paper, const std::vector<const FigureDefinition*>& figures,
                         const std::string& experiment) {
  WantedOfPoints wanted;
  std::vector<const FigureDefinition*> users;
  for (const FigureDefinition* figure : figures) {
    const std::vector<std::string> needed = figure->experiments();
    if (std::find(needed.begin(), needed.end(), experiment) == needed.end()) continue;
    users.push_back(figure);
    wanted.kernels = wanted.kernels || std::any_of(figure->rows.begin(), figure->rows.end(),
                                                   [](const auto& row) { return !row.kernel.empty(); });
    if (figure->by.empty()) continue;
    const std::unique_ptr<CustomFigure> custom = make_custom_figure(*figure);
    wanted.details = wanted.details || custom->wants_details();
    wanted.figures.merge(custom->wanted_figures(*figure));
  }
  wanted.figures.merge(paper.wanted_figures(users));
  return wanted;
}

std::vector<std::string> experiments_of(const std::vector<const FigureDefinition*>& figures) {
  std::vector<std::string> names;
  for (const FigureDefinition* figure : figures) {
    for (const std::string& name : figure->experiments()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

/// "Figure 5: no run has sm.l1d.hit": all points of its experiments are complete, and none has what it is
/// computed by. "" when that is not why it has no value.
std::string why_valueless(const PaperDefinition& paper, const FigureDefinition& figure,
                          const PaperPoints& points) {
  std::set<std::string> missing = paper.wanted_figures({&figure});
  for (const std::string& name : figure.experiments()) {
    const auto experiment = points.find(name);
    if (experiment == points.end() || experiment->second.empty()) return "";
    for (const ResultPoint& point : experiment->second) {
      if (!point.complete) return "";
      for (const auto& [has, value] : point.figures) missing.erase(has);
    }
  }
  if (missing.empty()) return "";
  const std::string more = missing.size() == 1 ? "" : fmt::format(" and {} others", missing.size() - 1);
  return fmt::format("{} has no value: no run has {}{}", figure.name, *missing.begin(), more);
}

EngineOptions engine_of(const PaperRunOptions& options) {
  EngineOptions engine;
  engine.database = options.database;
  engine.jobs = options.jobs;
  engine.retry_failed = options.retry_failed;
  engine.plan_only = options.plan_only;
  engine.quiet = options.quiet;
  engine.command = "reproduce";
  engine.executor = options.executor;
  return engine;
}

}  // namespace

RanExperiment ran_experiment(const ResultPoints& points, std::set<std::string>& counted) {
  RanExperiment summary;
  summary.points = points.size();
  for (const ResultPoint& point : points) {
    if (counted.insert(point.id).second) {
      summary.cpu_seconds += point.cpu_seconds;
      summary.longest_seconds = std::max(summary.longest_seconds, point.cpu_seconds);
    }
    if (point.complete) {
      ++summary.complete;
    } else if (point.was_run()) {
      summary.failed.push_back(point.name() + ": " + point.status);
    }
  }
  return summary;
}

PaperRunResult run_paper(const PaperDefinition& paper, const std::vector<const FigureDefinition*>& figures,
                         const PaperRunOptions& options) {
  const std::string size = options.quick ? kQuickSize : kFullSize;
  PaperRunResult run;
  std::vector<std::string> names;
  std::vector<Experiment> experiments;
  for (const std::string& name : experiments_of(figures)) {
    const std::string file = experiment_file(paper.id, size, name);
    if (file.empty()) {
      run.without.push_back(name);
      continue;
    }
    names.push_back(name);
    experiments.push_back(read_experiment(file));
  }
  const std::vector<ExperimentResults> results = run_experiments(experiments, engine_of(options));
  PaperPoints points;
  std::set<std::string> counted;
  for (std::size_t place = 0; place < names.size(); ++place) {
    const std::string& name = names[place];
    if (run.code == ExitCode::kOk && !options.plan_only) run.code = results[place].code();
    points[name] = ResultPoints(
        points_from(results[place], wanted_of(paper, figures, name), options.database + ".records"));
    run.results.experiments[name][size] = ran_experiment(points[name], counted);
  }
  for (const FigureDefinition* figure : figures) {
    const FigureTable table = figure->by.empty() ? evaluate_figure(*figure, points)
                                                 : make_custom_figure(*figure)->evaluate(*figure, points);
    if (table.filled() > 0) {
      run.results.figures[figure->id()][size] = table;
    } else if (const std::string why = why_valueless(paper, *figure, points); !why.empty()) {
      run.valueless.push_back(why);
    }
  }
  return run;
}

}  // namespace heddle
