// PRO figure 3: the states of thread blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modules/warp_scheduler/policies/pro/parameters.h"
#include "sc_tests/modules/warp_scheduler/policies/pro/pro_rig.h"

namespace heddle {
namespace {

using testing::ProRig;

class ProStateTest : public ::testing::Test {
 protected:
  ProStateTest() { rig_.start(0); }
  void finish_all() {
    for (unsigned w = 0; w < 4; ++w) rig_.finish(w);
  }
  ProRig rig_;
};

TEST_F(ProStateTest, ABlockStartsInNoWait) { EXPECT_EQ(rig_.state(0), ProState::kNoWait); }

TEST_F(ProStateTest, FastPhaseBarrierWaitUntilTheBarrierIsMet) {
  rig_.arrive(2);
  EXPECT_EQ(rig_.state(0), ProState::kBarrierWait);
  rig_.arrive(0);
  rig_.arrive(1);
  rig_.arrive(3);
  EXPECT_EQ(rig_.state(0), ProState::kBarrierWait);
  rig_.release(0, 0xF);
  EXPECT_EQ(rig_.state(0), ProState::kNoWait);
  EXPECT_EQ(rig_.blocks().at_barrier(0), 0U);
}

TEST_F(ProStateTest, FastPhaseFinishWaitUntilAllHaveFinished) {
  rig_.finish(1);
  EXPECT_EQ(rig_.state(0), ProState::kFinishWait);
  rig_.finish(0);
  rig_.finish(2);
  EXPECT_EQ(rig_.state(0), ProState::kFinishWait);
  rig_.finish(3);
  EXPECT_EQ(rig_.state(0), ProState::kFinish);
  rig_.end(0);
  EXPECT_EQ(rig_.state(0), ProState::kFree);
}

TEST_F(ProStateTest, SlowPhaseMergesNoWaitAndFinishWait) {
  rig_.start(1);
  rig_.finish(4);
  EXPECT_EQ(rig_.state(1), ProState::kFinishWait);
  rig_.grid_dispatched();
  EXPECT_EQ(rig_.state(0), ProState::kFinishNoWait);
  EXPECT_EQ(rig_.state(1), ProState::kFinishNoWait);
}

TEST_F(ProStateTest, SlowPhaseMovesBarrierWaitToBarrierWait1AndOnToFinishNoWait) {
  rig_.arrive(0);
  rig_.grid_dispatched();
  EXPECT_EQ(rig_.state(0), ProState::kBarrierWait1);
  rig_.arrive(1);
  rig_.arrive(2);
  rig_.arrive(3);
  rig_.release(0, 0xF);
  EXPECT_EQ(rig_.state(0), ProState::kFinishNoWait);
  rig_.arrive(3);
  EXPECT_EQ(rig_.state(0), ProState::kBarrierWait1);  // and back
}

TEST_F(ProStateTest, SlowPhaseFinishedWarpsChangeNothingUntilTheLast) {
  rig_.grid_dispatched();
  rig_.finish(0);
  rig_.finish(1);
  rig_.finish(2);
  EXPECT_EQ(rig_.state(0), ProState::kFinishNoWait);
  rig_.finish(3);
  EXPECT_EQ(rig_.state(0), ProState::kFinish);
}

TEST_F(ProStateTest, ABlockThatStartsWhenNoneIsLeftStartsInFinishNoWait) {
  rig_.grid_dispatched();
  rig_.start(1);
  EXPECT_EQ(rig_.state(1), ProState::kFinishNoWait);
}

TEST_F(ProStateTest, ThePhaseIsThatOfTheKernel) {
  rig_.grid_dispatched();  // launch 0
  rig_.policy->on_tb_start({1, 0, 1, ProRig::warps_of(1), rig_.cycle, 4});
  EXPECT_EQ(rig_.state(0), ProState::kFinishNoWait);
  EXPECT_EQ(rig_.state(1), ProState::kNoWait);
}

TEST_F(ProStateTest, WarpsThatExitBeforeABarrierKeepTheBlockInFinishWait) {
  rig_.finish(0);
  rig_.arrive(1);
  EXPECT_EQ(rig_.state(0), ProState::kFinishWait);
  rig_.arrive(2);
  rig_.arrive(3);
  rig_.release(0, 0xE);
  EXPECT_EQ(rig_.state(0), ProState::kFinishWait);
}

TEST_F(ProStateTest, AWarpThatExitsWhileOthersWaitAtABarrierMovesTheBlockToFinishWait) {
  rig_.arrive(1);
  rig_.finish(0);
  EXPECT_EQ(rig_.state(0), ProState::kFinishWait);
}

TEST_F(ProStateTest, OneOfTwoBarriersMetLeavesTheBlockInBarrierWait) {
  rig_.arrive(0, 1);
  rig_.arrive(1, 1);
  rig_.arrive(2, 2);
  rig_.release(0, 0x3, 1);
  EXPECT_EQ(rig_.state(0), ProState::kBarrierWait);
  EXPECT_EQ(rig_.blocks().at_barrier(0), 1U);
}

TEST_F(ProStateTest, ASlotIsCleanForItsNextBlock) {
  rig_.issue(0);
  rig_.arrive(1);
  finish_all();
  rig_.end(0);
  rig_.start(0);
  EXPECT_EQ(rig_.state(0), ProState::kNoWait);
  EXPECT_EQ(rig_.blocks().progress(0), 0U);
  EXPECT_EQ(rig_.blocks().warp_progress(0), 0U);
  EXPECT_EQ(rig_.blocks().finished(0), 0U);
}

TEST(ProEarlyReleaseTest, AWarpSlotIsCleanForTheNextWarpOfTheSameBlock) {
  ProRig rig(hw::Timing::kIdeal, {}, 48, "warp_temporal");
  rig.start(0);
  for (unsigned warp = 0; warp < 4; ++warp) rig.start_warp(warp, 0);
  EXPECT_THAT(rig.warps(0), ::testing::ElementsAre(0, 1, 2, 3));
  for (unsigned warp = 0; warp < 4; ++warp) rig.issue(warp);
  rig.finish(0);
  ++rig.cycle;
  rig.start_warp(0, 0);
  EXPECT_EQ(rig.blocks().warp_progress(0), 0U);
  EXPECT_THAT(rig.warps(0), ::testing::ElementsAre(1, 2, 3, 0));  // the last to come
  EXPECT_EQ(rig.blocks().progress(0), 128U);                      // the TB keeps what the ended warp did
  rig.issue(0, 5);
  EXPECT_EQ(rig.blocks().warp_progress(0), 5U);
}

TEST_F(ProStateTest, ProgressIsTheSumOfActiveThreads) {
  rig_.issue(0, 32);
  rig_.issue(0, 5);
  rig_.issue(3, 1);
  rig_.issue(2, 0);
  EXPECT_EQ(rig_.blocks().warp_progress(0), 37U);
  EXPECT_EQ(rig_.blocks().warp_progress(2), 0U);
  EXPECT_EQ(rig_.blocks().progress(0), 38U);
}

TEST(ProProgressTest, RegistersWrapAtTheirWidth) {
  ProParameters pro;
  pro.progress_bits = 6;
  ProRig rig(hw::Timing::kIdeal, pro);
  rig.start_all(2);
  rig.issue(0);
  EXPECT_EQ(rig.blocks().wraps(), 0U);
  rig.issue(0);  // 64: both registers come to 0
  EXPECT_EQ(rig.blocks().progress(0), 0U);
  EXPECT_EQ(rig.blocks().wraps(), 2U);
  rig.issue(4, 1);
  rig.threshold();
  EXPECT_THAT(rig.tbs(), ::testing::ElementsAre(1, 0));  // the TB that has done most comes last
}

TEST(ProProgressTest, ARegisterTooNarrowForAWarpsLanesWrapsAtEachInstruction) {
  for (const unsigned add_cycles : {1U, 3U}) {
    ProParameters pro;
    pro.progress_bits = 5;
    pro.add_cycles = add_cycles;
    ProRig rig(hw::Timing::kHardware, pro);
    rig.start(0);
    rig.update_at(20);
    rig.issue(0, 32);  // goes through 0 and comes back to it
    rig.update_at(30);
    EXPECT_EQ(rig.blocks().progress(0), 0U);
    EXPECT_EQ(rig.blocks().wraps(), 2U);
    rig.issue(0, 31);
    rig.update_at(40);
    EXPECT_EQ(rig.blocks().wraps(), 2U);
  }
}

TEST(ProProgressTest, AnAdditionThatIsLostHasNotWrapped) {
  ProParameters pro;
  pro.progress_bits = 6;
  pro.same_tb = ProSameTb::kLose;
  ProRig rig(hw::Timing::kHardware, pro);
  rig.start(0);
  rig.update_at(20);
  rig.issue(0, 32);
  rig.update_at(21);
  rig.issue(0, 32);  // scheduler 0: to 0
  rig.issue(1, 8);   // scheduler 1, of the same cycle: to 40
  EXPECT_EQ(rig.blocks().progress(0), 40U);
  EXPECT_EQ(rig.blocks().wraps(), 1U);  // of the warp's register
}

/// Four schedulers issue from one TB, and their warps arrive or finish, whatever room there is for TBs.
TEST(ProProgressTest, AllSchedulersCountOneTbHoweverFewTbSlotsThereAre) {
  for (const ProSameTb same : {ProSameTb::kMerge, ProSameTb::kBank, ProSameTb::kLose}) {
    GpuConfig config;
    config.core.schedulers = 4;
    config.core.tb_slots = 1;
    config.scheduler.timing = hw::Timing::kHardware;
    config.scheduler.settings.edit(pro_parameters).same_tb = same;
    hw::Owner owner;
    owner.path = "sm0/pro";
    owner.timing = hw::Timing::kHardware;
    owner.strict = true;
    ProBlocks blocks(owner, config);
    blocks.start({0, 0, 0, 0xFF, 1, 8});
    for (unsigned warp = 0; warp < 4; ++warp) blocks.issue(10, warp, 8);
    EXPECT_EQ(blocks.progress(0), same == ProSameTb::kLose ? 8U : 32U);
    for (unsigned warp = 0; warp < 4; ++warp) blocks.arrive(10, 0);
    blocks.release(10, 0, 2);
    EXPECT_EQ(blocks.at_barrier(0), 2U);
    for (unsigned warp = 0; warp < 4; ++warp) blocks.finish(10, 0);
    EXPECT_EQ(blocks.finished(0), 4U);
  }
}

}  // namespace
}  // namespace heddle
