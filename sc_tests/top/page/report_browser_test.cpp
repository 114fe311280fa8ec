#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "sc_tests/top/page/report_browser_fixture.h"
#include "top/support/stats_file.h"

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
    EXPECT_EQ(read("stdout.txt"), "Report of 4 runs in report.html\n");
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
  const std::string folded = page();
  const std::size_t figures = count(folded, "<figure ");
  EXPECT_GE(figures, 8U);
  EXPECT_EQ(count(folded, "role=\"img\" tabindex=\"0\" aria-label=\""), figures);
  EXPECT_EQ(count(folded, "aria-label=\"Save as SVG: "), figures);
  EXPECT_EQ(count(folded, "aria-label=\"Save as PNG: "), figures);
  EXPECT_EQ(count(folded, "<summary>Numbers</summary>"), figures);
  EXPECT_EQ(count(folded, "aria-label=\"Numbers: "), 0U) << "made when they are asked for";
  const std::string unfolded = page("#numbers");
  EXPECT_EQ(count(unfolded, "role=\"region\" tabindex=\"0\" aria-label=\"Numbers: "), figures);
  EXPECT_EQ(count(unfolded, "<section "), count(unfolded, "<p class=\"rule\">")) << "a rule in each section";
  // Of the L1D's chart: the row of the table says in words what the bars do.
  const std::string table = element(unfolded, "figure", "l1d-chart");
  const std::regex row("<td>bfs, gto</td>((<td class=\"number\">[^<]*</td>)+)");
  std::smatch cells;
  ASSERT_TRUE(std::regex_search(table, cells, row));
  EXPECT_THAT(cells[1].str(), HasSubstr(fmt::format(">{:.1f}%<", 100 * metric("bfs-gto", "l1d_miss_rate"))));
}

// Presses all buttons; files go into the page instead of a folder.
TEST_F(ReportInBrowser, ChartsAreSavedAsWholeSvgAndPng) {
  std::string html = read("report.html");
  html.insert(html.rfind("</body>"), R"(<script>
save = (name, blob) => blob.arrayBuffer().then((buffer) => {
  const bytes = new Uint8Array(buffer);
  let what = "damaged";
  if (name.endsWith(".svg")) {
    const root = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml").documentElement;
    const style = root.querySelector("style");
    const shown = [...document.querySelectorAll(`#${name.slice(0, -4)} .legend:first-of-type span`)].map((entry) => entry.textContent);
    const texts = [...root.querySelectorAll("text")].map((text) => text.textContent);
    const named = shown.every((text) => texts.includes(text));
    if (root.nodeName === "svg" && style && style.textContent.includes("--line:#")) what = named ? "svg" : "without legend";
  } else if (bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47) {
    what = `png ${new DataView(buffer).getUint32(16)} wide`;
  }
  document.body.append(`[${name}: ${what}]`);
});
document.querySelectorAll(".tools button").forEach((button) => button.click());
</script>)");
  write("report.html", html);
  // Its clock is not that of the pictures' decoding, which takes longer where others are at work on the
  // machine.
  std::string page;
  std::size_t figures = 0;
  for (unsigned attempt = 0; attempt < 4 && (attempt == 0 || count(page, " wide]") < figures); ++attempt) {
    page = browse({"--virtual-time-budget=" + std::to_string(10000 << attempt), "--dump-dom"});
    figures = count(page, "<figure ");
  }
  EXPECT_EQ(count(page, ".svg: svg]"), figures);
  EXPECT_EQ(count(page, " wide]"), figures);
  static const std::regex kWidth("<svg width=\"([0-9]+)\"");
  const std::string figure = element(page, "figure", "issue-chart");
  std::smatch width;
  ASSERT_TRUE(std::regex_search(figure, width, kWidth));
  EXPECT_THAT(page, HasSubstr(fmt::format("[issue-chart.png: png {} wide]", 2 * std::stoi(width[1]))))
      << "twice as fine as on the page";
}

// A figure for a paper has nothing beside it that says what it counts.
TEST_F(ReportInBrowser, AxesOfBarsSayWhatTheyCount) {
  const std::string shown = page();
  for (const auto& [chart, name] :
       std::map<std::string, std::string>{{"speedup-chart", "speed-up"},
                                          {"issue-chart", "share of the scheduler cycles"},
                                          {"ldst-chart", "share of the units' cycles"},
                                          {"l1d-chart", "share of the loads looked up"},
                                          {"latency-chart", "core cycles, mean of the requests"},
                                          {"energy-chart", "energy, mJ"},
                                          {"cost-purposes", "NAND2-equivalents per SM"}}) {
    EXPECT_THAT(element(shown, "figure", chart), HasSubstr("text-anchor=\"middle\">" + name + "</text>"))
        << chart;
  }
  EXPECT_EQ(count(shown, ">undefined</text>"), 0U);
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
  std::string html = read("report.html");
  html.insert(html.rfind("</body>"), R"(<script>
const root = document.documentElement;
document.body.append(`[${window.innerWidth} wide: ${root.scrollWidth <= root.clientWidth ? "fits" : "too narrow"}]`);
const charts = [...document.querySelectorAll(".chart")];
document.body.append(`[${charts.every((chart) => chart.scrollWidth <= chart.clientWidth) ? "charts fit" : "a chart does not fit"}]`);
</script>)");
  write("report.html", html);
  const std::string narrow = browse({"--window-size=480,900", "--dump-dom"});
  EXPECT_THAT(narrow, HasSubstr("data-theme=\"light\""));
  EXPECT_THAT(narrow, HasSubstr(" wide: fits]")) << "tables scroll by themselves";
  EXPECT_THAT(narrow, HasSubstr("charts fit]")) << "as wide as the page, to be seen without scrolling";
}

using MachinesInBrowser = BrowsedReport;

TEST_F(MachinesInBrowser, EachPointOfTheRooflineIsHeldAgainstTheRoofsOfItsOwnMachine) {
  std::string farthest;
  double least = 2;
  // One SM comes nearer to what it can issue than eight, which share the same DRAM.
  for (const unsigned sms : {1U, 8U}) {
    const std::string out = "runs/" + std::to_string(sms);
    const ProgramOutcome made = run({"run", "vector_add", "--param", "n=20000", "--set",
                                     "core.sms=" + std::to_string(sms), "--quiet", "--out", out});
    ASSERT_EQ(made.code, 0) << made.err;
    const nlohmann::json metrics = stats(out).at("metrics");
    const nlohmann::json values = stats(out).at("config").at("values");
    const auto number = [&values](const char* key) { return values.at(key).get<double>(); };
    const double issue = sms * number("core.schedulers") * 32;
    const double dram = number("dram.channels") * number("dram.bus_bytes") * number("dram.data_rate") *
                        number("clock.dram_mhz") / number("clock.core_mhz");
    const double intensity = find_metric(metrics, "sm.thread_instructions")->get<double>() /
                             find_metric(metrics, "partition.dram.data_bytes")->get<double>();
    const double reach = metrics.at("ipc_thread").get<double>() / std::min(issue, intensity * dram);
    EXPECT_LT(reach, 1);
    if (reach < least) farthest = fmt::format("core.sms={} with {:.1f}% of its roof", sms, 100 * reach);
    least = std::min(least, reach);
  }
  report({"runs"});
  const std::string roofline = element(page(), "section", "roofline");
  EXPECT_THAT(roofline, HasSubstr("Farthest below is " + farthest));
  EXPECT_THAT(roofline, HasSubstr("The machines differ; drawn are the roofs of core.sms=8, which"));
  EXPECT_THAT(farthest, HasSubstr("core.sms=8")) << "the first run's roofs would say another one";
}

using SamplesInBrowser = BrowsedReport;

TEST_F(SamplesInBrowser, AProgramThatIsNotSampledStandsBesideOneThatIs) {
  std::map<std::string, double> cycles;
  for (const std::string folder : {"with", "without"}) {
    for (const std::string program : {"vector_add", "histogram"}) {
      for (const std::string scheduler : {"gto", "lrr"}) {
        if (folder == "without" && (program == "histogram" || scheduler == "lrr")) continue;
        const std::string out = fmt::format("{}/{}-{}", folder, program, scheduler);
        std::vector<std::string> arguments{"run",        program,   "--scheduler", scheduler, "--set",
                                           "core.sms=2", "--quiet", "--out",       out};
        if (folder == "with") arguments.emplace_back("--sample");
        const ProgramOutcome made = run(arguments);
        ASSERT_EQ(made.code, 0) << made.err;
        cycles[out] = stats(out).at("metrics").at("cycles");
      }
    }
  }
  ASSERT_EQ(stats("with/vector_add-gto").at("sampling").at("sampled"), true);
  ASSERT_EQ(stats("with/histogram-gto").at("sampling").at("sampled"), false);
  report({"with"});
  std::string shown = page();
  const auto speedup = bars(shown, "speedup-chart");
  const double of_add = cycles.at("with/vector_add-gto") / cycles.at("with/vector_add-lrr");
  const double of_histogram = cycles.at("with/histogram-gto") / cycles.at("with/histogram-lrr");
  EXPECT_NEAR(speedup.at("vector_add (sampled)|lrr"), of_add, 1e-12);
  EXPECT_NEAR(speedup.at("histogram|lrr"), of_histogram, 1e-12);
  EXPECT_NEAR(speedup.at("geometric mean|lrr"), std::sqrt(of_add * of_histogram), 1e-12);
  EXPECT_THAT(shown, HasSubstr("(2 runs sampled)"));
  const std::string runs = element(shown, "section", "runs");
  EXPECT_EQ(count(runs, "<td>sampled</td>"), 2U);
  EXPECT_EQ(count(runs, "class=\"differs\""), 0U) << "nothing is wrong with them";
  EXPECT_EQ(bars(shown, "issue-chart").count("vector_add, lrr (sampled)|issued"), 1U);
  // What sampling changes is seen beside the whole run.
  report({"with", "without"});
  shown = page();
  EXPECT_THAT(element(shown, "section", "differences"), HasSubstr(" 3 runs of one folder without its like"));
  EXPECT_THAT(element(shown, "section", "differences"), HasSubstr("<td>vector_add, gto</td><td>cycles</td>"));
}

TEST_F(SamplesInBrowser, TheVerdictNamesNoneAheadWhoseIntervalsOverlap) {
  for (const std::string scheduler : {"gto", "lrr"}) {
    const ProgramOutcome made = run({"run", "vector_add", "--scheduler", scheduler, "--set", "core.sms=2",
                                     "--quiet", "--sample", "--out", "runs/" + scheduler});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  const auto verdict = [&](double gto, double lrr, double half) {
    for (const auto& [scheduler, count] : {std::pair{"gto", gto}, std::pair{"lrr", lrr}}) {
      const std::string name = std::string("runs/") + scheduler;
      nlohmann::json changed = stats(name);
      changed.at("metrics").at("cycles") = count;
      changed.at("sampling").at("half_intervals").at("cycles") = half;
      std::ofstream(folder_ / name / "stats.json") << changed.dump();
    }
    report({"runs"});
    return element(page(), "p", "verdict");
  };
  // 990 / 1110 and 1010 / 1090.
  EXPECT_THAT(verdict(1000, 1100, 10), HasSubstr("gto is ahead of lrr by 10.0% on vector_add"));
  // 1150 / 950 and 1050 / 1050: the ends meet.
  EXPECT_THAT(
      verdict(1000, 1100, 50),
      HasSubstr("gto on vector_add can't be told apart from lrr (1.000 to 1.211 times as fast): the 95% "
                "confidence intervals of their cycles overlap. Runs without --sample can tell. (2 runs "
                "sampled)"));
  EXPECT_THAT(verdict(1000, 1100, 49), HasSubstr("gto is ahead of lrr by 10.0%"));
  EXPECT_THAT(verdict(1000, 1004, 1), HasSubstr("gto and lrr are level on vector_add (within 1%)"));
}

using CutRunsInBrowser = BrowsedReport;

TEST_F(CutRunsInBrowser, DifferencesOfTwoFoldersSayWhichRunsAreNotComplete) {
  for (const char* const folder : {"before", "after"}) {
    for (const char* const scheduler : {"gto", "lrr"}) {
      std::vector<std::string> arguments{"run",
                                         "vector_add",
                                         "--param",
                                         "n=8192",
                                         "--set",
                                         "core.sms=1",
                                         "--scheduler",
                                         scheduler,
                                         "--quiet",
                                         "--out",
                                         std::string(folder) + "/" + scheduler};
      const bool cut = std::string(folder) == "after" && std::string(scheduler) == "lrr";
      if (cut) arguments.insert(arguments.end(), {"--max-cycles", "2000"});
      ASSERT_EQ(run(arguments).code, cut ? 7 : 0);
    }
  }
  report({"before", "after"});
  const std::string differences = element(page(), "section", "differences");
  EXPECT_THAT(differences, HasSubstr("<td>vector_add, lrr (not complete)</td><td>cycles</td>"));
  EXPECT_THAT(differences, HasSubstr("<td>vector_add, gto</td><td>cycles</td>"));
  EXPECT_THAT(differences, HasSubstr("Cycles differ most on vector_add, lrr (not complete): -"));
}

}  // namespace
}  // namespace heddle
