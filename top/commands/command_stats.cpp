#include <fmt/format.h>

#include <algorithm>

#include "top/commands/commands.h"
#include "top/report/stats/found_figures.h"
#include "top/text/shown_path.h"
#include "top/text/table.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;

/// A row for each figure: of what it is, its name, value and unit.
Table figure_table(const std::vector<FoundFigure>& figures, StatsOptions::Of of) {
  const bool launches = of == StatsOptions::Of::kLaunches;
  const bool blocks = of == StatsOptions::Of::kBlocks;
  const bool all_complete = std::all_of(
      figures.begin(), figures.end(), [](const FoundFigure& figure) { return figure.status == "complete"; });
  std::vector<TableColumn> columns{
      {"run", "run", Kind::kText, Rank::kKey},
      {"workload", "workload", Kind::kText, Rank::kDetail},
      {"scheduler", "scheduler", Kind::kText, Rank::kDetail},
      {"status", "status", Kind::kText, all_complete ? Rank::kDetail : Rank::kKey,
       all_complete ? TableColumn::For::kPrograms : TableColumn::For::kAll}};
  if (launches) {
    columns.push_back({"launch", "launch", Kind::kWhole, Rank::kKey});
    columns.push_back({"kernel", "kernel", Kind::kText});
  }
  if (blocks) columns.push_back({"block", "block", Kind::kText, Rank::kKey});
  columns.push_back({"metric", "metric", Kind::kText, Rank::kKey});
  columns.push_back({"value", "value", Kind::kFigure, Rank::kKey});
  columns.push_back({"unit", "unit", Kind::kText});
  columns.push_back({"description", "meaning", Kind::kText, Rank::kDetail, TableColumn::For::kPeople});
  Table table(columns);
  for (const FoundFigure& figure : figures) {
    std::vector<Table::Cell> row{shown_path(figure.run), figure.workload, figure.scheduler, figure.status};
    if (launches) row.insert(row.end(), {*figure.launch, figure.kernel});
    if (blocks) row.emplace_back(figure.block);
    row.insert(row.end(), {figure.metric, figure.value, figure.unit, figure.description});
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

ExitCode stats_command(const StatsOptions& options) {
  const Table table = figure_table(find_figures(options), options.of);
  fmt::print("{}", table.print(options.format));
  return ExitCode::kOk;
}

}  // namespace heddle
