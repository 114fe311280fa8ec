#include "top/pairs/pair_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
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
  EXPECT_EQ(Arrival::parse("100").cycles(5000, 0.5), 100U);
  EXPECT_EQ(Arrival::parse("25%").cycles(5000, 0.5), 1250U);
  EXPECT_EQ(Arrival::parse("25%").text(), "25%");
  EXPECT_EQ(Arrival::parse("20-100").cycles(5000, 0.25), 40U);
  EXPECT_EQ(Arrival::parse("10-20%").cycles(5000, 1), 1000U);
  EXPECT_EQ(Arrival::parse("10-20%").text(), "10-20%");
  EXPECT_FALSE(Arrival::parse("25%").drawn());
  EXPECT_TRUE(Arrival::parse("0-100").drawn());
  for (const char* wrong : {"soon", "-1", "", "%", "5-", "9-5", "1-2-3", "5x"}) {
    EXPECT_THROW(Arrival::parse(wrong), std::invalid_argument) << wrong;
  }
}

TEST(Arrival, OfFurtherProgramsAddsUpAndIsDrawnByTheSeed) {
  EXPECT_EQ(arrivals_of(Arrival::parse("50%"), {0, 1, 2}, {1000, 400, 9}, 1, 0),
            (std::vector<std::uint64_t>{0, 500, 700}));
  const Arrival drawn = Arrival::parse("0-1000000");
  const std::vector<std::uint64_t> once = arrivals_of(drawn, {3, 1, 2}, {9, 9, 9}, 7, 2);
  EXPECT_EQ(once, arrivals_of(drawn, {3, 1, 2}, {5, 5, 5}, 7, 2));
  EXPECT_LT(once[1], once[2]);
  EXPECT_NE(once, arrivals_of(drawn, {1, 3, 2}, {9, 9, 9}, 7, 2));
  EXPECT_NE(once, arrivals_of(drawn, {3, 1, 2}, {9, 9, 9}, 7, 3));
  EXPECT_NE(once, arrivals_of(drawn, {3, 1, 2}, {9, 9, 9}, 8, 2));
  EXPECT_NE(once, arrivals_of(drawn, {3, 1, 2}, {9, 9, 9}, 7 + (std::uint64_t{1} << 32U), 2));
}

TEST(PairPlan, TakesEachSetOnceOrInAllOrders) {
  PairPlan plan;
  EXPECT_EQ(sets_of(4, plan).size(), 12U);
  plan.all_orders = false;
  EXPECT_EQ(sets_of(3, plan), (std::vector<std::vector<std::size_t>>{{0, 1}, {0, 2}, {1, 2}}));
  plan.together = 3;
  EXPECT_EQ(sets_of(4, plan).size(), 4U);
  plan.all_orders = true;
  EXPECT_EQ(sets_of(4, plan).size(), 24U);
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
  PolicyResult result{
      policy, Arrival{}, {{{0, 1}, 0, {0, 0}, {1, 1}, {2, 3}, a}, {{1, 0}, 0, {0, 0}, {1, 1}, {2, 3}, b}}};
  result.set_mean();
  return result;
}

// SRTF 6.2.1: "improves STP by 1.18x, ANTT by 2.25x".
TEST(PairReport, SaysHowManyTimesBetterThanFifoAPolicyIs) {
  PairFigures figures{"w", {"a", "b"}, {1, 1}, {}, {}};
  figures.results = {two_pairs("fifo", {1, 4, 0.25}, {1, 4, 0.5}),
                     two_pairs("srtf", {1.5, 2, 0.5}, {1.5, 2, 0.5})};
  figures.published = {{"fifo", "100", 1.35, 3.66, 0.19}, {"srtf", "100", 1.59, 1.63, 0.52}};
  const auto json = nlohmann::json::parse(pairs_report(figures, OutputFormat::kJson, false));
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
      pairs_report(figures, OutputFormat::kMarkdown, false),
      ::testing::HasSubstr("| srtf | fifo | 100 | 1.50 / 1.18 | 2.00 / 2.25 | 1.41 / 2.74 | 1 | 1 |"));
}

TEST(PairReport, ComparesOnlyWhatArrivesAlikeAndHasABase) {
  PairFigures figures{"w", {"a", "b"}, {1, 1}, {}, {}};
  figures.results = {two_pairs("fifo", {1, 4, 0.25}, {1, 4, 0.5}), two_pairs("srtf", {1, 2, 1}, {1, 2, 1})};
  figures.results[1].arrival = Arrival::parse("25%");
  EXPECT_FALSE(nlohmann::json::parse(pairs_report(figures, OutputFormat::kJson, false)).contains("ratios"));
  EXPECT_THAT(pairs_report(figures, OutputFormat::kMarkdown, false),
              ::testing::Not(::testing::HasSubstr("fairer pairs")));
}

// A policy under which a pair failed is not better for it.
TEST(PairReport, ComparesPoliciesOverThePairsThatBothHave) {
  PairFigures figures{"w", {"a", "b"}, {1, 0}, {}, {}};
  figures.results = {two_pairs("fifo", {1, 4, 0.25}, {4, 1, 1}), two_pairs("srtf", {2, 2, 0.5}, {1, 1, 1}),
                     two_pairs("sjf", {1, 1, 1}, {1, 1, 1})};
  const auto fail = [&figures](std::size_t result, std::size_t pair) {
    figures.results[result].pairs[pair].failure = "cycle limit";
    figures.results[result].set_mean();
  };
  fail(0, 1);
  for (const std::size_t pair : {0, 1}) fail(2, pair);
  const auto json = nlohmann::json::parse(pairs_report(figures, OutputFormat::kJson, false));
  const auto& ratio = json.at("ratios").at(0);
  EXPECT_DOUBLE_EQ(ratio.at("improvement").at("stp"), 2);
  EXPECT_DOUBLE_EQ(ratio.at("improvement").at("antt"), 2);
  EXPECT_EQ(json.at("results").at(0).at("pairs_in_mean"), 1);
  EXPECT_EQ(json.at("results").at(1).at("pairs_in_mean"), 2);
  // What is not known is no 0.
  EXPECT_TRUE(json.at("results").at(2).at("geometric_mean").at("antt").is_null());
  EXPECT_TRUE(json.at("ratios").at(1).at("improvement").at("stp").is_null());
  EXPECT_TRUE(json.at("alone_cycles").at("b").is_null());
  EXPECT_THAT(pairs_report(figures, OutputFormat::kMarkdown, false),
              ::testing::AllOf(::testing::HasSubstr("| policy | arrival | mean of pairs | STP |"),
                               ::testing::HasSubstr("| fifo | 100 | 1 of 2 | 1.00 | 4.00 | 0.25 |"),
                               ::testing::HasSubstr("| sjf | 100 | 0 of 2 | - | - | - |")));
}

TEST(PairReport, HasTheDelaysOfAPolicyAndTheSpreadOfRepetitions) {
  PairFigures figures{"w", {"a", "b"}, {1, 1}, {}, {}};
  figures.results = {two_pairs("srtf_adaptive", {1, 4, 0.25}, {4, 1, 1}),
                     two_pairs("fifo", {1, 1, 1}, {1, 1, 1})};
  PolicyResult& adaptive = figures.results[0];
  adaptive.pairs[0].delays = {std::uint64_t{3}, std::uint64_t{40}, std::uint64_t{500}};
  adaptive.pairs[1].delays = {std::uint64_t{0}, std::uint64_t{60}, std::uint64_t{700}};
  adaptive.pairs[1].repetition = 1;
  adaptive.set_mean();
  EXPECT_THAT(
      pairs_report(figures, OutputFormat::kMarkdown, false),
      ::testing::AllOf(::testing::HasSubstr("| srtf_adaptive | 100 | 2.00 (1.00 to 4.00) | 2.00 (1.00 to "
                                            "4.00) | 0.50 (0.25 to 1.00) | 1 | 50 | 600 |"),
                       ::testing::HasSubstr("| fifo | 100 | 1.00 | 1.00 | 1.00 | - | - | - |")));
  EXPECT_THAT(
      pairs_report(figures, OutputFormat::kCsv, false),
      ::testing::AllOf(::testing::HasSubstr(",changes_to_sharing,sampling_delay_cycles,hand_off_cycles\n"),
                       ::testing::HasSubstr("srtf_adaptive,100,2,b,a,2,3,1,1,4.0,1.0,1.0,0,60,700\n")));
  const auto json =
      nlohmann::json::parse(pairs_report(figures, OutputFormat::kJson, false)).at("results").at(0);
  EXPECT_EQ(json.at("repetitions").size(), 2U);
  EXPECT_EQ(json.at("pairs").at(0).at("hand_off_cycles"), 500);
  EXPECT_EQ(json.at("pairs").at(0).at("changes_to_sharing"), 3);
  EXPECT_EQ(json.at("pairs").at(0).at("alone_cycles"), (std::vector<std::uint64_t>{1, 1}));
  EXPECT_EQ(json.at("pairs").at(0).at("shared_cycles"), (std::vector<std::uint64_t>{2, 3}));
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
  static PairBenchOptions under(const std::vector<std::string>& policies) {
    PairBenchOptions options;
    options.policies = policies;
    options.arrivals = {Arrival::parse("10")};
    return options;
  }
  GpuConfig config_;
  TimedWorkload workload_;
};

TEST_F(PairBenchTest, RunsEachOrderOfEachPairBesideTheKernelsAlone) {
  PairBench bench(config_, workload_, under({"fifo", "sjf"}));
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
  PairBench bench(config_, workload_, under({"fifo", "mpmax", "even_share"}));
  bench.run();
  for (const PolicyResult& result : bench.results()) {
    EXPECT_EQ(result.pairs[0].shared, bench.results()[0].pairs[0].shared) << result.policy;
    EXPECT_EQ(result.pairs[1].shared, bench.results()[0].pairs[1].shared) << result.policy;
  }
}

TEST_F(PairBenchTest, RunsThreeAtOnceAndAProgramOfManyLaunches) {
  workload_.kernels[0].launches = 3;
  workload_.kernels.push_back(workload_.kernels[0]);
  workload_.kernels[2].name = "single";
  workload_.kernels[2].launches = 1;
  PairBenchOptions options = under({"fifo", "sjf"});
  options.plan.together = 3;
  PairBench bench(config_, workload_, options);
  bench.run();
  EXPECT_NEAR(static_cast<double>(bench.alone()[0]), 3 * 202, 20);
  const std::vector<PairResult>& sjf = bench.results()[1].pairs;
  ASSERT_EQ(sjf.size(), 6U);
  EXPECT_EQ(sjf[0].programs, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(sjf[0].arrivals, (std::vector<std::uint64_t>{0, 10, 20}));
  // Shortest program first, as a whole: "single", then the three launches of "short", then "long".
  // At the end of a launch, blocks of "long" take the places that its own no longer fill.
  EXPECT_LT(sjf[0].shared[2], 330U);
  EXPECT_NEAR(static_cast<double>(sjf[0].shared[0]), 900, 110);
  EXPECT_NEAR(static_cast<double>(sjf[0].shared[1]), 2810, 60);
  // Under FIFO the second launch comes after the long kernel, which arrived before it.
  EXPECT_GT(bench.results()[0].pairs[0].shared[0], 2000U);
}

TEST_F(PairBenchTest, RepetitionsDrawDurationsAndArrivalsAnew) {
  for (TimedKernel& kernel : workload_.kernels) kernel.deviation_percent = 30;
  PairBenchOptions options = under({"fifo"});
  options.arrivals = {Arrival::parse("0-100")};
  options.plan.repetitions = 3;
  PairBench bench(config_, workload_, options);
  bench.run();
  const PolicyResult& result = bench.results()[0];
  ASSERT_EQ(result.pairs.size(), 6U);
  ASSERT_EQ(result.of_repetitions.size(), 3U);
  EXPECT_NE(result.pairs[0].shared, result.pairs[2].shared);
  EXPECT_NE(result.pairs[0].arrivals, result.pairs[2].arrivals);
  EXPECT_NE(result.of_repetitions[0].antt, result.of_repetitions[1].antt);
  // Each pair has what its figures are of: both orders of a repetition the same times alone, the next others.
  EXPECT_EQ(result.pairs[0].alone, bench.alone());
  EXPECT_NE(result.pairs[2].alone, result.pairs[0].alone);
  for (const PairResult& pair : result.pairs) {
    const double antt = (static_cast<double>(pair.shared[0]) / static_cast<double>(pair.alone[0]) +
                         static_cast<double>(pair.shared[1]) / static_cast<double>(pair.alone[1])) /
                        2;
    EXPECT_DOUBLE_EQ(pair.metrics.antt, antt);
  }
  // The table of run times alone says of which repetition they are.
  PairFigures figures = bench.figures();
  figures.workload = "drawn";
  EXPECT_THAT(pairs_report(figures, OutputFormat::kMarkdown, false),
              ::testing::HasSubstr("| kernel | alone in repetition 1, cycles |"));
}

TEST_F(PairBenchTest, TellsSamplingAndHandOffDelays) {
  workload_.kernels[0].mean_cycles = 59;
  PairBench bench(config_, workload_, under({"fifo", "srtf", "srtf_adaptive"}));
  bench.run();
  const DispatchDelays none = bench.results()[0].pairs[1].delays;
  EXPECT_FALSE(none.sampling_delay_cycles || none.hand_off_cycles || none.changes_to_sharing);
  // "short" waits for a block of "long" to end on the sampling SM, and for one on the other SM when its own
  // first one has ended, 60 cycles later.
  const DispatchDelays srtf = bench.results()[1].pairs[1].delays;
  EXPECT_NEAR(static_cast<double>(*srtf.sampling_delay_cycles), 90, 12);
  EXPECT_GE(*srtf.hand_off_cycles, 100U - 60 - 2);
  EXPECT_FALSE(srtf.changes_to_sharing);
  EXPECT_TRUE(bench.results()[2].pairs[1].delays.changes_to_sharing);
}

// A prediction takes its time, by steps of the divider.
TEST_F(PairBenchTest, PredictsInTheTimingOfTheConfiguration) {
  config_.scheduler.timing = hw::Timing::kHardware;
  workload_.kernels[0].mean_cycles = 999;
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pair_bench_timing";
  PairBenchOptions options = under({"srtf"});
  options.log_folder = folder.string();
  PairBench bench(config_, workload_, options);
  bench.run();
  std::ifstream file(folder / "1" / "thread_blocks.json");
  const auto log = nlohmann::json::parse(file);
  ASSERT_EQ(log.at("pair"), "short + long srtf 10 repetition 1");
  std::ifstream predictions(folder / "1" / "predictions.csv");
  std::string line;
  while (std::getline(predictions, line) && line.find(",short,") == std::string::npos) {
  }
  EXPECT_GE(std::stoull(line), log.at("launches").at(0).at("tbs").at(0).at("end").get<std::uint64_t>() + 200);
}

// As the structural predictions' test of the same blocks has it: c has the slot of a's first block in the
// cycle before the dispatcher hears of the end of that.
TEST_F(PairBenchTest, WritesTheEndOfABlockWhoseSlotHasTheNext) {
  config_.core.sms = 1;
  config_.core.tb_slots = 3;
  workload_.kernels.assign(3, {});
  const char* const names[] = {"a", "b", "c"};
  const double cycles[] = {101, 98, 50};
  for (unsigned k = 0; k < 3; ++k) {
    workload_.kernels[k].name = names[k];
    workload_.kernels[k].mean_cycles = cycles[k];
  }
  workload_.kernels[0].tbs = 2;
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pair_bench_slots";
  PairBenchOptions options = under({"fifo"});
  options.log_folder = folder.string();
  options.arrivals = {Arrival::parse("0")};
  options.plan.together = 3;
  PairBench bench(config_, workload_, options);
  bench.run();
  std::ifstream file(folder / "1" / "thread_blocks.json");
  const auto log = nlohmann::json::parse(file);
  ASSERT_EQ(log.at("pair"), "a + b + c fifo 0 repetition 1");
  for (unsigned k = 0; k < 3; ++k) {
    for (const auto& tb : log.at("launches").at(k).at("tbs"))
      EXPECT_EQ(tb.at("end").get<int>() - tb.at("start").get<int>(), cycles[k] + 1) << names[k];
  }
}

TEST_F(PairBenchTest, WritesWhereThreadBlocksRan) {
  workload_.kernels[0].mean_cycles = 59;
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pair_bench_log";
  PairBenchOptions options = under({"srtf"});
  options.log_folder = folder.string();
  PairBench bench(config_, workload_, options);
  bench.run();
  std::ifstream file(folder / "2" / "thread_blocks.json");
  const auto log = nlohmann::json::parse(file);
  EXPECT_EQ(log.at("pair"), "long + short srtf 10 repetition 1");
  ASSERT_EQ(log.at("launches").size(), 2U);
  EXPECT_EQ(log.at("launches").at(0).at("kernel"), "long");
  ASSERT_EQ(log.at("launches").at(1).at("tbs").size(), 8U);
  const auto& tb = log.at("launches").at(0).at("tbs").at(0);
  EXPECT_EQ(tb.at("end").get<int>() - tb.at("start").get<int>(), 100);
  // "short" waits for a block of "long" to end on the sampling SM, is sampled there, and waits on the other
  // SM.
  std::map<std::string, std::uint64_t> cycles;
  for (const nlohmann::json& interval : log.at("policy_intervals")) {
    cycles[interval.at("kind")] +=
        interval.at("end").get<std::uint64_t>() - interval.at("start").get<std::uint64_t>();
  }
  const DispatchDelays counted = bench.results()[0].pairs[1].delays;
  EXPECT_EQ(cycles.at("to_be_sampled"), *counted.sampling_delay_cycles);
  EXPECT_EQ(cycles.at("hand_off"), *counted.hand_off_cycles);
  EXPECT_GT(cycles.at("sampled"), 0U);
  std::ifstream predictions(folder / "2" / "predictions.csv");
  std::string header;
  std::string first;
  std::getline(predictions, header);
  EXPECT_TRUE(std::getline(predictions, first));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace heddle
