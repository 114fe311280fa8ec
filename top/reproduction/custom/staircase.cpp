#include "top/reproduction/custom/staircase.h"

#include <fmt/format.h>

#include <algorithm>

#include "top/reproduction/charts/svg.h"
#include "top/reproduction/charts/value_axis.h"
#include "top/reproduction/custom/logged_points.h"
#include "top/support/results.h"

namespace heddle {
namespace {

std::vector<const LoggedTb*> by_end(const LoggedLaunch& launch, std::uint64_t sm) {
  std::vector<const LoggedTb*> tbs;
  for (const LoggedTb& tb : launch.tbs) {
    if (tb.sm == sm) tbs.push_back(&tb);
  }
  std::sort(tbs.begin(), tbs.end(), [](const LoggedTb* a, const LoggedTb* b) {
    return a->end != b->end ? a->end < b->end : a->tb < b->tb;
  });
  return tbs;
}

/// How far apart the first blocks, as many as are resident at once, end, over what the first of them lasts.
double stagger(const std::vector<const LoggedTb*>& tbs, std::uint64_t residency) {
  const std::size_t first = std::min<std::size_t>(residency, tbs.size());
  return static_cast<double>(tbs[first - 1]->end - tbs[0]->end) /
         static_cast<double>(std::max<std::uint64_t>(tbs[0]->cycles(), 1));
}

const LoggedPrediction* chosen_sm(const FigureDefinition& figure, const LoggedLaunch& launch) {
  const std::string which = with_or(figure, "sm", "0");
  const LoggedPrediction* chosen = nullptr;
  double chosen_stagger = 0;
  for (const LoggedPrediction& sm : launch.sms) {
    if (which != "least" && which != "most") {
      if (std::to_string(sm.sm) == which) return &sm;
      continue;
    }
    const double here = stagger(by_end(launch, sm.sm), sm.residency);
    if (chosen == nullptr || (which == "least" ? here < chosen_stagger : here > chosen_stagger)) {
      chosen = &sm;
      chosen_stagger = here;
    }
  }
  return chosen;
}

}  // namespace

FigureTable Staircase::evaluate(const FigureDefinition& figure, const PaperPoints& results) const {
  FigureTable table;
  table.row_heading = "model";
  table.series = {{"predicted over true", ""}, {"predicted, cycles", ""}, {"true, cycles", ""}};
  const std::optional<LoggedRun> run = logged_point(figure, results, "run");
  const LoggedLaunch* const launch = run ? chosen_launch(figure, *run) : nullptr;
  const LoggedPrediction* const sm = launch == nullptr ? nullptr : chosen_sm(figure, *launch);
  if (sm == nullptr) return table;
  const auto add = [&](const std::string& model, std::optional<double> predicted) {
    table.rows.push_back({model, false});
    std::optional<double> ratio;
    if (predicted) ratio = *predicted / sm->span_cycles;
    table.cells.push_back({ratio, predicted, sm->span_cycles});
  };
  add("linear regression", sm->regression_cycles);
  add("staircase", sm->staircase_cycles);
  const std::vector<const LoggedTb*> tbs = by_end(*launch, sm->sm);
  std::uint64_t begin = tbs[0]->start;
  for (const LoggedTb* const tb : tbs) begin = std::min(begin, tb->start);
  table.extra = {{"sm", sm->sm},
                 {"residency", sm->residency},
                 {"starts", nlohmann::ordered_json::array()},
                 {"ends", nlohmann::ordered_json::array()}};
  for (const LoggedTb* const tb : tbs) {
    table.extra["starts"].push_back(tb->start - begin);
    table.extra["ends"].push_back(tb->end - begin);
  }
  return table;
}

void Staircase::check(const FigureTable& table) const {
  if (table.extra.is_null()) return;
  table.extra.at("sm").get<std::uint64_t>();
  const auto starts = table.extra.at("starts").get<std::vector<double>>();
  const auto ends = table.extra.at("ends").get<std::vector<double>>();
  if (starts.size() != ends.size())
    throw ResultsError(
        fmt::format("found {} starts and {} ends of thread blocks", starts.size(), ends.size()));
}

std::string Staircase::draw(const FigureDefinition& figure, const FigureTable& table) const {
  if (table.extra.is_null()) return "";
  const auto starts = table.extra.at("starts").get<std::vector<double>>();
  const auto ends = table.extra.at("ends").get<std::vector<double>>();
  const std::optional<double> staircase = table.value("staircase", "predicted, cycles");
  const std::optional<double> regression = table.value("linear regression", "predicted, cycles");
  constexpr double kLeft = 70;
  constexpr double kWidth = 560;
  constexpr double kTop = 30;
  constexpr double kBottom = 290;
  constexpr const char* kFit = "#009e73";
  constexpr const char* kModel = "#d55e00";
  Svg svg(kLeft + kWidth + 30, kBottom + 60, figure.title);
  svg.text(kLeft, 18, figure.title, Svg::Anchor::kStart, 13);
  std::vector<double> shown = ends;
  for (const auto& value : {staircase, regression}) {
    if (value) shown.push_back(*value);
  }
  const ValueAxis axis(shown, kTop, kBottom);
  axis.draw(svg, kLeft, kLeft + kWidth, FigureFormat::kCount, "core cycles", 14);
  const auto count = static_cast<double>(ends.size());
  const auto x_of = [&](std::size_t i) { return kLeft + kWidth * (static_cast<double>(i) + 0.5) / count; };
  constexpr double kHalf = 2.5;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::string hint = fmt::format("cycles {:.0f} to {:.0f}", starts[i], ends[i]);
    svg.line(x_of(i), axis.place(starts[i]), x_of(i), axis.place(ends[i]), "#cccccc");
    svg.rect(x_of(i) - kHalf, axis.place(starts[i]) - kHalf, 2 * kHalf, 2 * kHalf, "#000000", hint);
    svg.circle(x_of(i), axis.place(ends[i]), kHalf + 0.5, "#0072b2", hint);
  }
  if (regression && ends.size() > 1) {
    // Through the mean of the ends, to its value at the last.
    double mean = 0;
    for (const double end : ends) mean += end / count;
    svg.polyline(
        {{x_of(0), axis.place(2 * mean - *regression)}, {x_of(ends.size() - 1), axis.place(*regression)}},
        kFit);
  }
  if (staircase)
    svg.line(kLeft, axis.place(*staircase), kLeft + kWidth, axis.place(*staircase), kModel, 1.5, true);
  svg.text(kLeft + kWidth / 2, kBottom + 18,
           fmt::format("thread blocks of SM {} in the order of their ends",
                       table.extra.at("sm").get<std::uint64_t>()),
           Svg::Anchor::kMiddle);
  const double y = kBottom + 40;
  svg.rect(kLeft, y - 6, 2 * kHalf, 2 * kHalf, "#000000");
  svg.text(kLeft + 10, y, "start");
  svg.circle(kLeft + 60, y - 4, kHalf + 0.5, "#0072b2");
  svg.text(kLeft + 68, y, "end");
  svg.line(kLeft + 110, y - 4, kLeft + 130, y - 4, kFit, 1.5);
  svg.text(kLeft + 134, y, "line fitted to the ends");
  svg.line(kLeft + 280, y - 4, kLeft + 300, y - 4, kModel, 1.5, true);
  svg.text(kLeft + 304, y, "run time by equation 1");
  return svg.str();
}

}  // namespace heddle
