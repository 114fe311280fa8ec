#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sc_tests/support/paths.h"
#include "sc_tests/top/reproduction/page_text.h"
#include "top/reproduction/definition/paper_definition.h"
#include "top/reproduction/definition/paper_files.h"
#include "top/reproduction/pages/paper_page.h"
#include "top/reproduction/pages/reproduction_files.h"
#include "top/reproduction/pages/reproduction_report.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

using test::contents;
using test::has;

/// A paper with a figure of one row, whose mean the paper has as 1.12.
PaperDefinition small_paper() {
  PaperDefinition paper;
  paper.id = "pro";
  paper.paper = "PRO";
  paper.title = "T";
  paper.authors = "A";
  paper.config = "pro";
  FigureDefinition figure;
  figure.name = "Figure 4";
  figure.title = "Performance";
  figure.section = "IV";
  figure.paper = {{{}, "mean", "over LRR", 1.12, PaperBound::kExact, "IV"},
                  {{}, "AES", "over LRR", 1.3, PaperBound::kExact, "IV"}};
  figure.note = "A note.";
  paper.figures = {figure};
  paper.headlines = {{"PRO over LRR", "Figure 4", "mean", "over LRR", 1.12, "IV", true, "Why."}};
  return paper;
}

PaperResults small_results(const std::string& size) {
  PaperResults results;
  FigureTable& table = results.figures["figure_4"][size];
  table.series = {{"over LRR", ""}};
  table.rows = {{"AES"}, {"mean", true}};
  table.cells = {{1.17}, {1.06}};
  results.experiments["schedulers"][size] = {2, 1, {"workload b: deadlock"}, 90};
  return results;
}

TEST(PaperPage, HasThePapersNumbersBesideOurs) {
  const std::string page = paper_page(small_paper(), small_results(kFullSize));
  EXPECT_TRUE(has(page, "| PRO over LRR | IV | 1.120 | 1.060 | 50.0% | no | 1.060 | - |\n")) << page;
  EXPECT_TRUE(has(page, "**PRO over LRR.** Why."));
  EXPECT_TRUE(has(page, "| schedulers | full | 2 | 1 | at least 1.5 min |"));
  EXPECT_TRUE(has(page, "- schedulers, full: workload b: deadlock"));
  EXPECT_TRUE(has(page, "![Figure 4](pictures/pro_figure_4.svg)"));
  EXPECT_TRUE(has(page, "| mean | 1.060 (1.120) |"));
  EXPECT_TRUE(has(page, "| AES | over LRR | 1.300 | 1.170 | 0.90 | IV |"));
  EXPECT_TRUE(has(page, "A note."));
}

TEST(PaperPage, HasNoTableOfHeadlinesWithoutAny) {
  PaperDefinition study = small_paper();
  study.headlines.clear();
  EXPECT_FALSE(has(paper_page(study, small_results(kFullSize)), "## Headline figures"));
}

TEST(PaperPage, TellsWhatWasNotRun) {
  const std::string page = paper_page(small_paper(), {});
  EXPECT_TRUE(has(page, "Section IV of the paper. Not run yet."));
  EXPECT_FALSE(has(page, "!["));
  EXPECT_TRUE(has(page, "| PRO over LRR | IV | 1.120 | - |  | not run | - | - |"));
}

TEST(PaperPage, TellsValuesThatMayComeFromThoseThatCannot) {
  PaperDefinition paper = small_paper();
  paper.figures[0].experiment = "schedulers";
  PaperResults results = small_results(kFullSize);
  EXPECT_TRUE(has(paper_page(paper, results), "Section IV of the paper. Full size.\n"));
  results.figures["figure_4"][kFullSize].cells[0][0].reset();
  EXPECT_TRUE(has(paper_page(paper, results), "Full size; 0 of 1 values are there: points are missing.\n"));
  results.experiments["schedulers"][kFullSize].complete = 2;
  EXPECT_TRUE(
      has(paper_page(paper, results),
          "Full size; 0 of 1 values are there: the runs, all complete, have nothing of the others.\n"));
  // What a choice of points takes from another experiment may still come.
  paper.figures[0].points["swl"].experiment = "limits";
  EXPECT_TRUE(has(paper_page(paper, results), "points are missing.\n"));
}

/// Three benchmarks under two schedulers, of which the first has no value in `missing` rows of series "a".
FigureTable three_rows(std::size_t missing) {
  FigureTable table;
  table.series = {{"a", ""}, {"b", ""}};
  table.rows = {{"AES"}, {"BFS"}, {"CP"}, {"all", true}, {"memory", true}};
  table.cells = {{1.1, 1.2}, {1.3, 1.4}, {1.5, 1.6}, {1.3, 1.4}, {1.4, 1.5}};
  for (std::size_t row = 0; row < missing; ++row) table.cells[row][0].reset();
  return table;
}

TEST(PaperPage, TellsOfHowManyRowsASummaryIs) {
  PaperDefinition paper = small_paper();
  FigureDefinition& figure = paper.figures[0];
  figure.rows = {
      {"AES", {}, "", "arithmetic", {}}, {"BFS", {}, "", "memory", {}}, {"CP", {}, "", "memory", {}}};
  figure.summary = {{"all", Fold::kMean, {}}, {"memory", Fold::kMean, {"memory"}}};
  const auto page = [&](std::size_t missing) {
    PaperResults results;
    results.figures["figure_4"][kFullSize] = three_rows(missing);
    return paper_page(paper, results);
  };
  EXPECT_FALSE(has(page(0), "Rows without a value"));
  EXPECT_TRUE(has(page(1), "\nRows without a value are left out: all of 2 of 3 rows (a).\n")) << page(1);
  EXPECT_TRUE(has(page(2), "left out: all of 1 of 3 rows (a); memory of 1 of 2 rows (a).\n")) << page(2);
  // A series without any value has no summary that could be mistaken.
  EXPECT_FALSE(has(page(3), "Rows without a value"));
}

TEST(PaperPage, TellsThatItsFiguresAreQuickOnes) {
  const std::string page = paper_page(small_paper(), small_results(kQuickSize));
  EXPECT_TRUE(has(page, "Section IV of the paper. Of the quick sizes.")) << page;
  EXPECT_TRUE(has(page, "| - | 1.060 |\n"));
}

TEST(ReproductionReport, GivesALineForEachValueToPrograms) {
  const PaperDefinition paper = small_paper();
  const std::string csv = reproduction_report(paper, {&paper.figures[0]}, small_results(kQuickSize),
                                              kQuickSize, OutputFormat::kCsv);
  EXPECT_TRUE(has(csv, "pro,figure_4,quick,mean,over LRR,1.06,1.12,,")) << csv;
  EXPECT_TRUE(has(csv, "pro,figure_4,quick,AES,over LRR,1.17,1.3,,"));
  const std::string text = reproduction_report(paper, {&paper.figures[0]}, small_results(kQuickSize),
                                               kQuickSize, OutputFormat::kText);
  EXPECT_TRUE(has(text, "PRO Figure 4: Performance (quick)")) << text;
}

/// What stands in docs/reproduction is what its definitions and its numbers give.
TEST(ReproductionPages, AreThoseOfTheirNumbers) {
  const fs::path folder = fs::path(test::source_dir()) / "docs" / "reproduction";
  std::size_t papers = 0;
  for (const std::string& id : defined_papers()) {
    if (!fs::exists(folder / (id + ".json"))) continue;
    ++papers;
    const PaperDefinition paper = load_paper_definition(paper_definition_file(id), id);
    for (const auto& [name, text] : paper_files(paper, load_paper_results(folder.string(), id))) {
      EXPECT_TRUE(contents(folder / name) == text)
          << name << " is not what `heddle reproduce " << id << " --redraw --out docs/reproduction` writes";
    }
  }
  EXPECT_GT(papers, 0U);
  EXPECT_TRUE(contents(folder / "README.md") == index_of(folder.string()));
}

TEST(ReproductionPages, HaveNoPictureThatNobodyShows) {
  const fs::path folder = fs::path(test::source_dir()) / "docs" / "reproduction";
  std::string pages;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".md") pages += contents(entry.path());
  }
  if (!fs::exists(folder / "pictures")) return;
  for (const auto& entry : fs::directory_iterator(folder / "pictures")) {
    EXPECT_TRUE(has(pages, "(pictures/" + entry.path().filename().string() + ")")) << entry.path();
  }
}

}  // namespace
}  // namespace heddle
