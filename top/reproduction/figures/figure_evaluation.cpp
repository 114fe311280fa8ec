#include "top/reproduction/figures/figure_evaluation.h"

#include <algorithm>
#include <charconv>

#include "top/reproduction/definition/figure_expression.h"
#include "top/reproduction/figures/fold.h"

namespace heddle {

namespace {

using Cell = std::optional<double>;
using Values = std::vector<Cell>;

/// A value, and whether it or a better one may come yet: some point that it needs was not run.
struct Evaluated {
  Cell value;
  bool open = false;
};

/// Looks up what the expressions of a row ask for.
class RowPoints {
 public:
  /// `x`: the axis's value, by the axis's key, if it has one.
  RowPoints(const FigureDefinition& figure, const PaperPoints& results, const RowDefinition& row,
            std::map<std::string, std::string> x)
      : figure_(figure), results_(results), row_(row), x_(std::move(x)) {}

  Evaluated evaluate(const FigureExpression& expression, const std::string& it) const {
    Evaluated result;
    result.value = expression.evaluate([&](const FigureExpression::Reference& reference) {
      return find(reference, reference.point == "it" ? it : reference.point, result.open);
    });
    return result;
  }

  /// The experiments have a point of each of the row's workloads, whatever became of it.
  bool known() const {
    const auto experiment = results_.find(figure_.experiment);
    if (experiment == results_.end()) return false;
    const std::vector<std::map<std::string, std::string>> wheres = row_wheres();
    return std::all_of(wheres.begin(), wheres.end(),
                       [&](const auto& where) { return !experiment->second.matching(where).empty(); });
  }

 private:
  /// The row's own coordinates: one set for each of its workloads.
  std::vector<std::map<std::string, std::string>> row_wheres() const {
    if (row_.workloads.empty()) return {row_.where};
    std::vector<std::map<std::string, std::string>> wheres;
    for (const std::string& workload : row_.workloads) {
      wheres.push_back(row_.where);
      wheres.back()["workload"] = workload;
    }
    return wheres;
  }

  Cell find(const FigureExpression::Reference& reference, const std::string& name, bool& open) const {
    PointChoice choice = figure_.points.at(name);
    choice.where.insert(x_.begin(), x_.end());  // where the point leaves it open
    if (choice.experiment.empty()) choice.experiment = figure_.experiment;
    const auto experiment = results_.find(choice.experiment);
    if (experiment == results_.end()) return std::nullopt;
    const std::vector<std::map<std::string, std::string>> wheres = row_wheres();
    double sum = 0;
    for (const auto& where : wheres) {
      const PointChoice of_row = choice.with(where);
      const ResultPoint* const point = choose_point(experiment->second, of_row, row_.kernel);
      if (point == nullptr || !choice.best_over.empty())
        open = open || any_not_run(experiment->second, of_row);
      if (point == nullptr) return std::nullopt;
      const Cell value = reference.coordinate ? coordinate(*point, reference.name)
                                              : figure(*point, reference.name, wheres.size() > 1);
      if (!value) return std::nullopt;
      sum += *value;
    }
    return sum;
  }

  static bool any_not_run(const ResultPoints& points, const PointChoice& choice) {
    const std::vector<const ResultPoint*> found = points.matching(choice.where);
    return std::any_of(found.begin(), found.end(),
                       [](const ResultPoint* point) { return !point->was_run(); });
  }

  static Cell coordinate(const ResultPoint& point, const std::string& key) {
    const auto found = point.coordinates.find(key);
    if (found == point.coordinates.end()) return std::nullopt;
    const std::string& text = found->second;
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
    return value;
  }

  Cell figure(const ResultPoint& point, const std::string& name, bool must_add_up) const {
    const FigureValues* figures = &point.figures;
    if (!row_.kernel.empty()) {
      const auto kernel = point.kernels.find(row_.kernel);
      if (kernel == point.kernels.end()) return std::nullopt;
      figures = &kernel->second;
    }
    const auto found = figures->find(name);
    if (found == figures->end() || (must_add_up && !found->second.adds_up)) return std::nullopt;
    return found->second.value;
  }

  const FigureDefinition& figure_;
  const PaperPoints& results_;
  const RowDefinition& row_;
  std::map<std::string, std::string> x_;
};

/// Of an axis's values, which are of all groups, there is no definition.
bool belongs(const FigureDefinition& figure, const std::string& label,
             const std::vector<std::string>& groups) {
  if (groups.empty() || figure.axis) return true;
  const auto row = std::find_if(figure.rows.begin(), figure.rows.end(),
                                [&](const RowDefinition& one) { return one.label == label; });
  return row == figure.rows.end() || std::find(groups.begin(), groups.end(), row->group) != groups.end();
}

/// Benchmarks as rows.
FigureTable table_of_rows(const FigureDefinition& figure, const PaperPoints& results) {
  FigureTable table;
  std::vector<FigureExpression> expressions;
  for (const SeriesDefinition& series : figure.series) {
    table.series.push_back({series.name, series.bar});
    expressions.emplace_back(series.value);
  }
  for (const RowDefinition& row : figure.rows) {
    const RowPoints points(figure, results, row, {});
    if (!points.known()) continue;
    Values cells;
    std::vector<bool> open_cells;
    for (std::size_t s = 0; s < expressions.size(); ++s) {
      const Evaluated cell = points.evaluate(expressions[s], figure.series[s].point);
      cells.push_back(cell.value);
      open_cells.push_back(cell.open);
    }
    table.rows.push_back({row.label});
    table.cells.push_back(std::move(cells));
    table.open.push_back(std::move(open_cells));
  }
  add_summaries(figure, table);
  return table;
}

/// A row of an axis's table: of each series the benchmarks one by one, their fold, or both.
Values cells_at(const FigureDefinition& figure, const PaperPoints& results,
                const std::vector<RowDefinition>& rows, const std::string& value) {
  std::map<std::string, std::string> x;
  if (!figure.axis->key.empty()) x[figure.axis->key] = value;
  Values cells;
  for (const SeriesDefinition& series : figure.series) {
    const FigureExpression expression(with_axis_value(series.value, value));
    Values of_rows;
    bool open = false;
    for (const RowDefinition& row : rows) {
      const Evaluated cell = RowPoints(figure, results, row, x).evaluate(expression, series.point);
      of_rows.push_back(cell.value);
      open = open || cell.open;
    }
    if (figure.shows_rows()) cells.insert(cells.end(), of_rows.begin(), of_rows.end());
    if (!figure.fold) continue;
    cells.push_back(open ? std::nullopt : fold_values(*figure.fold, of_rows, figure.reference.value_or(1)));
  }
  return cells;
}

/// Of each column: a value becomes the sum of those up to it over the sum of all. One of which a value is
/// missing has none.
void add_up_shares(FigureTable& table) {
  for (std::size_t s = 0; s < table.series.size(); ++s) {
    double sum = 0;
    bool whole = true;
    for (Values& cells : table.cells) {
      whole = whole && cells[s].has_value();
      sum += cells[s].value_or(0);
      cells[s] = sum;
    }
    for (Values& cells : table.cells) cells[s] = whole && sum > 0 ? Cell(*cells[s] / sum) : std::nullopt;
  }
}

/// The axis's values as rows.
FigureTable table_of_axis(const FigureDefinition& figure, const PaperPoints& results) {
  std::vector<RowDefinition> rows;
  for (const RowDefinition& row : figure.rows) {
    if (RowPoints(figure, results, row, {}).known()) rows.push_back(row);
  }
  const bool no_rows = figure.rows.empty();  // then the points of a series say all
  if (no_rows) rows.emplace_back();
  FigureTable table;
  table.row_heading = figure.axis->label;
  for (const SeriesDefinition& series : figure.series) {
    for (const RowDefinition& row : rows) {
      if (!figure.shows_rows()) continue;
      const bool alone = figure.series.size() == 1 || figure.fold;
      table.series.push_back({no_rows ? series.name
                              : alone ? row.label
                                      : row.label + ", " + series.name,
                              ""});
    }
    if (figure.fold) table.series.push_back({series.name, series.bar});
  }
  for (const std::string& value : figure.axis->values) {
    table.rows.push_back({value});
    table.cells.push_back(cells_at(figure, results, rows, value));
  }
  if (figure.axis->running_share) add_up_shares(table);
  add_summaries(figure, table);
  return table;
}

}  // namespace

FigureTable evaluate_figure(const FigureDefinition& figure, const PaperPoints& results) {
  return figure.axis ? table_of_axis(figure, results) : table_of_rows(figure, results);
}

void add_summaries(const FigureDefinition& figure, FigureTable& table) {
  std::size_t count = 0;
  while (count < table.rows.size() && !table.rows[count].summary) ++count;
  table.rows.resize(count);
  table.cells.resize(count);
  for (const SummaryDefinition& summary : figure.summary) {
    Values folded;
    const std::vector<std::size_t> rows = summarized_rows(figure, table, summary);
    for (std::size_t s = 0; s < table.series.size(); ++s) {
      Values column;
      bool waits = false;
      for (const std::size_t r : rows) {
        column.push_back(table.cells[r][s]);
        waits = waits || (!table.open.empty() && table.open[r][s]);
      }
      folded.push_back(waits ? std::nullopt
                             : fold_values(summary.fold, column, figure.reference.value_or(1)));
    }
    table.rows.push_back({summary.label, true, is_count(summary.fold)});
    table.cells.push_back(std::move(folded));
  }
}

std::vector<std::size_t> summarized_rows(const FigureDefinition& figure, const FigureTable& table,
                                         const SummaryDefinition& summary) {
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (!table.rows[r].summary && belongs(figure, table.rows[r].label, summary.groups)) rows.push_back(r);
  }
  return rows;
}

}  // namespace heddle
