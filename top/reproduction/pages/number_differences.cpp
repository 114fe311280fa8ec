#include "top/reproduction/pages/number_differences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <utility>

#include "top/text/document.h"
#include "top/text/table.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;

/// With the digits that files keep.
FigureTable as_kept(const FigureTable& table) { return FigureTable::of(table.json()); }

/// Whether a point of the value was not run.
bool is_open(const FigureTable& table, std::size_t row, std::size_t series) {
  return row < table.open.size() && series < table.open[row].size() && table.open[row][series];
}

using Names = std::pair<std::string, std::string>;  ///< of a row and a series

void compare(const std::string& figure, const FigureTable& ours, const FigureTable& there,
             NumberDifferences& differences) {
  const FigureTable here = as_kept(ours);
  std::set<Names> seen;
  for (std::size_t r = 0; r < here.rows.size(); ++r) {
    for (std::size_t s = 0; s < here.series.size(); ++s) {
      const Names names{here.rows[r].label, here.series[s].name};
      seen.insert(names);
      const std::optional<double>& value = here.cells[r][s];
      const std::optional<double> other = there.value(names.first, names.second);
      if (is_open(ours, r, s)) {
        differences.not_run += other ? 1 : 0;
      } else if (value != other) {
        differences.differ.push_back({figure, names.first, names.second, value, other});
      } else {
        differences.equal += value ? 1 : 0;
      }
    }
  }
  for (std::size_t r = 0; r < there.rows.size(); ++r) {
    for (std::size_t s = 0; s < there.series.size(); ++s) {
      const Names names{there.rows[r].label, there.series[s].name};
      if (!there.cells[r][s] || seen.count(names) != 0) continue;
      differences.differ.push_back({figure, names.first, names.second, std::nullopt, there.cells[r][s]});
    }
  }
  if (here.extra != there.extra) differences.drawings.push_back(figure);
}

}  // namespace

NumberDifferences number_differences(const std::vector<const FigureDefinition*>& figures,
                                     const PaperResults& here, const PaperResults& there,
                                     const std::string& size) {
  NumberDifferences differences;
  for (const FigureDefinition* figure : figures) {
    const FigureTable* const ours = here.table(figure->id(), size);
    if (ours == nullptr || ours->rows.empty()) continue;
    const FigureTable* const theirs = there.table(figure->id(), size);
    if (theirs == nullptr) {
      differences.not_there.push_back(figure->name);
    } else {
      compare(figure->name, *ours, *theirs, differences);
    }
  }
  return differences;
}

std::string differences_report(const NumberDifferences& differences, const std::string& folder,
                               OutputFormat format) {
  Document document(format);
  document.heading(fmt::format("Against {}", folder));
  std::string counts =
      fmt::format("{} numbers are equal, {} differ", differences.equal, differences.differ.size());
  if (differences.not_run != 0) counts += fmt::format(", of {} points are missing here", differences.not_run);
  if (!differences.not_there.empty())
    counts += fmt::format(". It doesn't have {} in this size", fmt::join(differences.not_there, ", "));
  if (!differences.drawings.empty())
    counts += fmt::format(". What is drawn differs in {}", fmt::join(differences.drawings, ", "));
  document.paragraph(counts + ".\n");
  Table table({{"figure", "", Kind::kText, Rank::kKey},
               {"row", "", Kind::kText, Rank::kKey},
               {"series", "", Kind::kText, Rank::kKey},
               {"here", "here", Kind::kFigure},
               {"there", "there", Kind::kFigure}});
  for (const NumberDifference& number : differences.differ)
    table.add({number.figure, number.row, number.series, cell(number.here), cell(number.there)});
  if (!table.empty()) document.table(table);
  return document.text();
}

}  // namespace heddle
