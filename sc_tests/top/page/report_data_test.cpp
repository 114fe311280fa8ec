#include "top/page/report_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "top/page/report_page.h"
#include "top/support/results.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr const char* kPredictions = "cycle,launch,kernel,sm,tb_cycles,predicted_cycles,actual_cycles\n";

class ReportDataTest : public ::testing::Test {
 protected:
  ReportDataTest()
      : folder_(std::filesystem::temp_directory_path() / ("heddle-report-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ReportDataTest() override { std::filesystem::remove_all(folder_); }

  static Json stats(const std::string& scheduler, double cycles) {
    return {{"format", 2},
            {"workload", "w"},
            {"size", ""},
            {"scheduler", scheduler},
            {"status", "complete"},
            {"command", "heddle run w"},
            {"config", {{"name", "c"}, {"values", {{"core.sms", 15}, {"core.schedulers", 1}}}}},
            {"checks", Json::array()},
            {"metrics", {{"cycles", cycles}, {"sm.mshr", {{"full_cycles", 3}}}}},
            {"launches", Json::array()}};
  }
  std::string write(const std::string& run, const std::string& text) {
    std::filesystem::create_directories(folder_ / run);
    std::ofstream(folder_ / run / "stats.json") << text;
    return folder_.string();
  }
  static std::string refusal(const std::string& folder) {
    try {
      report_data({folder});
    } catch (const ResultsError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

TEST_F(ReportDataTest, TakesTheRunsOfAFolderByName) {
  write("02-b", stats("lrr", 20).dump());
  const Json data = report_data({write("01-a", stats("gto", 10).dump())});
  ASSERT_EQ(data.at("runs").size(), 2U);
  EXPECT_EQ(data.at("runs")[0].at("scheduler"), "gto");
  EXPECT_EQ(data.at("metric_names"), Json({"cycles"})) << "totals that no section shows are left out";
  EXPECT_EQ(data.at("runs")[0].at("values"), Json({10.0}));
  EXPECT_EQ(data.at("runs")[1].at("values"), Json({20.0}));
}

TEST_F(ReportDataTest, AFolderMayBeARunItself) {
  write("run", stats("gto", 10).dump());
  EXPECT_EQ(report_data({(folder_ / "run").string()}).at("runs").size(), 1U);
}

// The key is 15 by default; that of the schedulers is 2.
TEST_F(ReportDataTest, SaysOfAConfigurationWhatIsNotTheDefault) {
  const Json data = report_data({write("01-a", stats("gto", 10).dump())});
  EXPECT_EQ(data.at("defaults").at("core.schedulers"), 2);
  EXPECT_EQ(data.at("runs")[0].at("config"), Json({{"core.schedulers", 1}}));
}

TEST_F(ReportDataTest, RefusesFoldersWithoutResultsAndDamagedFiles) {
  EXPECT_THAT(refusal("/no/such/folder"), HasSubstr("/no/such/folder: there is no such folder or database"));
  EXPECT_THAT(refusal(folder_.string()), HasSubstr("expected the results of a run (stats.json)"));
  EXPECT_THAT(refusal(write("01-a", "{\"workload\": ")), HasSubstr("01-a/stats.json: damaged"));
  EXPECT_THAT(refusal(write("01-a", "{}")), HasSubstr("01-a/stats.json: is no stats.json of Heddle"));
  EXPECT_THAT(refusal(write("01-a", "{\"format\": 2}")), HasSubstr("01-a: not as this version writes it"));
}

TEST_F(ReportDataTest, RefusesWhatAResultHasInAnotherForm) {
  Json other = stats("gto", 10);
  other["workload"] = 5;
  EXPECT_THAT(refusal(write("01-a", other.dump())), HasSubstr("01-a: not as this version writes it"));
  other = stats("gto", 10);
  for (unsigned i = 0; i < 150; ++i) {  // so many that those with the most cycles are looked for
    other["launches"].push_back({{"id", i},
                                 {"kernel", "k"},
                                 {"grid", {1, 1, 1}},
                                 {"block", {32, 1, 1}},
                                 {"metrics", {{"cycles", "ten"}}}});
  }
  EXPECT_THAT(refusal(write("01-a", other.dump())), HasSubstr("01-a: not as this version writes it"));
  other = stats("gto", 10);
  for (const Json& figure : {Json("ten"), Json::array({10}), Json(true)}) {
    other["metrics"]["cycles"] = figure;
    const std::string message = refusal(write("01-a", other.dump()));
    EXPECT_THAT(message, HasSubstr("01-a: not as this version writes it"));
    EXPECT_THAT(message, HasSubstr("'cycles' is " + std::string(figure.type_name()) + ", expected a number"));
  }
  other = stats("gto", 10);
  other["launches"] = {{{"id", 0},
                        {"kernel", "k"},
                        {"grid", {1, 1, 1}},
                        {"block", {32, 1, 1}},
                        {"metrics", {{"cycles", 10}, {"achieved_occupancy", "half"}}}}};
  EXPECT_THAT(refusal(write("01-a", other.dump())), HasSubstr("'achieved_occupancy' is string"));
  other = stats("gto", 10);
  other["energy"] = {{"blocks", Json::array()},
                     {"sms", {{{"sm", 1e300}, {"dynamic_nj", 1}, {"static_nj", 1}}}}};
  EXPECT_THAT(refusal(write("01-a", other.dump())), HasSubstr("expected a whole number"));
}

TEST_F(ReportDataTest, SaysOfResultsOfAnotherVersionThatTheyAre) {
  EXPECT_THAT(
      refusal(write("01-a", "{\"format\": 1}")),
      HasSubstr(
          "01-a/stats.json: has format 1, written by an older version of Heddle; this one reads format 2"));
  EXPECT_THAT(refusal(write("01-a", "{\"format\": 3}")),
              HasSubstr("has format 3, written by a newer version"));
}

TEST_F(ReportDataTest, NoTextOfTheDataEndsThePagesScript) {
  Json one = stats("gto", 10);
  one["command"] = "heddle run </script><script>alert(1)</script><!--<script>";
  const std::string page = report_page(report_data({write("01-a", one.dump())}));
  EXPECT_EQ(page.find("</script><script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<!--<script"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>\\u003cscript>alert"), std::string::npos);
  for (const char* mark : {"/*STYLE*/", "/*SCRIPT*/", "/*D3*/", "/*DATA*/"}) {
    EXPECT_EQ(page.find(mark), std::string::npos) << mark;
  }
}

// Of a run with 150 launches the longest hundred are kept, in their order.
TEST_F(ReportDataTest, OfManyLaunchesTheLongestAreShown) {
  Json run = stats("gto", 10);
  for (unsigned i = 0; i < 150; ++i) {
    run["launches"].push_back(
        {{"id", i},
         {"kernel", "k"},
         {"grid", {1, 1, 1}},
         {"block", {32, 1, 1}},
         {"metrics", {{"cycles", i % 3 == 1 ? 1 : 100 + i}, {"scheduler_share_issued", 0.5}}}});
  }
  const Json alone = report_data({write("a", run.dump())}).at("runs")[0];
  ASSERT_EQ(alone.at("launches").size(), 100U);
  EXPECT_EQ(alone.at("launches_left_out"), 50);
  EXPECT_EQ(alone.at("launches")[0].at("id"), 0);
  EXPECT_EQ(alone.at("launches")[1].at("id"), 2);
  EXPECT_EQ(alone.at("launches")[99].at("id"), 149);
  EXPECT_EQ(alone.at("launches")[0].at("metrics").at("scheduler_share_issued"), 0.5);

  for (unsigned i = 0; i < 99; ++i) write("b" + std::to_string(i), run.dump());
  const Json among = report_data({folder_.string()}).at("runs")[0];
  EXPECT_EQ(among.at("launches").size(), 20U) << "2,000 of a page";
  EXPECT_FALSE(among.at("launches")[0].at("metrics").contains("scheduler_share_issued"));
}

TEST_F(ReportDataTest, LogsAreShownOfTheFirstSixRuns) {
  for (unsigned i = 0; i < 6; ++i) {
    const std::string run = "run" + std::to_string(i);
    write(run, stats("gto", 10).dump());
    std::ofstream(folder_ / run / "predictions.csv") << kPredictions << "5,0,k,1,20,300,280\n";
  }
  const Json six = report_data({folder_.string()});
  EXPECT_EQ(six.at("first_only"), Json::array());
  EXPECT_EQ(six.at("runs")[5].at("predictions").at("actual"), Json({280}));
  write("run6", stats("gto", 10).dump());
  const Json seven = report_data({folder_.string()});
  EXPECT_EQ(seven.at("first_only"), Json({"predictions"}));
  EXPECT_FALSE(seven.at("runs")[6].contains("predictions"));
}

TEST_F(ReportDataTest, PredictionsOfLaunchesThatDidNotEndAreLeftOut) {
  write("run", stats("gto", 10).dump());
  std::ofstream(folder_ / "run/predictions.csv") << kPredictions << "5,0,k,1,20,300,\n9,1,k2,0,20,40,50\n";
  const Json shown = report_data({folder_.string()}).at("runs")[0].at("predictions");
  EXPECT_EQ(shown.at("kernel"), Json({"k2"}));
  EXPECT_EQ(shown.at("predicted"), Json({40}));
  EXPECT_EQ(shown.at("cycle"), Json({9}));
}

// heddle pairs of a timed workload leaves logs in numbered folders, and no stats.json.
TEST_F(ReportDataTest, LogsOfTimedPairsAreShownInTheirOrder) {
  const auto log = [this](const std::string& name, const Json& text) {
    std::filesystem::create_directories(folder_ / name);
    std::ofstream(folder_ / name / "thread_blocks.json") << text.dump();
  };
  const Json tb{{"tb", 0}, {"sm", 3}, {"slot", 1}, {"start", 10}, {"end", 30}};
  for (const char* pair : {"10", "2"}) {
    log(pair, {{"pair", std::string("pair ") + pair},
               {"launches", Json::array({{{"launch", 0}, {"kernel", "k"}, {"tbs", Json::array({tb})}}})}});
  }
  const Json data = report_data({folder_.string()});
  EXPECT_TRUE(data.at("runs").empty());
  ASSERT_EQ(data.at("timed_pairs").size(), 2U);
  EXPECT_EQ(data.at("timed_pairs")[0].at("label"), "pair 2");
  EXPECT_EQ(data.at("timed_pairs")[1].at("label"), "pair 10");
  EXPECT_EQ(data.at("timed_pairs")[0].at("thread_blocks").at("tbs").at("end"), Json({30}));
  EXPECT_EQ(data.at("title"), "Heddle report: 2 pairs of timed kernels");

  log("11", {{"status", "partial"}, {"launches", Json::array()}});
  EXPECT_THAT(refusal(folder_.string()), HasSubstr("/11: there is no stats.json: the run was ended before"));
  write("11", stats("gto", 10).dump());
  EXPECT_EQ(report_data({folder_.string()}).at("timed_pairs").size(), 0U) << "beside runs they don't count";
}

TEST_F(ReportDataTest, RefusesDamagedPredictions) {
  write("run", stats("gto", 10).dump());
  const auto refused = [this](const std::string& text) {
    std::ofstream(folder_ / "run/predictions.csv") << text;
    return refusal(folder_.string());
  };
  EXPECT_THAT(refused("cycle,launch\n1,2\n"),
              HasSubstr("run/predictions.csv: damaged: expected 'cycle,launch,kernel"));
  EXPECT_THAT(refused(std::string(kPredictions) + "5,0,k,1,20,many,280\n"),
              HasSubstr("predictions.csv: damaged: expected a number of cycles, found 'many'"));
  EXPECT_THAT(refused(std::string(kPredictions) + "5,0,k,1,20,300,280x\n"), HasSubstr("found '280x'"));
}

}  // namespace
}  // namespace heddle
