#include "modules/warp_scheduler/policy_board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Reader : PolicyBoard::Reader {
  void notes_posted() override { ++woken; }
  unsigned woken = 0;
};

class PolicyBoardTest : public ::testing::Test {
 protected:
  explicit PolicyBoardTest(PolicyBoard::Way way = {}) : board_(3, way) {
    for (unsigned sm = 0; sm < 3; ++sm) board_.attach(sm, readers_[sm]);
  }
  void post(unsigned sm, std::uint64_t cycle, std::uint64_t value) {
    board_.post({nullptr, sm, cycle, 0, value});
  }
  std::vector<std::uint64_t> read(unsigned sm, std::uint64_t cycle) {
    std::vector<PolicyNote> notes;
    next_ = board_.read(sm, cycle, notes);
    std::vector<std::uint64_t> values;
    for (const PolicyNote& note : notes) values.push_back(note.value);
    return values;
  }

  PolicyBoard board_;
  Reader readers_[3];
  std::uint64_t next_ = 0;
};

TEST_F(PolicyBoardTest, NotAtTheCycleOfPostingButAtTheNext) {
  post(1, 10, 7);
  EXPECT_THAT(read(0, 10), IsEmpty());
  EXPECT_EQ(next_, 11U);
  EXPECT_THAT(read(0, 11), ElementsAre(7));
  EXPECT_EQ(next_, PolicyBoard::kNever);
  EXPECT_THAT(read(0, 12), IsEmpty());
}

TEST_F(PolicyBoardTest, EverySmIsWokenAndReadsThePosterIncluded) {
  post(1, 10, 7);
  for (unsigned sm = 0; sm < 3; ++sm) {
    EXPECT_EQ(readers_[sm].woken, 1U);
    EXPECT_THAT(read(sm, 11), ElementsAre(7));
  }
}

TEST_F(PolicyBoardTest, NotesOfOneCycleAreReadBySmWhoeverTickedFirst) {
  post(2, 10, 20);
  post(2, 10, 21);
  post(0, 10, 1);
  post(1, 11, 5);
  EXPECT_THAT(read(0, 11), ElementsAre(1, 20, 21));
  EXPECT_EQ(next_, 12U);
  EXPECT_THAT(read(0, 12), ElementsAre(5));
  EXPECT_THAT(read(2, 12), ElementsAre(1, 20, 21, 5));
}

TEST_F(PolicyBoardTest, ALateReaderMissesNothing) {
  post(0, 10, 1);
  EXPECT_THAT(read(0, 11), ElementsAre(1));
  EXPECT_THAT(read(1, 11), ElementsAre(1));
  post(0, 12, 2);
  EXPECT_THAT(read(2, 13), ElementsAre(1, 2));
  EXPECT_THAT(read(0, 13), ElementsAre(2));
}

TEST_F(PolicyBoardTest, WhatIsPutOffIsPostedByPublishInTheOrderOfSms) {
  board_.put_off();
  post(2, 10, 22);
  post(0, 10, 20);
  post(2, 10, 23);
  EXPECT_EQ(readers_[1].woken, 0U);
  EXPECT_THAT(read(1, 11), IsEmpty());
  board_.publish();
  EXPECT_EQ(readers_[1].woken, 1U);
  EXPECT_THAT(read(1, 10), IsEmpty());
  EXPECT_EQ(next_, 11U);
  for (unsigned sm = 0; sm < 3; ++sm) EXPECT_THAT(read(sm, 11), ElementsAre(20, 22, 23));
  board_.publish();
  EXPECT_THAT(read(1, 12), IsEmpty());
  EXPECT_EQ(next_, PolicyBoard::kNever);
}

/// A board whose notes take six cycles and come one a cycle.
class FarPolicyBoardTest : public PolicyBoardTest {
 protected:
  FarPolicyBoardTest() : PolicyBoardTest(PolicyBoard::Way{6, true}) {}
};

TEST_F(FarPolicyBoardTest, NotBeforeTheWayIsOverButThen) {
  post(1, 10, 7);
  EXPECT_EQ(readers_[0].woken, 1U);
  for (unsigned sm = 0; sm < 3; ++sm) {
    EXPECT_THAT(read(sm, 15), IsEmpty());
    EXPECT_EQ(next_, 16U);
    EXPECT_THAT(read(sm, 16), ElementsAre(7));
    EXPECT_EQ(next_, PolicyBoard::kNever);
  }
}

TEST_F(FarPolicyBoardTest, OneNoteACycleFirstComeFirstServed) {
  post(2, 10, 20);
  post(1, 10, 10);  // ticks later, and is the lower SM
  post(0, 11, 1);   // does not overtake them
  post(0, 30, 2);
  EXPECT_THAT(read(0, 15), IsEmpty());
  EXPECT_THAT(read(0, 16), ElementsAre(10));
  EXPECT_EQ(next_, 17U);
  EXPECT_THAT(read(0, 17), ElementsAre(20));
  EXPECT_THAT(read(0, 18), ElementsAre(1));
  EXPECT_EQ(next_, 36U);
  EXPECT_THAT(read(0, 36), ElementsAre(2));
}

}  // namespace
}  // namespace heddle
