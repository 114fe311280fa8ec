#include "top/reproduction/custom/pareto.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "top/reproduction/charts/chart_parts.h"
#include "top/reproduction/charts/svg.h"
#include "top/reproduction/charts/value_axis.h"
#include "top/reproduction/custom/custom_points.h"
#include "top/reproduction/custom/logged_points.h"
#include "top/support/results.h"

namespace heddle {
namespace {

struct Combination {
  std::string name;
  double cost = 0;
  double speed = 1;   ///< geometric mean of the base's cycles over its own
  double energy = 1;  ///< geometric mean of its energy over the base's
};

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

/// The values of the keys that say something, with commas between them.
std::string name_of(const ResultPoint& point, const std::vector<std::string>& keys) {
  std::string name;
  for (const std::string& key : keys) {
    const auto value = point.coordinates.find(key);
    if (value == point.coordinates.end() || value->second == "none") continue;
    name += (name.empty() ? "" : ", ") + value->second;
  }
  return name;
}

const double* figure_of(const ResultPoint& point, const std::string& name) {
  const auto found = point.figures.find(name);
  return found == point.figures.end() || found->second.value <= 0 ? nullptr : &found->second.value;
}

/// Of one combination, over all rows; nothing when a run is missing.
class Sums {
 public:
  void add(const ResultPoint& run, const ResultPoint& base, const std::string& cost) {
    const double* const cycles = figure_of(run, "cycles");
    const double* const base_cycles = figure_of(base, "cycles");
    const double* const energy = figure_of(run, "energy");
    const double* const base_energy = figure_of(base, "energy");
    const double* const own_cost = figure_of(run, cost);
    if (!run.complete || cycles == nullptr || base_cycles == nullptr || energy == nullptr ||
        base_energy == nullptr || own_cost == nullptr) {
      return;
    }
    ++runs_;
    speed_ += std::log(*base_cycles / *cycles);
    energy_ += std::log(*energy / *base_energy);
    cost_ = std::max(cost_, *own_cost);
  }
  bool has(std::size_t rows) const { return runs_ == rows; }
  Combination combination(const std::string& name) const {
    const auto count = static_cast<double>(runs_);
    return {name, cost_, std::exp(speed_ / count), std::exp(energy_ / count)};
  }

 private:
  std::size_t runs_ = 0;
  double speed_ = 0;
  double energy_ = 0;
  double cost_ = 0;
};

/// By cost, the faster first among equals.
std::vector<Combination> combinations(const FigureDefinition& figure, const PaperPoints& results) {
  std::vector<Combination> all;
  const auto experiment = results.find(figure.experiment);
  if (experiment == results.end()) return all;
  const std::vector<std::string> keys = words(with_or(figure, "keys", "scheduler"));
  const std::string cost = with_or(figure, "cost", "");
  std::map<std::string, Sums> sums;
  std::size_t rows = 0;
  for (const RowDefinition& row : figure.rows) {
    std::map<std::string, std::string> where = row.where;
    if (!row.workloads.empty()) where["workload"] = row.workloads[0];
    const auto base_choice = figure.points.find("base");
    if (base_choice == figure.points.end()) return all;
    const ResultPoint* const base = choose_point(experiment->second, base_choice->second.with(where), "");
    if (base == nullptr) continue;
    ++rows;
    for (const ResultPoint* const run : experiment->second.matching(where)) {
      sums[name_of(*run, keys)].add(*run, *base, cost);
    }
  }
  for (const auto& [name, sum] : sums) {
    if (rows != 0 && sum.has(rows)) all.push_back(sum.combination(name));
  }
  std::stable_sort(all.begin(), all.end(), [](const Combination& a, const Combination& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.speed > b.speed;
  });
  return all;
}

void add_row(FigureTable& table, const std::string& label, const Combination& combination) {
  table.rows.push_back({label, false});
  table.cells.push_back({combination.cost, combination.speed, combination.energy});
}

}  // namespace

std::set<std::string> Pareto::wanted_figures(const FigureDefinition& figure) const {
  return {"cycles", "energy", with_or(figure, "cost", "")};
}

FigureTable Pareto::evaluate(const FigureDefinition& figure, const PaperPoints& results) const {
  FigureTable table;
  table.series = {{"NAND2-equivalents", ""}, {"speed-up", ""}, {"energy", ""}};
  const std::vector<Combination> all = combinations(figure, results);
  const std::vector<std::string> budgets = words(with_or(figure, "budgets", ""));
  table.row_heading = budgets.empty() ? "combination" : "budget: build";
  double best = 0;
  table.extra = nlohmann::ordered_json::array();
  for (const Combination& one : all) {
    const bool front = one.speed > best;
    best = std::max(best, one.speed);
    if (front && budgets.empty()) add_row(table, one.name, one);
    table.extra.push_back({one.name, one.cost, one.speed, one.energy, front});
  }
  for (const std::string& budget : budgets) {
    const Combination* fastest = nullptr;
    for (const Combination& one : all) {
      if (one.cost <= std::stod(budget) && (fastest == nullptr || one.speed > fastest->speed)) fastest = &one;
    }
    if (fastest == nullptr) continue;
    add_row(table, fmt::format("{}: {}", shown_value(std::stod(budget), FigureFormat::kCount), fastest->name),
            *fastest);
  }
  return table;
}

void Pareto::check(const FigureTable& table) const {
  for (const auto& point : table.extra) {
    point.at(0).get<std::string>();
    point.at(4).get<bool>();
    for (const std::size_t place : {1, 2, 3}) {
      if (point.at(place).get<double>() <= 0)
        throw ResultsError(
            fmt::format("found {} of a combination, expected more than 0", point.at(place).dump()));
    }
  }
}

std::string Pareto::draw(const FigureDefinition& figure, const FigureTable& table) const {
  if (table.extra.empty() || !with_or(figure, "budgets", "").empty()) return "";
  constexpr double kLeft = 64;
  constexpr double kWidth = 680;
  constexpr double kTop = 34;
  constexpr double kBottom = 374;
  const std::string title = figure.name + ": " + figure.title;
  Svg svg(kLeft + kWidth + 24, kBottom + 56, title);
  svg.text(kLeft, 18, title, Svg::Anchor::kStart, 13);
  double least = 1e300;
  double most = 1;
  double slowest = 1e300;
  double fastest = 0;
  for (const auto& point : table.extra) {
    least = std::min(least, point.at(1).get<double>());
    most = std::max(most, point.at(1).get<double>());
    slowest = std::min(slowest, point.at(2).get<double>());
    fastest = std::max(fastest, point.at(2).get<double>());
  }
  // Whole tenths of the speed-up, whole powers of ten of the cost.
  const double low = std::floor(slowest * 10) / 10;
  const double high = std::ceil(fastest * 10) / 10;
  const double from = std::floor(std::log10(least));
  const double to = std::max(std::ceil(std::log10(most)), from + 1);
  const auto x_of = [&](double cost) { return kLeft + (std::log10(cost) - from) / (to - from) * kWidth; };
  const auto y_of = [&](double speed) {
    return kBottom - (speed - low) / std::max(high - low, 0.1) * (kBottom - kTop);
  };
  for (double power = from; power <= to; ++power) {
    const double x = x_of(std::pow(10, power));
    svg.line(x, kTop, x, kBottom, "#dddddd");
    svg.text(x, kBottom + 16, shown_value(std::pow(10, power), FigureFormat::kCount), Svg::Anchor::kMiddle);
  }
  for (double speed = low; speed <= high + 1e-9; speed += 0.1) {
    svg.line(kLeft, y_of(speed), kLeft + kWidth, y_of(speed), "#dddddd");
    svg.text(kLeft - 4, y_of(speed) + 4, fmt::format("{:.1f}", speed), Svg::Anchor::kEnd);
  }
  svg.text(kLeft + kWidth / 2, kBottom + 34, "NAND2-equivalents per SM", Svg::Anchor::kMiddle);
  svg.text(14, (kTop + kBottom) / 2, figure.unit, Svg::Anchor::kMiddle, 11, -90);
  std::vector<std::pair<double, double>> steps;
  for (const auto& point : table.extra) {
    const double x = x_of(point.at(1).get<double>());
    const double y = y_of(point.at(2).get<double>());
    const bool front = point.at(4).get<bool>();
    svg.circle(x, y, front ? 4 : 2.5, front ? series_colour(5) : "#9db8c9",
               fmt::format("{}: {} NAND2, {:.3f} times as fast, {:.3f} of the energy",
                           point.at(0).get<std::string>(),
                           shown_value(point.at(1).get<double>(), FigureFormat::kCount),
                           point.at(2).get<double>(), point.at(3).get<double>()));
    if (!front) continue;
    if (!steps.empty()) steps.emplace_back(x, steps.back().second);
    steps.emplace_back(x, y);
  }
  if (!steps.empty()) steps.emplace_back(kLeft + kWidth, steps.back().second);
  svg.polyline(steps, series_colour(5));
  return svg.str();
}

}  // namespace heddle
