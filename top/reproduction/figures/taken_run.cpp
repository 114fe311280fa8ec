#include "top/reproduction/figures/taken_run.h"

#include <algorithm>

#include "top/reproduction/figures/figure_evaluation.h"

namespace heddle {

namespace {

bool is_complete(const RanExperiment& experiment) { return experiment.complete == experiment.points; }

/// All points that the figure asks for at this size have ended well.
bool has_all_points(const FigureDefinition& figure, const std::string& size, const PaperResults& run) {
  const std::vector<std::string> names = figure.experiments();
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto experiment = run.experiments.find(name);
    if (experiment == run.experiments.end()) return true;  // there is none at this size
    const auto sized = experiment->second.find(size);
    return sized == experiment->second.end() || is_complete(sized->second);
  });
}

/// Where the row with this label is, of those that are no summary; rows.size() without.
std::size_t row_of(const FigureTable& table, const std::string& label) {
  std::size_t row = 0;
  while (row < table.rows.size() && (table.rows[row].summary || table.rows[row].label != label)) ++row;
  return row;
}

bool has_row(const FigureTable& table, std::size_t row) { return row < table.rows.size(); }

bool same_series(const FigureTable& one, const FigureTable& other) {
  return std::equal(one.series.begin(), one.series.end(), other.series.begin(), other.series.end(),
                    [](const auto& a, const auto& b) { return a.name == b.name && a.bar == b.bar; });
}

/// The run has all points of the row, and a value wherever the table has one.
bool is_settled(const FigureTable& run, std::size_t row, const FigureTable& there, std::size_t old_row) {
  for (std::size_t s = 0; s < run.series.size(); ++s) {
    if (run.open[row][s]) return false;
    if (has_row(there, old_row) && there.cells[old_row][s] && !run.cells[row][s]) return false;
  }
  return true;
}

/// Per series: an empty cell of the table may get a value yet. Where its column has a mean all points were
/// run.
std::vector<bool> open_columns(const FigureTable& table) {
  std::vector<bool> open(table.series.size(), true);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (!table.rows[row].summary) continue;
    for (std::size_t s = 0; s < open.size(); ++s) open[s] = open[s] && !table.cells[row][s];
  }
  return open;
}

/// Rows stand for themselves: each has points of its own, and keeps its label.
bool has_rows_apart(const FigureDefinition& figure) {
  return figure.by.empty() && !(figure.axis && figure.axis->running_share);
}

/// The table has a value that the run has none for.
bool loses_a_value(const FigureTable& there, const FigureTable& run, const FigureDefinition& figure) {
  if (!has_rows_apart(figure) || !same_series(there, run)) return run.filled() < there.filled();
  for (std::size_t row = 0; row < there.rows.size(); ++row) {
    if (there.rows[row].summary) continue;
    for (std::size_t s = 0; s < there.series.size(); ++s) {
      if (there.cells[row][s] && !run.value(there.rows[row].label, there.series[s].name)) return true;
    }
  }
  return false;
}

/// Of benchmarks, or the values of an axis.
std::vector<std::string> labels_of_rows(const FigureDefinition& figure) {
  if (figure.axis) return figure.axis->values;
  std::vector<std::string> labels;
  for (const RowDefinition& row : figure.rows) labels.push_back(row.label);
  return labels;
}

/// The labels of the rows that the table gets from the run.
std::vector<std::string> take_rows(FigureTable& there, const FigureTable& run,
                                   const FigureDefinition& figure) {
  std::vector<std::string> taken;
  if (!has_rows_apart(figure) || !same_series(there, run)) return taken;
  FigureTable merged;
  merged.row_heading = there.row_heading;
  merged.series = there.series;
  const std::vector<bool> open = open_columns(there);
  for (const std::string& label : labels_of_rows(figure)) {
    const std::size_t row = row_of(run, label);
    const std::size_t old_row = row_of(there, label);
    if (has_row(run, row) && is_settled(run, row, there, old_row)) {
      taken.push_back(label);
      merged.cells.push_back(run.cells[row]);
      merged.open.push_back(run.open[row]);
    } else if (has_row(there, old_row)) {
      merged.cells.push_back(there.cells[old_row]);
      std::vector<bool>& cells = merged.open.emplace_back(open);
      for (std::size_t s = 0; s < open.size(); ++s) cells[s] = open[s] && !there.cells[old_row][s];
    } else {
      continue;
    }
    merged.rows.push_back({label});
  }
  if (taken.empty()) return taken;
  add_summaries(figure, merged);
  there = std::move(merged);
  return taken;
}

}  // namespace

std::vector<KeptFigure> take_run(PaperResults& results, const PaperResults& run,
                                 const PaperDefinition& paper) {
  std::vector<KeptFigure> kept;
  for (const FigureDefinition& figure : paper.figures) {
    const auto ran = run.figures.find(figure.id());
    if (ran == run.figures.end()) continue;
    for (const auto& [size, table] : ran->second) {
      FigureTable& there = results.figures[figure.id()][size];
      if (has_all_points(figure, size, run) || !loses_a_value(there, table, figure)) {
        there = table;
      } else {
        const std::size_t values = there.filled();
        kept.push_back({figure.name, values, table.filled(), take_rows(there, table, figure)});
      }
    }
  }
  for (const auto& [experiment, sizes] : run.experiments) {
    for (const auto& [size, summary] : sizes) {
      RanExperiment& there = results.experiments[experiment][size];
      if (summary.complete >= there.complete || is_complete(summary)) there = summary;
    }
  }
  return kept;
}

}  // namespace heddle
