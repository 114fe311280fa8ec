// The report of a folder of `heddle reproduce` in Chromium: the numbers on its charts and tables are those of
// PAPER.json.
#include <fmt/format.h>

#include <fstream>

#include "sc_tests/top/page/report_browser_fixture.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class ReproductionInBrowser : public BrowsedReport {
 protected:
  void SetUp() override {
    BrowsedReport::SetUp();
    if (IsSkipped()) return;
    fs::create_directories(folder_ / "papers");
    for (const char* paper : {"pro", "warpman", "srtf", "study"}) {
      std::ifstream file(fs::path(test::source_dir()) / "docs/reproduction" / (std::string(paper) + ".json"));
      Json numbers = Json::parse(file);
      for (Json& sizes : numbers.at("figures")) sizes.erase("full");
      for (Json& sizes : numbers.at("experiments")) sizes.erase("full");
      if (paper == std::string("pro")) {
        Json& ran = numbers.at("experiments").at("schedulers").at("quick");
        ran["complete"] = ran.at("points").get<unsigned>() - 2;
        points_ = ran.at("points");
      }
      write(std::string("papers/") + paper + ".json", numbers.dump());
    }
  }

  /// The row of PRO's figure 4 that its headlines are of.
  std::size_t mean_row() const {
    const Json rows = table("pro", "figure_4").at("rows");
    std::size_t row = 0;
    while (rows.at(row).at("label") != "geometric mean") ++row;
    return row;
  }

  /// The numbers of a figure at the quick sizes.
  Json table(const std::string& paper, const std::string& figure) const {
    return Json::parse(read("papers/" + paper + ".json")).at("figures").at(figure).at("quick");
  }

  unsigned points_ = 0;  ///< of PRO's schedulers, of which two are missing
};

/// As the page has it in an attribute.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('&', at)) != std::string::npos; at += 5)
    text.replace(at, 1, "&amp;");
  return text;
}

TEST_F(ReproductionInBrowser, ChartsHaveTheNumbersOfThePapersFiles) {
  report({"papers"});
  EXPECT_EQ(read("stdout.txt"), "Report of 4 papers in report.html\n");
  const std::string page = this->page();
  // Bars, some of which lie on each other.
  for (const auto& [paper, id] : {std::pair("pro", "figure_1"), std::pair("pro", "figure_4"),
                                  std::pair("srtf", "figure_14"), std::pair("warpman", "figure_17")}) {
    const Json numbers = table(paper, id);
    const auto drawn = bars(page, std::string(paper) + "-" + id);
    std::size_t values = 0;
    for (const Json& row : numbers.at("rows")) {
      if (row.value("counts", false)) continue;
      for (std::size_t s = 0; s < numbers.at("series").size(); ++s) {
        if (row.at("values")[s].is_null()) continue;
        ++values;
        const std::string name = escaped(row.at("label").get<std::string>() + "|" +
                                         numbers.at("series")[s].at("name").get<std::string>());
        ASSERT_TRUE(drawn.count(name) != 0) << paper << ", " << id << ": " << name;
        EXPECT_EQ(drawn.at(name), row.at("values")[s].get<double>()) << name;
      }
    }
    EXPECT_EQ(drawn.size(), values) << paper << ", " << id << ": nothing else";
  }
  // The paper's are hollow: a mark for each of its numbers of a row and series that are drawn.
  const std::string four = element(page, "figure", "pro-figure_4");
  EXPECT_THAT(four, HasSubstr("data-row=\"geometric mean\" data-series=\"over LRR\" data-paper=\"1.12\""));
  EXPECT_THAT(four, HasSubstr("<span class=\"hollow\">the paper's number</span>"));
  // Those that classes of their own draw.
  const Json boxes = table("srtf", "figure_4").at("extra");
  const auto medians = bars(page, "srtf-figure_4");
  ASSERT_EQ(medians.size(), boxes.size());
  for (const Json& box : boxes) {
    EXPECT_EQ(medians.at(box.at("group").get<std::string>() + "|" + box.at("series").get<std::string>()),
              box.at("numbers")[2].get<double>());
  }
  const Json stairs = table("srtf", "figure_3").at("extra");
  const auto ends = lines(page, "srtf-figure_3").at("end");
  ASSERT_EQ(ends.size(), stairs.at("ends").size());
  for (std::size_t i = 0; i < ends.size(); ++i) EXPECT_EQ(ends[i].second, stairs.at("ends")[i].get<double>());
  const Json lives = table("warpman", "figure_9");
  for (const auto& [name, cycles] : bars(page, "warpman-figure_9")) {
    const std::size_t warp = std::stoul(name.substr(name.find(' ')));
    const Json& values = lives.at("rows")[warp].at("values");
    EXPECT_EQ(cycles, values[1].get<double>() - values[0].get<double>()) << name;
  }
  EXPECT_FALSE(bars(page, "srtf-figure_12-0").empty()) << "a picture for each policy";
  EXPECT_FALSE(bars(page, "srtf-figure_12-1").empty());
}

TEST_F(ReproductionInBrowser, SaysFirstWhatThePapersAreAboutAndHowNearItIs) {
  report({"papers"});
  const std::string page = this->page();
  const std::string verdict = element(page, "p", "verdict");
  EXPECT_THAT(verdict, HasSubstr(" headline figures come within a third of the paper's gain or number"));
  EXPECT_THAT(verdict, HasSubstr("all of them at quick sizes"));
  const double mean = table("pro", "figure_4").at("rows")[mean_row()].at("values")[1];
  EXPECT_EQ(bars(page, "headlines-chart").at("PRO over LRR|here"), mean);
  const std::string headlines = element(page, "section", "headlines");
  EXPECT_THAT(
      headlines,
      HasSubstr("<td>PRO</td><td>PRO over LRR</td><td>IV</td><td class=\"number\">1.120</td><td class="
                "\"number\">" +
                fmt::format("{:.3f}", mean) + "</td>"));
  EXPECT_LT(page.find("id=\"headlines\""), page.find("id=\"paper-pro\""));
  const std::string pro = element(page, "section", "paper-pro");
  EXPECT_THAT(pro, HasSubstr("Figure 4 (eight rounds): Performance of PRO on larger grids"));
  EXPECT_THAT(pro, HasSubstr("Section IV of the paper. Not run yet."));
  EXPECT_THAT(pro, HasSubstr("<code>heddle reproduce pro --figure figure_4 --quick --out papers</code>"));
  EXPECT_THAT(pro, HasSubstr(fmt::format("2 of {} points are missing.", points_)));
  EXPECT_THAT(pro, HasSubstr("<strong>PRO over LRR.</strong>")) << "Markdown";
  EXPECT_THAT(pro, HasSubstr("<code>sm.scheduler.active_set</code>"));
}

TEST_F(ReproductionInBrowser, EveryChartHasALabelATableAndIsSaved) {
  report({"papers"});
  const std::string unfolded = page("#numbers");
  const std::size_t figures = count(unfolded, "<figure ");
  EXPECT_GE(figures, 25U);
  EXPECT_EQ(count(unfolded, "role=\"img\" tabindex=\"0\" aria-label=\""), figures);
  EXPECT_EQ(count(unfolded, "aria-label=\"Save as SVG: "), figures);
  EXPECT_EQ(count(unfolded, "aria-label=\"Numbers: "), figures);
  EXPECT_EQ(count(unfolded, "<section "), count(unfolded, "<section id")) << "with a name to go to";
  const std::string table = element(unfolded, "figure", "pro-figure_4");
  const Json row = this->table("pro", "figure_4").at("rows")[mean_row()];
  EXPECT_THAT(table, HasSubstr(fmt::format(
                         "<td>{}</td><td class=\"number\">{:.3f}</td><td class=\"number\">1.130</td>",
                         row.at("label").get<std::string>(), row.at("values")[0].get<double>())));
}

TEST_F(ReproductionInBrowser, LightDarkNarrowAndWide) {
  report({"papers"});
  const fs::path kept = fs::path(::testing::TempDir()) / "heddle-report-screenshots";
  fs::create_directories(kept);
  const std::string picture = (kept / "reproduction-dark.png").string();
  fs::remove(picture);
  browse({"--blink-settings=preferredColorScheme=0", "--screenshot=" + picture, "--window-size=1400,3000"});
  EXPECT_GT(fs::file_size(picture), 20000U);
  std::string html = read("report.html");
  html.insert(html.rfind("</body>"), R"(<script>
const root = document.documentElement;
const charts = [...document.querySelectorAll(".chart")];
document.body.append(`[${root.scrollWidth <= root.clientWidth ? "page fits" : "too narrow"}]`);
document.body.append(`[${charts.every((chart) => chart.scrollWidth <= chart.clientWidth) ? "charts fit" : "a chart does not fit"}]`);
</script>)");
  write("report.html", html);
  for (const char* width : {"480", "1400"}) {
    const std::string shown = browse({std::string("--window-size=") + width + ",900", "--dump-dom"});
    EXPECT_THAT(shown, HasSubstr("data-theme=\"light\"")) << width;
    EXPECT_THAT(shown, HasSubstr("[page fits]")) << width;
    EXPECT_THAT(shown, HasSubstr("[charts fit]")) << width;
  }
}

TEST_F(ReproductionInBrowser, TwoFoldersAreSetAgainstEachOther) {
  fs::create_directories(folder_ / "before");
  Json before = Json::parse(read("papers/pro.json"));
  before["figures"]["figure_4"]["quick"]["rows"][mean_row()]["values"][1] = 1.0;
  write("before/pro.json", before.dump());
  report({"before", "papers"});
  const std::string page = this->page();
  const double mean = table("pro", "figure_4").at("rows")[mean_row()].at("values")[1];
  const std::string differences = element(page, "section", "differences");
  EXPECT_THAT(differences, HasSubstr("1 of "));
  EXPECT_THAT(differences,
              HasSubstr(fmt::format("<tr class=\"differs\"><td>PRO, Figure 4, quick: geometric mean</td><td>"
                                    "over LRR</td><td class=\"number\">1</td><td class=\"number\">{}</td>",
                                    fmt::format("{:.4g}", mean))));
  EXPECT_EQ(bars(page, "pro-1-figure_4").at("geometric mean|over LRR"), 1);
  EXPECT_EQ(bars(page, "pro-2-figure_4").at("geometric mean|over LRR"), mean);
}

}  // namespace
}  // namespace heddle
