#include "top/reproduction/custom/dispatch_timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "top/reproduction/charts/chart_parts.h"
#include "top/reproduction/charts/svg.h"
#include "top/reproduction/custom/logged_points.h"

namespace heddle {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kThroughput = "multiprogram.stp";
constexpr const char* kFairness = "multiprogram.strict_f";

/// The times in which the intervals of a kind add up to, in cycles.
double spent(const LoggedRun& run, const std::string& kind) {
  double cycles = 0;
  for (const LoggedInterval& interval : run.intervals) {
    if (interval.kind == kind) cycles += static_cast<double>(interval.end - interval.start);
  }
  return cycles;
}

std::optional<double> value_in(const FigureValues& figures, const char* name) {
  const auto figure = figures.find(name);
  return figure == figures.end() ? std::nullopt : std::optional(figure->second.value);
}

double end_of(const LoggedRun& run) {
  std::uint64_t end = 0;
  for (const LoggedLaunch& launch : run.launches) {
    for (const LoggedTb& tb : launch.tbs) end = std::max(end, tb.end);
  }
  return static_cast<double>(end);
}

/// [launch, slot, start, end] of each thread block of the SM, [kind, start, end] of each interval there.
OrderedJson sm_json(const LoggedRun& run, std::uint64_t sm) {
  OrderedJson shown{{"tbs", OrderedJson::array()}, {"intervals", OrderedJson::array()}};
  for (std::size_t l = 0; l < run.launches.size(); ++l) {
    for (const LoggedTb& tb : run.launches[l].tbs) {
      if (tb.sm == sm) shown["tbs"].push_back({l, tb.slot, tb.start, tb.end});
    }
  }
  for (const LoggedInterval& interval : run.intervals) {
    if (interval.sm == sm) shown["intervals"].push_back({interval.kind, interval.start, interval.end});
  }
  return shown;
}

}  // namespace

std::set<std::string> DispatchTimeline::wanted_figures(const FigureDefinition& /*figure*/) const {
  return {kThroughput, kFairness};
}

FigureTable DispatchTimeline::evaluate(const FigureDefinition& figure, const PaperPoints& results) const {
  FigureTable table;
  table.row_heading = "policy";
  table.series = {{"cycles", ""},  {"waited to be sampled", ""},
                  {"sampled", ""}, {"handed over, all SMs", ""},
                  {"STP", ""},     {"StrictF", ""}};
  const std::uint64_t sms = std::stoull(with_or(figure, "sms", "3"));
  for (const auto& [name, choice] : figure.points) {
    const std::optional<LoggedRun> run = logged_point(figure, results, name);
    table.rows.push_back({name, false});
    table.cells.emplace_back(table.series.size());
    if (!run) continue;
    const FigureValues& figures = point_of_figure(figure, results, name)->figures;
    table.cells.back() = {end_of(*run),
                          spent(*run, "to_be_sampled"),
                          spent(*run, "sampled"),
                          spent(*run, "hand_off"),
                          value_in(figures, kThroughput),
                          value_in(figures, kFairness)};
    OrderedJson picture{{"name", name},
                        {"end", end_of(*run)},
                        {"kernels", OrderedJson::array()},
                        {"sms", OrderedJson::array()}};
    for (const LoggedLaunch& launch : run->launches) picture["kernels"].push_back(launch.kernel);
    for (std::uint64_t sm = 0; sm < sms; ++sm) picture["sms"].push_back(sm_json(*run, sm));
    table.extra.push_back(std::move(picture));
  }
  return table;
}

void DispatchTimeline::check(const FigureTable& table) const {
  for (const OrderedJson& picture : table.extra) {
    picture.at("name").get<std::string>();
    picture.at("end").get<double>();
    const auto kernels = picture.at("kernels").get<std::vector<std::string>>();
    for (const OrderedJson& sm : picture.at("sms")) {
      for (const OrderedJson& tb : sm.at("tbs")) {
        picture.at("kernels").at(tb.at(0).get<std::size_t>());
        for (const std::size_t place : {1, 2, 3}) tb.at(place).get<double>();
      }
      for (const OrderedJson& interval : sm.at("intervals")) {
        interval.at(0).get<std::string>();
        for (const std::size_t place : {1, 2}) interval.at(place).get<double>();
      }
    }
  }
}

std::string DispatchTimeline::draw(const FigureDefinition& figure, const FigureTable& table) const {
  if (table.extra.empty()) return "";
  constexpr double kLeft = 60;
  constexpr double kWidth = 640;
  constexpr double kSlot = 6;
  constexpr double kBar = 5;  ///< of intervals, below the slots
  constexpr double kGap = 8;
  constexpr const char* kMarks[] = {"#cc79a7", "#d55e00", "#999999"};
  constexpr const char* kKinds[] = {"to_be_sampled", "sampled", "hand_off"};
  constexpr const char* kKindNames[] = {"waits to be sampled", "is sampled", "SM waits for room (hand-off)"};
  std::vector<std::string> kernels;
  double height = 30;
  double longest = 1;
  std::vector<std::vector<std::uint64_t>> slots;
  for (const OrderedJson& picture : table.extra) {
    for (const OrderedJson& kernel : picture.at("kernels")) {
      const auto name = kernel.get<std::string>();
      if (std::find(kernels.begin(), kernels.end(), name) == kernels.end()) kernels.push_back(name);
    }
    longest = std::max(longest, picture.at("end").get<double>());
    slots.emplace_back();
    height += 18;
    for (const OrderedJson& sm : picture.at("sms")) {
      std::uint64_t most = 0;
      for (const OrderedJson& tb : sm.at("tbs")) most = std::max(most, tb.at(1).get<std::uint64_t>() + 1);
      slots.back().push_back(most);
      height += static_cast<double>(most) * kSlot + kBar + kGap;
    }
    height += 10;
  }
  Svg svg(kLeft + kWidth + 20, height + 60, figure.title);
  svg.text(kLeft, 18, figure.title, Svg::Anchor::kStart, 13);
  const double scale = kWidth / longest;
  double y = 30;
  for (std::size_t p = 0; p < table.extra.size(); ++p) {
    const OrderedJson& picture = table.extra[p];
    svg.text(kLeft, y + 10, picture.at("name").get<std::string>(), Svg::Anchor::kStart, 12);
    y += 18;
    for (std::size_t s = 0; s < slots[p].size(); ++s) {
      const OrderedJson& sm = picture.at("sms")[s];
      const double bottom = y + static_cast<double>(slots[p][s]) * kSlot;
      svg.text(kLeft - 6, (y + bottom) / 2 + 4, fmt::format("SM {}", s), Svg::Anchor::kEnd);
      for (const OrderedJson& tb : sm.at("tbs")) {
        const auto name = picture.at("kernels").at(tb.at(0).get<std::size_t>()).get<std::string>();
        const auto colour =
            static_cast<std::size_t>(std::find(kernels.begin(), kernels.end(), name) - kernels.begin());
        const double from = tb.at(2).get<double>();
        const double to = tb.at(3).get<double>();
        svg.rect(kLeft + from * scale, y + tb.at(1).get<double>() * kSlot,
                 std::max((to - from) * scale - 0.4, 0.4), kSlot - 1, series_colour(colour));
      }
      for (const OrderedJson& interval : sm.at("intervals")) {
        const auto kind = interval.at(0).get<std::string>();
        const auto mark = static_cast<std::size_t>(std::find(std::begin(kKinds), std::end(kKinds), kind) -
                                                   std::begin(kKinds));
        if (mark == std::size(kKinds)) continue;
        const double from = interval.at(1).get<double>();
        const double to = interval.at(2).get<double>();
        svg.rect(kLeft + from * scale, bottom, std::max((to - from) * scale, 1.0), kBar - 1, kMarks[mark],
                 fmt::format("{}: cycles {:.0f} to {:.0f}", kKindNames[mark], from, to));
      }
      y = bottom + kBar + kGap;
    }
    y += 10;
  }
  draw_legend(svg, kernels, kLeft, y, kWidth, false);
  double x = kLeft;
  for (std::size_t k = 0; k < std::size(kKinds); ++k) {
    svg.rect(x, y + 22, 10, kBar - 1, kMarks[k]);
    svg.text(x + 14, y + 28, kKindNames[k]);
    x += svg_text_width(kKindNames[k]) + 34;
  }
  svg.text(kLeft + kWidth, y + 46, fmt::format("{:.0f} core cycles across", longest), Svg::Anchor::kEnd);
  return svg.str();
}

}  // namespace heddle
