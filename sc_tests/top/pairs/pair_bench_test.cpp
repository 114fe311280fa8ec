#include "top/pairs/pair_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "top/pairs/pair_report.h"

namespace heddle {
namespace {

TEST(MultiprogramMetrics, OfTwoKernelsThatAreSlowedDownByTwoAndFour) {
  const MultiprogramMetrics metrics = multiprogram_metrics({100, 100}, {200, 400});
  EXPECT_DOUBLE_EQ(metrics.stp, 0.75);
  EXPECT_DOUBLE_EQ(metrics.antt, 3);
  EXPECT_DOUBLE_EQ(metrics.strict_f, 0.5);
}

TEST(MultiprogramMetrics, GeometricMeansAreTakenMemberByMember) {
  const MultiprogramMetrics mean = geometric_mean({{1, 2, 0.5}, {4, 8, 0.5}});
  EXPECT_DOUBLE_EQ(mean.stp, 2);
  EXPECT_DOUBLE_EQ(mean.antt, 4);
  EXPECT_DOUBLE_EQ(mean.strict_f, 0.5);
}

TEST(Arrival, IsInCyclesOrAShareOfTheFirstKernelsRunTime) {
  EXPECT_EQ(Arrival::parse("100").cycles(5000), 100U);
  EXPECT_EQ(Arrival::parse("25%").cycles(5000), 1250U);
  EXPECT_EQ(Arrival::parse("25%").text(), "25%");
  EXPECT_THROW(Arrival::parse("soon"), std::invalid_argument);
  EXPECT_THROW(Arrival::parse("-1"), std::invalid_argument);
}

TEST(TimedLaunch, DrawsDurationsWithTheGivenMeanAndDeviation) {
  TimedKernel kernel;
  kernel.tbs = 20000;
  kernel.mean_cycles = 15167;
  kernel.deviation_percent = 65.71;
  const TimedLaunch launch(kernel);
  double sum = 0;
  double squares = 0;
  for (std::uint64_t tb = 0; tb < kernel.tbs; ++tb) {
    const auto duration = static_cast<double>(launch.duration_cycles(tb));
    sum += duration;
    squares += duration * duration;
  }
  const double mean = sum / 20000;
  EXPECT_NEAR(mean, 15167, 0.02 * 15167);
  EXPECT_NEAR(std::sqrt(squares / 20000 - mean * mean) / mean, 0.6571, 0.04);
}

PolicyResult two_pairs(const std::string& policy, const MultiprogramMetrics& a,
                       const MultiprogramMetrics& b) {
  PolicyResult result{policy, Arrival{}, {{0, 1, {1, 1}, a, ""}, {1, 0, {1, 1}, b, ""}}, {}};
  result.set_mean();
  return result;
}

// SRTF 6.2.1: "improves STP by 1.18x, ANTT by 2.25x".
TEST(PairReport, SaysHowManyTimesBetterThanFifoAPolicyIs) {
  PairFigures figures{"w", {"a", "b"}, {1, 1}, {}, {}};
  figures.results = {two_pairs("fifo", {1, 4, 0.25}, {1, 4, 0.5}),
                     two_pairs("srtf", {1.5, 2, 0.5}, {1.5, 2, 0.5})};
  figures.published = {{"fifo", "100", 1.35, 3.66, 0.19}, {"srtf", "100", 1.59, 1.63, 0.52}};
  const auto json = nlohmann::json::parse(pairs_as_json(figures));
  ASSERT_EQ(json.at("ratios").size(), 1U);
  const auto& ratio = json.at("ratios").at(0);
  EXPECT_EQ(ratio.at("policy"), "srtf");
  EXPECT_EQ(ratio.at("over"), "fifo");
  EXPECT_DOUBLE_EQ(ratio.at("improvement").at("stp"), 1.5);
  EXPECT_DOUBLE_EQ(ratio.at("improvement").at("antt"), 2);
  EXPECT_NEAR(ratio.at("improvement").at("strict_f"), std::sqrt(2), 1e-9);
  EXPECT_NEAR(ratio.at("published").at("stp"), 1.18, 0.005);
  EXPECT_NEAR(ratio.at("published").at("antt"), 2.25, 0.005);
  EXPECT_EQ(ratio.at("fairer_pairs"), 1);
  EXPECT_EQ(ratio.at("as_fair_pairs"), 1);
  EXPECT_THAT(
      pairs_as_table(figures, true, false),
      ::testing::HasSubstr("| srtf | fifo | 100 | 1.50 / 1.18 | 2.00 / 2.25 | 1.41 / 2.74 | 1 | 1 |"));
}

TEST(PairReport, ComparesOnlyWhatArrivesAlikeAndHasABase) {
  PairFigures figures{"w", {"a", "b"}, {1, 1}, {}, {}};
  figures.results = {two_pairs("fifo", {1, 4, 0.25}, {1, 4, 0.5}), two_pairs("srtf", {1, 2, 1}, {1, 2, 1})};
  figures.results[1].arrival = Arrival{25, true};
  EXPECT_FALSE(nlohmann::json::parse(pairs_as_json(figures)).contains("ratios"));
  EXPECT_THAT(pairs_as_table(figures, true, false), ::testing::Not(::testing::HasSubstr("fairer_pairs")));
}

class PairBenchTest : public ::testing::Test {
 protected:
  PairBenchTest() {
    config_.core.sms = 2;
    config_.core.tb_slots = 2;
    config_.tb_dispatcher.mixed_sms = true;
    TimedKernel kernel;
    kernel.name = "short";
    kernel.tbs = 8;
    kernel.mean_cycles = 99;  // 100 from one TB to the next in its place
    workload_.kernels.push_back(kernel);
    kernel.name = "long";
    kernel.tbs = 80;
    workload_.kernels.push_back(kernel);
  }
  GpuConfig config_;
  TimedWorkload workload_;
};

TEST_F(PairBenchTest, RunsEachOrderOfEachPairBesideTheKernelsAlone) {
  PairBench bench(config_, workload_, {"fifo", "sjf"}, {Arrival{10, false}});
  bench.run();
  ASSERT_EQ(bench.alone().size(), 2U);
  EXPECT_NEAR(static_cast<double>(bench.alone()[0]), 200, 5);
  EXPECT_NEAR(static_cast<double>(bench.alone()[1]), 2000, 5);
  ASSERT_EQ(bench.results().size(), 2U);
  const std::vector<PairResult>& fifo = bench.results()[0].pairs;
  ASSERT_EQ(fifo.size(), 2U);
  // First come, first served: the short one behind the long one takes 2200 - 10 cycles instead of 200.
  EXPECT_NEAR(static_cast<double>(fifo[0].shared[0]), 200, 5);
  EXPECT_NEAR(static_cast<double>(fifo[0].shared[1]), 2190, 10);
  EXPECT_NEAR(static_cast<double>(fifo[1].shared[0]), 2000, 10);
  EXPECT_NEAR(static_cast<double>(fifo[1].shared[1]), 2190, 10);
  // The oracle gives the same, whoever comes first.
  const std::vector<PairResult>& sjf = bench.results()[1].pairs;
  EXPECT_NEAR(sjf[0].metrics.antt, sjf[1].metrics.antt, 0.05);
  EXPECT_LT(sjf[1].metrics.antt, 1.1);
}

TEST_F(PairBenchTest, RunsKernelsThatCanNotShareAnSmOneAfterTheOther) {
  workload_.kernels[0].threads_per_tb = 1024;
  workload_.kernels[1].threads_per_tb = 1024;
  PairBench bench(config_, workload_, {"fifo", "mpmax", "even_share"}, {Arrival{10, false}});
  bench.run();
  for (const PolicyResult& result : bench.results()) {
    EXPECT_EQ(result.pairs[0].shared, bench.results()[0].pairs[0].shared) << result.policy;
    EXPECT_EQ(result.pairs[1].shared, bench.results()[0].pairs[1].shared) << result.policy;
  }
}

}  // namespace
}  // namespace heddle
