#include "modules/tb_dispatcher/sampling/launch_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <utility>

#include "sc_tests/modules/tb_dispatcher/sampling/sampler_support.h"

namespace heddle {
namespace {

/// A machine that runs one TB after the other: each takes `cycles` and executes `warp_instructions`, all in
/// the part of the program called `part`.
struct Launch {
  std::uint64_t tbs = 0;
  std::function<double(std::uint64_t tb)> cycles;
  std::function<std::uint64_t(std::uint64_t tb)> warp_instructions = [](std::uint64_t) { return 100; };
  std::function<unsigned(std::uint64_t tb)> part = [](std::uint64_t) { return 0; };
  std::uint64_t waits = ~std::uint64_t{0};  ///< a TB that can't be fast-forwarded to its end

  double all_cycles() const {
    double sum = 0;
    for (std::uint64_t tb = 0; tb < tbs; ++tb) sum += cycles(tb);
    return sum;
  }
  TbWork work(std::uint64_t tb) const {
    TbWork work;
    work.tbs = 1;
    work.warp_instructions = warp_instructions(tb);
    work.of_part[part(tb)] = work.warp_instructions;
    if (tb == waits) {
      work.tbs = 0;
      work.warp_instructions = std::uint64_t{1} << 26U;
    }
    return work;
  }
};

/// Runs it as the dispatcher does. The cycles of a stretch are rounded down to whole ones.
LaunchSampler sampled(const Launch& launch, const SamplingTerms& terms = {}) {
  LaunchSampler sampler({launch.tbs, kRound}, {}, terms);
  double cycle = 0;
  SampleMark now;
  for (std::uint64_t tb = 0; tb < launch.tbs; ++tb) {
    now.cycle = static_cast<std::uint64_t>(cycle);
    if (sampler.wants_mark(tb)) sampler.mark(tb, now);
    while (sampler.skips()) {
      EXPECT_LT(tb, launch.tbs - kRound) << "the launch has to drain in detail";
      sampler.skipped(launch.work(tb));
      if (tb == launch.waits) sampler.give_up_waiting();
      ++tb;
    }
    cycle += launch.cycles(tb);
    now.warp_instructions += launch.warp_instructions(tb);
  }
  now.cycle = static_cast<std::uint64_t>(cycle);
  sampler.end(now);
  return sampler;
}

double in_detail(const LaunchSampler& sampler, const Launch& launch) {
  return 1 - static_cast<double>(sampler.fast_forwarded().tbs) / static_cast<double>(launch.tbs);
}

TEST(LaunchSamplerTest, OfAConstantRateNothingIsLost) {
  Launch launch;
  launch.tbs = 4000;
  launch.cycles = [](std::uint64_t) { return 50; };
  const LaunchSampler sampler = sampled(launch);
  EXPECT_NEAR(sampler.cycles(), 200'000, 1);
  EXPECT_NEAR(half_interval(sampler), 0.01 * 200'000 * (1 - in_detail(sampler, launch)), 50)
      << "what counts as alike";
  EXPECT_LT(in_detail(sampler, launch), 0.12);
  EXPECT_EQ(sampler.phases(), 1U);
  EXPECT_EQ(sampler.given_up(), "");
}

/// How many windows follow each other without a section between, from one section to the next.
std::size_t groups(const LaunchSampler& sampler) {
  std::size_t count = 0;
  for (const LaunchSampler::Stretch& stretch : sampler.stretches())
    if (stretch.use == LaunchSampler::Use::kMeasured) count = std::max(count, stretch.group + 1);
  return count;
}

/// Of 4,000 rounds the first section has 250; each is thrice the one before.
TEST(LaunchSamplerTest, SectionsGrowWhileTheyMakeNoDifference) {
  Launch launch;
  launch.tbs = 4000 * kRound;
  launch.cycles = [](std::uint64_t) { return 50; };
  const LaunchSampler sampler = sampled(launch);
  EXPECT_NEAR(sampler.cycles(), launch.all_cycles(), 1);
  EXPECT_EQ(groups(sampler), 5U) << "250, 750, and two of the rest";
  EXPECT_LT(in_detail(sampler, launch), 0.012);
}

/// A rate that moves by 2% from section to section keeps them short.
TEST(LaunchSamplerTest, SectionsStayShortWhileTheRateMoves) {
  Launch launch;
  launch.tbs = 4000 * kRound;
  launch.cycles = [](std::uint64_t tb) { return 500 + 500 * static_cast<double>(tb) / (4000 * kRound); };
  const LaunchSampler sampler = sampled(launch);
  EXPECT_NEAR(sampler.cycles(), launch.all_cycles(), 0.002 * launch.all_cycles());
  EXPECT_GE(groups(sampler), 16U);
}

/// After a section TBs take 12% less for four rounds, as at the begin: they have begun together.
TEST(LaunchSamplerTest, WindowsGoOnUntilTheRateIsThatOfBefore) {
  Launch launch;
  launch.tbs = 8000;
  LaunchSampler sampler({launch.tbs, kRound}, {});
  SampleMark now;
  std::uint64_t together = 4 * kRound;  // of the next TBs
  for (std::uint64_t tb = 0; tb < launch.tbs; ++tb) {
    if (sampler.wants_mark(tb)) sampler.mark(tb, now);
    while (sampler.skips()) {
      sampler.skipped(launch.work(tb++));
      together = 4 * kRound;
    }
    now.cycle += together != 0 ? 88 : 100;
    together -= together != 0 ? 1 : 0;
    now.warp_instructions += 100;
  }
  sampler.end(now);
  EXPECT_NEAR(sampler.cycles(), 100.0 * static_cast<double>(launch.tbs),
              0.025 * 100 * static_cast<double>(launch.tbs));
}

TEST(LaunchSamplerTest, WeightsCoverAllTheWork) {
  Launch launch;
  launch.tbs = 4321;
  launch.cycles = [](std::uint64_t tb) { return 50 + static_cast<double>(tb % 7); };
  launch.warp_instructions = [](std::uint64_t tb) { return 90 + tb % 11; };
  const LaunchSampler sampler = sampled(launch);
  double work = 0;
  double all = 0;
  for (const LaunchSampler::Stretch& stretch : sampler.stretches())
    work += stretch.weight * static_cast<double>(stretch.warp_instructions);
  for (std::uint64_t tb = 0; tb < launch.tbs; ++tb) all += static_cast<double>(launch.warp_instructions(tb));
  EXPECT_NEAR(work, all, 1e-6 * all);
}

TEST(LaunchSamplerTest, ASlowBeginIsNotTakenForTheRest) {
  Launch launch;
  launch.tbs = 4000;
  launch.cycles = [](std::uint64_t tb) { return tb < 60 ? 200 - static_cast<double>(tb) * 2.5 : 50; };
  const LaunchSampler sampler = sampled(launch);
  EXPECT_NEAR(sampler.cycles(), launch.all_cycles(), 0.01 * launch.all_cycles());
}

TEST(LaunchSamplerTest, ADriftingRateIsFollowed) {
  Launch launch;
  launch.tbs = 8000;
  launch.cycles = [](std::uint64_t tb) { return 50 + 50 * static_cast<double>(tb) / 8000; };
  const LaunchSampler sampler = sampled(launch);
  EXPECT_NEAR(sampler.cycles(), launch.all_cycles(), 0.005 * launch.all_cycles());
  EXPECT_GT(half_interval(sampler), std::abs(sampler.cycles() - launch.all_cycles()));
  EXPECT_LT(half_interval(sampler), 0.03 * launch.all_cycles());
  EXPECT_LT(in_detail(sampler, launch), 0.18);
}

TEST(LaunchSamplerTest, PhasesAreToldApartByWhatTbsExecute) {
  Launch launch;
  launch.tbs = 6000;
  launch.cycles = [](std::uint64_t tb) { return tb < 2345 ? 50 : 200; };
  launch.part = [](std::uint64_t tb) { return tb < 2345 ? 1U : 2U; };
  const LaunchSampler sampler = sampled(launch);
  EXPECT_EQ(sampler.phases(), 2U);
  EXPECT_NEAR(sampler.cycles(), launch.all_cycles(), 0.01 * launch.all_cycles());
  EXPECT_LT(in_detail(sampler, launch), 0.12);
}

TEST(LaunchSamplerTest, APhaseThatComesAgainIsKnown) {
  Launch launch;
  launch.tbs = 9000;
  const auto other = [](std::uint64_t tb) { return tb / 300 % 2 == 1; };
  launch.cycles = [other](std::uint64_t tb) { return other(tb) ? 200 : 50; };
  launch.part = [other](std::uint64_t tb) { return other(tb) ? 1U : 2U; };
  const LaunchSampler sampler = sampled(launch);
  EXPECT_NEAR(sampler.cycles(), launch.all_cycles(), 0.03 * launch.all_cycles());
  EXPECT_LE(sampler.phases(), 3U);  // one of rounds with both
  EXPECT_LT(in_detail(sampler, launch), 0.25);
}

/// Windows that differ by chance: nine in ten of the intervals hold the truth at least, when 19 in 20 should.
TEST(LaunchSamplerTest, TheIntervalHoldsTheTruth) {
  unsigned holds = 0;
  unsigned given_up = 0;
  double widest = 0;
  constexpr unsigned kLaunches = 200;
  for (unsigned seed = 0; seed < kLaunches; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(100, 30);
    std::vector<double> drawn(6000);
    for (double& cycles : drawn) cycles = std::max(noise(random), 1.0);
    Launch launch;
    launch.tbs = drawn.size();
    launch.cycles = [&drawn](std::uint64_t tb) { return drawn[tb]; };
    const LaunchSampler sampler = sampled(launch);
    const double half = half_interval(sampler);
    if (!sampler.given_up().empty()) {
      ++given_up;
      continue;
    }
    if (std::abs(sampler.cycles() - launch.all_cycles()) <= half) ++holds;
    widest = std::max(widest, half / launch.all_cycles());
  }
  EXPECT_LE(given_up, kLaunches / 20);  // windows of which one half looks unlike the other
  EXPECT_GE(holds, (kLaunches - given_up) * 9 / 10);
  EXPECT_LT(widest, 0.11);
}

/// The rate wanders: sections of hundreds of rounds lie where no window is. Nine in ten intervals hold at
/// least.
TEST(LaunchSamplerTest, TheIntervalHoldsWhenTheRateWanders) {
  unsigned holds = 0;
  double widest = 0;
  constexpr unsigned kLaunches = 100;
  for (unsigned seed = 0; seed < kLaunches; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> step(0, 0.02);
    std::normal_distribution<double> noise(0, 0.02);
    std::vector<double> drawn;
    for (double level = 0; drawn.size() < 6000;) {
      level = 0.98 * level + step(random);  // of rounds: a standard deviation of 10%, over some 50 rounds
      const double cycles = 100 * std::exp(level + noise(random));
      drawn.insert(drawn.end(), kRound, cycles);
    }
    Launch launch;
    launch.tbs = drawn.size();
    launch.cycles = [&drawn](std::uint64_t tb) { return drawn[tb]; };
    const LaunchSampler sampler = sampled(launch);
    const double half = half_interval(sampler);
    if (std::abs(sampler.cycles() - launch.all_cycles()) <= half) ++holds;
    widest = std::max(widest, half / launch.all_cycles());
  }
  EXPECT_GE(holds, kLaunches * 9 / 10);
  EXPECT_LT(widest, 0.5);
}

/// Cycles of windows of a launch whose rate goes up and down with rows of `row` TBs.
double worst_window(std::uint64_t row, std::uint64_t tbs) {
  LaunchSampler sampler({tbs, kRound, row}, {});
  SampleMark now;
  for (std::uint64_t tb = 0; tb < tbs; ++tb) {
    if (sampler.wants_mark(tb)) sampler.mark(tb, now);
    TbWork work;
    work.tbs = 1;
    work.warp_instructions = 100;
    while (sampler.skips()) {
      sampler.skipped(work);
      ++tb;
    }
    now.cycle += tb % row < kRound ? 140 : 100;
    now.warp_instructions += 100;
  }
  sampler.end(now);
  const auto rows = static_cast<double>(row);
  const double mean = 1 + 0.4 * static_cast<double>(kRound) / rows;
  double worst = 0;
  for (const LaunchSampler::Stretch& stretch : sampler.stretches()) {
    const double of_window =
        static_cast<double>(stretch.cycles) / static_cast<double>(stretch.warp_instructions);
    if (stretch.use == LaunchSampler::Use::kMeasured) worst = std::max(worst, std::abs(of_window / mean - 1));
  }
  return worst;
}

TEST(LaunchSamplerTest, AWindowIsARowOfTheGridWhenThatIsAFewRoundsLong) {
  EXPECT_LT(worst_window(4 * kRound, 4000), 0.001);
  EXPECT_GT(worst_window(4 * kRound + 1, 4000), 0.05) << "longer than four rounds";
  EXPECT_LT(worst_window(32, std::uint64_t{40} * 32), 0.001) << "four rows are a tenth";
  EXPECT_GT(worst_window(32, std::uint64_t{40} * 32 - 1), 0.05) << "four rows are more than a tenth";
}

/// After each section two windows more than the rounds that count for nothing are slow.
TEST(LaunchSamplerTest, WindowsThatAreNotYetOfTheirPlaceAreMeasuredAnew) {
  Launch launch;
  launch.tbs = 6000;
  LaunchSampler sampler({launch.tbs, kRound}, {});
  SampleMark now;
  std::uint64_t slow = 0;
  for (std::uint64_t tb = 0; tb < launch.tbs; ++tb) {
    if (sampler.wants_mark(tb)) sampler.mark(tb, now);
    while (sampler.skips()) {
      sampler.skipped(launch.work(tb++));
      slow = 4 * kRound;
    }
    now.cycle += slow != 0 ? 110 : 100;
    slow -= slow != 0 ? 1 : 0;
    now.warp_instructions += 100;
  }
  sampler.end(now);
  EXPECT_NEAR(sampler.cycles(), 600'000, 0.005 * 600'000);
}

/// 100 times the work of others: as the first of 200 rounds it ends among them, halfway it ends with them,
/// and later it runs on alone.
TEST(LaunchSamplerTest, ATbThatOutlastsTheRestIsTold) {
  Launch launch;
  launch.tbs = 200 * kRound;
  launch.cycles = [](std::uint64_t) { return 50; };
  EXPECT_EQ(sampled(launch).outlasting_cycles(), 0);
  const auto with_long_one = [&launch](std::uint64_t at) {
    launch.warp_instructions = [at](std::uint64_t tb) { return tb == at ? 100 * 100 : 100; };
    return sampled(launch).outlasting_cycles();
  };
  EXPECT_EQ(with_long_one(50 * kRound), 0);
  const double round = 50 * kRound;
  EXPECT_NEAR(with_long_one(150 * kRound), (100 - 50) * round, 0.1 * 50 * round);
}

/// A machine that holds kRound TBs, each of which takes `cycles`: they begin and end together.
LaunchSampler sampled_in_rounds(const SampledGrid& grid, std::uint64_t cycles) {
  LaunchSampler sampler(grid, {}, {});
  TbWork work;
  work.tbs = 1;
  work.warp_instructions = 100;
  std::uint64_t started = 0;
  for (std::uint64_t tb = 0; tb < grid.tbs; ++tb) {
    const std::uint64_t rounds = started / kRound;  // that have ended
    if (sampler.wants_mark(tb)) sampler.mark(tb, {rounds * cycles, rounds * kRound * 100});
    while (sampler.skips()) {
      sampler.skipped(work);
      ++tb;
    }
    ++started;
  }
  sampler.end({(started + kRound - 1) / kRound * cycles, started * 100});
  return sampler;
}

TEST(LaunchSamplerTest, TheLastRoundIsAsFullAsThatOfTheWholeLaunch) {
  for (const std::uint64_t row : {std::uint64_t{1}, 3 * kRound / 2}) {
    for (std::uint64_t tbs = 20 * kRound; tbs < 60 * kRound; ++tbs) {
      const LaunchSampler sampler = sampled_in_rounds({tbs, kRound, row}, 1000);
      const std::uint64_t rounds = (tbs + kRound - 1) / kRound;
      EXPECT_NEAR(sampler.cycles(), 1000.0 * static_cast<double>(rounds), 1) << tbs << " in rows of " << row;
      EXPECT_GE(sampler.fast_forwarded().tbs, tbs / 5) << tbs << " in rows of " << row;
    }
  }
}

TEST(LaunchSamplerTest, FewRoundsAreRefused) {
  EXPECT_EQ(LaunchSampler::refusal(199, kRound, {}),
            "it has 19.9 rounds of thread blocks, and sampling takes 20");
  EXPECT_EQ(LaunchSampler::refusal(200, kRound, {}), "");
}

TEST(LaunchSamplerTest, ARateThatNeverSettlesIsGivenUp) {
  Launch launch;
  launch.tbs = 600;
  launch.cycles = [](std::uint64_t tb) { return 50 * std::exp(static_cast<double>(tb) / 40); };
  const LaunchSampler sampler = sampled(launch);
  EXPECT_EQ(sampler.fast_forwarded().tbs, 0U);
  EXPECT_NE(sampler.given_up().find("its rate has not settled in 16 rounds"), std::string::npos)
      << sampler.given_up();
  EXPECT_NEAR(sampler.cycles(), launch.all_cycles(), 1);
}

TEST(LaunchSamplerTest, TbsThatWaitForEachOtherEndIt) {
  Launch launch;
  launch.tbs = 4000;
  launch.cycles = [](std::uint64_t) { return 50; };
  launch.waits = 300;
  const LaunchSampler sampler = sampled(launch);
  EXPECT_EQ(sampler.given_up(), "its thread blocks wait for each other");
  EXPECT_LE(sampler.fast_forwarded().tbs, 300U);
  EXPECT_NEAR(sampler.cycles(), 200'000, 10);
  EXPECT_NEAR(sampler.waiting_cycles(), kRound * 50, 1);
  EXPECT_EQ(sampler.outlasting_cycles(), 0);
}

/// Whichever waits, of those of a section: what it has executed until then tells nothing.
TEST(LaunchSamplerTest, OfARoundInWhichTbsWaitNoneIsSimulated) {
  std::vector<std::uint64_t> sections;
  for (std::uint64_t waits = 200; waits < 280; ++waits) {
    Launch launch;
    launch.tbs = 4000;
    launch.cycles = [](std::uint64_t) { return 50; };
    launch.waits = waits;
    const LaunchSampler sampler = sampled(launch);
    if (sampler.given_up().empty()) continue;  // it was simulated
    sections.push_back(sampler.fast_forwarded().tbs);
    EXPECT_EQ(sections.back() % kRound, 0U) << waits;
    EXPECT_NEAR(sampler.cycles(), 200'000, 10) << waits;
  }
  ASSERT_GE(sections.size(), 40U);
}

TEST(LaunchSamplerTest, TheLeastGridThatIsSampledHasAnEnd) {
  for (std::uint64_t tbs = 20 * kRound; tbs < 24 * kRound; ++tbs) {
    Launch launch;
    launch.tbs = tbs;
    launch.cycles = [](std::uint64_t) { return 50; };
    EXPECT_NEAR(sampled(launch).cycles(), launch.all_cycles(), 1) << tbs;
  }
}

}  // namespace
}  // namespace heddle
