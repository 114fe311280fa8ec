// What a scheduling policy hears of the memory side of its SM, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sc_tests/modules/sm/policy_rig.h"

namespace heddle {
namespace {

using testing::FakeKernel;
using testing::PolicyRig;
using testing::ProbePolicy;

constexpr std::uint64_t kLine = 0x1000;

/// Each was heard in the cycle after the one in which it happened: not at t, at t + 1.
template <class Event>
void expect_heard_in_the_next_cycle(const ProbePolicy::Heard<Event>& heard) {
  ASSERT_FALSE(heard.empty());
  for (const auto& [cycle, event] : heard) EXPECT_EQ(cycle, event.cycle + 1);
}

TEST(PolicyMemoryEventsTest, AreHeardInTheNextCycle) {
  GpuConfig config;
  config.l1d.cache.sets = 1;
  config.l1d.cache.ways = 1;
  PolicyRig rig(config);
  FakeKernel kernel;
  kernel.load({1}).address = kLine;
  kernel.load({2}, {1}).address = kLine + 0x80;
  kernel.store({2}).address = kLine;
  kernel.exit();
  rig.run(kernel);
  expect_heard_in_the_next_cycle(rig.policy.coalesced);
  expect_heard_in_the_next_cycle(rig.policy.accesses);
  expect_heard_in_the_next_cycle(rig.policy.evictions);
  expect_heard_in_the_next_cycle(rig.policy.stores);
  expect_heard_in_the_next_cycle(rig.policy.looked_up);
  expect_heard_in_the_next_cycle(rig.policy.returned);
  expect_heard_in_the_next_cycle(rig.policy.rooms);
  expect_heard_in_the_next_cycle(rig.policy.replies);
  EXPECT_EQ(rig.policy.replies.size(), 2U);  // one per line fetched, none for the store
  expect_heard_in_the_next_cycle(rig.policy.kernels);
}

// Tables that policies key by PC, such as OAWS's classifier, keep kernels apart that share an SM.
TEST(PolicyMemoryEventsTest, LikeLoadsOfTwoKernelsHaveTwoPcs) {
  PolicyRig rig;
  FakeKernel kernels[2];
  kernels[1].code = 0x20000;
  for (FakeKernel& kernel : kernels) {
    kernel.fma({1}, {});
    kernel.load({2}, {1}).address = kLine;
    kernel.exit();
    rig.dispatcher.launch(kernel, kernel.code);
  }
  rig.run_to(3000);
  ASSERT_EQ(rig.policy.coalesced.size(), 2U);
  for (unsigned k = 0; k < 2; ++k) {
    const std::uint64_t pc = kernels[k].code + 8;
    EXPECT_EQ(rig.policy.coalesced[k].second.pc, pc);
    EXPECT_EQ(rig.policy.accesses[k].second.pc, pc);
    EXPECT_EQ(rig.policy.issues[3 * k + 1].second.pc, pc);
  }
}

TEST(PolicyMemoryEventsTest, ALoadIsCoalescedLookedUpAndReturnedInThatOrder) {
  PolicyRig rig;
  FakeKernel kernel;
  kernel.fma({1}, {});
  auto& load = kernel.load({2}, {1});
  load.address = kLine;
  load.stride = 64;
  load.active = 0xFF;  // four lines
  kernel.exit();
  rig.run(kernel);
  ASSERT_EQ(rig.policy.coalesced.size(), 1U);
  const LoadCoalesced& coalesced = rig.policy.coalesced[0].second;
  EXPECT_EQ(coalesced.lines, 4U);
  EXPECT_EQ(coalesced.lanes, 0xFFU);
  EXPECT_EQ(coalesced.pc, kernel.code_base() + 8);
  EXPECT_EQ(coalesced.instruction, 1U);
  EXPECT_FALSE(coalesced.bypasses_l1d);
  ASSERT_EQ(rig.policy.lines.size(), 4U);
  ASSERT_EQ(rig.policy.accesses.size(), 4U);
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint64_t line = kLine + (3 - i) * 0x80;  // the highest address first
    EXPECT_EQ(rig.policy.lines[i].address, line);
    EXPECT_EQ(rig.policy.lines[i].set, rig.sm.l1d.set_of(line));
    const L1dAccess& access = rig.policy.accesses[i].second;
    EXPECT_EQ(access.outcome, L1dOutcome::kMiss);
    EXPECT_EQ(access.line.address, line);
    EXPECT_EQ(access.last, i == 3);
    // One a cycle, each through the L1D's pipe, which is two edges shorter than the latency of a hit.
    EXPECT_EQ(access.cycle, coalesced.cycle + i + rig.config.ldst.l1_latency_cycles - 2);
  }
  ASSERT_EQ(rig.policy.looked_up.size(), 1U);
  const LoadLookedUp& looked_up = rig.policy.looked_up[0].second;
  EXPECT_EQ(looked_up.cycle, rig.policy.accesses[3].second.cycle);
  EXPECT_EQ(looked_up.lines, 4U);
  EXPECT_EQ(looked_up.misses, 4U);
  EXPECT_EQ(looked_up.instruction, 1U);
  ASSERT_EQ(rig.policy.returned.size(), 1U);
  EXPECT_GT(rig.policy.returned[0].second.cycle, looked_up.cycle + 50);
  EXPECT_EQ(rig.policy.returned[0].second.instruction, 1U);
}

TEST(PolicyMemoryEventsTest, HitsNameTheWarpThatHadTheLineFilled) {
  PolicyRig rig;
  FakeKernel kernel(1, 64);
  kernel.load({1}).address = kLine;
  kernel.load({2}, {1}).address = kLine;
  kernel.exit();
  rig.run(kernel);
  ASSERT_EQ(rig.policy.accesses.size(), 4U);
  const unsigned filler = rig.policy.accesses[0].second.warp;
  EXPECT_EQ(rig.policy.accesses[0].second.outcome, L1dOutcome::kMiss);
  EXPECT_EQ(rig.policy.accesses[1].second.outcome, L1dOutcome::kMerged);
  for (unsigned i = 1; i < 4; ++i) EXPECT_EQ(rig.policy.accesses[i].second.line_warp, filler);
  for (unsigned i = 2; i < 4; ++i) EXPECT_EQ(rig.policy.accesses[i].second.outcome, L1dOutcome::kHit);
}

TEST(PolicyMemoryEventsTest, EvictionsAndStoresNameTheLine) {
  GpuConfig config;
  config.l1d.cache.sets = 1;
  config.l1d.cache.ways = 1;
  PolicyRig rig(config);
  FakeKernel kernel;
  kernel.load({1}).address = kLine;
  kernel.load({2}, {1}).address = kLine + 0x80;
  kernel.store({2}).address = kLine + 0x80;
  kernel.store({2}).address = kLine;
  kernel.exit();
  rig.run(kernel);
  ASSERT_EQ(rig.policy.evictions.size(), 1U);
  EXPECT_EQ(rig.policy.evictions[0].second.line.address, kLine);
  EXPECT_EQ(rig.policy.evictions[0].second.filled_by, 0U);
  ASSERT_EQ(rig.policy.stores.size(), 2U);
  EXPECT_TRUE(rig.policy.stores[0].second.invalidated);
  EXPECT_EQ(rig.policy.stores[0].second.line.address, kLine + 0x80);
  EXPECT_FALSE(rig.policy.stores[1].second.invalidated);
}

TEST(PolicyMemoryEventsTest, RefusalsAreNamedOnceAndTheRoomIsTold) {
  GpuConfig config;
  config.l1d.mshr.entries = 2;
  PolicyRig rig(config);
  FakeKernel kernel;
  auto& load = kernel.load({1});
  load.address = kLine;
  load.stride = 128;
  load.active = 0b111;
  kernel.exit();
  rig.run(kernel);
  unsigned refused = 0;
  for (const auto& [cycle, access] : rig.policy.accesses) {
    if (access.outcome != L1dOutcome::kRefused) continue;
    ++refused;
    EXPECT_EQ(access.refusal, Refusal::kMshrEntries);
    EXPECT_EQ(access.line.address, kLine);  // the lowest comes last
  }
  EXPECT_EQ(refused, 1U);
  unsigned least = 2;
  for (const auto& [cycle, room] : rig.policy.rooms) least = std::min(least, room.free_entries);
  EXPECT_EQ(least, 0U);
  EXPECT_EQ(rig.policy.rooms.back().second.free_entries, 2U);
  EXPECT_EQ(rig.policy.rooms.back().second.free_queue, config.l1d.mshr.miss_queue);
}

TEST(PolicyMemoryEventsTest, CostNothingWhenNobodyAsks) {
  testing::kProbeShared.hears = event::Issue::kBit;
  testing::kProbeShared.reads_line_warps = false;
  PolicyRig rig;
  testing::kProbeShared.hears = testing::kProbeHears;
  testing::kProbeShared.reads_line_warps = true;
  EXPECT_FALSE(rig.sm.l1d.accessed.heard());
  EXPECT_FALSE(rig.sm.l1d.evicted.heard());
  EXPECT_FALSE(rig.sm.l1d.stored.heard());
  EXPECT_FALSE(rig.sm.mshr.room_changed.heard());
  EXPECT_FALSE(rig.sm.ldst.load_coalesced.heard());
  EXPECT_FALSE(rig.sm.ldst.load_completed.heard());
}

}  // namespace
}  // namespace heddle
