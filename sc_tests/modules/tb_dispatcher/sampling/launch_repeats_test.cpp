#include "modules/tb_dispatcher/sampling/launch_repeats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;

LaunchWork work_of(std::uint64_t warp_instructions, unsigned part = 0) {
  LaunchWork work;
  work.executed.tbs = 10;
  work.executed.warp_instructions = warp_instructions;
  work.executed.thread_instructions = 32 * warp_instructions;
  work.executed.of_part[part] = warp_instructions;
  work.sectors = 4 * warp_instructions;
  return work;
}

/// A program's launches in order: which were simulated.
class Launches {
 public:
  void run(const LaunchWork& work, std::uint64_t cycles) {
    const bool wanted = repeats.wants_work();
    if (wanted && repeats.skips(work)) {
      ++skipped;
    } else {
      simulated.push_back(next_);
      repeats.simulated(next_, wanted ? std::optional(work) : std::nullopt, cycles);
    }
    ++next_;
  }

  LaunchRepeats repeats;
  std::vector<std::size_t> simulated;
  std::size_t skipped = 0;

 private:
  std::size_t next_ = 0;
};

TEST(LaunchRepeatsTest, MoreAndMoreAreSkippedWhileThoseInBetweenAgree) {
  Launches launches;
  for (unsigned i = 0; i < 100; ++i) launches.run(work_of(1000), 5000);
  // The first is not known; then two that agree, two skipped, four, eight and so on.
  EXPECT_THAT(launches.simulated, ElementsAre(0, 1, 2, 5, 10, 19, 36, 69));
  EXPECT_THAT(launches.repeats.windows(), ElementsAre(10, 19, 36, 69));
}

TEST(LaunchRepeatsTest, AtMostSixtyFourAreSkippedAtOnce) {
  Launches launches;
  for (unsigned i = 0; i < 1000; ++i) launches.run(work_of(1000), 5000);
  const auto& at = launches.simulated;
  ASSERT_GT(at.size(), 12U);
  EXPECT_EQ(at[at.size() - 1] - at[at.size() - 2], 65U);
}

TEST(LaunchRepeatsTest, ARateThatMovesByMoreThanAFiftiethHasToBeFoundAnew) {
  Launches launches;
  for (unsigned i = 0; i < 5; ++i) launches.run(work_of(1000), 5000);
  launches.run(work_of(1000), 5150);  // the one that looks whether it still holds
  EXPECT_THAT(launches.simulated, ElementsAre(0, 1, 2, 5));
  for (unsigned i = 0; i < 4; ++i) launches.run(work_of(1000), 5150);
  EXPECT_THAT(launches.simulated, ElementsAre(0, 1, 2, 5, 6, 9));
  EXPECT_THAT(launches.repeats.windows(), ElementsAre(5, 6)) << "none of before";
}

TEST(LaunchRepeatsTest, ARateThatMovesByLessDoesNot) {
  Launches launches;
  for (unsigned i = 0; i < 5; ++i) launches.run(work_of(1000), 5000);
  for (unsigned i = 0; i < 6; ++i) launches.run(work_of(1000), 5090);
  EXPECT_THAT(launches.simulated, ElementsAre(0, 1, 2, 5, 10));
}

TEST(LaunchRepeatsTest, LaunchesThatDoOtherThingsAreGroupsOfTheirOwn) {
  Launches launches;
  for (unsigned i = 0; i < 11; ++i)
    launches.run(i % 2 == 0 ? work_of(1000) : work_of(3000), i % 2 == 0 ? 5000 : 9000);
  EXPECT_THAT(launches.simulated, ElementsAre(0, 1, 2, 3, 4, 9, 10));
  EXPECT_EQ(launches.skipped, 4U);
}

TEST(LaunchRepeatsTest, EightThatAreAllDifferentAreEnough) {
  Launches launches;
  for (unsigned i = 0; i < 9; ++i) {
    EXPECT_EQ(launches.repeats.wants_work(), i != 0) << i;
    launches.run(work_of(1000 + 100 * i), 5000);
  }
  EXPECT_FALSE(launches.repeats.wants_work());
}

TEST(LaunchRepeatsTest, WorkIsAlikeToAFiftiethInEachFeature) {
  const LaunchWork one = work_of(10'000);
  const auto like = [&one](const auto& change) {
    LaunchWork other = one;
    change(other);
    return one.is_like(other) && other.is_like(one);
  };
  EXPECT_TRUE(like([](LaunchWork& w) { w.executed.warp_instructions += 200; }));
  EXPECT_FALSE(like([](LaunchWork& w) { w.executed.warp_instructions += 210; }));
  EXPECT_TRUE(like([](LaunchWork& w) { w.executed.thread_instructions -= 6400; }));
  EXPECT_FALSE(like([](LaunchWork& w) { w.executed.thread_instructions -= 6500; }));
  EXPECT_TRUE(like([](LaunchWork& w) { w.sectors -= 800; }));
  EXPECT_FALSE(like([](LaunchWork& w) { w.sectors -= 810; }));
  const auto move = [](std::uint64_t instructions) {
    return [instructions](LaunchWork& w) {
      w.executed.of_part[0] -= instructions;
      w.executed.of_part[1] += instructions;
    };
  };
  EXPECT_TRUE(like(move(199)));
  EXPECT_FALSE(like(move(201)));
}

}  // namespace
}  // namespace heddle
