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

TEST(ProcessorTime, OnSeveralProcessorsIsTheShareOfEachAndTheLongestPoint) {
  ReproducedPaper paper;
  paper.definition.paper = "P";
  paper.definition.headlines.emplace_back();
  paper.definition.headlines.front().figure = "Figure 1";
  paper.definition.figures.emplace_back();
  paper.definition.figures.front().name = "Figure 1";
  RanExperiment quick;
  quick.cpu_seconds = 540;
  quick.longest_seconds = 60;
  RanExperiment full;
  full.cpu_seconds = 38400;
  full.longest_seconds = 6400;
  paper.results.experiments["e"] = {{kQuickSize, quick}, {kFullSize, full}};
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

}  // namespace
}  // namespace heddle
