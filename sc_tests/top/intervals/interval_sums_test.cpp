// What the intervals hold adds up to what stats.json says, counter by counter, however the run ends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sc_tests/top/intervals/intervals_fixture.h"
#include "top/machine/stat_registry.h"

namespace heddle {
namespace {

struct SumsCase {
  const char* name;
  std::vector<std::string> arguments;
};
void PrintTo(const SumsCase& run, std::ostream* out) { *out << run.name; }

class IntervalSums : public IntervalsOfRuns, public ::testing::WithParamInterface<SumsCase> {
 protected:
  void SetUp() override {
    IntervalsOfRuns::SetUp();
    const ProgramOutcome outcome = run_into("o", GetParam().arguments);
    ASSERT_TRUE(outcome.code == 0 || outcome.code == 7) << outcome.err;
  }
};

TEST_P(IntervalSums, AreTheTotalsOfTheRun) {
  const auto totals = figures("o", "metrics");
  const IntervalRows columns = rows("o", "SELECT \"table\", name, metric FROM columns");
  EXPECT_GT(columns.size(), 50U);
  unsigned counted = 0;
  for (const IntervalRow& column : columns) {
    const std::string sum = value("o", fmt::format("SELECT sum({}) FROM {}", column[1], column[0]));
    EXPECT_EQ(std::stod(sum), totals.at(column[2])) << column[2];
    counted += std::stod(sum) > 0 ? 1 : 0;
  }
  EXPECT_GT(counted, 25U) << "most of them have something to count in this run";
  if (GetParam().arguments[0] == "convolution_texture") EXPECT_GT(totals.at("sm.texture.misses"), 0);
}

/// The schedulers of an SM and the slices of a partition are added up.
TEST_P(IntervalSums, AreThoseOfEachSmAndPartition) {
  std::map<std::string, double> expected;  // "sm3 l1d_hits"
  const IntervalRows columns =
      rows("o", "SELECT \"table\", metric, name FROM columns WHERE \"table\" <> 'intervals'");
  for (const auto& [name, of_instance] : figures("o", "instances")) {
    for (const IntervalRow& column : columns) {
      if (kind_of_scope(name) != column[1]) continue;
      expected[name.substr(0, name.find('.')) + " " + column[2]] += of_instance;
    }
  }
  std::map<std::string, double> found;
  for (const IntervalRow& column : columns) {
    for (const IntervalRow& row :
         rows("o", fmt::format("SELECT {0}, sum({1}) FROM {0} GROUP BY {0}", column[0], column[2]))) {
      found[column[0] + row[0] + " " + column[2]] = std::stod(row[1]);
    }
  }
  EXPECT_EQ(found, expected);
}

TEST_P(IntervalSums, CausesOfIssueSlotsAddUpToTheCyclesInEachInterval) {
  std::string causes;
  for (const IntervalRow& column :
       rows("o", "SELECT name FROM columns WHERE name LIKE 'scheduler_%' AND name <> 'scheduler_cycles'")) {
    causes += (causes.empty() ? "" : "+") + column[0];
  }
  EXPECT_EQ(std::count(causes.begin(), causes.end(), '+'), 14) << causes;
  EXPECT_EQ(value("o", fmt::format("SELECT count(*) FROM sm WHERE {} <> scheduler_cycles", causes)), "0");
  EXPECT_EQ(value("o",
                  "SELECT count(*) FROM sm JOIN intervals USING (interval), run "
                  "WHERE scheduler_cycles <> run.schedulers * (last_cycle - first_cycle + 1)"),
            "0");
}

TEST_P(IntervalSums, IntervalsTileTheRun) {
  const IntervalRow run = rows("o", "SELECT cycles, interval_cycles, sms, partitions FROM run").at(0);
  std::uint64_t number = 0;
  std::uint64_t last = 0;
  for (const IntervalRow& row : rows("o", "SELECT interval, first_cycle, last_cycle FROM intervals")) {
    EXPECT_EQ(std::stoull(row[0]), number++);
    EXPECT_EQ(std::stoull(row[1]), last + 1);
    last = std::stoull(row[2]);
    const bool whole = last == number * std::stoull(run[1]);
    EXPECT_TRUE(whole || last == std::stoull(run[0])) << "the last one alone may be shorter";
  }
  EXPECT_EQ(std::to_string(last), run[0]);
  EXPECT_EQ(run[0], std::to_string(static_cast<std::uint64_t>(figures("o", "metrics").at("cycles"))));
  EXPECT_EQ(value("o", "SELECT count(*) FROM sm"), std::to_string(number * std::stoull(run[2])));
  EXPECT_EQ(value("o", "SELECT count(*) FROM partition"), std::to_string(number * std::stoull(run[3])));
}

TEST_P(IntervalSums, LaunchesAreThoseOfTheResults) {
  const nlohmann::json launches = stats("o").at("launches");
  const IntervalRows found = rows("o", "SELECT launch, kernel, first_cycle, cycles, complete FROM launches");
  ASSERT_EQ(found.size(), launches.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i][0], std::to_string(launches[i].at("id").get<unsigned>()));
    EXPECT_EQ(found[i][1], launches[i].at("kernel"));
    EXPECT_EQ(found[i][2], std::to_string(launches[i].at("first_cycle").get<std::uint64_t>()));
    EXPECT_EQ(found[i][4], launches[i].at("complete") == true ? "1" : "0");
  }
}

TEST_P(IntervalSums, SayHowTheRunEnded) {
  const IntervalRow run = rows("o", "SELECT status, \"end\", workload, scheduler FROM run").at(0);
  const nlohmann::json results = stats("o");
  EXPECT_EQ(run, (IntervalRow{results.at("status"), results.at("end"), results.at("workload"),
                              results.at("scheduler")}));
}

TEST_P(IntervalSums, TheViewOfTheGpuAddsUpItsSmsAndPartitions) {
  EXPECT_EQ(value("o", "SELECT count(*) FROM gpu"), value("o", "SELECT count(*) FROM intervals"));
  EXPECT_EQ(value("o", "SELECT sum(warp_instructions) FROM gpu"),
            value("o", "SELECT sum(warp_instructions) FROM sm"));
  EXPECT_EQ(value("o", "SELECT sum(dram_data_bytes) FROM gpu"),
            value("o", "SELECT sum(dram_data_bytes) FROM partition"));
}

INSTANTIATE_TEST_SUITE_P(
    Runs, IntervalSums,
    ::testing::Values(
        // The end of the run cuts the last interval off.
        SumsCase{"vector_add", {"vector_add", "--interval", "700"}},
        // Two launches; more SMs than have work sleep.
        SumsCase{"several_launches", {"bicg", "--interval", "1000", "--scheduler", "ccws+gto"}},
        SumsCase{"textures",
                 {"convolution_texture", "--param", "width=64", "--param", "height=24", "--interval", "500"}},
        SumsCase{"cut", {"bfs", "--interval", "333", "--max-cycles", "5000", "--set", "core.sms=4"}},
        SumsCase{"one_interval", {"vector_add", "--interval", "1000000000"}},
        SumsCase{
            "streams",
            {"vector_add", "scalar_product", "--arrival", "0", "--arrival", "500", "--interval", "1000"}},
        SumsCase{"other_clocks",
                 {"vector_add", "--interval", "500", "--set", "clock.core_mhz=700", "--set",
                  "clock.l2_mhz=350", "--set", "clock.dram_mhz=1400"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace heddle
