#include "tlm/strands/strand_deal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;
using Work = std::vector<std::uint64_t>;

TEST(StrandDeal, BeginsInTurn) {
  const StrandDeal deal(5, 2);
  EXPECT_THAT(deal.strands_of(0), ElementsAre(0, 2, 4));
  EXPECT_THAT(deal.strands_of(1), ElementsAre(1, 3));
}

TEST(StrandDeal, EqualThreadsKeepTheirStrands) {
  StrandDeal deal(4, 2);
  EXPECT_FALSE(deal.deal({100, 100, 100, 100}, 0));
  EXPECT_THAT(deal.strands_of(0), ElementsAre(0, 2));
}

TEST(StrandDeal, TheFirstThreadGivesAsMuchAsWhatIsBesideTakes) {
  StrandDeal deal(8, 2);
  // 100 each, and 400 beside: 400 + 2 x 100 against 6 x 100.
  EXPECT_TRUE(deal.deal(Work(8, 100), 400));
  EXPECT_EQ(deal.strands_of(0).size(), 2U);
  EXPECT_EQ(deal.strands_of(1).size(), 6U);
  EXPECT_FALSE(deal.deal(Work(8, 100), 400));
  // They come back when there is nothing beside any more.
  EXPECT_TRUE(deal.deal(Work(8, 100), 0));
  EXPECT_EQ(deal.strands_of(0).size(), 4U);
}

TEST(StrandDeal, AThreadKeepsItsStrandsInOrderAndNoneIsLost) {
  StrandDeal deal(7, 3);
  EXPECT_TRUE(deal.deal({900, 10, 10, 10, 10, 10, 800}, 0));
  std::vector<std::size_t> all;
  for (unsigned thread = 0; thread < deal.threads(); ++thread) {
    const std::vector<std::size_t>& strands = deal.strands_of(thread);
    EXPECT_TRUE(std::is_sorted(strands.begin(), strands.end()));
    all.insert(all.end(), strands.begin(), strands.end());
  }
  EXPECT_THAT(all, ::testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6));
  // The two that have nearly all of the work are apart.
  for (unsigned thread = 0; thread < deal.threads(); ++thread) {
    const std::vector<std::size_t>& strands = deal.strands_of(thread);
    EXPECT_LE(std::count(strands.begin(), strands.end(), 0U) + std::count(strands.begin(), strands.end(), 6U),
              1);
  }
}

TEST(StrandDeal, LessThanATwentiethOfAThreadsMeanIsNotWorthAMove) {
  StrandDeal deal(4, 2);
  // 1100 against 1000: a move of 60 makes the busier 1060, and 53 would be the least.
  EXPECT_FALSE(deal.deal({940, 940, 60, 60}, 100));
  // 1120 against 1000: it becomes 1060 too.
  EXPECT_TRUE(deal.deal({940, 940, 60, 60}, 120));
  EXPECT_THAT(deal.strands_of(0), ElementsAre(0));
}

TEST(StrandDeal, WithoutWorkNothingMoves) {
  StrandDeal deal(4, 2);
  EXPECT_FALSE(deal.deal({0, 0, 0, 0}, 0));
  EXPECT_FALSE(deal.deal({0, 0, 0, 0}, 1000));
}

}  // namespace
}  // namespace heddle
