#include "modules/warp_scheduler/policies/mascar/mascar.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "modules/warp_scheduler/policies/mascar/parameters.h"
#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

/// 64 MSHR entries, a miss queue of 8.
class MascarTest : public ::testing::Test {
 protected:
  MascarTest() {
    memory_.unit = Unit::kLdst;
    memory_.mem = MemOp::kLoad;
    memory_.space = Space::kGlobal;
    shared_ = memory_;
    shared_.space = Space::kShared;
  }
  void create(hw::Timing timing = hw::Timing::kIdeal) {
    hw::Owner owner;
    owner.timing = timing;
    owner.strict = true;
    mascar_ = std::make_unique<Mascar>(SmContext{table_, config_, 0, nullptr, nullptr, owner});
  }
  /// Its next instruction accesses memory, or not.
  void next(unsigned warp, const Instruction* access) {
    const WarpMask bit = warp_bit(warp);
    WarpMask& needs = table_.needs[static_cast<unsigned>(Unit::kLdst)];
    needs = access == nullptr ? needs & ~bit : needs | bit;
    table_.next[warp] = access;
    table_.valid |= bit;
  }
  void start(unsigned warp, const Instruction* access = nullptr) {
    mascar_->on_warp_start({warp, 0, 0, warp, ++cycle_});
    table_.resident |= warp_bit(warp);
    next(warp, access);
  }
  /// Told at cycle_, after the cycle before.
  void room(unsigned entries, unsigned queue) { mascar_->on_mshr_room({cycle_ - 1, entries, queue}); }
  void access(unsigned warp, L1dOutcome outcome, bool replayed = false) {
    L1dAccess event;
    event.cycle = cycle_ - 1;
    event.warp = warp;
    event.outcome = outcome;
    event.replayed = replayed;
    mascar_->on_l1d_access(event);
  }
  std::uint64_t update() { return mascar_->update(cycle_); }
  MissReplay& replay() { return *static_cast<SharedPolicy&>(*mascar_).miss_replay(); }

  WarpTable table_;
  GpuConfig config_;
  Instruction memory_, shared_;
  std::unique_ptr<Mascar> mascar_;
  std::uint64_t cycle_ = 1;
};

/// No data are to come that could end the saturation, and nobody's turn would be that of a load whose warp
/// has exited.
TEST_F(MascarTest, MemoryWithAllEntriesAndPlacesFreeIsNeverSaturated) {
  for (const auto& [entries, places] : {std::pair<unsigned, unsigned>{64, 8}, {1, 8}, {64, 1}, {1, 1}}) {
    config_.l1d.mshr.entries = entries;
    config_.l1d.mshr.miss_queue = places;
    config_.scheduler.settings.edit(mascar_parameters) = {1024, 1024};
    create();
    EXPECT_FALSE(mascar_->saturated());
    room(entries - 1, places);
    EXPECT_TRUE(mascar_->saturated()) << entries << " entries";
    room(entries, places);
    EXPECT_FALSE(mascar_->saturated()) << entries << " entries";
    room(entries, places - 1);
    EXPECT_TRUE(mascar_->saturated()) << places << " places";
    room(entries, places);
    EXPECT_FALSE(mascar_->saturated()) << places << " places";
  }
}

TEST_F(MascarTest, SaturationIsOneFreeEntryOrOneFreePlaceOrLess) {
  create();
  EXPECT_FALSE(mascar_->saturated());
  struct Case {
    unsigned entries, queue;
    bool saturated;
  };
  for (const Case& c : {Case{2, 2, false},
                        {1, 8, true},
                        {2, 8, false},
                        {64, 1, true},
                        {64, 2, false},
                        {0, 0, true},
                        {64, 8, false}}) {
    ++cycle_;
    room(c.entries, c.queue);
    EXPECT_EQ(mascar_->saturated(), c.saturated) << c.entries << ", " << c.queue;
  }
}

TEST_F(MascarTest, TheOldestWarpWithAnAccessOwnsASaturatedMemoryUntilItWaitsForItsData) {
  create();
  for (const unsigned w : {4U, 2U, 9U}) start(w);
  update();
  EXPECT_EQ(mascar_->owner(), kNoWarp);
  ++cycle_;
  room(1, 8);
  update();
  EXPECT_EQ(mascar_->owner(), kNoWarp);  // nobody accesses memory
  next(9, &memory_);
  next(2, &memory_);
  next(4, &shared_);
  ++cycle_;
  update();
  EXPECT_EQ(mascar_->owner(), 2U);
  next(4, &memory_);  // older, but there is an owner
  next(2, nullptr);   // computes, and stays owner
  ++cycle_;
  update();
  EXPECT_EQ(mascar_->owner(), 2U);
  table_.blocked = table_.blocked_memory = warp_bit(2);
  ++cycle_;
  update();
  EXPECT_EQ(mascar_->owner(), 4U);
  ++cycle_;
  room(2, 8);
  EXPECT_FALSE(mascar_->saturated());
  EXPECT_EQ(mascar_->owner(), kNoWarp);
}

TEST_F(MascarTest, AnOwnerGivesUpAtABarrierAndWhenItFinishes) {
  create();
  start(0, &memory_);
  start(1, &memory_);
  start(2, &memory_);
  room(0, 8);
  update();
  ASSERT_EQ(mascar_->owner(), 0U);
  table_.at_barrier = warp_bit(0);
  ++cycle_;
  update();
  EXPECT_EQ(mascar_->owner(), 1U);
  mascar_->on_warp_finish({1, 0, 0, 1, cycle_});
  EXPECT_EQ(mascar_->owner(), kNoWarp);
  table_.valid &= ~warp_bit(1);
  ++cycle_;
  update();
  EXPECT_EQ(mascar_->owner(), 2U);
}

TEST_F(MascarTest, MemoryGoesFirstUntilItIsSaturatedThenLastButForTheOwners) {
  create();
  start(0);
  start(1, &memory_);
  start(2, &memory_);
  start(3, &shared_);
  const WarpMask all = 0b1111;
  EXPECT_EQ(mascar_->preferred(all), 0b0110U);
  EXPECT_EQ(mascar_->preferred(0b1001), 0b1001U);
  room(1, 8);
  update();
  ASSERT_EQ(mascar_->owner(), 1U);
  EXPECT_EQ(mascar_->preferred(all), 0b1001U);
  EXPECT_EQ(mascar_->preferred(0b0110), 0b0010U);
  EXPECT_EQ(mascar_->preferred(0b0100), 0b0100U);  // it may hit
}

TEST_F(MascarTest, OnlyTheOwnersMissesPassASaturatedMemory) {
  create();
  start(0, &memory_);
  start(1, &memory_);
  EXPECT_TRUE(replay().may_miss(1));
  room(1, 8);
  update();
  EXPECT_TRUE(replay().may_miss(0));
  EXPECT_FALSE(replay().may_miss(1));
}

TEST_F(MascarTest, AWarpWithQueuedAccessesIssuesNoOtherAndOwnsTheMemoryUntilTheyHaveGone) {
  create();
  start(0, &memory_);
  start(1, &memory_);
  access(0, L1dOutcome::kQueued);
  access(0, L1dOutcome::kQueued);
  EXPECT_EQ(mascar_->preferred(0b11), 0b10U);
  table_.blocked = table_.blocked_memory = warp_bit(0);  // waits for what is queued
  room(1, 8);
  update();
  EXPECT_EQ(mascar_->owner(), 0U);
  ++cycle_;
  access(0, L1dOutcome::kMiss, true);
  update();
  EXPECT_EQ(mascar_->owner(), 0U);
  ++cycle_;
  access(0, L1dOutcome::kHit, true);
  update();
  EXPECT_EQ(mascar_->owner(), 1U);
}

TEST_F(MascarTest, CallsForARunWhenItsChoiceMayChange) {
  create();
  start(3, &memory_);
  update();
  room(8, 8);
  EXPECT_FALSE(mascar_->calls_for_run());
  room(1, 8);  // saturated
  EXPECT_TRUE(mascar_->calls_for_run());
  EXPECT_FALSE(mascar_->calls_for_run());
  access(3, L1dOutcome::kHit);
  EXPECT_FALSE(mascar_->calls_for_run());
  access(3, L1dOutcome::kQueued);  // its first
  EXPECT_TRUE(mascar_->calls_for_run());
  access(3, L1dOutcome::kQueued);
  access(3, L1dOutcome::kMiss, true);
  EXPECT_FALSE(mascar_->calls_for_run());
  access(3, L1dOutcome::kMiss, true);  // its last
  EXPECT_TRUE(mascar_->calls_for_run());
  create(hw::Timing::kHardware);
  room(8, 8);
  EXPECT_TRUE(mascar_->calls_for_run());  // when the comparison ends
}

TEST_F(MascarTest, WaitsForRoomThatLeavesTheModeAndForAccessesBetweenTheFirstAndTheLast) {
  create();
  const auto room_waits = [this](unsigned entries, unsigned queue) {
    return mascar_->can_wait(MshrRoom{cycle_, entries, queue});
  };
  const auto access_waits = [this](L1dOutcome outcome, bool replayed) {
    L1dAccess event;
    event.warp = 3;
    event.outcome = outcome;
    event.replayed = replayed;
    return mascar_->can_wait(event);
  };
  EXPECT_TRUE(room_waits(64, 8));
  EXPECT_TRUE(room_waits(2, 2));
  EXPECT_FALSE(room_waits(1, 8));  // saturated
  EXPECT_TRUE(room_waits(0, 8));
  EXPECT_TRUE(room_waits(2, 1));
  EXPECT_FALSE(room_waits(2, 2));  // before it has been told of the saturation, too
  EXPECT_TRUE(access_waits(L1dOutcome::kHit, false));
  EXPECT_FALSE(access_waits(L1dOutcome::kQueued, false));  // its first
  EXPECT_TRUE(access_waits(L1dOutcome::kQueued, false));
  EXPECT_TRUE(access_waits(L1dOutcome::kRefused, true));
  EXPECT_TRUE(access_waits(L1dOutcome::kMiss, true));
  EXPECT_FALSE(access_waits(L1dOutcome::kHit, true));  // its last
  create(hw::Timing::kHardware);
  EXPECT_FALSE(room_waits(64, 8));
}

TEST_F(MascarTest, InHardwareModeAndOwnerComeAfterComparisonAndSelection) {
  create(hw::Timing::kHardware);
  start(0, &memory_);
  cycle_ = 100;
  room(1, 8);
  const std::uint64_t mode_at = update();
  ASSERT_GT(mode_at, 100U);
  mascar_->update(mode_at - 1);
  EXPECT_FALSE(mascar_->saturated());
  const std::uint64_t owner_at = mascar_->update(mode_at);
  EXPECT_TRUE(mascar_->saturated());
  ASSERT_GT(owner_at, mode_at);
  mascar_->update(owner_at - 1);
  EXPECT_EQ(mascar_->owner(), kNoWarp);
  EXPECT_EQ(mascar_->update(owner_at), SharedPolicy::kNever);
  EXPECT_EQ(mascar_->owner(), 0U);
}

TEST_F(MascarTest, InHardwareAChosenWarpThatNoLongerAccessesMemoryDoesNotBecomeOwner) {
  create(hw::Timing::kHardware);
  start(0, &memory_);
  cycle_ = 100;
  room(1, 8);
  const std::uint64_t mode_at = update();
  const std::uint64_t owner_at = mascar_->update(mode_at);
  ASSERT_GT(owner_at, mode_at);
  next(0, nullptr);
  mascar_->update(owner_at);
  EXPECT_EQ(mascar_->owner(), kNoWarp);
}

TEST_F(MascarTest, TheQueueHoldsOneInstructionOfAWarpAndSoManyAccesses) {
  config_.ldst.replay_entries = 3;
  create();
  PayloadPool pool;
  const auto load = [&](std::uint16_t warp, std::uint64_t instruction) -> tlm::tlm_generic_payload& {
    tlm::tlm_generic_payload& payload = pool.make(tlm::TLM_READ_COMMAND, 0x1000, 128);
    request_of(payload)->warp = warp;
    request_of(payload)->instruction = instruction;
    return payload;
  };
  tlm::tlm_generic_payload& first = load(1, 5);
  tlm::tlm_generic_payload& second = load(1, 5);
  tlm::tlm_generic_payload& third = load(2, 7);
  MissReplay& queue = replay();
  queue.push(first, 1);
  EXPECT_TRUE(queue.can_take(*request_of(second)));
  EXPECT_FALSE(queue.can_take(*request_of(load(1, 6))));
  queue.push(second, 2);
  queue.push(third, 3);
  EXPECT_FALSE(queue.can_take(*request_of(load(3, 8))));
  EXPECT_EQ(&queue.front(), &first);
  queue.rotate(4, true);
  EXPECT_EQ(&queue.front(), &second);
  queue.pop(5);
  EXPECT_EQ(&queue.front(), &third);
  queue.pop(6);
  EXPECT_EQ(&queue.front(), &first);
  EXPECT_FALSE(queue.can_take(*request_of(load(1, 6))));
  queue.pop(7);
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.can_take(*request_of(load(1, 6))));
}

/// Over random tables and rooms: what goes first is a non-empty part of what may issue, unless only accesses
/// of warps in the queue are left; and a saturated memory has an owner whenever a warp accesses it.
TEST_F(MascarTest, TurnsOfTheQueueMadeUpAtOnceAreThoseOfEachCycle) {
  create(hw::Timing::kHardware);
  PayloadPool pool;
  std::vector<tlm::tlm_generic_payload*> loads;
  MissReplay& queue = replay();
  for (Cycle cycle = 1; cycle <= 3; ++cycle) {
    loads.push_back(&pool.make(tlm::TLM_READ_COMMAND, 0x1000 * cycle, 128));
    queue.push(*loads.back(), cycle);
  }
  queue.rotate_each(4, 8);  // five
  EXPECT_EQ(&queue.front(), loads[2]);
  queue.rotate_each(9, 8);  // none
  EXPECT_EQ(&queue.front(), loads[2]);
  EXPECT_THROW(queue.rotate(8, false), hw::PortConflict);  // the ports were taken in that cycle
  Cycle cycle = 9;
  for (const unsigned load : {2U, 0U, 1U}) {
    EXPECT_EQ(&queue.front(), loads[load]);
    queue.pop(cycle++);
  }
}

TEST_F(MascarTest, SomethingAlwaysMayIssue) {
  create();
  std::minstd_rand random(3);
  for (unsigned w = 0; w < 8; ++w) start(w);
  for (unsigned step = 0; step < 20000; ++step) {
    ++cycle_;
    for (unsigned w = 0; w < 8; ++w) next(w, random() % 2 == 0 ? &memory_ : nullptr);
    table_.blocked_memory = table_.blocked = random() & 0xFFU;
    table_.at_barrier = random() & random() & 0xFFU;
    if (random() % 4 == 0) {
      const auto entries = static_cast<unsigned>(random() % 4);
      room(entries, static_cast<unsigned>(random() % 4));
    }
    update();
    const WarpMask ready = table_.ready_for_scoreboard() & ~table_.blocked;
    const WarpMask accesses = ready & table_.needs[static_cast<unsigned>(Unit::kLdst)];
    const WarpMask first = mascar_->preferred(ready);
    ASSERT_EQ(first & ~ready, 0U);
    ASSERT_EQ(first == 0, ready == 0);
    if (accesses != 0 || !mascar_->saturated()) {
      ASSERT_EQ(mascar_->owner() != kNoWarp, mascar_->saturated());
    }
  }
}

TEST_F(MascarTest, SaturationsOwnersAndTheirCyclesAreCounted) {
  create();
  start(0, &memory_);
  start(1, &memory_);
  cycle_ = 10;
  room(1, 8);
  update();
  ASSERT_EQ(mascar_->owner(), 0U);
  cycle_ = 20;
  mascar_->on_warp_finish({0, 0, 0, 0, cycle_});
  table_.valid = 0;
  cycle_ = 22;
  next(1, &memory_);
  update();
  ASSERT_EQ(mascar_->owner(), 1U);
  cycle_ = 30;
  room(2, 8);
  cycle_ = 40;
  room(0, 8);
  table_.valid = 0;
  update();
  mascar_->settle(44);
  test::StatTable table;
  mascar_->report(table);
  EXPECT_EQ(table.values.at("saturations"), 2U);
  EXPECT_EQ(table.values.at("saturated_cycles"), (30U - 10) + (45 - 40));
  EXPECT_EQ(table.values.at("owners"), 2U);
  EXPECT_EQ(table.values.at("owned_cycles"), (20U - 10) + (30 - 22));
}

TEST_F(MascarTest, QueuedAccessesAndTheCyclesOfTheQueueAreCounted) {
  config_.ldst.replay_entries = 3;
  create();
  PayloadPool pool;
  MissReplay& queue = replay();
  for (std::uint64_t cycle = 1; cycle <= 3; ++cycle) {
    queue.push(pool.make(tlm::TLM_READ_COMMAND, 0x1000, 128), cycle);
  }
  queue.rotate(4, true);
  queue.rotate(5, false);  // not looked up
  queue.pop(5);
  queue.pop(6);
  queue.pop(9);
  mascar_->settle(20);
  test::StatTable table;
  mascar_->report(table);
  // Entries used: 1 in cycle 2, 2 in 3, 3 in 4 and 5, 2 in 6, 1 in 7 to 9. Accesses leave in 5, 6 and 9.
  EXPECT_EQ(table.values, (std::map<std::string, std::uint64_t>{{"saturations", 0},
                                                                {"saturated_cycles", 0},
                                                                {"owners", 0},
                                                                {"owned_cycles", 0},
                                                                {"queued_accesses", 3},
                                                                {"replays", 3},
                                                                {"replay_failures", 1},
                                                                {"replay_wait_cycles", 8 - 3},
                                                                {"queue_entry_cycles", 1 + 2 + 3 + 3 + 2 + 3},
                                                                {"queue_full_cycles", 2}}));
  EXPECT_EQ(table.levels, (std::map<std::string, double>{{"queue_peak", 3}}));
}

}  // namespace
}  // namespace heddle
