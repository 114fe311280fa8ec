#include "modules/operand_collector/due_results.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle {
namespace {

class DueResultsTest : public ::testing::Test {
 protected:
  void put(Cycle now, Cycle ahead, unsigned which, unsigned port) {
    instructions_[which].result_port = static_cast<std::uint8_t>(port);
    due_.put(now, ahead, instructions_[which]);
  }
  std::vector<const WarpInstruction*> take(Cycle cycle) {
    InstructionQueue queue;
    due_.take(cycle, queue);
    std::vector<const WarpInstruction*> taken;
    while (!queue.empty()) taken.push_back(&queue.pop());
    return taken;
  }

  WarpInstruction instructions_[3];
  DueResults due_{3};
};

TEST_F(DueResultsTest, LeaveInTheirCycleNotBefore) {
  put(4, 6, 0, 1);
  EXPECT_FALSE(due_.any(9));
  EXPECT_TRUE(take(9).empty());
  EXPECT_FALSE(due_.empty());
  EXPECT_TRUE(due_.any(10));
  EXPECT_EQ(take(10), std::vector<const WarpInstruction*>{&instructions_[0]});
  EXPECT_TRUE(due_.empty());
}

TEST_F(DueResultsTest, OfOneCycleLeaveInTheOrderOfTheirPorts) {
  put(4, 6, 0, 2);
  put(5, 5, 1, 0);
  put(6, 4, 2, 1);
  EXPECT_EQ(take(10),
            (std::vector<const WarpInstruction*>{&instructions_[1], &instructions_[2], &instructions_[0]}));
}

TEST_F(DueResultsTest, FarOnesLeaveWithTheNearOfTheirCycle) {
  put(5, 995, 0, 1);
  for (Cycle cycle = 5; cycle < 996; ++cycle) EXPECT_TRUE(take(cycle).empty()) << cycle;
  put(996, 4, 1, 2);
  put(997, 3, 2, 0);
  for (Cycle cycle = 996; cycle < 1000; ++cycle) EXPECT_TRUE(take(cycle).empty()) << cycle;
  EXPECT_EQ(take(1000),
            (std::vector<const WarpInstruction*>{&instructions_[2], &instructions_[0], &instructions_[1]}));
  EXPECT_FALSE(due_.any(1000));
}

// What is due in the cycle before is taken in this one, perhaps after others have entered.
TEST_F(DueResultsTest, OneThatEntersBeforeTheLastCycleIsTakenLeavesThatAlone) {
  for (const Cycle ahead : {61U, 62U, 63U, 64U, 65U}) {
    put(100, 10, 0, 1);
    put(111, ahead, 1, 1);
    EXPECT_EQ(take(110), std::vector<const WarpInstruction*>{&instructions_[0]}) << ahead;
    for (Cycle cycle = 111; cycle < 111 + ahead; ++cycle) EXPECT_TRUE(take(cycle).empty()) << ahead;
    EXPECT_EQ(take(111 + ahead), std::vector<const WarpInstruction*>{&instructions_[1]}) << ahead;
  }
}

TEST_F(DueResultsTest, TellWhichPortsHaveAResult) {
  put(4, 6, 0, 1);
  put(4, 500, 1, 2);
  EXPECT_TRUE(due_.carries(5, 5, 1));
  EXPECT_FALSE(due_.carries(5, 4, 1));
  EXPECT_FALSE(due_.carries(5, 6, 1));
  EXPECT_FALSE(due_.carries(5, 5, 0));
  EXPECT_FALSE(due_.carries(5, 5 + 64, 1));  // beyond the near cycles
  EXPECT_TRUE(due_.carries(9, 495, 2));
  EXPECT_TRUE(due_.carries(500, 4, 2));  // still among the far ones
  EXPECT_FALSE(due_.carries(500, 4, 1));
}

TEST_F(DueResultsTest, LeaveInTheirCycleHoweverFarItIs) {
  for (const Cycle ahead : {Cycle{63}, Cycle{64}, Cycle{65}, Cycle{128}}) {
    put(4, ahead, 0, 1);
    for (Cycle cycle = 4; cycle < 4 + ahead; ++cycle) EXPECT_TRUE(take(cycle).empty()) << ahead;
    EXPECT_EQ(take(4 + ahead), std::vector<const WarpInstruction*>{&instructions_[0]}) << ahead;
  }
}

}  // namespace
}  // namespace heddle
