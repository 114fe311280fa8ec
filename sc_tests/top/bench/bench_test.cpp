#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "sc_tests/support/paths.h"
#include "top/bench/accepted.h"
#include "top/bench/measurement.h"
#include "top/bench/reference_speed.h"
#include "top/bench/rows.h"

namespace heddle::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string temporary(const std::string& name) {
  return (std::filesystem::path(::testing::TempDir()) / name).string();
}

TEST(BenchAccepted, ComesBackAsItWasSaved) {
  const std::string path = temporary("accepted_round_trip.json");
  Accepted saved;
  saved.tolerance_percent = 7;
  saved.ratios = {{"poly", 1000}, {"vecadd", 250.5}};
  saved.save(path);
  const Accepted loaded = Accepted::load(path);
  EXPECT_EQ(loaded.tolerance_percent, 7);
  EXPECT_EQ(loaded.ratios, saved.ratios);
}

TEST(BenchAccepted, PointsOutOnlySlowdownsBeyondTheTolerance) {
  Accepted accepted;
  accepted.tolerance_percent = 10;
  accepted.ratios = {{"poly", 1000}};
  EXPECT_NEAR(accepted.change_percent("poly", 1100), 10, 1e-9);
  EXPECT_FALSE(accepted.slower("poly", 2000));
  EXPECT_FALSE(accepted.slower("poly", 901));
  EXPECT_TRUE(accepted.slower("poly", 899));
  EXPECT_FALSE(accepted.slower("unknown", 1));
}

TEST(BenchAccepted, NamesTheFileThatIsWrong) {
  const std::string path = temporary("accepted_wrong.json");
  const auto load = [&path](const std::string& text) {
    std::ofstream(path) << text;
    Accepted::load(path);
  };
  EXPECT_THAT([&] { load("{"); }, ThrowsMessage<std::runtime_error>(HasSubstr(path)));
  EXPECT_THAT([&] { load(R"({"tolerance_percent": 5})"); },
              ThrowsMessage<std::runtime_error>(HasSubstr(path)));
  EXPECT_THAT(
      [&] { load(R"({"tolerance_percent": 5, "warp_instructions_per_fixed_computation": {"poly": 0}})"); },
      ThrowsMessage<std::runtime_error>(HasSubstr("poly: expected a number above 0")));
  EXPECT_THAT([] { Accepted::load("/nowhere.json"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("/nowhere.json: cannot be read")));
}

TEST(BenchAccepted, TheRepositorysFigureCanBeRead) {
  const Accepted accepted =
      Accepted::load((std::filesystem::path(test::source_dir()) / "top/bench/accepted.json").string());
  EXPECT_GT(accepted.tolerance_percent, 0);
}

TEST(BenchMeasurement, MedianAndGeometricMean) {
  EXPECT_EQ(median({9, 1, 4}), 4);
  EXPECT_EQ(median({9, 1, 4, 6}), 5);
  EXPECT_NEAR(geometric_mean({2, 8}), 4, 1e-12);
}

TEST(BenchMeasurement, SaysWhichRunFailed) {
  Measurement measurement("/bin/false");
  EXPECT_THAT([&] { measurement.speed("some.yaml", {}, 1); },
              ThrowsMessage<std::runtime_error>(HasSubstr("some.yaml: the run failed")));
}

TEST(BenchYardstick, ComesToTheSameResultEveryTime) {
  Yardstick yardstick;
  EXPECT_GT(yardstick.run(), 0);
  EXPECT_GT(yardstick.run(), 0);  // it throws when the result differs
}

ReferenceFigure figure() { return {"desc", "sched", "speed"}; }

TEST(BenchReference, ReadsTheFiguresOfOneScheduler) {
  std::istringstream csv("tag,desc,sched,speed\nd,poly,lrr,5\nd,poly,gto,40.5\n\nd,atax,gto,3\n");
  const auto speeds = read_reference(csv, figure(), "gto");
  EXPECT_EQ(speeds, (std::map<std::string, double>{{"poly", 40.5}, {"atax", 3}}));
}

TEST(BenchReference, RefusesMissingColumnsShortRowsAndWords) {
  const auto read = [](const char* text) {
    std::istringstream csv(text);
    read_reference(csv, figure(), "gto");
  };
  EXPECT_THAT([&] { read("desc,sched\n"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("no column 'speed'")));
  EXPECT_THAT([&] { read("desc,sched,speed\npoly,gto\n"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("too short a row: poly,gto")));
  EXPECT_THAT([&] { read("desc,sched,speed\npoly,gto,fast\n"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("'fast'")));
}

TEST(BenchRows, HaveTheirWorkloadsAndFiguresOfTheReference) {
  const std::filesystem::path project = test::source_dir();
  std::ifstream speeds_csv(project / "workloads/reference/speed.csv");
  const auto speeds = read_reference(speeds_csv, kReferenceSpeed, "gto");
  std::ifstream cycles_csv(project / "workloads/reference/gpgpusim.csv");
  const auto two_level = read_reference(cycles_csv, kReferenceCycleSpeed, "two_level");
  std::set<std::string> names;
  std::set<std::string> compared;
  for (const Row& row : timed_rows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(std::filesystem::exists(project / row.workload)) << row.workload;
    if (row.reference.empty()) continue;
    EXPECT_EQ(speeds.count(row.reference), 1) << row.reference;
    compared.insert(row.reference);
  }
  for (const auto& [kernel, speed] : speeds) EXPECT_EQ(compared.count(kernel), 1) << kernel;
  for (const std::string& kernel : scheduler_kernels()) EXPECT_EQ(two_level.count(kernel), 1) << kernel;
  for (const std::string& kernel : compared_kernels())
    EXPECT_TRUE(std::filesystem::exists(project / reference_workload(kernel))) << kernel;
  const Accepted accepted = Accepted::load((project / "top/bench/accepted.json").string());
  for (const auto& [row, ratio] : accepted.ratios) EXPECT_EQ(names.count(row), 1) << row;
}

}  // namespace
}  // namespace heddle::bench
