#include "top/pair_runs/pair_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

#include "base/stop.h"
#include "top/experiment/point/point_check.h"
#include "top/experiment/run_ends.h"
#include "top/pair_runs/pair_programs.h"
#include "top/pairs/alone_run.h"

namespace heddle {

namespace {

std::optional<std::uint64_t> number_in(const nlohmann::json& pair, const char* name) {
  return pair.contains(name) ? std::optional(pair.at(name).get<std::uint64_t>()) : std::nullopt;
}

/// "bfs + mvt srtf 25% repetition 2".
std::string label_of_run(const Point& point) {
  std::string label = fmt::format("{} {} {}", label_of(point.labels, "workload"),
                                  label_of(point.labels, "tb_policy"), label_of(point.labels, "arrival"));
  const std::string_view repetition = label_of(point.labels, "repetition");
  return repetition.empty() ? label : fmt::format("{} repetition {}", label, repetition);
}

/// Numbered as the pairs are printed. Of a policy that is named twice each point has one.
RunFolders folders_of(const PairsOptions& options, const PlannedPairs& planned,
                      const std::vector<Point>& points) {
  RunFolders folders{OutputFolder::open("pairs", options.out, PairsOptions::kOut),
                     std::vector<std::string>(points.size()), options.cache};
  std::size_t number = 0;
  for (const PolicyResult& result : planned.figures.results) {
    for (const PairResult& pair : result.pairs) {
      const PointLabels labels = planned.labels_of(result, pair);
      std::size_t place = 0;
      while (!folders.points.at(place).empty() || !has_labels(points[place].labels, labels)) ++place;
      folders.points[place] = folders.all.folder_of_run(number++, label_of_run(points[place]));
    }
  }
  return folders;
}

/// Fills in pairs from the rows of an experiment.
class PairFigureTaker {
 public:
  PairFigureTaker(const ExperimentResults& results, PlannedPairs& planned)
      : results_(results), planned_(planned) {}

  void take() {
    for (PolicyResult& result : planned_.figures.results) {
      const std::size_t sets = result.pairs.size() / planned_.experiment.repetitions;
      for (std::size_t i = 0; i < result.pairs.size(); ++i) take(result, result.pairs[i], i % sets);
      result.set_mean();
    }
  }

 private:
  /// `place`: among the sets of the pair's repetition.
  void take(const PolicyResult& result, PairResult& pair, std::size_t place) {
    const ExperimentRow* const row = results_.select(planned_.labels_of(result, pair)).front();
    if (row->state == ExperimentRow::State::kDone) {
      if (row->point.timed) {
        take_timed(results_.detail(*row, "pairs"), place, pair);
      } else {
        take_run(results_.outcome(*row), row->point.run, result.policy, pair);
      }
      return;
    }
    const RunOutcome outcome = results_.outcome(*row);
    pair.failure = outcome.message.empty() ? outcome.status() : outcome.message;
    const bool has_run = !row->id.empty();  // else a run alone was told of
    if (has_run && told_.insert(row).second) tell_problem("pairs", label_of_run(row->point), *row, outcome);
  }

  /// What came of the pair's point.
  void take_run(const RunOutcome& outcome, const RunOptions& run, const std::string& policy,
                PairResult& pair) {
    pair.arrivals = run.arrivals;
    std::size_t stream = 0;
    for (std::size_t place = 0; place < pair.programs.size(); ++place) {
      const auto times = read_alone_run(run.alone.at(place));
      if (!times) throw std::logic_error("the run alone of a pair that ran is gone");
      const std::size_t end = stream + times->streams.size();
      pair.alone.push_back(times->turnaround());
      planned_.figures.alone[pair.programs[place]] = pair.alone.back();
      pair.shared.push_back(turnaround_of(outcome.figures->streams, stream, end));
      stream = end;
    }
    pair.metrics = multiprogram_metrics(pair.alone, pair.shared);
    pair.delays = delays_in(*outcome.figures, policy);
  }

  /// `printed`: what `heddle pairs` has printed of one policy, arrival and repetition.
  void take_timed(const nlohmann::json& printed, std::size_t place, PairResult& pair) {
    if (pair.repetition == 0) {
      for (std::size_t k = 0; k < planned_.figures.names.size(); ++k)
        printed.at("alone_cycles").at(planned_.figures.names[k]).get_to(planned_.figures.alone[k]);
    }
    const nlohmann::json& one = printed.at("results").at(0).at("pairs").at(place);
    one.at("arrival_cycles").get_to(pair.arrivals);
    one.at("alone_cycles").get_to(pair.alone);
    one.at("shared_cycles").get_to(pair.shared);
    pair.metrics = {one.at("stp"), one.at("antt"), one.at("strict_f")};
    pair.delays = {number_in(one, "changes_to_sharing"), number_in(one, "sampling_delay_cycles"),
                   number_in(one, "hand_off_cycles")};
  }

  const ExperimentResults& results_;
  PlannedPairs& planned_;
  std::set<const ExperimentRow*> told_;  ///< that they have failed
};

}  // namespace

ExperimentResults run_pairs(const PairsOptions& options, PlannedPairs& planned) {
  EngineOptions engine;
  engine.database = options.database;
  engine.jobs = options.jobs;
  engine.quiet = options.quiet;
  engine.command = "pairs";
  std::optional<RunFolders> folders;
  const std::vector<Point> points = points_of(planned.experiment);
  if (!planned.programs.empty()) check_points(points);  // not of kind timed
  if (options.database.empty()) engine.folders = &folders.emplace(folders_of(options, planned, points));
  ExperimentResults results = run_experiment(planned.experiment, engine);
  for (const ExperimentRow& row : results.alone())
    tell_problem("pairs", fmt::format("{} alone", label_of(row.point.labels, "workload")), row,
                 results.outcome(row));
  PairFigureTaker(results, planned).take();
  return results;
}

ExitCode code_of_pairs(const ExperimentResults& results) {
  if (stop_cause() == StopCause::kNone) {
    for (const ExperimentRow& row : results.alone()) {
      if (row.state == ExperimentRow::State::kFailed) return static_cast<ExitCode>(row.code);
    }
  }
  return results.code();
}

}  // namespace heddle
