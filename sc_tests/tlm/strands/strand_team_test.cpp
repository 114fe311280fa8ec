#include "tlm/strands/strand_team.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <numeric>
#include <set>
#include <thread>

namespace heddle::test {
namespace {

TEST(StrandTeam, EveryStrandWorksOncePerRoundOnAThreadOfItsOwn) {
  constexpr unsigned kStrands = 3;
  std::vector<std::vector<std::thread::id>> threads(kStrands);
  StrandTeam team(kStrands, [&](unsigned strand) { threads[strand].push_back(std::this_thread::get_id()); });
  for (unsigned round = 0; round < 50; ++round) team.round();
  std::set<std::thread::id> different;
  for (const auto& of_strand : threads) {
    EXPECT_EQ(of_strand, std::vector<std::thread::id>(50, of_strand.front()));
    different.insert(of_strand.front());
  }
  EXPECT_EQ(different.size(), kStrands);
  EXPECT_EQ(threads[0].front(), std::this_thread::get_id());
}

// Plain variables: each round's writes are seen by the other side without more ado.
TEST(StrandTeam, StrandsSeeWhatWasDoneBeforeTheRoundAndTheCallerWhatTheyDid) {
  constexpr unsigned kStrands = 4;
  std::uint64_t input = 0;
  std::vector<std::uint64_t> sums(kStrands, 0);
  StrandTeam team(kStrands, [&](unsigned strand) { sums[strand] += input * (strand + 1); });
  std::uint64_t expected = 0;
  for (std::uint64_t round = 1; round <= 2000; ++round) {
    input = round;
    team.round();
    expected += round * (1 + 2 + 3 + 4);
    ASSERT_EQ(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}), expected);
  }
}

TEST(StrandTeam, ARoundComesToThreadsThatHaveGoneToSleep) {
  std::array<unsigned, 2> done{};
  StrandTeam team(2, [&](unsigned strand) { ++done[strand]; });
  for (unsigned round = 1; round <= 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    team.round();
    EXPECT_EQ(done, (std::array<unsigned, 2>{round, round}));
  }
}

TEST(StrandTeam, EndsWithoutARound) {
  unsigned done = 0;
  {
    const StrandTeam team(3, [&](unsigned /*strand*/) { ++done; });
  }
  EXPECT_EQ(done, 0U);
}

}  // namespace
}  // namespace heddle::test
