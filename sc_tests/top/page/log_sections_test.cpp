// What the report shows of --tb-log: the numbers on its charts are those of thread_blocks.json and
// predictions.csv.
#include <sstream>

#include "sc_tests/top/page/report_browser_fixture.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

class LogSectionsInBrowser : public BrowsedReport {
 protected:
  nlohmann::json log(const std::string& out) const {
    return nlohmann::json::parse(read(out + "/thread_blocks.json"));
  }
  void make(const std::vector<std::string>& arguments) {
    const ProgramOutcome made = run(arguments);
    ASSERT_EQ(made.code, 0) << made.err;
    report({"out"});
  }
};

TEST_F(LogSectionsInBrowser, ThreadBlocksAndWarpsAreWhereTheLogSaysTheyWere) {
  if (IsSkipped()) return;
  make({"run", "long_warp", "--param", "tbs=24", "--param", "rounds=200", "--config", "warpman", "--set",
        "core.sms=2", "--tb-log", "--quiet", "--out", "out"});
  const std::string page = this->page();
  const nlohmann::json launch = log("out").at("launches")[0];

  const auto bands = bars(page, "tb-timeline-r0");
  ASSERT_EQ(bands.size(), 24U);
  double most_unequal = -1;
  std::uint64_t most_unequal_tb = 0;
  for (const nlohmann::json& tb : launch.at("tbs")) {
    const std::string row = "SM " + tb.at("sm").dump() + "|launch 0 TB " + tb.at("tb").dump();
    EXPECT_EQ(bands.at(row), tb.at("end").get<double>() - tb.at("start").get<double>()) << row;
    if (tb.at("rtru") > most_unequal) {
      most_unequal = tb.at("rtru");
      most_unequal_tb = tb.at("tb");
    }
  }

  const auto lives = bars(page, "lives-r0-0-0");
  ASSERT_EQ(lives.size(), 8U);
  for (const nlohmann::json& tb : launch.at("tbs")) {
    if (tb.at("tb") != 0) continue;
    for (std::size_t w = 0; w < 8; ++w) {
      const nlohmann::json& warp = tb.at("warps")[w];
      EXPECT_EQ(lives.at("warp " + std::to_string(w) + "|TB 0"),
                warp[1].get<double>() - warp[0].get<double>());
    }
  }
  EXPECT_EQ(bars(page, "lives-r0-0-" + std::to_string(most_unequal_tb)).size(), 8U) << "the most unequal one";

  double tbs = 0;
  for (const auto& [bin, count] : bars(page, "tb-cycles-r0")) tbs += count;
  EXPECT_EQ(tbs, 24);
  const auto instructions = bars(page, "warp-instructions-r0");
  EXPECT_EQ(instructions.at("long_warp, launch 0|(0, 500]"),
            launch.at("warps_by_instructions").at("warps")[0]);
  double warps = 0;
  for (const auto& [bin, count] : instructions) warps += count;
  EXPECT_EQ(warps, 24 * 8);
}

TEST_F(LogSectionsInBrowser, SharesAndIssuedInstructionsAddUp) {
  if (IsSkipped()) return;
  make({"run", "stencil", "--config", "warpman", "--set", "core.sms=2", "--tb-log", "--quiet", "--out",
        "out"});
  const std::string page = this->page();
  const nlohmann::json whole = log("out");
  const auto slots = lines(page, "warp-slots-r0");
  ASSERT_EQ(slots.size(), 3U);
  const auto& working = slots.at("at work");
  ASSERT_GT(working.size(), 3U);
  for (std::size_t i = 0; i < working.size(); ++i) {
    EXPECT_NEAR(working[i].second + slots.at("held by ended warps")[i].second + slots.at("free")[i].second, 1,
                1e-6);
  }
  const auto registers = lines(page, "allocation-r0").at("registers");
  EXPECT_EQ(registers.back().first, whole.at("allocation").back().at("end"));

  const nlohmann::json& pattern = whole.at("issue_pattern");
  double issued = 0;
  for (const auto& [place, count] : bars(page, "issue-pattern-r0")) issued += count;
  const nlohmann::json instances = stats("out").at("instances").at("sm");
  EXPECT_EQ(instances.at("block")[0], "sm0");
  EXPECT_EQ(issued, instances.at("warp_instructions")[0]) << "all that SM 0 issued";
  EXPECT_EQ(bars(page, "issue-pattern-r0").at("0|" + pattern.at("interval").dump()),
            pattern.at("warps")[0][0]);
}

TEST_F(LogSectionsInBrowser, PredictionsHandOffsAndStreamsAreTheLogs) {
  if (IsSkipped()) return;
  make({"run", "vector_add", "scalar_product", "--param", "pairs=64", "--config", "srtf", "--set",
        "core.sms=4", "--set", "tb_dispatcher.policy=srtf", "--arrival", "0", "--arrival", "1000", "--tb-log",
        "--quiet", "--out", "out"});
  const std::string page = this->page();
  std::istringstream predictions(read("out/predictions.csv"));
  std::string line;
  std::getline(predictions, line);
  const std::string scatter = element(page, "figure", "predictions-r0");
  std::size_t known = 0;
  while (std::getline(predictions, line)) {
    if (line.back() == ',') continue;  // the truth is not known
    ++known;
    const std::size_t actual = line.rfind(',') + 1;
    const std::size_t predicted = line.rfind(',', actual - 2) + 1;
    EXPECT_NE(scatter.find("data-x=\"" + line.substr(actual) + "\" data-y=\"" +
                           line.substr(predicted, actual - 1 - predicted) + "\""),
              std::string::npos)
        << line;
  }
  ASSERT_GT(known, 0U);
  EXPECT_EQ(count(scatter, "<circle"), known);

  std::map<std::string, double> cycles;
  const nlohmann::json whole = log("out");
  for (const nlohmann::json& interval : whole.at("policy_intervals")) {
    cycles["SM " + interval.at("sm").dump() + "|" + interval.at("kind").get<std::string>()] =
        interval.at("end").get<double>() - interval.at("start").get<double>();
  }
  ASSERT_FALSE(cycles.empty());
  const auto bands = bars(page, "tb-timeline-r0");
  for (const auto& [place, length] : cycles) EXPECT_EQ(bands.at(place), length) << place;
}

TEST_F(LogSectionsInBrowser, TimedPairsAreTheirLogs) {
  if (IsSkipped()) return;
  write("short.yaml",
        "name: short\nkind: timed\nkernels:\n"
        "  - {name: long, tbs: 40, threads: 64, mean_cycles: 1000, deviation_percent: 5}\n"
        "  - {name: brief, tbs: 8, threads: 64, mean_cycles: 300, deviation_percent: 5}\n");
  make({"pairs", "short.yaml", "--policy", "srtf", "--set", "core.sms=2", "--tb-log", "--out", "out"});
  const std::string page = this->page();
  EXPECT_EQ(count(page, "<section "), 2U) << "thread blocks and predictions";
  const nlohmann::json whole = log("out/1");
  const auto bands = bars(page, "tb-timeline-p0");
  std::size_t tbs = 0;
  for (const nlohmann::json& launch : whole.at("launches")) {
    for (const nlohmann::json& tb : launch.at("tbs")) {
      ++tbs;
      EXPECT_EQ(bands.at("SM " + tb.at("sm").dump() + "|launch " + launch.at("launch").dump() + " TB " +
                         tb.at("tb").dump()),
                tb.at("end").get<double>() - tb.at("start").get<double>());
    }
  }
  EXPECT_EQ(tbs, 48U);
}

}  // namespace
}  // namespace heddle
