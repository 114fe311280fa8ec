// What the L1D counts of accesses that are held up at the exit of its pipe. In the rig an access sent at t is
// looked up at t + 4; a miss that the MSHR takes at t fills its line at t + 14.
#include <gtest/gtest.h>

#include "sc_tests/modules/l1d/l1d_rig.h"

namespace heddle::test {
namespace {

/// The cycles and accesses that were held up, by reason, without zeros.
std::map<std::string, double> held_up(const Rig& rig) {
  rig.l1d->settle();
  std::map<std::string, double> result;
  for (const auto& [name, value] : rig.stats()) {
    const bool held = name.rfind("blocked_", 0) == 0 || name.rfind("reservation_failures_", 0) == 0;
    if (held && value != 0) result[name] = value;
  }
  return result;
}
using Held = std::map<std::string, double>;

/// Of the cycles so far, those in which the MSHRs held the exit up.
Cycle occluded(const Rig& rig) { return rig.l1d->occluded_cycles(rig.clock.cycle_now()); }

TEST(L1dCounts, AMissWithoutAnMshrEntryIsHeldUpUntilOneIsFreed) {
  Rig::Shape shape;
  shape.config.mshr.entries = 1;
  Rig rig("rig", shape);
  for (std::uint64_t i = 0; i < 3; ++i) rig.cpu->at(5, i * kLineBytes);
  sc_core::sc_start(ns(100));
  // The first leaves at 9. The entry is freed at 22, taken by the second, and freed again at 35.
  EXPECT_EQ(held_up(rig), (Held{{"blocked_mshr_entries", (22 - 10) + (35 - 23)},
                                {"reservation_failures_mshr_entries", 2}}));
  EXPECT_EQ(occluded(rig), 24U);
}

TEST(L1dCounts, AMissOfALineWhoseEntryIsFullIsHeldUpUntilItsFirstAnswer) {
  Rig::Shape shape;
  shape.config.mshr.merges = 2;
  Rig rig("rig", shape);
  for (std::uint64_t i = 0; i < 3; ++i) rig.cpu->at(5, 32 * i, RequestKind::kLoad, 32);
  sc_core::sc_start(ns(100));
  // Looked up at 11; the MSHR passes the first answer on at 22.
  EXPECT_EQ(held_up(rig), (Held{{"blocked_mshr_merges", 22 - 11}, {"reservation_failures_mshr_merges", 1}}));
  EXPECT_EQ(occluded(rig), 11U);
}

TEST(L1dCounts, AStoreIsHeldUpWhileTheMissQueueIsFull) {
  Rig rig("rig", {});
  rig.memory->open = [](Cycle cycle) { return cycle >= 60; };
  for (std::uint64_t i = 0; i < 6; ++i) rig.cpu->at(5, i * kLineBytes, RequestKind::kStore, 32);
  sc_core::sc_start(ns(58.5));
  // Two are queued below, one is offered there, two wait in the miss queue: the sixth, looked up at 14,
  // stays.
  EXPECT_EQ(held_up(rig),
            (Held{{"blocked_interconnect", 58 - 14 + 1}, {"reservation_failures_interconnect", 1}}));
  sc_core::sc_start(ns(100));
  EXPECT_EQ(rig.stat("stores"), 6);
  EXPECT_EQ(rig.stat("reservation_failures_interconnect"), 1);
  EXPECT_EQ(occluded(rig), 0U);
}

TEST(L1dCounts, AHitIsHeldUpWhileAFillTakesTheWayToTheLdstUnit) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(50, 0x2080);
  for (unsigned i = 0; i < 20; ++i) rig.cpu->at(56, 0x1000 + 4 * i, RequestKind::kLoad, 4);
  sc_core::sc_start(ns(150));
  // One hit waits for the answer of the miss, one cycle.
  EXPECT_EQ(rig.stat("hits"), 20);
  EXPECT_EQ(held_up(rig), (Held{{"blocked_bank_busy", 1}, {"reservation_failures_bank_busy", 1}}));
  EXPECT_EQ(occluded(rig), 0U);
}

TEST(L1dCounts, AMissIsHeldUpWhileEveryWayOfItsSetWaitsForItsLine) {
  Rig::Shape shape;
  shape.config.cache.ways = 1;
  Rig rig("rig", shape);
  for (std::uint64_t i = 0; i < 2; ++i) rig.cpu->at(5, i * 4 * kLineBytes);
  sc_core::sc_start(ns(20.5));
  // Looked up at 10; the line before is filled at 23.
  EXPECT_EQ(occluded(rig), 20U - 10 + 1);
  sc_core::sc_start(ns(80));
  EXPECT_EQ(held_up(rig),
            (Held{{"blocked_line_reserved", 23 - 10}, {"reservation_failures_line_reserved", 1}}));
  EXPECT_EQ(occluded(rig), 23U - 10);
}

}  // namespace
}  // namespace heddle::test
