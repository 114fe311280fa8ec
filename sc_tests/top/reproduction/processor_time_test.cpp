// What the runs of papers took, in their summaries and on the page of all papers.
#include <gtest/gtest.h>

#include "sc_tests/top/reproduction/made_up_points.h"
#include "sc_tests/top/reproduction/page_text.h"
#include "top/reproduction/pages/index_page.h"
#include "top/reproduction/run/paper_run.h"

namespace heddle {
namespace {

ResultPoint point_of(const std::string& id, double seconds) {
  ResultPoint point = test::made_up_point({{"workload", id}}, {});
  point.id = id;
  point.cpu_seconds = seconds;
  return point;
}

TEST(ProcessorTime, OfAPointOfSeveralExperimentsCountsOnce) {
  std::set<std::string> counted;
  const RanExperiment first = ran_experiment({point_of("a", 30), point_of("b", 50)}, counted);
  const RanExperiment second = ran_experiment({point_of("b", 50), point_of("c", 7)}, counted);
  EXPECT_EQ(first.cpu_seconds, 80);
  EXPECT_EQ(first.longest_seconds, 50);
  EXPECT_EQ(second.points, 2U);
  EXPECT_EQ(second.complete, 2U);
  EXPECT_EQ(second.cpu_seconds, 7);
  EXPECT_EQ(second.longest_seconds, 7);
}

/// Without anything that was run.
ReproducedPaper paper_without_results() {
  ReproducedPaper paper;
  paper.definition.paper = "P";
  paper.definition.headlines.emplace_back();
  paper.definition.headlines.front().figure = "Figure 1";
  paper.definition.figures.emplace_back();
  paper.definition.figures.front().name = "Figure 1";
  paper.experiments = {{kQuickSize, {"e"}}, {kFullSize, {"e", "f"}}};
  return paper;
}

RanExperiment ran(std::size_t points, std::size_t complete, double seconds, double longest) {
  RanExperiment experiment;
  experiment.points = points;
  experiment.complete = complete;
  experiment.cpu_seconds = seconds;
  experiment.longest_seconds = longest;
  return experiment;
}

TEST(ProcessorTime, OnSeveralProcessorsIsTheShareOfEachAndTheLongestPoint) {
  ReproducedPaper paper = paper_without_results();
  paper.results.experiments["e"] = {{kQuickSize, ran(9, 9, 540, 60)}, {kFullSize, ran(9, 9, 38400, 6400)}};
  paper.results.experiments["f"] = {{kFullSize, ran(1, 1, 0, 0)}};
  ReproducedPaper study = paper;
  study.definition.paper = "Study";
  study.definition.headlines.clear();
  const std::string page = index_page({paper, paper, study});
  // 540 / 2 + 60 / 2 seconds, and 38400 / 64 + 6400 * 63 / 64.
  EXPECT_TRUE(test::has(page, "| P | 9.0 min | 5.0 min | 640.0 min | 106.7 min | 115.0 min |")) << page;
  EXPECT_TRUE(test::has(page, "| Study | 9.0 min | 5.0 min | 640.0 min | 106.7 min | 115.0 min |")) << page;
  EXPECT_TRUE(test::has(page, "| the papers | 18.0 min | 9.5 min | 1280.0 min | 106.7 min | 125.0 min |"))
      << page;
}

TEST(ProcessorTime, IsNoneOfWhatWasNotRun) {
  ReproducedPaper paper = paper_without_results();
  paper.results.experiments["e"] = {{kQuickSize, ran(9, 0, 0, 0)}};
  const std::string page = index_page({paper});
  EXPECT_TRUE(test::has(page, "| P | - | - | - | - | - |")) << page;
  EXPECT_TRUE(test::has(page, "| the papers | - | - | - | - | - |")) << page;
}

TEST(ProcessorTime, IsAtLeastThatOfWhatThereIsWherePointsAreMissing) {
  ReproducedPaper paper = paper_without_results();
  paper.results.experiments["e"] = {{kQuickSize, ran(9, 8, 540, 60)}, {kFullSize, ran(9, 9, 3840, 120)}};
  const ReproducedPaper not_run = paper_without_results();
  const std::string page = index_page({paper, not_run});
  // 540 / 2 seconds; 3840 / 64 is less than the longest. Of full size the whole experiment f is missing.
  EXPECT_TRUE(test::has(page,
                        "| P | at least 9.0 min | at least 4.5 min | at least 64.0 min | at least 2.0 min | "
                        "at least 2.0 min |"))
      << page;
  paper.results.experiments["e"][kQuickSize].complete = 9;
  EXPECT_TRUE(test::has(index_page({paper, not_run}), "| P | 9.0 min | 5.0 min | at least")) << page;
  EXPECT_TRUE(test::has(index_page({paper, not_run}), "| the papers | at least 9.0 min |")) << page;
}

}  // namespace
}  // namespace heddle
