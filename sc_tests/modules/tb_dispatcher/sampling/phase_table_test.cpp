#include "modules/tb_dispatcher/sampling/phase_table.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// TBs of `first` warp instructions in part 0, and `second` in part 1.
TbWork work(std::uint64_t tbs, std::uint64_t first, std::uint64_t second) {
  TbWork work;
  work.tbs = tbs;
  work.warp_instructions = tbs * (first + second);
  work.of_part[0] = tbs * first;
  work.of_part[1] = tbs * second;
  return work;
}

TEST(PhaseTableTest, TellsTbsApartByTheirPartsOfTheProgram) {
  PhaseTable phases;
  EXPECT_EQ(phases.find(work(1, 100, 0)), PhaseTable::kNone);
  EXPECT_EQ(phases.add(work(10, 900, 100)), 0U);
  EXPECT_EQ(phases.find(work(3, 870, 130)), 0U);
  EXPECT_EQ(phases.find(work(3, 800, 200)), PhaseTable::kNone);
  EXPECT_EQ(phases.add(work(3, 800, 200)), 1U);
  EXPECT_EQ(phases.find(work(3, 870, 130)), 0U);  // the nearer of the two
  EXPECT_EQ(phases.find(work(3, 830, 170)), 1U);
}

TEST(PhaseTableTest, TellsTbsApartByHowMuchTheyExecute) {
  PhaseTable phases;
  phases.add(work(10, 900, 100));
  EXPECT_EQ(phases.find(work(3, 900 * 4 / 5, 80)), 0U);
  EXPECT_EQ(phases.find(work(3, 900 * 2 / 3, 66)), PhaseTable::kNone);
}

TEST(PhaseTableTest, AFullTableGivesTheNearest) {
  PhaseTable phases;
  for (std::uint64_t i = 0; i < PhaseTable::kMost; ++i) phases.add(work(1, 100 << i, 0));
  EXPECT_EQ(phases.find(work(1, 480, 0)), 2U);
  EXPECT_EQ(phases.find(work(1, 1, 0)), 0U);
}

TEST(PhaseTableTest, TbsThatExecuteNothingAreAlike) {
  PhaseTable phases;
  phases.add(work(10, 0, 0));
  EXPECT_EQ(phases.find(work(5, 0, 0)), 0U);
  EXPECT_EQ(phases.find(work(5, 1, 0)), PhaseTable::kNone);
}

}  // namespace
}  // namespace heddle
