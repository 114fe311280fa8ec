// What state the classifier gives a warp.
#include "modules/warp_scheduler/warp_states.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle {
namespace {

/// Warps 0, 2 and 4 of a scheduler, with an instruction for the SP units that could issue.
class WarpStatesTest : public ::testing::Test {
 protected:
  WarpStatesTest() {
    table_.resident = kOwn | warp_bit(1);
    table_.valid = table_.resident;
    table_.needs[static_cast<unsigned>(Unit::kSp)] = table_.resident;
    for (unsigned w = 0; w < 5; ++w) table_.next[w] = &instruction_;
    turn_.table = &table_;
    turn_.supervised = 0x555;
    turn_.issuable = kOwn;
    issued_.warp = 4;
  }

  WarpState state(unsigned warp) const {
    const WarpsByState warps = states_of(turn_);
    WarpMask all = 0;
    for (const WarpMask mask : warps) {
      EXPECT_EQ(all & mask, 0U) << "a warp in two states";
      all |= mask;
    }
    EXPECT_EQ(all, (table_.resident | table_.ended) & turn_.supervised);
    return static_cast<WarpState>(state_index(warps, warp));
  }
  /// Of warp 0, when it and only it can't issue for that reason.
  WarpState when(WarpMask WarpTable::*column) {
    table_.*column |= warp_bit(0);
    turn_.issuable &= ~warp_bit(0);
    const WarpState found = state(0);
    EXPECT_EQ(state(2), WarpState::kHeldByPolicy) << "nothing issued";
    return found;
  }
  WarpState without_slot(Unit unit, Space space) {
    for (WarpMask& needing : table_.needs) needing &= ~warp_bit(0);
    table_.needs[static_cast<unsigned>(unit)] |= warp_bit(0);
    turn_.issuable &= ~warp_bit(0);
    instruction_.space = space;
    return state(0);
  }

  static constexpr WarpMask kOwn = 0x15;
  WarpTable table_;
  Instruction instruction_;
  WarpInstruction issued_;
  SchedulerTurn turn_;
};

TEST_F(WarpStatesTest, OneIsSelectedAndTheOthersAreNot) {
  turn_.issued = &issued_;
  EXPECT_EQ(state(4), WarpState::kSelected);
  EXPECT_EQ(state(0), WarpState::kNotSelected);
  EXPECT_EQ(state(2), WarpState::kNotSelected);
  EXPECT_EQ(state_index(states_of(turn_), 1), kNumWarpStates) << "another scheduler's";
}

TEST_F(WarpStatesTest, WhoIssuedIsSelectedWhateverItsInstructionDid) {
  turn_.issued = &issued_;
  for (WarpMask WarpTable::*const column :
       {&WarpTable::finished, &WarpTable::at_barrier, &WarpTable::at_membar, &WarpTable::blocked}) {
    table_.*column |= warp_bit(4);
    EXPECT_EQ(state(4), WarpState::kSelected);
  }
}

TEST_F(WarpStatesTest, WhomThePoliciesBarIsHeldBackAlsoWhenAnotherIssues) {
  turn_.issued = &issued_;
  turn_.barred = warp_bit(2);
  EXPECT_EQ(state(2), WarpState::kHeldByPolicy);
  EXPECT_EQ(state(0), WarpState::kNotSelected);
  turn_.issued = nullptr;
  EXPECT_EQ(state(0), WarpState::kHeldByPolicy) << "passed over with nobody chosen";
}

TEST_F(WarpStatesTest, Drain) { EXPECT_EQ(when(&WarpTable::finished), WarpState::kDrain); }
TEST_F(WarpStatesTest, Barrier) { EXPECT_EQ(when(&WarpTable::at_barrier), WarpState::kBarrier); }
TEST_F(WarpStatesTest, Membar) { EXPECT_EQ(when(&WarpTable::at_membar), WarpState::kMembar); }

TEST_F(WarpStatesTest, OfTheScoreboardTheSlowestProducer) {
  EXPECT_EQ(when(&WarpTable::blocked), WarpState::kScoreboardAlu);
  EXPECT_EQ(when(&WarpTable::blocked_sfu), WarpState::kScoreboardSfu);
  EXPECT_EQ(when(&WarpTable::blocked_shared), WarpState::kScoreboardShared);
  EXPECT_EQ(when(&WarpTable::blocked_memory), WarpState::kScoreboardMemory);
}

TEST_F(WarpStatesTest, AnEmptyBufferIsFetchedOrFlushed) {
  table_.valid &= ~warp_bit(0);
  turn_.issuable &= ~warp_bit(0);
  EXPECT_EQ(state(0), WarpState::kFetch);
  turn_.off_path = warp_bit(0);
  EXPECT_EQ(state(0), WarpState::kFlush);
}

TEST_F(WarpStatesTest, WithoutAFreeInputRegister) {
  EXPECT_EQ(without_slot(Unit::kSp, Space::kNone), WarpState::kPipelineSp);
  EXPECT_EQ(without_slot(Unit::kSfu, Space::kNone), WarpState::kPipelineSfu);
  EXPECT_EQ(without_slot(Unit::kLdst, Space::kGlobal), WarpState::kPipelineGlobal);
  EXPECT_EQ(without_slot(Unit::kLdst, Space::kLocal), WarpState::kPipelineGlobal);
  EXPECT_EQ(without_slot(Unit::kLdst, Space::kGeneric), WarpState::kPipelineGlobal);
  EXPECT_EQ(without_slot(Unit::kLdst, Space::kShared), WarpState::kPipelineShared);
  EXPECT_EQ(without_slot(Unit::kLdst, Space::kConst), WarpState::kPipelineConstant);
  EXPECT_EQ(without_slot(Unit::kLdst, Space::kParam), WarpState::kPipelineConstant);
  EXPECT_EQ(without_slot(Unit::kLdst, Space::kTexture), WarpState::kPipelineTexture);
}

TEST_F(WarpStatesTest, ASlotThatItsBlockKeepsHasEnded) {
  table_.resident &= ~warp_bit(0);
  turn_.issuable &= ~warp_bit(0);
  EXPECT_EQ(state_index(states_of(turn_), 0), kNumWarpStates);
  table_.ended = warp_bit(0) | warp_bit(1);
  EXPECT_EQ(state(0), WarpState::kEnded);
}

TEST(WarpStateNames, AreDistinct) {
  const std::vector<std::string> names = warp_state_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), kNumWarpStates);
  EXPECT_EQ(names.back(), "ended") << "the one that is of no resident warp";
}

}  // namespace
}  // namespace heddle
