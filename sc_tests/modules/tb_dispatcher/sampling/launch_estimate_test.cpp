#include "modules/tb_dispatcher/sampling/launch_estimate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {
namespace {

constexpr std::uint64_t kWork = 1000;        // of a window
constexpr std::uint64_t kSkipped = 100'000;  // of a section

/// Groups of windows that take so many cycles each, with a section after each but the last.
LaunchEstimate measured(const std::vector<std::vector<std::uint64_t>>& groups, bool settles = false) {
  LaunchEstimate estimate(0.01);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    estimate.add_group(0, settles && g == 0);
    for (const std::uint64_t cycles : groups[g])
      estimate.add_stretch({LaunchEstimate::Use::kMeasured, cycles, kWork, 0, 1});
    if (g + 1 < groups.size()) estimate.add_section(0, kSkipped);
  }
  estimate.give_weights();
  return estimate;
}

double half_interval(const LaunchEstimate& estimate) {
  double squares = 0;
  for (const double deviation : estimate.deviations(estimate.cycles_of_stretches()))
    squares += deviation * deviation;
  return std::sqrt(squares);
}

TEST(LaunchEstimateTest, AllWindowsStandAlikeWhenGroupsDifferByChance) {
  const LaunchEstimate estimate = measured({{990, 1010}, {1012, 992}, {1000, 1004}, {995, 1005}});
  const double weight = 1 + 3 * kSkipped / (8.0 * kWork);
  for (const LaunchEstimate::Stretch& stretch : estimate.stretches())
    EXPECT_NEAR(stretch.weight, weight, 1e-9);
}

TEST(LaunchEstimateTest, GroupsStandForWhatIsNextToThemWhenTheRateDrifts) {
  const LaunchEstimate estimate = measured({{1000, 1001}, {2000, 2001}, {4000, 4001}});
  EXPECT_NEAR(estimate.cycles(), 14'003 + 150'000 + 300'000, 500);
  EXPECT_NEAR(estimate.stretches()[0].weight, 1 + kSkipped / 2 / (2.0 * kWork), 0.1);
  EXPECT_NEAR(estimate.stretches()[2].weight, 1 + kSkipped / (2.0 * kWork), 0.1);
}

/// Windows of a group agree to a thousandth, groups differ by 3%.
TEST(LaunchEstimateTest, TheIntervalIsThatOfGroupsWhenTheyDifferMoreThanWindows) {
  const double of_groups = half_interval(measured({{1000, 1001}, {1030, 1031}, {1001, 1000}, {1030, 1029}}));
  EXPECT_GT(of_groups, 0.015 * 3 * kSkipped);
  const double alike = half_interval(measured({{1000, 1001}, {1001, 1000}, {1001, 1000}, {1000, 1001}}));
  EXPECT_NEAR(alike, 0.01 * 3 * kSkipped, 0.001 * 3 * kSkipped) << "rates within a hundredth count as alike";
}

/// A straight drift of 30% over 16 sections, of which the weights know.
TEST(LaunchEstimateTest, ADriftIsNotTakenForChance) {
  std::vector<std::vector<std::uint64_t>> groups;
  double whole = 0;
  for (std::uint64_t g = 0; g <= 16; ++g) {
    groups.push_back({1000 + 20 * g, 1001 + 20 * g});
    if (g < 16) whole += 1.0105 * kSkipped + 0.02 * static_cast<double>(g) * kSkipped;
  }
  const LaunchEstimate estimate = measured(groups);
  EXPECT_NEAR(estimate.cycles() / whole, 1, 0.03);
  EXPECT_LT(half_interval(estimate), 0.013 * whole);
}

TEST(LaunchEstimateTest, TheGroupThatSettledStandsForNoneWhenTwoFollow) {
  const std::vector<std::vector<std::uint64_t>> two{{1000, 1001}, {1004, 1003}};
  EXPECT_GT(measured(two, true).stretches()[0].weight, 2);
  const std::vector<std::vector<std::uint64_t>> three{{1000, 1001}, {1004, 1003}, {1005, 1002}};
  EXPECT_EQ(measured(three, true).stretches()[0].weight, 1);
  EXPECT_GT(measured(three, false).stretches()[0].weight, 2);
}

/// By 4% when 1% makes a difference: half of it, of the section between.
TEST(LaunchEstimateTest, ARateThatHadNotSettledWidensTheInterval) {
  const LaunchEstimate estimate = measured({{960, 961}, {1000, 1001}}, true);
  EXPECT_EQ(estimate.stretches()[0].weight, 1);
  EXPECT_NEAR(half_interval(estimate), std::hypot(0.02, 0.01) * kSkipped, 0.002 * kSkipped);
}

/// Each group's windows fall by 2%, when windows differ by 1.4%: three such are more than chance; those that
/// fall and rise are not.
TEST(LaunchEstimateTest, WhatFallsFromAGroupsHalfToTheOtherWidensTheInterval) {
  const double falls = half_interval(measured({{1020, 1000}, {1020, 1000}, {1020, 1000}}));
  const double turns = half_interval(measured({{1020, 1000}, {1000, 1020}, {1020, 1000}}));
  const double work = 2.0 * kSkipped;
  EXPECT_GT(falls, turns + 0.0005 * work);
  EXPECT_LT(falls, turns + 0.02 * work);
}

TEST(LaunchEstimateTest, HalvesDifferByMoreThanAHundredthAndTheirError) {
  const auto differ = [](const std::vector<std::uint64_t>& windows) {
    LaunchEstimate estimate(0.01);
    estimate.add_group(0, false);
    for (const std::uint64_t cycles : {1000, 1001, 999, 1000, 1001, 999, 1000, 1000})
      estimate.add_stretch({LaunchEstimate::Use::kMeasured, static_cast<std::uint64_t>(cycles), kWork, 0, 1});
    estimate.add_group(0, false);
    for (const std::uint64_t cycles : windows)
      estimate.add_stretch({LaunchEstimate::Use::kMeasured, cycles, kWork, 0, 1});
    return estimate.halves_differ();
  };
  EXPECT_FALSE(differ({1000, 1000, 1009, 1009}));
  EXPECT_TRUE(differ({1000, 1000, 1030, 1030}));
  EXPECT_FALSE(differ({1030}));
}

}  // namespace
}  // namespace heddle
