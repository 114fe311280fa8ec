#include "top/reproduction/definition/figure_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/nearest_name.h"
#include "top/reproduction/definition/figure_expression.h"
#include "top/reproduction/definition/paper_numbers.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

namespace {

template <typename Value, std::size_t Count>
using Names = std::array<std::pair<const char*, Value>, Count>;

constexpr Names<Fold, 8> kFolds = {{{"geometric_mean", Fold::kGeometricMean},
                                    {"mean", Fold::kMean},
                                    {"least", Fold::kLeast},
                                    {"most", Fold::kMost},
                                    {"sum", Fold::kSum},
                                    {"above", Fold::kAbove},
                                    {"level", Fold::kLevel},
                                    {"below", Fold::kBelow}}};
constexpr Names<FigureDrawing, 3> kDrawings = {
    {{"bars", FigureDrawing::kBars}, {"lines", FigureDrawing::kLines}, {"table", FigureDrawing::kTable}}};
constexpr Names<FigureFormat, 3> kFormats = {
    {{"ratio", FigureFormat::kRatio}, {"percent", FigureFormat::kPercent}, {"count", FigureFormat::kCount}}};

template <typename Value, std::size_t Count>
Value word(const YamlMap& map, const std::string& key, const Names<Value, Count>& names) {
  const std::string text = map.text(key);
  std::vector<std::string> known;
  for (const auto& [name, value] : names) {
    if (text == name) return value;
    known.emplace_back(name);
  }
  throw WorkloadError(map.mark(key), fmt::format("{}, {}: unknown '{}'{}", map.what(), key, text,
                                                 name_hint(text, known, "words")));
}

std::map<std::string, std::string> load_where(const YAML::Node& node, const std::string& file,
                                              const std::string& what) {
  std::map<std::string, std::string> where;
  for (const auto& [key, value] : map_entries(node, file, what)) where[key] = scalar_text(value, file, what);
  return where;
}

RowDefinition load_row(const YAML::Node& node, const std::string& file) {
  const YamlMap map(node, file, "a row", {"label", "workload", "workloads", "kernel", "group", "where"});
  RowDefinition row;
  row.label = map.text("label");
  if (map.has("workload")) row.workloads = {map.text("workload")};
  if (map.has("workloads")) row.workloads = load_texts(map.at("workloads"), file, "workloads");
  row.kernel = map.text_or("kernel", "");
  row.group = map.text_or("group", "");
  if (map.has("where")) row.where = load_where(map.at("where"), file, "where");
  return row;
}

PointChoice load_choice(const YAML::Node& node, const std::string& file, const std::string& name) {
  PointChoice choice;
  for (const auto& [key, value] : map_entries(node, file, "point '" + name + "'")) {
    const std::string text = scalar_text(value, file, "point '" + name + "', " + key);
    if (key == "experiment") {
      choice.experiment = text;
    } else if (key == "best_over") {
      choice.best_over = text;
    } else {
      choice.where[key] = text;
    }
  }
  return choice;
}

/// What stands for {x}: the axis's values, which may name points; any number without an axis.
std::vector<std::string> axis_values(const FigureDefinition& figure) {
  return figure.axis ? figure.axis->values : std::vector<std::string>{"0"};
}

/// An expression as it stands, after looking whether it is one and whether its points are known.
std::string checked(const std::string& text, const FigureDefinition& figure, bool it,
                    const SourceMark& mark) {
  try {
    for (const std::string& x : axis_values(figure)) {
      const FigureExpression expression(with_axis_value(text, x));
      for (const FigureExpression::Reference& reference : expression.references()) {
        if ((it && reference.point == "it") || figure.points.count(reference.point) != 0) continue;
        std::vector<std::string> known;
        for (const auto& [name, choice] : figure.points) known.push_back(name);
        throw WorkloadError(mark, fmt::format("{}: there is no point '{}'{}", figure.name, reference.point,
                                              name_hint(reference.point, known, "points")));
      }
    }
  } catch (const FigureExpressionError& error) {
    throw WorkloadError(mark, fmt::format("{}: {}", figure.name, error.what()));
  }
  return text;
}

void load_series(const YamlMap& map, const std::string& file, FigureDefinition& figure) {
  if (map.has("bars") != map.has("parts")) {
    throw WorkloadError(map.mark(), fmt::format("{}: bars and parts stand together only", figure.name));
  }
  if (map.has("bars")) {
    for (const YAML::Node& bar_node : list_items(map.at("bars"), file, "bars")) {
      const YamlMap bar(bar_node, file, "a bar", {"name", "point"});
      const std::string point = bar.text("point");
      checked(point + ".cycles", figure, false, bar.mark());
      for (const YAML::Node& part_node : list_items(map.at("parts"), file, "parts")) {
        const YamlMap part(part_node, file, "a part", {"name", "value"});
        figure.series.push_back({bar.text("name") + ", " + part.text("name"),
                                 checked(part.text("value"), figure, true, part.mark()), bar.text("name"),
                                 point});
      }
    }
  }
  if (!map.has("series")) return;
  for (const YAML::Node& node : list_items(map.at("series"), file, "series")) {
    const YamlMap series(node, file, "a series", {"name", "value"});
    figure.series.push_back(
        {series.text("name"), checked(series.text("value"), figure, false, series.mark()), "", ""});
  }
}

/// Leaves the points that no series asks for out of those that all figures know.
void keep_used_points(FigureDefinition& figure) {
  std::map<std::string, PointChoice> used;
  for (const SeriesDefinition& series : figure.series) {
    for (const std::string& x : axis_values(figure)) {
      const FigureExpression expression(with_axis_value(series.value, x));
      for (const FigureExpression::Reference& reference : expression.references()) {
        const std::string& point = reference.point == "it" ? series.point : reference.point;
        used[point] = figure.points.at(point);
      }
    }
  }
  figure.points = std::move(used);
}

AxisDefinition load_axis(const YAML::Node& node, const std::string& file) {
  const YamlMap map(node, file, "the axis",
                    {"label", "key", "values", "from", "to", "step", "running_share"});
  AxisDefinition axis;
  axis.label = map.text("label");
  axis.key = map.text_or("key", "");
  axis.running_share = map.flag_or("running_share", false);
  if (map.has("values")) {
    axis.values = load_texts(map.at("values"), file, "values");
    return axis;
  }
  constexpr std::int64_t kMost = 100000;
  const std::int64_t from = map.expression("from").evaluate_in(Scope(), 0, kMost, "from");
  const std::int64_t to = map.expression("to").evaluate_in(Scope(), from, kMost, "to");
  const std::int64_t step = map.expression_or("step", "1").evaluate_in(Scope(), 1, kMost, "step");
  for (std::int64_t value = from; value <= to; value += step) axis.values.push_back(std::to_string(value));
  return axis;
}

SummaryDefinition load_summary(const YAML::Node& node, const std::string& file) {
  const YamlMap map(node, file, "a summary", {"label", "fold", "groups"});
  SummaryDefinition summary;
  summary.label = map.text("label");
  summary.fold = word(map, "fold", kFolds);
  if (map.has("groups")) summary.groups = load_texts(map.at("groups"), file, "groups");
  return summary;
}

std::vector<RowDefinition> rows_of(const YamlMap& map, const std::string& file,
                                   const SharedDefinitions& shared) {
  if (!map.has("rows")) return {};
  std::vector<RowDefinition> rows;
  if (map.at("rows").IsScalar()) {
    const std::string name = map.text("rows");
    const auto found = shared.rows.find(name);
    if (found == shared.rows.end()) {
      std::vector<std::string> known;
      for (const auto& [set, ignored] : shared.rows) known.push_back(set);
      throw WorkloadError(map.mark("rows"), fmt::format("there is no set of rows '{}'{}", name,
                                                        name_hint(name, known, "sets")));
    }
    rows = found->second;
  } else {
    rows = load_rows(map.at("rows"), file);
  }
  if (!map.has("groups")) return rows;
  const std::vector<std::string> groups = load_texts(map.at("groups"), file, "groups");
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&groups](const RowDefinition& row) {
                              return std::find(groups.begin(), groups.end(), row.group) == groups.end();
                            }),
             rows.end());
  return rows;
}

std::string name_of(const YamlMap& map) {
  if (map.has("figure") == map.has("table")) {
    throw WorkloadError(map.mark(), "a figure: expected either a key 'figure' or a key 'table'");
  }
  return map.has("figure") ? "Figure " + map.text("figure") : "Table " + map.text("table");
}

void load_contents(const YamlMap& map, const std::string& file, const SharedDefinitions& shared,
                   FigureDefinition& figure) {
  figure.rows = rows_of(map, file, shared);
  figure.points = shared.points;
  if (map.has("points")) {
    for (const auto& [name, choice] : load_points(map.at("points"), file)) figure.points[name] = choice;
  }
  if (map.has("axis")) figure.axis = load_axis(map.at("axis"), file);
  load_series(map, file, figure);
  keep_used_points(figure);
  if (map.has("fold")) figure.fold = word(map, "fold", kFolds);
  figure.each_row = map.flag_or("each_row", false);
  if (map.has("summary")) {
    for (const YAML::Node& item : list_items(map.at("summary"), file, "summary"))
      figure.summary.push_back(load_summary(item, file));
  }
  if (figure.series.empty() || (figure.rows.empty() && !figure.axis)) {
    throw WorkloadError(map.mark(), fmt::format("{}: expected rows (or an axis) and series (or bars with "
                                                "parts), or 'by'",
                                                figure.name));
  }
}

/// Throws WorkloadError for a number of a row or series that the figure does not have.
void check_numbers(const FigureDefinition& figure) {
  const std::vector<std::string> rows = figure.row_names();
  const std::vector<std::string> series = figure.series_names();
  const auto check = [&figure](const PaperNumber& number, const char* what, const std::string& name,
                               const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    throw WorkloadError(number.mark,
                        fmt::format("{}: the paper's number is of {} '{}', which the figure does not have{}",
                                    figure.name, what, name, name_hint(name, known, what)));
  };
  for (const PaperNumber& number : figure.paper) {
    check(number, "row", number.row, rows);
    check(number, "series", number.series, series);
  }
}

}  // namespace

double load_number(const YAML::Node& node, const std::string& file, const std::string& what) {
  const std::string text = scalar_text(node, file, what);
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) {
    throw WorkloadError(mark_of(node, file), fmt::format("{}: expected a number, found '{}'", what, text));
  }
  return value;
}

std::vector<std::string> load_texts(const YAML::Node& node, const std::string& file,
                                    const std::string& what) {
  std::vector<std::string> texts;
  for (const YAML::Node& item : list_items(node, file, what)) texts.push_back(scalar_text(item, file, what));
  return texts;
}

std::vector<RowDefinition> load_rows(const YAML::Node& node, const std::string& file) {
  std::vector<RowDefinition> rows;
  for (const YAML::Node& item : list_items(node, file, "rows")) rows.push_back(load_row(item, file));
  return rows;
}

std::map<std::string, PointChoice> load_points(const YAML::Node& node, const std::string& file) {
  std::map<std::string, PointChoice> points;
  for (const auto& [name, choice] : map_entries(node, file, "points"))
    points[name] = load_choice(choice, file, name);
  return points;
}

FigureDefinition load_figure(const YAML::Node& node, const std::string& file,
                             const SharedDefinitions& shared) {
  const YamlMap map(
      node, file, "a figure",
      {"figure", "table",     "title", "section",     "experiment", "rows", "groups", "axis",
       "points", "series",    "bars",  "parts",       "summary",    "fold", "draw",   "unit",
       "format", "reference", "paper", "paper_table", "note",       "by",   "with",   "each_row"});
  FigureDefinition figure;
  figure.mark = map.mark();
  figure.name = name_of(map);
  figure.title = map.text("title");
  figure.section = map.text_or("section", "");
  figure.experiment = map.text_or("experiment", "");
  figure.unit = map.text_or("unit", "");
  figure.note = map.text_or("note", "");
  figure.by = map.text_or("by", "");
  if (map.has("with")) figure.with = load_where(map.at("with"), file, "with");
  if (map.has("draw")) figure.drawing = word(map, "draw", kDrawings);
  if (map.has("format")) figure.format = word(map, "format", kFormats);
  if (map.has("reference")) figure.reference = load_number(map.at("reference"), file, "reference");
  if (figure.by.empty()) {
    load_contents(map, file, shared, figure);
  } else {
    figure.rows = rows_of(map, file, shared);
    if (map.has("points")) figure.points = load_points(map.at("points"), file);
  }
  if (map.has("paper")) load_paper_numbers(map.at("paper"), file, figure.paper);
  if (map.has("paper_table")) load_paper_table(map.at("paper_table"), file, figure.paper);
  if (figure.by.empty()) check_numbers(figure);
  return figure;
}

}  // namespace heddle
