// Which rounds of a section are executed side by side, so that the L2 is told of what they access.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "modules/tb_dispatcher/sampling/launch_sampler.h"

namespace heddle {
namespace {

constexpr std::uint64_t kTbsARound = 10;

struct Section {
  std::uint64_t rounds = 0;
  std::vector<std::uint64_t> warmed;  ///< of them, by their place
};

/// The first section of 400 rounds, on a GPU whose L2 holds 1,000 blocks.
Section first_section(std::uint64_t accesses_a_tb) {
  LaunchSampler sampler({400 * kTbsARound, kTbsARound, 1, 1000}, {});
  SampleMark now;
  std::uint64_t tb = 0;
  while (!sampler.skips()) {
    if (sampler.wants_mark(tb)) sampler.mark(tb, now);
    if (sampler.skips()) break;
    now.cycle += 50;
    now.warp_instructions += 100;
    ++tb;
  }
  TbWork work;
  work.tbs = 1;
  work.warp_instructions = 100;
  work.of_part.front() = 100;
  Section section;
  for (std::uint64_t executed = 0; sampler.skips();) {
    const std::uint64_t side_by_side = sampler.side_by_side();
    if (side_by_side != 0) {
      EXPECT_EQ(side_by_side, kTbsARound);
      EXPECT_EQ(executed % kTbsARound, 0U);
      section.warmed.push_back(executed / kTbsARound);
      for (std::uint64_t i = 0; i < side_by_side * accesses_a_tb; ++i) sampler.accessed();
    }
    const std::uint64_t tbs = std::max<std::uint64_t>(side_by_side, 1);
    for (std::uint64_t i = 0; i < tbs; ++i) sampler.skipped(work);
    executed += tbs;
    section.rounds = executed / kTbsARound;
  }
  return section;
}

/// The first round, and so many at the end.
void expect_warmed(const Section& section, std::uint64_t last) {
  ASSERT_EQ(section.warmed.size(), last + 1);
  EXPECT_EQ(section.warmed.front(), 0U);
  for (std::uint64_t i = 1; i <= last; ++i) EXPECT_EQ(section.warmed[i], section.rounds - last - 1 + i);
}

TEST(WarmedRounds, AreTheFirstOfASectionAndItsLastSixteen) {
  const Section section = first_section(50);
  EXPECT_GT(section.rounds, 40U);
  expect_warmed(section, 16);
}

/// 2,000 accesses are twice what the L2 holds: 16 rounds of 125, 17 of 120.
TEST(WarmedRounds, AreMoreWhenSixteenDoNotFillTheL2Twice) {
  expect_warmed(first_section(13), 16);
  expect_warmed(first_section(12), 17);
  expect_warmed(first_section(7), 29);
}

TEST(WarmedRounds, AreAllWhenAllDoNotFillIt) {
  const Section section = first_section(1);
  EXPECT_EQ(section.warmed.size(), section.rounds);
}

TEST(WarmedRounds, AreSixteenWhenNothingIsAccessed) { expect_warmed(first_section(0), 16); }

}  // namespace
}  // namespace heddle
