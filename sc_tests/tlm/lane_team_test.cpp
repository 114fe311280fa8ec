#include "tlm/lane_team.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <set>
#include <thread>

namespace heddle::test {
namespace {

TEST(LaneTeam, EveryLaneWorksOncePerRoundOnAThreadOfItsOwn) {
  constexpr unsigned kLanes = 3;
  std::vector<std::vector<std::thread::id>> threads(kLanes);
  LaneTeam team(kLanes, [&](unsigned lane) { threads[lane].push_back(std::this_thread::get_id()); });
  for (unsigned round = 0; round < 50; ++round) team.round();
  std::set<std::thread::id> different;
  for (const auto& of_lane : threads) {
    EXPECT_EQ(of_lane, std::vector<std::thread::id>(50, of_lane.front()));
    different.insert(of_lane.front());
  }
  EXPECT_EQ(different.size(), kLanes);
  EXPECT_EQ(threads[0].front(), std::this_thread::get_id());
}

// Plain variables: each round's writes are seen by the other side without more ado.
TEST(LaneTeam, LanesSeeWhatWasDoneBeforeTheRoundAndTheCallerWhatTheyDid) {
  constexpr unsigned kLanes = 4;
  std::uint64_t input = 0;
  std::vector<std::uint64_t> sums(kLanes, 0);
  LaneTeam team(kLanes, [&](unsigned lane) { sums[lane] += input * (lane + 1); });
  std::uint64_t expected = 0;
  for (std::uint64_t round = 1; round <= 2000; ++round) {
    input = round;
    team.round();
    expected += round * (1 + 2 + 3 + 4);
    ASSERT_EQ(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}), expected);
  }
}

TEST(LaneTeam, ARoundComesToThreadsThatHaveGoneToSleep) {
  unsigned done = 0;
  LaneTeam team(2, [&](unsigned lane) { done += lane; });
  for (unsigned round = 1; round <= 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    team.round();
    EXPECT_EQ(done, round);
  }
}

TEST(LaneTeam, EndsWithoutARound) {
  unsigned done = 0;
  {
    const LaneTeam team(3, [&](unsigned /*lane*/) { ++done; });
  }
  EXPECT_EQ(done, 0U);
}

}  // namespace
}  // namespace heddle::test
