#include <gtest/gtest.h>

#include "sc_tests/modules/l1d/l1d_rig.h"

namespace heddle::test {
namespace {

constexpr std::uint64_t kSetStride = std::uint64_t{4} * kLineBytes;  // the rig's cache has four sets

TEST(L1dPolicy, AMissFetchesTheWholeLineWhateverIsTouched) {
  Rig rig("rig", {});
  rig.memory->answering = [] { return false; };
  request_of(rig.cpu->at(5, 0x1040, RequestKind::kLoad, 32))->sector_mask = 0b0100;
  sc_core::sc_start(ns(20));
  ASSERT_EQ(rig.memory->payloads.size(), 1U);
  EXPECT_EQ(request_of(*rig.memory->payloads[0])->sector_mask, 0b1111);
  EXPECT_EQ(rig.memory->payloads[0]->get_address(), 0x1040U);
}

TEST(L1dPolicy, OfA64ByteLineOnlyItsHalfIsFetched) {
  Rig::Shape shape;
  shape.config.cache.line_bytes = 64;
  Rig rig("rig", shape);
  rig.memory->answering = [] { return false; };
  rig.cpu->at(5, 0x1040, RequestKind::kLoad, 32);
  sc_core::sc_start(ns(20));
  EXPECT_EQ(request_of(*rig.memory->payloads.at(0))->sector_mask, 0b1100);
}

TEST(L1dPolicy, ALineReservedOnMissIsHitReservedAndItsAccessesAreMerged) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(6, 0x1020, RequestKind::kLoad, 32);
  sc_core::sc_start(ns(60));
  EXPECT_EQ(rig.stat("misses"), 1);
  EXPECT_EQ(rig.stat("pending_hits"), 1);
  EXPECT_EQ(rig.stat("fills"), 1);
  EXPECT_EQ(rig.cpu->responses, (std::vector<Seen>{{0x1000, 24}, {0x1020, 25}}));
}

TEST(L1dPolicy, HitsAreSplitByWhetherTheWarpHadTheLineFilledItself) {
  Rig::Shape shape;
  shape.config.mshr.merges = 8;
  Rig on_miss("on_miss", shape);
  shape.config.allocate = AllocatePolicy::kOnFill;
  Rig on_fill("on_fill", shape);
  for (Rig* rig : {&on_miss, &on_fill}) {
    const auto load = [rig](Cycle cycle, std::uint16_t warp, std::uint64_t address = 0x1000) {
      request_of(rig->cpu->at(cycle, address))->warp = warp;
    };
    load(5, 3);
    load(6, 3);  // merged with its own
    load(7, 4);  // merged with warp 3's
    load(8, 3);
    load(9, 3);
    load(10, 4, 0x2080);
    load(11, 3, 0x2080);  // each fetch is compared with its own warp
    load(40, 3);
    load(41, 4);
    load(42, 5);
    load(43, 4, 0x2080);
    load(44, 3, 0x2080);
    load(45, 5, 0x2080);
  }
  sc_core::sc_start(ns(80));
  for (Rig* rig : {&on_miss, &on_fill}) {
    EXPECT_EQ(rig->stat("pending_hits"), 5);
    EXPECT_EQ(rig->stat("pending_hits_intra_warp"), 3);
    EXPECT_EQ(rig->stat("pending_hits_inter_warp"), 2);
    EXPECT_EQ(rig->stat("hits"), 6);
    EXPECT_EQ(rig->stat("hits_intra_warp"), 2);
    EXPECT_EQ(rig->stat("hits_inter_warp"), 4);
  }
}

TEST(L1dPolicy, AllWaysReservedBlocksOnMissButNotOnFill) {
  Rig::Shape shape;
  Rig on_miss("on_miss", shape);
  shape.config.allocate = AllocatePolicy::kOnFill;
  Rig on_fill("on_fill", shape);
  for (Rig* rig : {&on_miss, &on_fill}) {
    for (unsigned i = 0; i < 3; ++i) rig->cpu->at(5, i * kSetStride);
  }
  sc_core::sc_start(ns(80));
  // Two ways of the set are reserved at 9 and 10; the first is filled at 23 and can be replaced from then on.
  EXPECT_EQ(on_miss.memory->requests[2], (Seen{2 * kSetStride, 25}));
  EXPECT_EQ(on_miss.stat("blocked_line_reserved"), 23 - 11);
  EXPECT_EQ(on_miss.stat("reservation_failures_line_reserved"), 1);
  EXPECT_EQ(on_miss.stat("evictions"), 1);
  EXPECT_EQ(on_fill.memory->requests[2], (Seen{2 * kSetStride, 13}));
  EXPECT_EQ(on_fill.stat("blocked_line_reserved"), 0);
  EXPECT_EQ(on_fill.stat("fills"), 3);
  EXPECT_EQ(on_fill.stat("evictions"), 1);
}

TEST(L1dPolicy, OnFillALineThatIsPassedOnIsNotFetchedAgain) {
  Rig::Shape shape;
  shape.config.allocate = AllocatePolicy::kOnFill;
  Rig rig("rig", shape);
  rig.cpu->at(5, 0x1000);
  for (Cycle cycle = 14; cycle < 24; ++cycle) rig.cpu->at(cycle, 0x1000 + 4 * cycle, RequestKind::kLoad, 4);
  sc_core::sc_start(ns(100));
  EXPECT_EQ(rig.memory->requests.size(), 1U);
  EXPECT_EQ(rig.cpu->responses.size(), 11U);
}

TEST(L1dPolicy, TheLeastRecentlyUsedWayIsReplaced) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0 * kSetStride);
  rig.cpu->at(40, 1 * kSetStride);
  rig.cpu->at(80, 0 * kSetStride);   // hit
  rig.cpu->at(120, 2 * kSetStride);  // replaces line 1
  rig.cpu->at(160, 0 * kSetStride);  // hit
  rig.cpu->at(200, 1 * kSetStride);  // miss
  sc_core::sc_start(ns(300));
  EXPECT_EQ(rig.stat("hits"), 2);
  EXPECT_EQ(rig.stat("misses"), 4);
  EXPECT_EQ(rig.stat("evictions"), 2);
}

TEST(L1dPolicy, AMergedAccessIsAUseOfTheLineAndItsArrivalIsNone) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0 * kSetStride);
  rig.cpu->at(6, 1 * kSetStride);   // arrives last
  rig.cpu->at(7, 0 * kSetStride);   // merged: the last use
  rig.cpu->at(60, 2 * kSetStride);  // replaces line 1
  rig.cpu->at(100, 0 * kSetStride);
  sc_core::sc_start(ns(150));
  EXPECT_EQ(rig.stat("misses"), 3);
  EXPECT_EQ(rig.stat("pending_hits"), 1);
  EXPECT_EQ(rig.stat("hits"), 1);
}

TEST(L1dPolicy, AGlobalStoreWritesThroughInvalidatesAndDoesNotAllocate) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(40, 0x1000, RequestKind::kStore, 32);
  rig.cpu->at(80, 0x2000, RequestKind::kStore, 32);
  rig.cpu->at(120, 0x1000);
  rig.cpu->at(160, 0x2000);
  sc_core::sc_start(ns(300));
  EXPECT_EQ(rig.stat("stores"), 2);
  EXPECT_EQ(rig.stat("store_hits"), 1);
  EXPECT_EQ(rig.stat("misses"), 3);
  EXPECT_EQ(rig.memory->requests.size(), 5U);
  // Acknowledged when the memory's acknowledgement has come all the way.
  EXPECT_EQ(rig.cpu->responses[1], (Seen{0x1000, 59}));
}

TEST(L1dPolicy, AStoreLeavesALineThatIsBeingFetched) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(6, 0x1000, RequestKind::kStore, 32);
  rig.cpu->at(60, 0x1000);
  sc_core::sc_start(ns(100));
  EXPECT_EQ(rig.stat("hits"), 1);
  EXPECT_EQ(rig.stat("fills"), 1);
}

TEST(L1dPolicy, ALocalStoreThatHitsIsAbsorbedAndWrittenBackOnEviction) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0 * kSetStride);
  request_of(rig.cpu->at(40, 0 * kSetStride + 32, RequestKind::kStore, 64))->local = true;
  rig.cpu->at(60, 1 * kSetStride);
  rig.cpu->at(100, 2 * kSetStride);  // evicts line 0
  sc_core::sc_start(ns(50));
  EXPECT_EQ(rig.cpu->responses.back(), (Seen{32, 45}));
  EXPECT_EQ(rig.memory->requests.size(), 1U);
  sc_core::sc_start(ns(59));
  ASSERT_EQ(rig.memory->payloads.size(), 4U);
  EXPECT_FALSE(rig.l1d->idle());
  EXPECT_EQ(rig.memory->requests[2], (Seen{2 * kSetStride, 106}));
  EXPECT_EQ(rig.memory->requests[3], (Seen{32, 107}));
  const tlm::tlm_generic_payload& back = *rig.memory->payloads[3];
  EXPECT_TRUE(back.is_write());
  EXPECT_EQ(back.get_data_length(), 64U);
  EXPECT_EQ(back.get_extension<MemoryRequest>()->sector_mask, 0b0110);
  EXPECT_EQ(back.get_extension<MemoryRequest>()->sm, 2);
  sc_core::sc_start(ns(60));
  EXPECT_EQ(rig.stat("writebacks"), 1);
  EXPECT_EQ(rig.stat("stores"), 1);
  EXPECT_EQ(rig.stat("store_hits"), 1);
  EXPECT_EQ(rig.cpu->responses.size(), 4U);
  EXPECT_TRUE(rig.l1d->idle());
  EXPECT_EQ(rig.in_flight(), 0U);
}

TEST(L1dPolicy, AWriteBackGoesBeforeTheNextMiss) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0 * kSetStride);
  request_of(rig.cpu->at(40, 0 * kSetStride + 32, RequestKind::kStore, 64))->local = true;
  rig.cpu->at(60, 1 * kSetStride);
  rig.cpu->at(100, 2 * kSetStride);  // evicts line 0
  rig.cpu->at(101, 2 * kSetStride + kLineBytes);
  sc_core::sc_start(ns(150));
  ASSERT_EQ(rig.memory->requests.size(), 5U);
  EXPECT_EQ(rig.memory->requests[2], (Seen{2 * kSetStride, 106}));
  EXPECT_EQ(rig.memory->requests[3], (Seen{32, 107}));
  EXPECT_EQ(rig.memory->requests[4], (Seen{2 * kSetStride + kLineBytes, 108}));
}

TEST(L1dPolicy, ALocalStoreThatMissesWritesThrough) {
  Rig rig("rig", {});
  request_of(rig.cpu->at(5, 0x1000, RequestKind::kStore, 32))->local = true;
  sc_core::sc_start(ns(60));
  EXPECT_EQ(rig.memory->requests.size(), 1U);
  EXPECT_EQ(rig.stat("store_hits"), 0);
}

TEST(L1dPolicy, AtomicsBypassAndInvalidate) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(40, 0x1000, RequestKind::kAtomic, 32);
  rig.cpu->at(80, 0x1000);
  sc_core::sc_start(ns(120));
  EXPECT_EQ(rig.stat("bypasses"), 1);
  EXPECT_EQ(rig.stat("misses"), 2);
  EXPECT_EQ(rig.stat("hits"), 0);
}

TEST(L1dPolicy, ABypassingLoadLeavesTheLineAlone) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  request_of(rig.cpu->at(40, 0x1000, RequestKind::kLoad, 32))->bypass_l1d = true;
  rig.cpu->at(80, 0x1000);
  sc_core::sc_start(ns(120));
  EXPECT_EQ(rig.stat("hits"), 1);
  EXPECT_EQ(rig.memory->requests.size(), 2U);
}

TEST(L1dPolicy, ADisabledCacheBypassesEverything) {
  Rig::Shape shape;
  shape.config.enabled = false;
  Rig rig("rig", shape);
  rig.cpu->at(5, 0x1000, RequestKind::kLoad, 32);
  rig.cpu->at(40, 0x1000, RequestKind::kLoad, 32);
  rig.cpu->at(80, 0x1000, RequestKind::kStore, 32);
  sc_core::sc_start(ns(120));
  EXPECT_EQ(rig.stat("bypasses"), 3);
  EXPECT_EQ(rig.memory->requests, (std::vector<Seen>{{0x1000, 8}, {0x1000, 43}, {0x1000, 83}}));
}

TEST(L1dPolicy, FlushDropsLines) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(60, 0x1000);
  sc_core::sc_start(ns(50));
  rig.l1d->flush();
  sc_core::sc_start(ns(50));
  EXPECT_EQ(rig.stat("misses"), 2);
}

TEST(L1dPolicy, AFlushDuringAFetchLosesNoResponse) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(6, 0x1000);
  sc_core::sc_start(ns(15));
  rig.l1d->flush();
  sc_core::sc_start(ns(50));
  EXPECT_EQ(rig.cpu->responses.size(), 2U);
  EXPECT_EQ(rig.memory->requests.size(), 1U);
}

}  // namespace
}  // namespace heddle::test
