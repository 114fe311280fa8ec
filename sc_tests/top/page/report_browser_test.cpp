#include <cmath>

#include "sc_tests/top/page/report_browser_fixture.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

class ReportInBrowser : public BrowsedReport {
 protected:
  void SetUp() override {
    BrowsedReport::SetUp();
    if (IsSkipped()) return;
    for (const char* scheduler : {"gto", "lrr"}) {
      for (const char* workload : {"vector_add", "bfs"}) {
        const ProgramOutcome made =
            run({"run", workload, "--scheduler", scheduler, "--set", "core.sms=4", "--quiet", "--out",
                 std::string("runs/") + workload + "-" + scheduler});
        ASSERT_EQ(made.code, 0) << made.err;
      }
    }
    report({"runs"});
    EXPECT_EQ(read("stdout.txt"), "Report of 4 run(s) in report.html\n");
  }

  double metric(const std::string& run, const std::string& name) const {
    return stats("runs/" + run).at("metrics").at(name);
  }
};

TEST_F(ReportInBrowser, ChartsHaveTheNumbersOfTheResults) {
  const std::string page = this->page();
  const auto issue = bars(page, "issue-chart");
  const auto l1d = bars(page, "l1d-chart");
  const auto energy = bars(page, "energy-chart");
  for (const char* workload : {"vector_add", "bfs"}) {
    for (const char* scheduler : {"gto", "lrr"}) {
      const std::string run = std::string(workload) + "-" + scheduler;
      const std::string row = std::string(workload) + ", " + scheduler + "|";
      EXPECT_DOUBLE_EQ(issue.at(row + "issued"), metric(run, "scheduler_share_issued")) << run;
      double shares = 0;
      for (const auto& [name, value] : issue) shares += name.find(row) == 0 ? value : 0;
      EXPECT_NEAR(shares, 1, 1e-9) << run << ": the causes add up";
      EXPECT_DOUBLE_EQ(l1d.at(row + "misses"), metric(run, "l1d_miss_rate")) << run;
      double millijoules = 0;
      for (const auto& [name, value] : energy) millijoules += name.find(row) == 0 ? value : 0;
      EXPECT_NEAR(millijoules, metric(run, "energy") / 1e6, 1e-9 + millijoules * 1e-9) << run;
    }
  }
  const auto speedup = bars(page, "speedup-chart");
  const double of_bfs = metric("bfs-gto", "cycles") / metric("bfs-lrr", "cycles");
  const double of_add = metric("vector_add-gto", "cycles") / metric("vector_add-lrr", "cycles");
  EXPECT_NEAR(speedup.at("bfs|lrr"), of_bfs, 1e-12);
  EXPECT_NEAR(speedup.at("geometric mean|lrr"), std::sqrt(of_bfs * of_add), 1e-12);
  EXPECT_NEAR(speedup.at("geometric mean|gto"), 1, 1e-12);
}

TEST_F(ReportInBrowser, EveryChartHasALabelATableAndIsSaved) {
  const std::string page = browse({"--dump-dom"});
  const auto count = [&page](const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = page.find(what, at)) != std::string::npos; at += what.size()) ++found;
    return found;
  };
  const std::size_t figures = count("<figure ");
  EXPECT_GE(figures, 7U);
  EXPECT_EQ(count("role=\"img\""), figures);
  EXPECT_EQ(count("<summary>Numbers</summary>"), figures);
  EXPECT_EQ(count("aria-label=\"Save as SVG: "), figures);
  EXPECT_EQ(count("aria-label=\"Save as PNG: "), figures);
}

TEST_F(ReportInBrowser, LightDarkNarrowAndWide) {
  const fs::path kept = fs::path(::testing::TempDir()) / "heddle-report-screenshots";
  fs::create_directories(kept);
  for (const char* width : {"480", "1400"}) {
    const std::string picture = (kept / (std::string("light-") + width + ".png")).string();
    fs::remove(picture);
    browse({"--screenshot=" + picture, std::string("--window-size=") + width + ",3000"});
    EXPECT_GT(fs::file_size(picture), 20000U) << picture;
  }
  const std::string dark = (kept / "dark.png").string();
  browse({"--blink-settings=preferredColorScheme=0", "--screenshot=" + dark, "--window-size=1400,3000"});
  EXPECT_THAT(browse({"--blink-settings=preferredColorScheme=0", "--dump-dom"}),
              HasSubstr("data-theme=\"dark\""));
  EXPECT_THAT(browse({"--dump-dom"}), HasSubstr("data-theme=\"light\""));
}

}  // namespace
}  // namespace heddle
