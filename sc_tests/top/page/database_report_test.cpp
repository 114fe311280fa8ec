// The report of a database of experiments: its page is that of the same runs in folders.
#include "sc_tests/top/page/report_browser_fixture.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

class DatabaseReport : public BrowsedReport {
 protected:
  void SetUp() override {
    BrowsedReport::SetUp();
    if (IsSkipped()) return;
    write("sweep.yaml",
          "configs: [gtx480]\nschedulers: [gto, lrr]\n"
          "set: {core.sms: 1}\naxes: {l1d.mshr.entries: [16, 32]}\n"
          "workloads:\n  - {workload: vector_add, params: {n: 2048}}\n");
  }

  void sweep() {
    const ProgramOutcome swept =
        run({"sweep", "sweep.yaml", "--db", "study.sqlite", "--jobs", "1", "--quiet"});
    ASSERT_EQ(swept.code, 0) << swept.err << swept.out;
  }
};

TEST_F(DatabaseReport, ShowsItsPointsAsTheSameRunsInFolders) {
  if (IsSkipped()) return;
  sweep();
  report({"study.sqlite"});
  EXPECT_EQ(read("stdout.txt"), "Report of 4 runs in report.html\n");
  const std::string page = this->page();
  const ProgramOutcome alone =
      run({"run", "vector_add", "--scheduler", "lrr", "--param", "n=2048", "--set", "core.sms=1", "--set",
           "l1d.mshr.entries=16", "--quiet", "--out", "alone"});
  ASSERT_EQ(alone.code, 0) << alone.err;
  const nlohmann::json metrics = stats("alone").at("metrics");
  const std::string row = "lrr, mshr.entries=16|";
  EXPECT_DOUBLE_EQ(bars(page, "issue-chart").at(row + "issued"),
                   metrics.at("scheduler_share_issued").get<double>());
  EXPECT_DOUBLE_EQ(bars(page, "l1d-chart").at(row + "misses"), metrics.at("l1d_miss_rate").get<double>());
  const auto lines = this->lines(page, "sweep-l1d-mshr-entries-ipc_warp");
  ASSERT_EQ(lines.at("lrr").size(), 2U);
  EXPECT_EQ(lines.at("lrr")[0], std::pair(16.0, metrics.at("ipc_warp").get<double>()));
  EXPECT_THAT(element(page, "section", "runs"), HasSubstr("<td>right</td>"));
  EXPECT_THAT(element(page, "section", "configuration"), HasSubstr("--set l1d.mshr.entries=32"));

  // Beside a folder with the same run: nothing differs.
  report({"alone", "study.sqlite"});
  EXPECT_THAT(element(this->page(), "section", "differences"), HasSubstr("0 of "));
}

TEST_F(DatabaseReport, TellsWhatCannotBeShown) {
  if (IsSkipped()) return;
  const auto refusal = [this](const std::string& what) {
    const ProgramOutcome refused = run({"report", what});
    EXPECT_EQ(refused.code, 3) << what;
    EXPECT_FALSE(fs::exists(folder_ / "report.html"));
    return refused.err;
  };
  EXPECT_THAT(refusal("sweep.yaml"),
              HasSubstr("sweep.yaml: expected a folder with results, or a database of"));
  EXPECT_THAT(refusal("nothing.sqlite"), HasSubstr("nothing.sqlite: there is no such folder or database"));
  write("study.sqlite", "");
  EXPECT_THAT(refusal("."), HasSubstr("of a database it is `heddle report ./study.sqlite`"));
}

}  // namespace
}  // namespace heddle
