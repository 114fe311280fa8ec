// What the report's page gets of a folder of `heddle reproduce`.
#include "top/page/reproduction_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sc_tests/support/paths.h"
#include "top/page/report_data.h"
#include "top/page/report_page.h"
#include "top/support/results.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class ReproductionDataTest : public ::testing::Test {
 protected:
  ReproductionDataTest()
      : folder_(fs::temp_directory_path() / ("heddle-reproduction-data-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ReproductionDataTest() override { fs::remove_all(folder_); }

  /// The numbers of PRO's figure 4 at both sizes, and a figure that a class of its own draws.
  static Json numbers() {
    const auto table = [](double mean) {
      return Json{{"series", {{{"name", "over TL"}}, {{"name", "over LRR"}}, {{"name", "over GTO"}}}},
                  {"rows",
                   {{{"label", "AES"}, {"values", {1.25, nullptr, 1.5}}},
                    {{"label", "geometric mean"}, {"summary", true}, {"values", {1.1, mean, 1.01}}}}}};
    };
    Json two;
    two["series"] = {{{"name", "LRR, begins"}},
                     {{"name", "LRR, ends"}},
                     {{"name", "PRO, begins"}},
                     {{"name", "PRO, ends"}}};
    two["rows"] = {{{"label", "0"}, {"values", {3, 20, 3, 18}}}};
    return {
        {"experiments",
         {{"schedulers",
           {{"quick",
             {{"points", 64},
              {"complete", 62},
              {"failed", {"workload bfs: deadlock"}},
              {"cpu_seconds", 146},
              {"longest_seconds", 9}}}}}}},
        {"figures",
         {{"figure_4", {{"full", table(1.09)}, {"quick", table(1.067)}}}, {"figure_2", {{"quick", two}}}}}};
  }
  std::string write(const Json& json, const std::string& name = "pro.json") const {
    return write_text(json.dump(), name);
  }
  std::string write_text(const std::string& text, const std::string& name) const {
    std::ofstream(folder_ / name) << text;
    return folder_.string();
  }
  static std::string refusal_of(const std::vector<std::string>& folders) {
    try {
      report_page(report_data(folders));
    } catch (const ResultsError& error) {
      return error.what();
    }
    return "";
  }
  std::string refusal(const Json& json) const { return refusal_of({write(json)}); }

  static const Json& figure(const Json& paper, const std::string& id) {
    for (const Json& one : paper.at("figures")) {
      if (one.at("id") == id) return one;
    }
    throw std::runtime_error("there is no " + id);
  }

  fs::path folder_;
};

TEST_F(ReproductionDataTest, HeadlinesHaveThePapersNumberBesideOurs) {
  const Json data = report_data({write(numbers())});
  ASSERT_EQ(data.at("papers").size(), 1U);
  const Json& paper = data.at("papers")[0];
  EXPECT_EQ(paper.at("paper"), "PRO");
  const Json& lrr = paper.at("headlines")[0];
  EXPECT_EQ(lrr.at("name"), "PRO over LRR");
  EXPECT_EQ(lrr.at("paper"), 1.12);
  EXPECT_EQ(lrr.at("full"), 1.09);
  EXPECT_EQ(lrr.at("quick"), 1.067);
  EXPECT_EQ(lrr.at("ours"), 1.09) << "of full size when there is one";
  EXPECT_DOUBLE_EQ(lrr.at("ratio"), 1.09 / 1.12);
  EXPECT_NEAR(lrr.at("share"), 0.75, 1e-12);
  EXPECT_EQ(lrr.at("within_a_third"), "yes");
  EXPECT_EQ(paper.at("headlines")[1].at("within_a_third"), "yes") << "1.1 of 1.13";
  EXPECT_EQ(paper.at("headlines")[2].at("within_a_third"), "no") << "1.01 of 1.02";
}

TEST_F(ReproductionDataTest, FiguresHaveTheirTablesAndWhatRepeatsThem) {
  const Json data = report_data({write(numbers())});
  const Json& paper = data.at("papers")[0];
  EXPECT_EQ(paper.at("commands"), Json({"heddle reproduce pro --out " + folder_.string(),
                                        "heddle reproduce pro --quick --out " + folder_.string()}));
  const Json& four = figure(paper, "figure_4");
  EXPECT_EQ(four.at("drawing"), "bars");
  EXPECT_EQ(four.at("size"), "full");
  EXPECT_EQ(four.at("tables").at("quick").at("rows")[1].at("values")[1], 1.067);
  EXPECT_EQ(four.at("tables").at("full").at("filled"), 2);
  EXPECT_EQ(four.at("tables").at("full").at("size"), 3) << "one value is not there";
  EXPECT_EQ(four.at("command"), "heddle reproduce pro --figure figure_4 --out " + folder_.string());
  EXPECT_EQ(four.at("paper")[0].at("value"), 1.13);
  const Json& two = figure(paper, "figure_2");
  EXPECT_EQ(two.at("by"), "tb_intervals");
  EXPECT_THAT(two.at("command").get<std::string>(), HasSubstr("--figure figure_2 --quick"));
  EXPECT_EQ(figure(paper, "figure_1").at("size"), "") << "not run";
  EXPECT_EQ(paper.at("experiments")[0].at("failed"), Json({"workload bfs: deadlock"}));
}

TEST_F(ReproductionDataTest, TheProjectsOwnPagesMakeAPageBelowFiveMegabytes) {
  const std::string folder = test::source_dir() + "/docs/reproduction";
  const Json data = report_data({folder});
  EXPECT_GE(data.at("papers").size(), 4U);
  EXPECT_LT(report_page(data).size(), 5U << 20U);
}

TEST_F(ReproductionDataTest, DamagedNumbersAreRefusedByNameAndWhatWasExpected) {
  const auto damaged = [](const std::string& problem) {
    return AllOf(HasSubstr("/pro.json: damaged: "), HasSubstr(problem));
  };
  EXPECT_THAT(refusal_of({write_text("{\"figures\": ", "pro.json")}), damaged("parse error"));
  EXPECT_THAT(refusal(Json{{"workload", "bfs"}}),
              damaged("expected the numbers of a paper's figures, as `heddle reproduce pro` writes them"));
  EXPECT_THAT(refusal(Json{{"experiments", 5}, {"figures", Json::object()}}), damaged("expected a map"));
  EXPECT_THAT(refusal(Json{{"experiments", Json::object()}, {"figures", {{"figure_4", {1, 2}}}}}),
              damaged("figure_4: expected a map by size"));
  Json other = numbers();
  other["figures"]["figure_4"]["full"]["rows"][0]["values"] = {1, 2};
  EXPECT_THAT(refusal(other), damaged("found 2 values in row 'AES', expected 3"));
  other = numbers();
  other["figures"]["figure_4"]["full"]["rows"][0]["values"][0] = "1.25";
  EXPECT_THAT(refusal(other), damaged("type must be number"));
  other = numbers();
  other["experiments"]["schedulers"]["quick"]["points"] = -1;
  EXPECT_THAT(refusal(other), damaged("found -1, expected how many points"));
  other = numbers();
  other["figures"]["figure_2"]["quick"] = {{"series", {{{"name", "LRR, begins"}}}},
                                           {"rows", {{{"label", "0"}, {"values", {3}}}}}};
  EXPECT_THAT(refusal(other), damaged("found 1 series, expected 4"));
}

// What classes of their own draw beside the rows.
TEST_F(ReproductionDataTest, DrawingsOfAnotherFormAreRefused) {
  const auto of_figure = [](const std::string& id, Json extra) {
    Json json{{"experiments", Json::object()}};
    json["figures"][id]["quick"] = {
        {"series", Json::array()}, {"rows", Json::array()}, {"extra", std::move(extra)}};
    return json;
  };
  const auto srtf = [&](const std::string& id, Json extra) {
    return refusal_of({write(of_figure(id, std::move(extra)), "srtf.json")});
  };
  EXPECT_THAT(srtf("figure_2", {{"sm", 0}, {"starts", {1, 2}}, {"ends", {3}}}),
              HasSubstr("srtf.json: damaged: "));
  EXPECT_THAT(srtf("figure_2", {{"sm", 0}}), HasSubstr("key 'starts' not found"));
  EXPECT_THAT(srtf("figure_4", Json::array({{{"group", "a"}, {"series", ""}, {"numbers", {1, 2}}}})),
              HasSubstr("array index 2 is out of range"));
  EXPECT_THAT(
      srtf("figure_12", Json::array({{{"name", "fifo"},
                                      {"end", 9},
                                      {"kernels", {"k"}},
                                      {"sms", {{{"tbs", {{1, 0, 3, 4}}}, {"intervals", Json::array()}}}}}})),
      HasSubstr("array index 1 is out of range"));
  fs::remove(folder_ / "srtf.json");
  EXPECT_THAT(refusal_of({write(of_figure("figure_1", Json::array({{"gto", 0, 1, 1, true}})), "study.json")}),
              HasSubstr("study.json: damaged: "));
}

TEST_F(ReproductionDataTest, NumbersOfAPaperThatIsNotDefinedAreRefused) {
  EXPECT_THAT(
      refusal_of({write(numbers(), "thesis.json")}),
      HasSubstr("thesis.json: has the numbers of a paper, but there is no experiments/thesis/figures.yaml"));
  write(numbers());
  EXPECT_THAT(refusal_of({folder_.string()}), HasSubstr("thesis.json: has the numbers of a paper"));
  fs::remove(folder_ / "thesis.json");
  EXPECT_EQ(refusal_of({write_text("{\"any\": \"file\"}", "other.json")}), "") << "no paper's";
}

TEST_F(ReproductionDataTest, FoldersOfTwoKindsAreRefused) {
  write(numbers());
  fs::create_directories(folder_ / "runs");
  std::ofstream(folder_ / "runs" / "stats.json") << "{}";
  const std::string runs = (folder_ / "runs").string();
  fs::create_directories(folder_ / "papers");
  fs::rename(folder_ / "pro.json", folder_ / "papers" / "pro.json");
  const std::string papers = (folder_ / "papers").string();
  EXPECT_EQ(refusal_of({runs, papers}),
            papers + " has figures of papers, " + runs + " has not: expected folders of one kind");
  EXPECT_EQ(report_data({papers, papers}).at("papers").size(), 2U);
}

TEST_F(ReproductionDataTest, AFolderOfAnythingElseIsRefusedWithAllThatItMightHave) {
  EXPECT_THAT(refusal_of({folder_.string()}), AllOf(HasSubstr("expected the results of a run (stats.json)"),
                                                    HasSubstr("the numbers of a paper (PAPER.json)")));
}

}  // namespace
}  // namespace heddle
