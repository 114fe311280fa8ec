// The report's sections of what warps and lines did: their numbers are those of profile.json.
#include <algorithm>
#include <numeric>

#include "sc_tests/top/page/report_browser_fixture.h"

namespace heddle {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class ReportOfProfile : public BrowsedReport {
 protected:
  void SetUp() override {
    BrowsedReport::SetUp();
    if (IsSkipped()) return;
    for (const char* scheduler : {"gto", "lrr"}) {
      const ProgramOutcome made =
          run({"run", "bfs", "--param", "nodes=2048", "--scheduler", scheduler, "--set", "core.sms=2",
               "--profile", "--quiet", "--out", std::string("runs/") + scheduler});
      ASSERT_EQ(made.code, 0) << made.err;
    }
    gto_ = json::parse(read("runs/gto/profile.json"));
  }

  json gto_;
};

TEST_F(ReportOfProfile, BarsOfStatesAndOfTheFunnelAreThoseOfTheFile) {
  report({"runs"});
  const std::string shown = page();
  const auto states = bars(shown, "warp-states-chart");
  const auto funnel = bars(shown, "funnel-chart");
  for (const std::string run : {"gto", "lrr"}) {
    const json gpu = json::parse(read("runs/" + run + "/profile.json")).at("gpu");
    double sum = 0;
    for (std::size_t s = 0; s < gto_.at("states").size(); ++s) {
      const double cycles = gpu.at("cycles").at(s);
      const auto bar = states.find(run + "|" + gto_.at("states").at(s).at("name").get<std::string>());
      if (cycles == 0 || !gto_.at("states").at(s).at("resident")) {
        EXPECT_EQ(bar, states.end()) << s;
        continue;
      }
      ASSERT_NE(bar, states.end()) << s;
      EXPECT_NEAR(bar->second, cycles / gpu.at("warp_instructions").get<double>(), 1e-9) << s;
      sum += bar->second;
    }
    EXPECT_NEAR(sum, gpu.at("cycles_per_instruction"), 1e-9);
    for (const auto& [step, warps] : gpu.at("funnel").items()) {
      EXPECT_NEAR(funnel.at(run + "|" + step), warps.get<double>(), 1e-12) << step;
    }
  }
  EXPECT_THAT(element(shown, "section", "warp-states"), HasSubstr("memory (Long Scoreboard)"));
}

TEST_F(ReportOfProfile, OfOneRunTheFunnelIsShownByScheduler) {
  report({"runs/lrr"});
  const auto funnel = bars(page(), "funnel-schedulers");
  const json profile = json::parse(read("runs/lrr/profile.json"));
  std::size_t schedulers = 0;
  for (const json& sm : profile.at("sms")) {
    for (std::size_t s = 0; s < sm.at("schedulers").size(); ++s) {
      const json& scheduler = sm.at("schedulers").at(s);
      const double cycles = scheduler.at("scheduler_cycles");
      const std::string name =
          "sm" + std::to_string(sm.at("sm").get<unsigned>()) + ".scheduler" + std::to_string(s);
      const auto of_states = scheduler.at("cycles").get<std::vector<double>>();
      const double eligible = of_states[0] + of_states[1] + of_states[2];
      EXPECT_NEAR(funnel.at(name + "|active"), scheduler.at("warp_cycles").get<double>() / cycles, 1e-9);
      EXPECT_NEAR(funnel.at(name + "|eligible"), eligible / cycles, 1e-9);
      EXPECT_NEAR(funnel.at(name + "|issued"), of_states[0] / cycles, 1e-9);
      ++schedulers;
    }
  }
  EXPECT_EQ(schedulers, 4U);
  EXPECT_EQ(funnel.size(), 3 * schedulers);
}

TEST_F(ReportOfProfile, TheSourceShowsTheHottestKernelLineByLine) {
  report({"runs/gto"});
  const std::string source = element(page(), "section", "source");
  const auto cycles_of = [](const json& line) {
    const auto states = line.at("cycles").get<std::vector<double>>();
    return std::accumulate(states.begin(), states.end() - 1, 0.0);
  };
  json hottest;
  double most = 0;
  for (const json& kernel : gto_.at("kernels")) {
    double sum = 0;
    for (const json& line : kernel.at("lines")) sum += cycles_of(line);
    if (sum > most) hottest = kernel;
    most = std::max(most, sum);
  }
  std::map<std::string, double> shown;  // "index|key"
  static const std::regex kBar("data-index=\"([0-9]+)\" data-key=\"([^\"]*)\" data-value=\"([^\"]*)\"");
  for (std::sregex_iterator it(source.begin(), source.end(), kBar); it != std::sregex_iterator(); ++it) {
    shown[(*it)[1].str() + "|" + (*it)[2].str()] = std::stod((*it)[3]);
  }
  std::size_t bars = 0;
  for (const json& line : hottest.at("lines")) {
    const std::string index = std::to_string(line.at("index").get<unsigned>());
    for (std::size_t s = 0; s + 1 < gto_.at("states").size(); ++s) {
      const double cycles = line.at("cycles").at(s);
      if (cycles == 0) continue;
      ++bars;
      EXPECT_EQ(shown.at(index + "|" + gto_.at("states").at(s).at("name").get<std::string>()), cycles);
    }
    const std::size_t row = source.find("<tr data-index=\"" + index + "\"");
    ASSERT_NE(row, std::string::npos) << index;
    const std::string cells = source.substr(row, source.find("</tr>", row) - row);
    EXPECT_THAT(cells, HasSubstr("data-key=\"issued\" data-value=\"" + line.at("issued").dump() + "\""));
    if (line.at("issued") != 0 && line.contains("memory") && line.at("memory").contains("accesses")) {
      static const std::regex kAccesses("data-key=\"accesses\" data-value=\"([^\"]*)\"");
      std::smatch found;
      ASSERT_TRUE(std::regex_search(cells, found, kAccesses)) << cells;
      EXPECT_NEAR(std::stod(found[1]),
                  line.at("memory").at("accesses").get<double>() / line.at("issued").get<double>(), 1e-9);
    }
  }
  EXPECT_EQ(shown.size(), bars) << "and nothing else";
  EXPECT_THAT(source, HasSubstr("of the warp cycles"));
}

TEST_F(ReportOfProfile, SortsAndSearchesTheLines) {
  report({"runs/gto"});
  // The page, and what a reader does on it.
  std::string text = read("report.html");
  const std::string end = "</body>";
  text.replace(text.rfind(end), end.size(),
               "<script>\n"
               "const sorter = [...document.querySelectorAll('#source-table th button')]"
               ".find((button) => button.textContent === 'issued');\nsorter.click();\n"
               "const box = document.getElementById('source-search');\nbox.value = 'ld.global';\n"
               "box.dispatchEvent(new Event('input'));\n</script></body>");
  write("report.html", text);
  const std::string source = element(page(), "section", "source");
  static const std::regex kRow("<tr data-index=\"([0-9]+)\"(.*?)</tr>");
  static const std::regex kIssued("data-key=\"issued\" data-value=\"([0-9]+)\"");
  std::vector<double> issued;
  for (std::sregex_iterator it(source.begin(), source.end(), kRow); it != std::sregex_iterator(); ++it) {
    const std::string row = (*it)[2].str();
    EXPECT_THAT(row, HasSubstr("ld.global"));
    std::smatch found;
    ASSERT_TRUE(std::regex_search(row, found, kIssued));
    issued.push_back(std::stod(found[1]));
  }
  ASSERT_GT(issued.size(), 1U);
  EXPECT_TRUE(std::is_sorted(issued.rbegin(), issued.rend()));
}

TEST_F(ReportOfProfile, OneRunBesideAnotherThatWasCutShortBeforeItsFirstInstruction) {
  for (const auto& [name, cycles] : {std::pair("a", "100"), std::pair("b", "2000")}) {
    run({"run", "vector_add", "--set", "core.sms=1", "--max-cycles", cycles, "--profile", "--quiet", "--out",
         std::string("cut/") + name});
  }
  ASSERT_EQ(json::parse(read("cut/a/profile.json")).at("gpu").at("warp_instructions"), 0);
  report({"cut"});
  const std::string shown = page();
  EXPECT_EQ(bars(shown, "funnel-schedulers").size(), 6U) << "of the second run's two schedulers";
  EXPECT_THAT(element(shown, "section", "source"), HasSubstr("of the warp cycles"));
}

TEST_F(ReportOfProfile, ADamagedFileIsOneMessage) {
  write("runs/gto/profile.json", "{\"format\": 1, \"gpu\": 1}");
  const ProgramOutcome outcome = run({"report", "runs", "-o", "report.html"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("runs/gto"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

}  // namespace
}  // namespace heddle
