#include "top/reproduction/custom/log_boxes.h"

#include <algorithm>

#include "top/reproduction/charts/box_plot.h"
#include "top/reproduction/custom/logged_points.h"
#include "workloads/description/workload_error.h"

namespace heddle {
namespace {

/// Values of a box, by the name of the series.
using Series = std::vector<std::pair<std::string, std::vector<double>>>;

Series durations(const std::vector<const LoggedLaunch*>& launches) {
  Series series{{"", {}}};
  for (const LoggedLaunch* const launch : launches) {
    double sum = 0;
    for (const LoggedTb& tb : launch->tbs) sum += static_cast<double>(tb.cycles());
    const double mean = sum / static_cast<double>(std::max<std::size_t>(launch->tbs.size(), 1));
    for (const LoggedTb& tb : launch->tbs)
      series[0].second.push_back(static_cast<double>(tb.cycles()) / mean);
  }
  return series;
}

/// With one thread block on the SM there is nothing to predict.
bool predicts(const LoggedPrediction& sm) { return sm.tbs > 1 && sm.active_cycles > 0; }

Series structure(const std::vector<const LoggedLaunch*>& launches) {
  Series series{{"regression", {}}, {"staircase", {}}};
  for (const LoggedLaunch* const launch : launches) {
    for (const LoggedPrediction& sm : launch->sms) {
      if (!predicts(sm)) continue;
      if (sm.regression_cycles) series[0].second.push_back(*sm.regression_cycles / sm.span_cycles);
      series[1].second.push_back(sm.staircase_cycles / sm.span_cycles);
    }
  }
  return series;
}

Series slicing(const std::vector<const LoggedLaunch*>& launches) {
  Series series{{"slices", {}}, {"once", {}}};
  for (const LoggedLaunch* const launch : launches) {
    for (const LoggedPrediction& sm : launch->sms) {
      if (!predicts(sm)) continue;
      series[0].second.push_back(sm.slicing_cycles / sm.active_cycles);
      series[1].second.push_back(sm.once_cycles / sm.active_cycles);
    }
  }
  return series;
}

struct BoxKind {
  const char* name;
  bool by_group;  ///< a group of rows together, else each by itself
  Series (*values)(const std::vector<const LoggedLaunch*>&);
};
constexpr BoxKind kKinds[] = {
    {"durations", false, &durations}, {"structure", true, &structure}, {"slicing", true, &slicing}};

const BoxKind& kind_of(const FigureDefinition& figure) {
  const std::string name = with_or(figure, "kind", "");
  for (const BoxKind& kind : kKinds) {
    if (name == kind.name) return kind;
  }
  throw WorkloadError(
      figure.mark,
      figure.name + ", with: expected kind: durations, structure or slicing, found '" + name + "'");
}

struct Named {
  const char* name;
  double FiveNumbers::*number;
};
constexpr Named kNumbers[] = {{"least", &FiveNumbers::least},
                              {"lower quartile", &FiveNumbers::lower_quartile},
                              {"median", &FiveNumbers::median},
                              {"upper quartile", &FiveNumbers::upper_quartile},
                              {"most", &FiveNumbers::most}};

std::string series_name(const std::string& series, const char* number) {
  return series.empty() ? number : series + ", " + number;
}

LabelledBox box_of(const nlohmann::ordered_json& box) {
  const auto n = [&box](std::size_t place) { return box.at("numbers").at(place).get<double>(); };
  FiveNumbers numbers;
  numbers.least = n(0);
  numbers.lower_quartile = n(1);
  numbers.median = n(2);
  numbers.upper_quartile = n(3);
  numbers.most = n(4);
  numbers.low_whisker = n(5);
  numbers.high_whisker = n(6);
  numbers.outliers = box.at("outliers").get<std::vector<double>>();
  return {box.at("group").get<std::string>(), box.at("series").get<std::string>(), std::move(numbers)};
}

}  // namespace

FigureTable LogBoxes::evaluate(const FigureDefinition& figure, const PaperPoints& results) const {
  const BoxKind& kind = kind_of(figure);
  std::vector<std::pair<std::string, Series>> boxes;
  const Series none = kind.values({});
  for (const RowDefinition& row : figure.rows) {
    const std::string label = kind.by_group ? row.group : row.label;
    auto box =
        std::find_if(boxes.begin(), boxes.end(), [&label](const auto& one) { return one.first == label; });
    if (box == boxes.end()) box = boxes.insert(boxes.end(), {label, none});
    const std::vector<LoggedRun> runs = logged_row(figure, results, row, "run");
    const Series values = kind.values(launches_of(runs, row.kernel));
    for (std::size_t s = 0; s < values.size(); ++s) {
      box->second[s].second.insert(box->second[s].second.end(), values[s].second.begin(),
                                   values[s].second.end());
    }
  }
  FigureTable table;
  if (kind.by_group) table.row_heading = "group";
  for (const auto& [series, values] : none) {
    for (const Named& number : kNumbers) table.series.push_back({series_name(series, number.name), ""});
    table.series.push_back({series_name(series, "count"), ""});
  }
  table.extra = nlohmann::ordered_json::array();
  for (const auto& [label, series] : boxes) {
    std::vector<std::optional<double>> cells;
    for (const auto& [name, values] : series) {
      if (values.empty()) {
        cells.resize(cells.size() + std::size(kNumbers) + 1);
        continue;
      }
      const FiveNumbers numbers = FiveNumbers::of(values);
      for (const Named& number : kNumbers) cells.emplace_back(numbers.*number.number);
      cells.emplace_back(static_cast<double>(values.size()));
      table.extra.push_back({{"group", label},
                             {"series", name},
                             {"numbers",
                              {numbers.least, numbers.lower_quartile, numbers.median, numbers.upper_quartile,
                               numbers.most, numbers.low_whisker, numbers.high_whisker}},
                             {"outliers", numbers.outliers}});
    }
    table.rows.push_back({label, false});
    table.cells.push_back(std::move(cells));
  }
  return table;
}

void LogBoxes::check(const FigureTable& table) const {
  for (const auto& box : table.extra) box_of(box);
}

std::string LogBoxes::draw(const FigureDefinition& figure, const FigureTable& table) const {
  std::vector<LabelledBox> boxes;
  for (const auto& box : table.extra) boxes.push_back(box_of(box));
  return boxes.empty() ? "" : draw_boxes(figure.title, boxes, figure.unit, figure.reference);
}

}  // namespace heddle
