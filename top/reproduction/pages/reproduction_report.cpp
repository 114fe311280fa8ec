#include "top/reproduction/pages/reproduction_report.h"

#include <fmt/format.h>

#include "top/reproduction/figures/headline.h"
#include "top/reproduction/pages/figure_comparison.h"
#include "top/text/document.h"
#include "top/text/table.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;

Kind kind_of(FigureFormat format) {
  switch (format) {
    case FigureFormat::kPercent:
      return Kind::kPercent;
    case FigureFormat::kCount:
      return Kind::kFigure;
    default:
      return Kind::kDecimal;
  }
}

const char* bound_name(PaperBound bound) {
  switch (bound) {
    case PaperBound::kAtLeast:
      return "at least";
    case PaperBound::kAtMost:
      return "at most";
    default:
      return "";
  }
}

Table table_of(const FigureDefinition& figure, const FigureTable& table) {
  std::vector<TableColumn> columns{{"row", table.row_heading, Kind::kText, Rank::kKey}};
  for (const FigureTable::Series& series : table.series)
    columns.push_back({series.name, series.name, kind_of(figure.format)});
  Table shown(std::move(columns));
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    std::vector<Table::Cell> cells{table.rows[r].label};
    for (const auto& value : table.cells[r]) cells.push_back(cell(value));
    shown.add(std::move(cells));
  }
  return shown;
}

Table comparison_of(const FigureDefinition& figure, const FigureTable& table) {
  Table shown({{"row", "", Kind::kText, Rank::kKey},
               {"series", "", Kind::kText, Rank::kKey},
               {"bound", "", Kind::kText, Rank::kDetail},
               {"paper", "the paper", kind_of(figure.format)},
               {"ours", "here", kind_of(figure.format)},
               {"ratio", "here over the paper", Kind::kDecimal},
               {"section", "section", Kind::kText, Rank::kDetail}});
  for (const ComparedNumber& number : compared_numbers(figure, table)) {
    shown.add({number.paper->row, number.paper->series, bound_name(number.paper->bound), number.paper->value,
               cell(number.ours), cell(number.ratio()), number.paper->section});
  }
  return shown;
}

Table headline_table(const PaperDefinition& paper, const PaperResults& results) {
  Table shown({{"name", "headline", Kind::kText, Rank::kKey},
               {"paper", "the paper", Kind::kDecimal},
               {"ours", "here", Kind::kDecimal},
               {"ratio", "here over the paper", Kind::kDecimal},
               {"share", "of its gain", Kind::kPercent}});
  for (const Headline& headline : headlines_of(paper, results)) {
    shown.add({headline.definition->name, headline.definition->paper, cell(headline.ours()),
               cell(headline.ratio()), cell(headline.share_of_gain())});
  }
  return shown;
}

/// A line for each value, and for each number of the paper that has none.
Table long_table(const PaperDefinition& paper, const std::vector<const FigureDefinition*>& figures,
                 const PaperResults& results, const std::string& size, const PaperResults* there) {
  std::vector<TableColumn> columns{{"paper", "paper"},
                                   {"figure", "figure"},
                                   {"size", "size"},
                                   {"row", "row"},
                                   {"series", "series"},
                                   {"ours", "ours", Kind::kFigure},
                                   {"paper_value", "paper's", Kind::kFigure},
                                   {"bound", "bound"},
                                   {"ratio", "ratio", Kind::kFigure},
                                   {"section", "section"}};
  if (there != nullptr) columns.push_back({"there", "there", Kind::kFigure});
  Table shown(std::move(columns));
  for (const FigureDefinition* figure : figures) {
    const FigureTable* const table = results.table(figure->id(), size);
    if (table == nullptr) continue;
    const FigureTable* const other = there == nullptr ? nullptr : there->table(figure->id(), size);
    for (std::size_t r = 0; r < table->rows.size(); ++r) {
      for (std::size_t s = 0; s < table->series.size(); ++s) {
        std::vector<Table::Cell> line{paper.id,
                                      figure->id(),
                                      size,
                                      table->rows[r].label,
                                      table->series[s].name,
                                      cell(table->cells[r][s])};
        const PaperNumber* found = nullptr;
        for (const PaperNumber& number : figure->paper) {
          if (number.row == table->rows[r].label && number.series == table->series[s].name) found = &number;
        }
        if (found == nullptr) {
          line.insert(line.end(), {nullptr, nullptr, nullptr, nullptr});
        } else {
          const ComparedNumber compared{found, table->cells[r][s]};
          line.insert(line.end(),
                      {found->value, bound_name(found->bound), cell(compared.ratio()), found->section});
        }
        if (there != nullptr) {
          line.push_back(cell(other == nullptr ? std::nullopt
                                               : other->value(table->rows[r].label, table->series[s].name)));
        }
        shown.add(std::move(line));
      }
    }
  }
  return shown;
}

}  // namespace

std::string reproduction_report(const PaperDefinition& paper,
                                const std::vector<const FigureDefinition*>& figures,
                                const PaperResults& results, const std::string& size, OutputFormat format,
                                const PaperResults* there) {
  if (format == OutputFormat::kCsv || format == OutputFormat::kJson)
    return long_table(paper, figures, results, size, there).print(format);
  Document document(format);
  for (const FigureDefinition* figure : figures) {
    const FigureTable* const table = results.table(figure->id(), size);
    document.heading(fmt::format("{} {}: {} ({})", paper.paper, figure->name, figure->title, size));
    if (table == nullptr || table->rows.empty()) {
      document.paragraph("Nothing of it was run.\n");
      continue;
    }
    document.table(table_of(*figure, *table));
    const Table comparison = comparison_of(*figure, *table);
    if (!comparison.empty()) document.table(comparison);
  }
  PaperResults of_size;
  for (const auto& [figure, sizes] : results.figures) {
    const auto found = sizes.find(size);
    if (found != sizes.end()) of_size.figures[figure][size] = found->second;
  }
  const Table headlines = headline_table(paper, of_size);
  if (!headlines.empty()) {
    document.heading(fmt::format("{}: headline figures ({})", paper.paper, size));
    document.table(headlines);
  }
  return document.text();
}

}  // namespace heddle
