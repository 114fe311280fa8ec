#include <gtest/gtest.h>

#include "sc_tests/modules/ldst_unit/ldst_bench.h"

namespace heddle {
namespace {

using bench::LdstDesign;
using bench::LdstVariant;
using bench::run_to;
using Cause = LdstUnit::Cause;

TEST(LdstGlobal, ACoalescedLoadIsOneAccess) {
  LdstDesign design;
  const WarpInstruction& load = design.load(10);
  // Starts at 11, answered by the L1D at 21, seen at 22.
  run_to(design.domain, 21);
  EXPECT_EQ(design.completed(load), 0U);
  run_to(design.domain, 22);
  EXPECT_EQ(design.completed(load), 22U);
  ASSERT_EQ(design.l1d->seen.size(), 1U);
  EXPECT_EQ(design.l1d->seen[0].cycle, 11U);
  EXPECT_TRUE(design.unit->idle());
  EXPECT_EQ(design.pool.in_use(), 0U);
}

TEST(LdstGlobal, WhatIsOfferedBeforeItsTickStartsAtTheNextEdgeToo) {
  LdstVariant early;
  early.sender_order = tick_order::kMshr;
  LdstDesign sleeping({}, early);
  early.prefix = "awake";
  early.sleeping = false;
  LdstDesign awake({}, early);
  for (LdstDesign* design : {&sleeping, &awake}) design->load(10);
  run_to(awake.domain, 30);
  for (LdstDesign* design : {&sleeping, &awake}) {
    ASSERT_EQ(design->l1d->seen.size(), 1U);
    EXPECT_EQ(design->l1d->seen[0].cycle, 11U);
    EXPECT_TRUE(design->unit->idle());
  }
}

TEST(LdstGlobal, FillsTheRequest) {
  LdstDesign design;
  design.load(10);
  WarpInstruction& store = design.store(20);
  run_to(design.domain, 60);
  const bench::StubMemory::Seen& load = design.l1d->seen.at(0);
  EXPECT_EQ(load.address, LdstDesign::kGlobal);
  EXPECT_EQ(load.bytes, 128U);
  EXPECT_FALSE(load.write);
  EXPECT_EQ(load.request.kind, RequestKind::kLoad);
  EXPECT_EQ(load.request.requester, Requester::kL1d);
  EXPECT_EQ(load.request.sm, 2U);
  EXPECT_EQ(load.request.warp, 3U);
  EXPECT_EQ(load.request.pc, 56U);
  EXPECT_EQ(load.request.sector_mask, 0xF);
  EXPECT_EQ(load.request.access_id, 0U);
  EXPECT_FALSE(load.request.bypass_l1d);
  EXPECT_FALSE(load.request.local);
  const bench::StubMemory::Seen& stored = design.l1d->seen.at(1);
  EXPECT_TRUE(stored.write);
  EXPECT_EQ(stored.request.kind, RequestKind::kStore);
  EXPECT_EQ(stored.request.access_id, 1U);
  EXPECT_EQ(design.completed(store), 21U);
}

class Divergence : public ::testing::TestWithParam<unsigned> {};

TEST_P(Divergence, OneAccessLeavesPerCycle) {
  LdstDesign design;
  const unsigned lines = GetParam();
  const WarpInstruction& load = design.load(10, 4 * lines);
  const WarpInstruction& next = design.load(11);
  run_to(design.domain, 100);
  ASSERT_EQ(design.l1d->seen.size(), lines + 1U);
  for (unsigned i = 0; i <= lines; ++i) EXPECT_EQ(design.l1d->seen[i].cycle, 11 + i);
  EXPECT_EQ(design.completed(load), 11 + (lines - 1) + 11);
  EXPECT_EQ(design.completed(next), 11 + lines + 11);
  EXPECT_EQ(design.accepted(next), lines == 1 ? 11 : 11 + lines - 1);
  auto stats = design.statistics();
  EXPECT_EQ(stats["cycles.coalescing"], lines - 1);
  EXPECT_EQ(stats["cycles.progress"], 2U);
  EXPECT_EQ(stats["accesses"], lines + 1);
}

INSTANTIATE_TEST_SUITE_P(Lines, Divergence, ::testing::Values(1, 2, 3, 4, 8, 16, 32));

TEST(LdstGlobal, AStoreIsCompleteWhenItsLastAccessIsHandedOver) {
  LdstDesign design;
  const WarpInstruction& store = design.store(10, 16);
  run_to(design.domain, 13);
  EXPECT_EQ(design.completed(store), 0U);
  run_to(design.domain, 14);
  EXPECT_EQ(design.completed(store), 14U);
}

struct Acks : StoreAckListener {
  void stores_done(unsigned warp, unsigned count) override { done[warp] += count; }
  std::map<unsigned, unsigned> done;
};

TEST(LdstGlobal, CountsStoresUntilTheirAcks) {
  LdstDesign design;
  Acks acks;
  design.unit->set_store_ack_listener(&acks);
  design.store(10, 16);
  run_to(design.domain, 12);
  EXPECT_EQ(design.unit->outstanding_stores(3), 2U);
  run_to(design.domain, 21);
  EXPECT_EQ(design.unit->outstanding_stores(3), 4U);
  EXPECT_EQ(design.unit->outstanding_stores(4), 0U);
  run_to(design.domain, 22);  // the first was answered at 21
  EXPECT_EQ(design.unit->outstanding_stores(3), 3U);
  EXPECT_FALSE(design.unit->idle());
  run_to(design.domain, 25);
  EXPECT_EQ(design.unit->outstanding_stores(3), 0U);
  EXPECT_EQ(acks.done[3], 4U);
  EXPECT_TRUE(design.unit->idle());
}

TEST(LdstGlobal, AtomicsBypassTheL1dAndWaitForTheirResult) {
  LdstDesign design;
  const WarpInstruction& atomic =
      design.access(10, MemOp::kAtomic, Space::kGlobal, LdstDesign::kGlobal + 32, 0, 0x7U);
  const WarpInstruction& reduction =
      design.access(40, MemOp::kReduction, Space::kGlobal, LdstDesign::kGlobal, 4);
  run_to(design.domain, 43);
  EXPECT_EQ(design.completed(atomic), 24U);  // three lanes on one word: three accesses
  EXPECT_EQ(design.completed(reduction), 41U);
  EXPECT_EQ(design.unit->outstanding_stores(3), 1U);
  ASSERT_EQ(design.l1d->seen.size(), 4U);
  for (const auto& seen : design.l1d->seen) {
    EXPECT_EQ(seen.request.kind, RequestKind::kAtomic);
    EXPECT_TRUE(seen.request.bypass_l1d);
    EXPECT_TRUE(seen.write);
  }
  EXPECT_EQ(design.l1d->seen[0].bytes, 32U);
  EXPECT_EQ(design.l1d->seen[0].request.sector_mask, 0x2);
}

TEST(LdstGlobal, BypassingLoadsAskForTheirSectors) {
  GpuConfig config;
  config.l1d.enabled = false;
  LdstDesign design(config);
  design.access(10, MemOp::kLoad, Space::kGlobal, LdstDesign::kGlobal + 64, 4, 0xFFU);
  run_to(design.domain, 40);
  ASSERT_EQ(design.l1d->seen.size(), 1U);
  EXPECT_TRUE(design.l1d->seen[0].request.bypass_l1d);
  EXPECT_EQ(design.l1d->seen[0].address, LdstDesign::kGlobal + 64);
  EXPECT_EQ(design.l1d->seen[0].bytes, 32U);
}

TEST(LdstGlobal, LocalMemoryIsInterleavedOverTheGpusThreads) {
  LdstDesign design;
  design.access(10, MemOp::kLoad, Space::kLocal, 8, 0);
  run_to(design.domain, 40);
  ASSERT_EQ(design.l1d->seen.size(), 1U);
  EXPECT_TRUE(design.l1d->seen[0].request.local);
  // 15 SMs x 1536 threads; SM 2, warp 3, third word.
  EXPECT_EQ(design.l1d->seen[0].address, 0x40000000 + (2 * 15 * 1536 + 2 * 1536 + 3 * 32) * 4);
}

TEST(LdstGlobal, AnInstructionWithoutLanesCompletes) {
  LdstDesign design;
  const WarpInstruction& load = design.access(10, MemOp::kLoad, Space::kGlobal, 0, 0, 0);
  const WarpInstruction& store = design.access(20, MemOp::kStore, Space::kGlobal, 0, 0, 0);
  run_to(design.domain, 30);
  EXPECT_EQ(design.completed(load), 12U);
  EXPECT_EQ(design.completed(store), 21U);
  EXPECT_TRUE(design.l1d->seen.empty());
}

struct RefusedBy {
  Refusal refusal;
  const char* stat;
};

class Stall : public ::testing::TestWithParam<RefusedBy> {};

TEST_P(Stall, IsChargedToWhatTheL1dSays) {
  LdstDesign design;
  design.l1d->reason = GetParam().refusal;
  design.l1d->refuse_until = 16;
  const WarpInstruction& load = design.load(10);
  const WarpInstruction& next = design.load(11);
  run_to(design.domain, 100);
  EXPECT_EQ(design.l1d->seen.at(0).cycle, 16U);
  EXPECT_EQ(design.completed(load), 27U);
  EXPECT_EQ(design.accepted(next), 16U);
  EXPECT_EQ(design.l1d->seen.at(1).cycle, 17U);
  auto stats = design.statistics();
  EXPECT_EQ(stats[GetParam().stat], 5U);  // 11 to 15
  EXPECT_EQ(stats["cycles.progress"], 2U);
  EXPECT_EQ(stats["cycles.idle"], 100U - 7);
}

INSTANTIATE_TEST_SUITE_P(Causes, Stall,
                         ::testing::Values(RefusedBy{Refusal::kBankBusy, "cycles.coalescing"},
                                           RefusedBy{Refusal::kMshrEntries, "cycles.mshr"},
                                           RefusedBy{Refusal::kMshrMerges, "cycles.mshr"},
                                           RefusedBy{Refusal::kLineReserved, "cycles.mshr"},
                                           RefusedBy{Refusal::kInterconnect, "cycles.interconnect"}));

TEST(LdstGlobal, LifetimesAreTheSumsOfTheirStages) {
  LdstDesign design;
  unsigned answered = 0;
  design.l1d->on_answer = [&answered](MemoryRequest& request) {
    request.hit = answered % 3 == 0;
    request.l2_hit = answered % 3 == 1;
    ++answered;
  };
  design.load(10, 36);
  design.store(20, 20);
  run_to(design.domain, 200);
  using Served = RequestLifetimes::Served;
  std::uint64_t requests = 0;
  for (unsigned i = 0; i < RequestLifetimes::kNumServed; ++i) {
    const RequestLifetimes::Sums& sums = design.unit->lifetimes().sums(static_cast<Served>(i));
    Ticks stages = 0;
    for (const Ticks stage : sums.stage) stages += stage;
    EXPECT_EQ(stages, sums.lifetime);
    requests += sums.requests;
  }
  EXPECT_EQ(requests, answered);
  const auto& hits = design.unit->lifetimes().sums(Served::kL1Hit);
  EXPECT_EQ(hits.requests, 3U);  // of 9 lines
  // Born at 11; accepted at 11, 14 and 17; seen again 11 edges later.
  const Ticks period = design.domain.period_ticks();
  EXPECT_EQ(hits.stage[static_cast<unsigned>(Stage::kLdst)], (0 + 3 + 6) * period);
  EXPECT_EQ(hits.stage[static_cast<unsigned>(Stage::kL1d)], 3 * 11 * period);
  EXPECT_EQ(design.unit->lifetimes().sums(Served::kL2Hit).requests, 3U);
  EXPECT_EQ(design.unit->lifetimes().sums(Served::kDram).requests, 3U);
  EXPECT_EQ(design.unit->lifetimes().sums(Served::kStore).requests, 5U);
}

TEST(LdstGlobal, ProbesTellOfAccessesAndLoads) {
  LdstDesign design;
  std::vector<Cycle> issued;
  std::vector<Cycle> completed;
  design.unit->access_issued.listen(
      [&issued](const tlm::tlm_generic_payload& /*payload*/, Cycle cycle) { issued.push_back(cycle); });
  design.unit->load_completed.listen(
      [&completed](const WarpInstruction& /*instruction*/, Cycle cycle) { completed.push_back(cycle); });
  design.load(10, 8);
  run_to(design.domain, 60);
  EXPECT_EQ(issued, (std::vector<Cycle>{11, 12}));
  EXPECT_EQ(completed, (std::vector<Cycle>{23}));
}

TEST(LdstGlobal, SleepsWhileALoadIsAway) {
  LdstDesign design;
  design.l1d->latency = 500;
  design.load(10);
  std::uint64_t before = 0;
  run_to(design.domain, 20);
  before = design.domain.ticks_executed();
  run_to(design.domain, 400);
  // Only the three stub memories tick, which never sleep.
  EXPECT_EQ(design.domain.ticks_executed() - before, 3U * 380);
}

TEST(LdstGlobal, TheLastAccessOfAnInstructionIsMarked) {
  LdstDesign design;
  design.load(10, 12);  // three lines
  design.load(40);
  run_to(design.domain, 100);
  std::vector<bool> last;
  for (const bench::StubMemory::Seen& seen : design.l1d->seen) last.push_back(seen.request.last);
  EXPECT_EQ(last, (std::vector<bool>{false, false, true, true}));
}

// Three results are there at 37: the write-back slot takes one a cycle, and no message announces those that
// wait.
TEST(LdstGlobal, AResponseThatFoundTheResultSlotTakenIsTakenNext) {
  LdstDesign design;
  const WarpInstruction& shared = design.shared(10);  // its result is there at 37
  const WarpInstruction& first = design.load(25);     // its response is seen at 37
  const WarpInstruction& second = design.load(26);    // at 38
  run_to(design.domain, 60);
  EXPECT_EQ(design.completed(shared), 37U);
  EXPECT_EQ(design.completed(first), 38U);
  EXPECT_EQ(design.completed(second), 39U);
}

}  // namespace
}  // namespace heddle
