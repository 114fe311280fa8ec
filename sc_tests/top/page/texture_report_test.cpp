// What textures did, in the summary and in the report of a run: the numbers are those of its results.
#include <numeric>

#include "sc_tests/top/page/report_browser_fixture.h"
#include "top/support/stats_file.h"

namespace heddle {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class ReportOfTextures : public BrowsedReport {
 protected:
  void SetUp() override {
    BrowsedReport::SetUp();
    if (IsSkipped()) return;
    const ProgramOutcome made =
        run({"run", "convolution_texture", "--param", "width=64", "--param", "height=24", "--set",
             "core.sms=2", "--profile", "--interval", "200", "--out", "out"});
    ASSERT_EQ(made.code, 0) << made.err;
    summary_ = made.out;
    report({"out"});
  }
  double metric(const std::string& name) const {
    const json results = stats("out");
    const json* const found = find_metric(results.at("metrics"), name);
    EXPECT_NE(found, nullptr) << name;
    return found == nullptr ? 0 : found->get<double>();
  }

  std::string summary_;
  const std::string run_ = "convolution_texture, gto|";
};

TEST_F(ReportOfTextures, LookUpsAndTheirCyclesAreInTheirSections) {
  const std::string page = this->page();
  const auto found = bars(page, "texture-chart");
  EXPECT_NEAR(found.at(run_ + "hits"), metric("texture_hit_rate"), 1e-12);
  EXPECT_NEAR(found.at(run_ + "pending_hits"), metric("texture_pending_hit_rate"), 1e-12);
  EXPECT_NEAR(found.at(run_ + "misses"), metric("texture_miss_rate"), 1e-12);
  EXPECT_EQ(page.find("id=\"l1d\""), std::string::npos) << "no load looked for a line there";

  const auto ldst = bars(page, "ldst-chart");
  const double cycles = metric("sm.active_cycles") == 0 ? 0 : metric("cycles") * 2;
  EXPECT_NEAR(ldst.at(run_ + "texture_address"), metric("sm.ldst.cycles.texture_address") / cycles, 1e-3);
  const double shown = std::accumulate(ldst.begin(), ldst.end(), 0.0,
                                       [](double sum, const auto& bar) { return sum + bar.second; });
  EXPECT_NEAR(shown, 1 - metric("sm.ldst.cycles.idle") / cycles, 1e-3)
      << "what is missing to the whole was idle";

  // A sample in which nothing was looked up has no rate.
  const std::string curve = element(page, "figure", "over-time-texture");
  static const std::regex kRate("[0-9]+,(0\\.[0-9]+|1)(?= |\")");
  EXPECT_GT(std::distance(std::sregex_iterator(curve.begin(), curve.end(), kRate), std::sregex_iterator()),
            2);
  EXPECT_THAT(summary_, HasSubstr("texture cache, lines"));
}

TEST_F(ReportOfTextures, TheSourceHasTheLinesOfEachFetch) {
  const json profile = json::parse(read("out/profile.json"));
  const std::string source = element(page(), "section", "source");
  std::size_t fetches = 0;
  for (const json& line : profile.at("kernels").at(0).at("lines")) {
    if (!line.contains("memory") || line.at("memory").at("space") != "texture") continue;
    const std::string row = "<tr data-index=\"" + std::to_string(line.at("index").get<unsigned>()) + "\"";
    const std::size_t at = source.find(row);
    if (at == std::string::npos) continue;  // of the other kernel
    const std::string cells = source.substr(at, source.find("</tr>", at) - at);
    if (cells.find("tex.2d") == std::string::npos) continue;
    static const std::regex kAccesses("data-key=\"accesses\" data-value=\"([^\"]+)\"");
    static const std::regex kHits("data-key=\"hits\" data-value=\"([^\"]+)\"");
    std::smatch cell;
    ASSERT_TRUE(std::regex_search(cells, cell, kAccesses)) << cells;
    EXPECT_GE(std::stod(cell[1]), 1) << cells;
    ASSERT_TRUE(std::regex_search(cells, cell, kHits)) << cells;
    EXPECT_GE(std::stod(cell[1]), 0) << cells;
    ++fetches;
  }
  EXPECT_EQ(fetches, 17U) << "one for each tap";
}

TEST_F(ReportOfTextures, TheirEnergyIsInTheChartsOfRunLaunchesAndSms) {
  const std::string page = this->page();
  const auto blocks = bars(page, "energy-chart");
  EXPECT_NEAR(blocks.at(run_ + "texture"), metric("energy_texture") / 1e6, 1e-12);
  EXPECT_GT(metric("energy_texture"), 0);
  const json results = stats("out");
  const auto launches = bars(page, "energy-launches");
  for (const json& launch : results.at("launches")) {
    const std::string row = launch.at("id").dump() + " " + launch.at("kernel").get<std::string>() + "|";
    double shown = 0;
    for (const auto& [name, value] : launches) shown += name.rfind(row, 0) == 0 ? value : 0;
    const double expected = find_metric(launch.at("metrics"), "energy")->get<double>() / 1e6;
    EXPECT_NEAR(shown, expected, expected * 1e-9) << row;
  }
  const auto sms = bars(page, "energy-sms");
  EXPECT_EQ(sms.size(), 4U);
  EXPECT_NEAR(sms.at("SM 1|dynamic"),
              results.at("energy").at("sms").at(1).at("dynamic_nj").get<double>() / 1e6, 1e-12);
}

}  // namespace
}  // namespace heddle
