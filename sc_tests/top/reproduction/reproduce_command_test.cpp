// `heddle reproduce` on a paper of two tiny workloads.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sc_tests/support/paths.h"
#include "sc_tests/top/reproduction/page_text.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

using test::contents;
using test::has;

/// A home with the project's machines and workloads and a paper of its own.
class ReproduceCommand : public testing::Test {
 protected:
  void SetUp() override {
    home_ = fs::path(testing::TempDir()) / ("heddle-reproduce-" + std::to_string(getpid()));
    fs::remove_all(home_);
    fs::create_directories(home_ / "experiments" / "tiny" / "quick");
    for (const char* folder : {"configs", "workloads"})
      fs::create_directory_symlink(fs::path(test::source_dir()) / folder, home_ / folder);
    write("figures.yaml", R"(paper: Tiny
title: T
authors: A
config: gtx480
points: {gto: {scheduler: gto}, lrr: {scheduler: lrr}}
headlines: [{name: GTO over LRR, figure: 1, row: mean, series: s, paper: 1.1, section: 2, gain: true}]
figures:
  - figure: 1
    title: Speed
    experiment: runs
    rows: [{label: A, workload: vector_add, kernel: vector_add}, {label: B, workload: scalar_product}]
    series: [{name: s, value: lrr.cycles / gto.cycles}, {name: i, value: gto.sm.warp_instructions}]
    summary: [{label: mean, fold: geometric_mean}]
    paper: [{row: mean, series: s, value: 1.1, section: 2}]
  - figure: 2
    title: Only large
    experiment: large
    rows: [{label: A, workload: vector_add}]
    series: [{name: s, value: gto.cycles}]
)");
    const std::string runs =
        "configs: [gtx480]\nschedulers: [lrr, gto]\nset: {core.sms: 1}\nworkloads:\n"
        "  - {workload: vector_add, params: {n: 2048}, label: vector_add}\n"
        "  - {workload: scalar_product, params: {pairs: 2, length: 512}, label: scalar_product}\n";
    write("runs.yaml", runs);
    write("quick/runs.yaml", runs);
    write("large.yaml", runs);
  }
  void TearDown() override { fs::remove_all(home_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(home_ / "experiments" / "tiny" / name) << text;
  }

  std::string page_of(const std::string& paper) const { return contents(home_ / "out" / (paper + ".md")); }

  /// The exit code; both outputs are in output_.
  int reproduce(const std::string& arguments) {
    const std::string out = (home_ / "output.txt").string();
    const std::string command = "cd '" + home_.string() + "' && HEDDLE_HOME='" + home_.string() + "' '" +
                                test::program() + "' reproduce " + arguments +
                                " --out out --db results.sqlite > '" + out + "' 2>&1";
    const int status = std::system(command.c_str());
    output_ = contents(out);
    return status == -1 ? -1 : WEXITSTATUS(status);
  }

  fs::path home_;
  std::string output_;
};

TEST_F(ReproduceCommand, RunsWhatIsMissingAndWritesThePages) {
  ASSERT_EQ(reproduce("tiny --quick"), 0) << output_;
  EXPECT_TRUE(has(output_, "experiment 'large' has no quick size: its figures are left out")) << output_;
  EXPECT_TRUE(has(output_, "Tiny Figure 1: Speed (quick)")) << output_;
  const std::string page = page_of("tiny");
  EXPECT_TRUE(has(page, "| runs | quick | 4 | 4 |")) << page;
  EXPECT_TRUE(has(page, "![Figure 1](pictures/tiny_figure_1.svg)"));
  EXPECT_TRUE(has(contents(home_ / "out" / "pictures" / "tiny_figure_1.svg"), "<svg"));
  EXPECT_TRUE(has(contents(home_ / "out" / "README.md"),
                  "| [Tiny](" + std::string("tiny") + ".md) | GTO over LRR |"));

  // The numbers are those of the runs: a kernel's launch, and a whole run.
  const auto json = nlohmann::json::parse(contents(home_ / "out" / "tiny.json"));
  const auto& rows = json.at("figures").at("figure_1").at("quick").at("rows");
  const double speed_up = rows.at(0).at("values").at(0);
  EXPECT_GT(speed_up, 0.5);
  EXPECT_LT(speed_up, 2);
  EXPECT_GT(rows.at(1).at("values").at(1), 100);

  // Nothing runs a second time, and the pages stay as they are.
  ASSERT_EQ(reproduce("tiny --quick --no-run"), 0) << output_;
  EXPECT_EQ(page_of("tiny"), page);
  ASSERT_EQ(reproduce("tiny --redraw"), 0) << output_;
  EXPECT_EQ(page_of("tiny"), page);
  // Full size: the points are the same ones, so that the database has them.
  ASSERT_EQ(reproduce("tiny --figure 2 --no-run --format csv"), 0) << output_;
  EXPECT_TRUE(has(output_, "tiny,figure_2,full,A,s,")) << output_;
  EXPECT_TRUE(has(page_of("tiny"), "| large | full | 4 | 4 |"));
}

TEST_F(ReproduceCommand, WithoutRunsThereIsNothing) {
  EXPECT_EQ(reproduce("tiny --quick --no-run"), 3) << output_;
  EXPECT_TRUE(has(output_, "results.sqlite: there is no such database of results")) << output_;
  EXPECT_FALSE(fs::exists(home_ / "results.sqlite"));
  EXPECT_EQ(reproduce("tiny --redraw"), 3) << output_;
  EXPECT_TRUE(has(output_, "out/tiny.json: there is no such file, from which --redraw would write the pages"))
      << output_;
  EXPECT_FALSE(fs::exists(home_ / "out"));
  write("quick/large.yaml", "workloads: [{workload: vector_add, params: {n: 64}, label: other}]\n");
  ASSERT_EQ(reproduce("tiny --quick --figure 2"), 0) << output_;
  ASSERT_EQ(reproduce("tiny --quick --no-run"), 0) << output_;
  EXPECT_TRUE(has(output_, "Nothing of it was run."));
  EXPECT_TRUE(has(page_of("tiny"), "| runs | quick | 4 | 0 | - |")) << page_of("tiny");
}

TEST_F(ReproduceCommand, WithFewerPointsLeavesTheNumbersThatAreThere) {
  ASSERT_EQ(reproduce("tiny --quick"), 0) << output_;
  const std::string numbers = contents(home_ / "out" / "tiny.json");
  const std::string forget = "HEDDLE_HOME='" + home_.string() + "' '" + test::program() +
                             "' results forget --where workload=vector_add --db '" +
                             (home_ / "results.sqlite").string() + "' >/dev/null";
  ASSERT_EQ(std::system(forget.c_str()), 0);
  ASSERT_EQ(reproduce("tiny --quick --no-run"), 0) << output_;
  EXPECT_TRUE(
      has(output_,
          "heddle reproduce: Tiny: points are missing: out/tiny.json keeps what it has of Figure 1 (4 "
          "values, 2 in this run, which replaces B)"))
      << output_;
  EXPECT_EQ(contents(home_ / "out" / "tiny.json"), numbers);
  ASSERT_EQ(reproduce("tiny --quick"), 0) << output_;
  EXPECT_FALSE(has(output_, "points are missing")) << output_;
}

TEST_F(ReproduceCommand, TellsWhichNumbersDifferFromAnotherFolders) {
  EXPECT_EQ(reproduce("tiny --quick --against other"), 3) << output_;
  EXPECT_TRUE(
      has(output_, "other/tiny.json: there is no such file, with whose numbers --against would compare"))
      << output_;
  EXPECT_FALSE(fs::exists(home_ / "results.sqlite"));  // told before anything runs
  ASSERT_EQ(reproduce("tiny --quick"), 0) << output_;
  fs::create_directory(home_ / "other");
  fs::copy(home_ / "out" / "tiny.json", home_ / "other" / "tiny.json");
  ASSERT_EQ(reproduce("tiny --quick --against other"), 0) << output_;
  // Two rows of two series, and their means.
  EXPECT_TRUE(has(output_, "Against other\n")) << output_;
  EXPECT_TRUE(has(output_, "6 numbers are equal, 0 differ.")) << output_;

  auto json = nlohmann::ordered_json::parse(contents(home_ / "other" / "tiny.json"));
  auto& rows = json.at("figures").at("figure_1").at("quick").at("rows");
  const std::string was = rows.at(1).at("values").at(1).dump();
  rows.at(1).at("values").at(1) = 7;
  std::ofstream(home_ / "other" / "tiny.json") << json.dump();
  EXPECT_EQ(reproduce("tiny --quick --no-run --against other"), 1) << output_;
  EXPECT_TRUE(has(output_, "5 numbers are equal, 1 differ.")) << output_;
  EXPECT_EQ(reproduce("tiny --quick --no-run --against other --format csv"), 1) << output_;
  EXPECT_TRUE(has(output_, "tiny,figure_1,quick,B,i," + was + ".0,,,,,7.0\n")) << output_;
  // The numbers of --out are these of the run, whatever the other folder has.
  EXPECT_EQ(reproduce("tiny --redraw --quick --against other"), 1) << output_;
  EXPECT_EQ(reproduce("tiny --redraw --quick --against out"), 0) << output_;
}

TEST_F(ReproduceCommand, NumbersThatCantBeComparedAreNotEqual) {
  ASSERT_EQ(reproduce("tiny --quick"), 0) << output_;
  fs::create_directory(home_ / "other");
  auto json = nlohmann::ordered_json::parse(contents(home_ / "out" / "tiny.json"));
  for (auto& [name, figure] : json.at("figures").items()) figure.erase("quick");
  std::ofstream(home_ / "other" / "tiny.json") << json.dump();
  EXPECT_EQ(reproduce("tiny --quick --no-run --against other"), 1) << output_;
  EXPECT_TRUE(has(output_, "0 numbers are equal, 0 differ. It doesn't have Figure 1 in this size."))
      << output_;
  EXPECT_TRUE(has(output_, "heddle reproduce: Tiny: nothing could be compared with other\n")) << output_;
}

TEST_F(ReproduceCommand, ThatIsEndedLeavesTheFolderAndSaysHowToGoOn) {
  write("quick/runs.yaml",
        "configs: [gtx480]\nschedulers: [lrr, gto]\nset: {core.sms: 1}\n"
        "workloads: [{workload: matrix_multiply, size: large, label: vector_add}]\n");
  EXPECT_EQ(reproduce("tiny --quick --max-seconds 1"), 11) << output_;
  EXPECT_TRUE(has(output_, "0 of 2 points are done; the same command goes on with the others")) << output_;
  EXPECT_FALSE(fs::exists(home_ / "out" / (std::string("tiny") + ".md")));
}

/// Three experiments with points in common, one of which wants a log of these, and programs at once.
TEST_F(ReproduceCommand, RunsAllExperimentsSideBySideAndWhatTheyShareOnce) {
  write("figures.yaml", R"(paper: Tiny
title: T
authors: A
config: gtx480
points: {gto: {scheduler: gto}}
figures:
  - figure: 1
    title: Speed
    experiment: runs
    rows: [{label: A, workload: vector_add}]
    series: [{name: s, value: gto.cycles}]
  - figure: 2
    title: Logged
    experiment: logged
    rows: [{label: A, workload: vector_add}]
    series: [{name: s, value: gto.cycles}]
  - figure: 3
    title: Pairs
    experiment: pairs
    rows: [{label: A, workload: both}]
    series: [{name: s, value: gto.multiprogram.stp}]
)");
  const std::string workload = "{workload: vector_add, params: {n: 2048}, label: vector_add}";
  write("quick/runs.yaml",
        "configs: [gtx480]\nschedulers: [lrr, gto]\nset: {core.sms: 1}\nworkloads: [" + workload + "]\n");
  write("quick/logged.yaml", "configs: [gtx480]\nschedulers: [gto]\nset: {core.sms: 1}\nworkloads: [" +
                                 workload + "]\nrecord: {tb_log: true}\n");
  write("quick/pairs.yaml",
        "configs: [gtx480]\nschedulers: [gto]\nset: {core.sms: 1}\nworkloads:\n"
        "  - {at_once: [vector_add, scalar_product], params: {n: 2048, pairs: 2, length: 512},\n"
        "     arrivals: [50%], label: both}\n");
  ASSERT_EQ(reproduce("tiny --quick"), 0) << output_;
  const std::string page = page_of("tiny");
  EXPECT_TRUE(has(page, "| runs | quick | 2 | 2 |")) << page;
  EXPECT_TRUE(has(page, "| logged | quick | 1 | 1 |")) << page;
  EXPECT_TRUE(has(page, "| pairs | quick | 1 | 1 |")) << page;
  const std::string out = (home_ / "points.csv").string();
  const std::string list = "'" + test::program() + "' results list --format csv --db '" +
                           (home_ / "results.sqlite").string() + "' >" + out;
  ASSERT_EQ(std::system(list.c_str()), 0);
  const std::string points = contents(out);
  EXPECT_EQ(std::count(points.begin(), points.end(), '\n'), 1 + 2 + 2 + 1) << points;
  std::size_t logs = 0;
  for (const auto& entry : fs::recursive_directory_iterator(home_ / "results.sqlite.records"))
    logs += entry.path().filename() == "thread_blocks.json" ? 1 : 0;
  EXPECT_EQ(logs, 1U);
}

TEST_F(ReproduceCommand, NamesWhatItDoesNotKnow) {
  EXPECT_NE(reproduce("tyni"), 0);
  EXPECT_TRUE(has(output_, "there is no paper 'tyni'")) << output_;
  EXPECT_NE(reproduce("tiny --figure 3"), 0);
  EXPECT_TRUE(has(output_, "--figure 3: Tiny has no such figure or table")) << output_;
  EXPECT_NE(reproduce("tiny --jobs 0"), 0);
  EXPECT_NE(reproduce("tiny --executor sulrm"), 0);
  EXPECT_TRUE(has(output_, "heddle reproduce: --executor sulrm: expected local or slurm")) << output_;
  write("quick/runs.yaml", "workloads: [vector_ad]\n");
  EXPECT_NE(reproduce("tiny --quick"), 0);
  EXPECT_TRUE(has(output_, "quick/runs.yaml:1:")) << output_;
}

}  // namespace
}  // namespace heddle
