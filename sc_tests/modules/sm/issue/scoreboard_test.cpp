#include "modules/sm/issue/scoreboard.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Registers = std::initializer_list<std::uint16_t>;

Instruction instruction(Registers destinations, Registers sources) {
  Instruction result;
  for (const auto reg : destinations) result.add_destination(reg);
  for (const auto reg : sources) result.add_source(reg);
  return result;
}

TEST(ScoreboardTest, BlocksReadsAndWritesOfAPendingRegister) {
  Scoreboard scoreboard(2);
  const Instruction load = instruction({7}, {1});
  scoreboard.reserve(0, load, Producer::kMemory);
  EXPECT_TRUE(scoreboard.check(0, instruction({3}, {2, 7})).blocked);
  EXPECT_TRUE(scoreboard.check(0, instruction({7}, {})).blocked);
  EXPECT_FALSE(scoreboard.check(0, instruction({1}, {1})).blocked);  // no WAR: operands are read in order
  EXPECT_FALSE(scoreboard.check(1, instruction({7}, {7})).blocked);
  scoreboard.release(0, load);
  EXPECT_FALSE(scoreboard.check(0, instruction({7}, {7})).blocked);
}

TEST(ScoreboardTest, KnowsPredicatesAndTheLastRegister) {
  Scoreboard scoreboard(1);
  const std::uint16_t predicate = Instruction::kFirstPredicate;
  const std::uint16_t last = Instruction::kNumScoreboardBits - 1;
  scoreboard.reserve(0, instruction({predicate, last}, {}), Producer::kAlu);
  EXPECT_TRUE(scoreboard.check(0, instruction({}, {predicate})).blocked);
  EXPECT_TRUE(scoreboard.check(0, instruction({}, {last})).blocked);
  EXPECT_FALSE(scoreboard.check(0, instruction({}, {511})).blocked);
}

TEST(ScoreboardTest, ReleasesOnlyTheDestinationsOfOneInstruction) {
  Scoreboard scoreboard(1);
  const Instruction first = instruction({1, 2}, {});
  const Instruction second = instruction({3}, {});
  scoreboard.reserve(0, first, Producer::kAlu);
  scoreboard.reserve(0, second, Producer::kAlu);
  scoreboard.release(0, first);
  EXPECT_FALSE(scoreboard.check(0, instruction({}, {1, 2})).blocked);
  EXPECT_TRUE(scoreboard.check(0, instruction({}, {3})).blocked);
}

TEST(ScoreboardTest, NamesTheSlowestProducer) {
  Scoreboard scoreboard(1);
  scoreboard.reserve(0, instruction({1}, {}), Producer::kAlu);
  scoreboard.reserve(0, instruction({2}, {}), Producer::kSfu);
  scoreboard.reserve(0, instruction({3}, {}), Producer::kShared);
  scoreboard.reserve(0, instruction({4}, {}), Producer::kMemory);
  EXPECT_EQ(scoreboard.check(0, instruction({}, {1})).waits_for, Producer::kAlu);
  EXPECT_EQ(scoreboard.check(0, instruction({2}, {1})).waits_for, Producer::kSfu);
  EXPECT_EQ(scoreboard.check(0, instruction({1}, {3, 2})).waits_for, Producer::kShared);
  EXPECT_EQ(scoreboard.check(0, instruction({}, {4, 3, 1})).waits_for, Producer::kMemory);
}

}  // namespace
}  // namespace heddle
