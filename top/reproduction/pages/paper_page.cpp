#include "top/reproduction/pages/paper_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "top/reproduction/charts/value_axis.h"
#include "top/reproduction/figures/figure_evaluation.h"
#include "top/reproduction/figures/headline.h"
#include "top/reproduction/pages/figure_comparison.h"
#include "top/reproduction/pages/figure_picture.h"
#include "top/reproduction/pages/shown_time.h"

namespace heddle {

namespace {

constexpr std::size_t kFewRows = 24;

std::string nearness(const Headline& headline) {
  switch (headline.closeness()) {
    case Closeness::kWithinAThird:
      return "yes";
    case Closeness::kFurther:
      return "no";
    default:
      return "not run";
  }
}

/// What a figure's definition leaves to its headline's format.
FigureFormat format_of(const PaperDefinition& paper, const HeadlineDefinition& headline) {
  return paper.find(headline.figure)->format;
}

std::string experiments_part(const PaperResults& results) {
  std::string text =
      "| experiment | size | points | complete | processor time |\n| --- | --- | ---: | ---: | ---: |\n";
  std::string failed;
  for (const auto& [experiment, sizes] : results.experiments) {
    for (const auto& [size, summary] : sizes) {
      text += fmt::format(
          "| {} | {} | {} | {} | {} |\n", experiment, size, summary.points, summary.complete,
          shown_time(summary.cpu_seconds, summary.complete != 0, summary.complete == summary.points));
      for (const std::string& point : summary.failed)
        failed += fmt::format("- {}, {}: {}\n", experiment, size, point);
    }
  }
  if (!failed.empty()) text += "\nPoints that did not complete:\n\n" + failed;
  return text;
}

std::string table_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

/// "1.052 (1.120)": ours, and the paper's in brackets.
std::string both(const FigureDefinition& figure, const FigureTable& table, std::size_t row,
                 std::size_t series) {
  const FigureFormat format = table.rows[row].counts ? FigureFormat::kCount : figure.format;
  std::string ours = shown_or_dash(table.cells[row][series], format);
  for (const PaperNumber& number : figure.paper) {
    if (number.row == table.rows[row].label && number.series == table.series[series].name)
      return fmt::format("{} ({})", ours, shown_paper_number(number, format));
  }
  return ours;
}

/// Rows of the table that `wanted` takes, with the paper's numbers in brackets.
template <typename Wanted>
std::string rows_part(const FigureDefinition& figure, const FigureTable& table, const Wanted& wanted) {
  std::vector<std::string> heading{table.row_heading};
  std::string line = "| --- |";
  for (const FigureTable::Series& series : table.series) {
    heading.push_back(series.name);
    line += " ---: |";
  }
  std::string text;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (!wanted(r)) continue;
    std::vector<std::string> cells{table.rows[r].label};
    for (std::size_t s = 0; s < table.series.size(); ++s) cells.push_back(both(figure, table, r, s));
    text += table_row(cells);
  }
  return text.empty() ? "" : table_row(heading) + line + "\n" + text;
}

/// "mean of 11 of 12 rows (OAWS-Dyn)": a summary of which some rows have no value, and in which series if not
/// in all.
std::vector<std::string> partial_summaries(const FigureDefinition& figure, const FigureTable& table,
                                           const SummaryDefinition& summary) {
  const std::vector<std::size_t> rows = summarized_rows(figure, table, summary);
  std::map<std::size_t, std::vector<std::string>> series_by_count;
  for (std::size_t s = 0; s < table.series.size(); ++s) {
    const auto count = static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [&](std::size_t r) { return table.cells[r][s].has_value(); }));
    if (count != 0 && count != rows.size()) series_by_count[count].push_back(table.series[s].name);
  }
  std::vector<std::string> texts;
  for (const auto& [count, series] : series_by_count) {
    texts.push_back(fmt::format("{} of {} of {} rows", summary.label, count, rows.size()));
    if (series.size() != table.series.size()) texts.back() += fmt::format(" ({})", fmt::join(series, ", "));
  }
  return texts;
}

/// Which summaries stand for a part of their rows; "" when none does.
std::string partial_part(const FigureDefinition& figure, const FigureTable& table) {
  std::vector<std::string> texts;
  for (const SummaryDefinition& summary : figure.summary) {
    const std::vector<std::string> more = partial_summaries(figure, table, summary);
    texts.insert(texts.end(), more.begin(), more.end());
  }
  return texts.empty() ? "" : fmt::format("Rows without a value are left out: {}.\n", fmt::join(texts, "; "));
}

/// What the paper gives for single rows.
std::string numbers_part(const FigureDefinition& figure, const FigureTable& table) {
  std::string text;
  for (const ComparedNumber& number : compared_numbers(figure, table)) {
    const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                  [&](const auto& one) { return one.label == number.paper->row; });
    if (row != table.rows.end() && row->summary) continue;
    const auto ratio = number.ratio();
    text +=
        table_row({number.paper->row, number.paper->series, shown_paper_number(*number.paper, figure.format),
                   shown_or_dash(number.ours, figure.format), ratio ? fmt::format("{:.2f}", *ratio) : "-",
                   number.paper->section});
  }
  if (text.empty()) return "";
  return "| | | the paper | here | here over the paper | section |\n| --- | --- | ---: | ---: | ---: | --- "
         "|\n" +
         text;
}

/// Whether all points of the figure's experiments are complete.
bool all_complete(const FigureDefinition& figure, const PaperResults& results, const std::string& size) {
  const std::vector<std::string> names = figure.experiments();
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto experiment = results.experiments.find(name);
    if (experiment == results.experiments.end()) return false;
    const auto ran = experiment->second.find(size);
    return ran != experiment->second.end() && ran->second.complete == ran->second.points;
  });
}

/// Of a table with cells that have no value how many do, and why the others don't.
std::string how_many_values(const FigureDefinition& figure, const FigureTable& table,
                            const PaperResults& results, const std::string& size) {
  if (table.filled() == table.size()) return "";
  return fmt::format("; {} of {} values are there: {}", table.filled(), table.size(),
                     all_complete(figure, results, size)
                         ? "the runs, all complete, have nothing of the others"
                         : "points are missing");
}

std::string figure_part(const PaperDefinition& paper, const FigureDefinition& figure,
                        const PaperResults& results) {
  std::string text = fmt::format("## {}: {}\n\n", figure.name, figure.title);
  const std::string size = results.size_of(figure.id());
  std::string told = figure.section.empty() ? "" : fmt::format("Section {} of the paper. ", figure.section);
  if (size.empty()) {
    text += told + "Not run yet.\n";
  } else {
    const FigureTable& table = *results.table(figure.id());
    text += told + (size == kFullSize ? "Full size" : "Of the quick sizes") +
            how_many_values(figure, table, results, size) + ".\n";
    if (figure.drawing == FigureDrawing::kTable) {
      text += "\n" + rows_part(figure, table, [](std::size_t) { return true; });
      if (!figure.paper.empty()) text += "\nIn brackets the paper's.\n";
    } else {
      if (!table.rows.empty())
        text += fmt::format("\n![{}]({})\n", figure.name, picture_file(paper.id, figure));
      // A picture of a class of its own may leave out what its table has.
      const bool all = !figure.by.empty() && table.rows.size() <= kFewRows;
      const std::string summary =
          rows_part(figure, table, [&](std::size_t r) { return all || table.rows[r].summary; });
      if (!summary.empty()) text += "\n" + summary;
      if (!summary.empty() && !figure.paper.empty()) text += "\nIn brackets the paper's.\n";
      const std::string numbers = all ? "" : numbers_part(figure, table);
      if (!numbers.empty()) text += "\n" + numbers;
    }
    const std::string partial = partial_part(figure, table);
    if (!partial.empty()) text += "\n" + partial;
  }
  if (!figure.note.empty()) text += "\n" + figure.note + (figure.note.back() == '\n' ? "" : "\n");
  return text;
}

}  // namespace

std::string headline_heading(bool paper_column) {
  return std::string(paper_column ? "| paper " : "") +
         "| figure | section | the paper | here | of the paper's gain | within a third | full size | quick "
         "|\n" +
         (paper_column ? "| --- " : "") + "| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |\n";
}

std::string headline_rows(const PaperDefinition& paper, const PaperResults& results, bool paper_column,
                          const std::string& name) {
  std::string text;
  for (const Headline& headline : headlines_of(paper, results)) {
    const HeadlineDefinition& definition = *headline.definition;
    const FigureFormat format = format_of(paper, definition);
    const auto share = headline.share_of_gain();
    std::vector<std::string> cells{definition.name,
                                   definition.section,
                                   shown_value(definition.paper, format),
                                   shown_or_dash(headline.ours(), format),
                                   share ? shown_value(*share, FigureFormat::kPercent) : "",
                                   nearness(headline),
                                   shown_or_dash(headline.full, format),
                                   shown_or_dash(headline.quick, format)};
    if (paper_column) cells.insert(cells.begin(), name);
    text += table_row(cells);
  }
  return text;
}

std::string paper_page(const PaperDefinition& paper, const PaperResults& results) {
  std::string text = fmt::format(
      "# {}\n\n{}: {}. The machine is `configs/{}.yaml`.\n\nWritten by `heddle reproduce {} --out "
      "docs/reproduction` from "
      "`experiments/{}/figures.yaml` and its results: change that file, not this page. In pictures our "
      "values are "
      "filled, the paper's numbers are hollow diamonds (triangles: bounds), as far as its text and tables "
      "give them; "
      "what it shows as a picture only is not read off.\n",
      "Reproduction of " + paper.paper, paper.authors, paper.title, paper.config, paper.id, paper.id);
  if (!paper.about.empty()) text += "\n" + paper.about + (paper.about.back() == '\n' ? "" : "\n");
  if (!paper.headlines.empty())
    text += "\n## Headline figures\n\n" + headline_heading(false) + headline_rows(paper, results, false);
  for (const HeadlineDefinition& headline : paper.headlines) {
    if (headline.investigated.empty()) continue;
    text += fmt::format("\n**{}.** {}", headline.name, headline.investigated);
    if (text.back() != '\n') text += "\n";
  }
  if (!results.experiments.empty()) text += "\n## What was run\n\n" + experiments_part(results);
  for (const FigureDefinition& figure : paper.figures) text += "\n" + figure_part(paper, figure, results);
  return text;
}

}  // namespace heddle
