#include "top/experiment/definition/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "base/nearest_name.h"
#include "top/pairs/program_parameters.h"
#include "top/support/glob.h"
#include "workloads/description/workload_error.h"

namespace heddle {

namespace {

/// The name of an axis of configurations, as --config names them.
constexpr std::string_view kConfigAxis = "config";
constexpr std::string_view kParameterAxis = "param.";
/// Of an assignment that says what RunOptions::scheduler says otherwise.
constexpr std::string_view kSchedulerKey = "scheduler.name=";
/// Combinations of an experiment, before exceptions: what can be listed in a second.
constexpr double kMostCombinations = 100'000;

std::int64_t whole_value(const ExperimentAxis& axis, const std::string& text) {
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && rest == text.data() + text.size() && !text.empty()) return value;
  throw std::invalid_argument(fmt::format("{}: expected a whole number, found '{}'", axis.key, text));
}

/// A place in the experiment's lists, which turns like a counter, the last wheel fastest.
class Wheels {
 public:
  explicit Wheels(std::vector<std::size_t> sizes) : sizes_(std::move(sizes)), places_(sizes_.size(), 0) {}
  std::size_t operator[](std::size_t wheel) const { return places_[wheel]; }
  bool turn() {
    for (std::size_t wheel = sizes_.size(); wheel-- > 0;) {
      if (++places_[wheel] < sizes_[wheel]) return true;
      places_[wheel] = 0;
    }
    return false;
  }

 private:
  std::vector<std::size_t> sizes_;
  std::vector<std::size_t> places_;
};

/// Lists that are empty are one place, with nothing to say.
std::size_t places_in(const std::vector<std::string>& list) { return std::max<std::size_t>(list.size(), 1); }

class PointMaker {
 public:
  explicit PointMaker(const Experiment& experiment)
      : experiment_(experiment), used_(experiment.exceptions.size()) {}

  std::vector<Point> make() {
    if (combinations() > kMostCombinations) {
      throw std::invalid_argument(
          fmt::format("the experiment's lists have {:.0f} combinations, expected at most {:.0f}",
                      combinations(), kMostCombinations));
    }
    for (const ExperimentWorkload& workload : experiment_.workloads) add_machines(workload);
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (used_[i]) continue;
      throw std::invalid_argument(fmt::format("{}: no point of the experiment matches this exception",
                                              experiment_.exceptions[i].place));
    }
    if (points_.empty() && !used_.empty()) {
      throw std::invalid_argument(fmt::format("{}: exceptions skip every point of the experiment",
                                              experiment_.exceptions.back().place));
    }
    return std::move(points_);
  }

 private:
  std::vector<std::size_t> sizes_of_lists() const {
    std::vector<std::size_t> sizes{places_in(experiment_.configs), places_in(experiment_.schedulers),
                                   places_in(experiment_.tb_policies)};
    for (const ExperimentAxis& axis : experiment_.axes) sizes.push_back(axis.values.size());
    return sizes;
  }

  const std::vector<std::string>& arrivals_of(const ExperimentWorkload& workload) const {
    return workload.arrivals.empty() ? experiment_.arrivals : workload.arrivals;
  }

  double combinations() const {
    double machines = 1;
    for (const std::size_t size : sizes_of_lists()) machines *= static_cast<double>(size);
    const double draws = static_cast<double>(experiment_.seeds.size()) * experiment_.repetitions;
    double all = 0;
    for (const ExperimentWorkload& workload : experiment_.workloads) {
      double of_workload = workload.several() ? 0 : 1;
      for (std::size_t i = 0; workload.several() && i < arrivals_of(workload).size(); ++i) {
        const bool drawn = workload.timed || Arrival::parse(arrivals_of(workload)[i]).drawn();
        of_workload += drawn ? draws : 1;
      }
      all += machines * of_workload;
    }
    return all;
  }

  void add_machines(const ExperimentWorkload& workload) {
    Wheels wheels(sizes_of_lists());
    do {
      add_draws(workload, on_machine(workload, wheels));
    } while (wheels.turn());
  }

  Point on_machine(const ExperimentWorkload& workload, const Wheels& wheels) const {
    Point point;
    point.labels.emplace_back("workload", workload.label);
    RunOptions& run = point.run;
    run.workload = workload.programs.front();
    run.beside.assign(workload.programs.begin() + 1, workload.programs.end());
    run.on.parameters = workload.parameters;
    run.on.size = workload.size;
    run.on.registers = experiment_.registers;
    run.record = experiment_.record;
    run.sample = experiment_.sample;
    run.config.assignments = experiment_.assignments;
    point.limits = experiment_.limits;
    point.until_cycle = experiment_.until_cycle != 0;
    if (point.until_cycle) point.limits.cycles = experiment_.until_cycle;
    if (!experiment_.configs.empty()) {
      run.config.config = experiment_.configs[wheels[0]];
      point.labels.emplace_back(kConfigAxis, run.config.config);
    }
    if (!experiment_.schedulers.empty()) {
      run.scheduler = experiment_.schedulers[wheels[1]];
      point.labels.emplace_back("scheduler", run.scheduler);
    }
    if (!experiment_.tb_policies.empty()) {
      const std::string& policy = experiment_.tb_policies[wheels[2]];
      run.config.assignments.push_back("tb_dispatcher.policy=" + policy);
      point.labels.emplace_back("tb_policy", policy);
    }
    for (std::size_t i = 0; i < experiment_.axes.size(); ++i)
      set_axis(point, experiment_.axes[i], wheels[3 + i]);
    return point;
  }

  static void set_axis(Point& point, const ExperimentAxis& axis, std::size_t place) {
    const std::string& value = axis.values[place];
    point.labels.emplace_back(axis.key, value);
    if (axis.key == kConfigAxis) {
      point.run.config.config = value;
    } else if (axis.key.compare(0, kParameterAxis.size(), kParameterAxis) == 0) {
      point.run.on.parameters[axis.key.substr(kParameterAxis.size())] = whole_value(axis, value);
    } else {
      point.run.config.assignments.push_back(axis.key + "=" + value);
    }
  }

  /// The point for each arrival, seed and repetition, as far as it draws something.
  void add_draws(const ExperimentWorkload& workload, const Point& point) {
    if (!workload.several()) {
      add(workload, point);
      return;
    }
    for (const std::string& text : arrivals_of(workload)) {
      const Arrival arrival = Arrival::parse(text);
      const bool draws = workload.timed || arrival.drawn();
      for (std::size_t s = 0; s < (draws ? experiment_.seeds.size() : 1); ++s) {
        for (unsigned repetition = 0; repetition < (draws ? experiment_.repetitions : 1); ++repetition) {
          Point drawn = point;
          drawn.arrival = PointArrival{arrival, experiment_.seeds[s], repetition};
          drawn.labels.emplace_back("arrival", text);
          if (experiment_.seeds.size() > 1)
            drawn.labels.emplace_back("seed", std::to_string(experiment_.seeds[s]));
          if (experiment_.repetitions > 1)
            drawn.labels.emplace_back("repetition", std::to_string(repetition + 1));
          add(workload, std::move(drawn));
        }
      }
    }
  }

  void add(const ExperimentWorkload& workload, Point point) {
    if (!apply_exceptions(point)) return;
    if (workload.parameter_names) check_parameters(workload, point);
    point.run.on.max_cycles = point.limits.cycles;
    if (workload.timed) make_timed(workload, point);
    points_.push_back(std::move(point));
  }

  /// That the workload has what axes and exceptions set.
  void check_parameters(const ExperimentWorkload& workload, const Point& point) const {
    const std::vector<std::string>& known = *workload.parameter_names;
    for (const auto& [name, value] : point.run.on.parameters) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      throw std::invalid_argument(fmt::format("{}workload '{}' has no parameter '{}'{}",
                                              place_of(name, point), workload.label, name,
                                              name_hint(name, known, "parameters")));
    }
  }

  /// Where the point's parameter is set, as the beginning of a message.
  std::string place_of(const std::string& parameter, const Point& point) const {
    for (const ExperimentException& exception : experiment_.exceptions) {
      if (exception.parameters.count(parameter) != 0 && matches(exception, point.labels))
        return exception.place + ": exception, params: ";
    }
    const std::string key = std::string(kParameterAxis) + parameter;
    for (const ExperimentAxis& axis : experiment_.axes) {
      if (axis.key == key) return fmt::format("{}: axes, {}: ", axis.place, key);
    }
    return "";
  }

  /// False: the point is skipped.
  bool apply_exceptions(Point& point) {
    bool kept = true;
    for (std::size_t i = 0; i < experiment_.exceptions.size(); ++i) {
      const ExperimentException& exception = experiment_.exceptions[i];
      if (!matches(exception, point.labels)) continue;
      used_[i] = true;
      kept = kept && !exception.skip;
      auto& assignments = point.run.config.assignments;
      for (const std::string& assignment : exception.assignments) {
        assignments.push_back(assignment);
        if (assignment.compare(0, kSchedulerKey.size(), kSchedulerKey) == 0) point.run.scheduler.clear();
      }
      for (const auto& [name, value] : exception.parameters) point.run.on.parameters[name] = value;
      point.limits.seconds = exception.seconds.value_or(point.limits.seconds);
      point.limits.memory_bytes = exception.memory_bytes.value_or(point.limits.memory_bytes);
      point.limits.cycles = exception.cycles.value_or(point.limits.cycles);
    }
    return kept;
  }

  static bool matches(const ExperimentException& exception, const PointLabels& labels) {
    return std::all_of(exception.match.begin(), exception.match.end(), [&labels](const auto& wanted) {
      // One that the point does not have matches nothing, not even '*'.
      return std::any_of(labels.begin(), labels.end(), [&wanted](const auto& label) {
        return label.first == wanted.first &&
               std::any_of(wanted.second.begin(), wanted.second.end(),
                           [&label](const std::string& glob) { return glob_matches(glob, label.second); });
      });
    });
  }

  static void make_timed(const ExperimentWorkload& workload, Point& point) {
    PairsOptions timed;
    timed.config = point.run.config;
    timed.workloads = workload.programs;
    timed.arrivals = {point.arrival->arrival.text()};
    timed.seed = seed_of_repetition(point.arrival->seed, point.arrival->repetition);
    timed.together = workload.together;
    timed.interference = workload.interference;
    timed.record.tb_log = point.run.record.tb_log;
    point.timed = timed;
    point.arrival.reset();
  }

  const Experiment& experiment_;
  std::vector<bool> used_;  ///< exceptions that some point matches
  std::vector<Point> points_;
};

}  // namespace

std::string_view label_of(const PointLabels& labels, std::string_view name) {
  const auto found =
      std::find_if(labels.begin(), labels.end(), [name](const auto& label) { return label.first == name; });
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

bool has_labels(const PointLabels& labels, const PointLabels& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&labels](const auto& one) { return label_of(labels, one.first) == one.second; });
}

std::string text_of(const PointLabels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    const bool says_itself = name == "workload" || name == "scheduler" || name == "tb_policy";
    if (!text.empty()) text += ' ';
    if (!says_itself) text.append(name).append("=");
    text += value;
  }
  return text;
}

std::vector<Point> points_of(const Experiment& experiment) { return PointMaker(experiment).make(); }

RunOptions alone_run_options(const Point& point, std::size_t program) {
  RunOptions run = point.run;
  run.workload = program == 0 ? point.run.workload : point.run.beside[program - 1];
  run.on.parameters = parameters_alone(point.run, program);
  run.beside.clear();
  run.arrivals = {0};
  run.record = RecordOptions{};
  run.config.assignments.emplace_back("tb_dispatcher.policy=fifo");
  return run;
}

std::vector<std::uint64_t> drawn_arrivals(const Point& point, const std::vector<std::uint64_t>& alone) {
  std::vector<std::string> programs{point.run.workload};
  programs.insert(programs.end(), point.run.beside.begin(), point.run.beside.end());
  const PointArrival& arrival = *point.arrival;
  return arrivals_of(arrival.arrival, drawing_numbers(programs), alone, arrival.seed, arrival.repetition);
}

}  // namespace heddle
