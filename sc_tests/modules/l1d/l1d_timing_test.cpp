#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "sc_tests/modules/l1d/l1d_rig.h"

namespace heddle::test {
namespace {

TEST(L1dTiming, AMissIsLookedUpAfterTheLatencyAndPaysOneCyclePerHop) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  sc_core::sc_start(ns(60));
  // Looked up and sent at 9, out of the miss queue at 10, seen below at 11, answered at 21, at the MSHR at
  // 22, at the L1D at 23, at the LD/ST unit at 24.
  EXPECT_EQ(rig.memory->requests, (std::vector<Seen>{{0x1000, 11}}));
  EXPECT_EQ(rig.cpu->responses, (std::vector<Seen>{{0x1000, 24}}));
  EXPECT_EQ(rig.stat("misses"), 1);
  EXPECT_EQ(rig.stat("fills"), 1);
  EXPECT_TRUE(rig.l1d->idle());
}

TEST(L1dTiming, AHitIsAnsweredAtTheExitOfThePipe) {
  const std::vector<unsigned> latencies{1, 35, 100};
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const unsigned latency : latencies) {
    Rig::Shape shape;
    shape.l1_latency = latency;
    rigs.push_back(std::make_unique<Rig>(("rig" + std::to_string(latency)).c_str(), shape));
    rigs.back()->cpu->at(5, 0x1000);
    rigs.back()->cpu->at(200, 0x1020);
  }
  sc_core::sc_start(ns(400));
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    EXPECT_EQ(rigs[i]->cpu->responses.back(), (Seen{0x1020, 200 + latencies[i] + 1}));
    EXPECT_EQ(rigs[i]->stat("hits"), 1);
  }
}

TEST(L1dTiming, HitsFlowAtOnePerCycle) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  for (unsigned i = 0; i < 16; ++i) rig.cpu->at(50, 0x1000 + 4 * i, RequestKind::kLoad, 4);
  sc_core::sc_start(ns(100));
  ASSERT_EQ(rig.cpu->responses.size(), 17U);
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(rig.cpu->responses[i + 1], (Seen{0x1000 + 4 * i, 55 + i}));
  EXPECT_TRUE(rig.cpu->refusals.empty());
}

TEST(L1dTiming, ALineHitsFromTheEdgeOfItsFillOn) {
  // Filled at 23 (see the first test): the access looked up at 22 is merged, the one at 23 hits.
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(18, 0x1004, RequestKind::kLoad, 4);
  rig.cpu->at(19, 0x1008, RequestKind::kLoad, 4);
  sc_core::sc_start(ns(60));
  EXPECT_EQ(rig.stat("misses"), 1);
  EXPECT_EQ(rig.memory->requests.size(), 1U);
  EXPECT_EQ(rig.stat("hits"), 2);  // the one at 22 waits a cycle for the line, which the MSHR has passed on
  EXPECT_EQ(rig.stat("blocked_line_reserved"), 1);
}

TEST(L1dTiming, ABypassDoesNotPassThePipe) {
  Rig rig("rig", {});
  request_of(rig.cpu->at(5, 0x1000, RequestKind::kLoad, 32))->bypass_l1d = true;
  sc_core::sc_start(ns(60));
  EXPECT_EQ(rig.memory->requests, (std::vector<Seen>{{0x1000, 8}}));
  EXPECT_EQ(rig.cpu->responses, (std::vector<Seen>{{0x1000, 21}}));
  EXPECT_EQ(rig.stat("bypasses"), 1);
  EXPECT_EQ(rig.stat("loads"), 0);
}

TEST(L1dTiming, ABlockedExitRefusesAccessesOnlyWhenThePipeIsFull) {
  Rig::Shape shape;
  shape.config.mshr.entries = 1;
  Rig rig("rig", shape);
  for (unsigned i = 0; i < 7; ++i) rig.cpu->at(5, std::uint64_t{i} * kLineBytes);
  sc_core::sc_start(ns(200));
  // The second blocks at 10. Four stages hold accesses 1 to 4; access 5 is withheld from 10 on, until the
  // exit moves: the entry is freed at 22, when the MSHR passes the line on.
  EXPECT_EQ(rig.cpu->accepted[4], (Seen{std::uint64_t{4} * kLineBytes, 9}));
  EXPECT_EQ(rig.cpu->sent[5], (Seen{std::uint64_t{5} * kLineBytes, 10}));
  EXPECT_EQ(rig.cpu->accepted[5], (Seen{std::uint64_t{5} * kLineBytes, 22}));
  ASSERT_GE(rig.cpu->refusals.size(), 11U);
  for (unsigned i = 0; i < 11; ++i) EXPECT_EQ(rig.cpu->refusals[i], Refusal::kMshrEntries);
  EXPECT_EQ(rig.cpu->responses.size(), 7U);
  EXPECT_EQ(rig.memory->requests.size(), 7U);
}

TEST(L1dTiming, HitsAndReturningLinesTakeTurns) {
  Rig::Shape shape;
  shape.memory_latency = 40;
  Rig rig("rig", shape);
  rig.cpu->at(5, 0x1000);
  // Three loads of one other line, whose answers come one per cycle while hits stand at the exit.
  for (unsigned i = 0; i < 3; ++i) rig.cpu->at(100, 0x2080 + 4 * i, RequestKind::kLoad, 4);
  for (unsigned i = 0; i < 20; ++i) rig.cpu->at(140, 0x1000 + 4 * i, RequestKind::kLoad, 4);
  sc_core::sc_start(ns(300));
  std::vector<bool> is_hit;
  Cycle first_line = 0;
  for (std::size_t i = 1; i < rig.cpu->responses.size(); ++i) {
    const bool hit = rig.cpu->responses[i].address < 0x2000;
    if (!hit && first_line == 0) first_line = rig.cpu->responses[i].cycle;
    is_hit.push_back(hit);
    if (i > 1) {
      EXPECT_EQ(rig.cpu->responses[i].cycle, rig.cpu->responses[i - 1].cycle + 1);
    }
  }
  ASSERT_EQ(is_hit.size(), 23U);
  const auto line = static_cast<std::size_t>(std::find(is_hit.begin(), is_hit.end(), false) - is_hit.begin());
  EXPECT_EQ(std::vector<bool>(is_hit.begin() + static_cast<long>(line),
                              is_hit.begin() + static_cast<long>(line) + 5),
            (std::vector<bool>{false, true, false, true, false}));
  EXPECT_EQ(rig.stat("blocked_bank_busy"), 3);
}

TEST(L1dTiming, BypassesAndThePipeTakeTurnsAtTheMshr) {
  Rig rig("rig", {});
  constexpr std::uint64_t kBypasses = 0x10000;
  unsigned stores = 0;
  unsigned loads = 0;
  const auto store = [&] { rig.cpu->at(5, std::uint64_t{kLineBytes} * stores++, RequestKind::kStore, 32); };
  const auto bypass = [&] {
    request_of(rig.cpu->at(5, kBypasses + std::uint64_t{kLineBytes} * loads++, RequestKind::kLoad, 32))
        ->bypass_l1d = true;
  };
  // Until 60 nothing leaves the MSHR: five stores are there and below, the sixth waits at the pipe's exit
  // with three more after it, and two bypasses wait beside it. From then on one of each kind always waits.
  rig.memory->open = [](Cycle cycle) { return cycle >= 60; };
  for (unsigned i = 0; i < 9; ++i) store();
  bypass();
  bypass();
  for (unsigned i = 0; i < 12; ++i) {
    store();
    bypass();
  }
  sc_core::sc_start(ns(200));
  ASSERT_EQ(rig.memory->requests.size(), std::size_t{stores} + loads);
  for (unsigned i = 0; i < 6; ++i) EXPECT_LT(rig.memory->requests[i].address, kBypasses);
  for (unsigned i = 0; i < 2 * loads; ++i) {
    const Seen& seen = rig.memory->requests[6 + i];
    EXPECT_EQ(seen.address >= kBypasses, i % 2 == 0) << "turn " << i;
    EXPECT_EQ(seen.cycle, 66U + i);
  }
}

TEST(L1dTiming, MissBandwidthFollowsLittlesLaw) {
  // An entry is held for the memory's latency and three hops: 4 entries carry 4 lines in latency + 3 cycles.
  const std::vector<Cycle> latencies{10, 57};
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const Cycle latency : latencies) {
    Rig::Shape shape;
    shape.config.cache = {64, 4, kLineBytes, SetIndex::kHashed};
    shape.memory_latency = latency;
    rigs.push_back(std::make_unique<Rig>(("rig" + std::to_string(latency)).c_str(), shape));
    for (unsigned i = 0; i < 200; ++i) rigs.back()->cpu->at(5, std::uint64_t{i} * kLineBytes);
  }
  sc_core::sc_start(ns(5000));
  for (std::size_t r = 0; r < rigs.size(); ++r) {
    const std::vector<Seen>& responses = rigs[r]->cpu->responses;
    ASSERT_EQ(responses.size(), 200U);
    EXPECT_EQ(responses[199].cycle - responses[3].cycle, 49 * (latencies[r] + 3));
  }
}

TEST(L1dTiming, SleepsBetweenEvents) {
  Rig::Shape shape;
  shape.l1_latency = 30;
  shape.memory_latency = 300;
  Rig rig("rig", shape);
  rig.cpu->at(5, 0x1000);
  sc_core::sc_start(ns(400));
  EXPECT_EQ(rig.cpu->responses.size(), 1U);
  const std::uint64_t stub_ticks = 798;  // 399 cycles
  EXPECT_LE(rig.clock.ticks_executed() - stub_ticks, 12U);
}

/// Ticks of L1D and MSHR for four loads of lines of one set, which `shape` serves one after the other.
std::uint64_t ticks_of_held_loads(const char* name, const Rig::Shape& shape) {
  Rig rig(name, shape);
  for (unsigned i = 0; i < 4; ++i) rig.cpu->at(5, 0x1000 + i * 0x200);
  sc_core::sc_start(ns(2000));
  EXPECT_EQ(rig.cpu->responses.size(), 4U);
  EXPECT_GT(rig.cpu->responses.back().cycle, 4U * 300);
  const std::uint64_t stub_ticks = 3998;  // 1,999 cycles
  return rig.clock.ticks_executed() - stub_ticks;
}

TEST(L1dTiming, SleepsWhileTheMshrHoldsItsHead) {
  Rig::Shape shape;
  shape.memory_latency = 300;
  shape.config.mshr.entries = 1;
  EXPECT_LE(ticks_of_held_loads("rig", shape), 19U);
}

TEST(L1dTiming, SleepsWhileItsHeadsSetIsReserved) {
  Rig::Shape shape;
  shape.memory_latency = 300;
  shape.config.cache.ways = 1;
  EXPECT_LE(ticks_of_held_loads("rig", shape), 18U);
}

TEST(L1dTiming, StagesTileTheLifetime) {
  Rig rig("rig", {});
  std::array<Ticks, kNumStages> spent{};
  Ticks life = 0;
  const Ticks cycle = ns(1).value();
  rig.cpu->on_response = [&](tlm::tlm_generic_payload& p) {
    spent = request_of(p)->spent();
    life = rig.clock.now() - request_of(p)->born_at();
  };
  rig.cpu->at(5, 0x1000);
  sc_core::sc_start(ns(60));
  EXPECT_EQ(life, 19 * cycle);
  EXPECT_EQ(spent[static_cast<unsigned>(Stage::kL1d)], 4 * cycle);
  EXPECT_EQ(spent[static_cast<unsigned>(Stage::kMshr)], 1 * cycle);
  EXPECT_EQ(spent[static_cast<unsigned>(Stage::kMemoryPort)], 12 * cycle);  // the stub enters no stage
  EXPECT_EQ(spent[static_cast<unsigned>(Stage::kFill)], 2 * cycle);
}

TEST(L1dTiming, ImpossibleShapesAreRejected) {
  ClockDomain clock("clock", ns(1));
  L1dConfig config;
  EXPECT_THROW(L1d("a", clock, config, 0, 0), std::invalid_argument);
  config.cache.line_bytes = 256;
  EXPECT_THROW(L1d("b", clock, config, 1, 0), std::invalid_argument);
}

// The pipe's exit waits for a way of its set, the bypasses for the miss queue.
TEST(L1dTiming, ARefusedBypassIsToldWhatHoldsTheBypassesUp) {
  Rig::Shape shape;
  shape.config.cache.ways = 1;
  shape.memory_latency = 100;
  Rig rig("rig", shape);
  rig.memory->open = [](Cycle cycle) { return cycle < 20 || cycle >= 80; };
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(6, 0x1000 + 4 * kLineBytes);  // of the same set
  for (unsigned i = 0; i < 10; ++i) {
    request_of(rig.cpu->at(20, 0x8000 + i * kLineBytes, RequestKind::kLoad, 32))->bypass_l1d = true;
  }
  sc_core::sc_start(ns(60));
  rig.l1d->settle();
  EXPECT_GT(rig.stat("blocked_line_reserved"), 0);
  ASSERT_FALSE(rig.cpu->refusals.empty());
  EXPECT_EQ(rig.cpu->refusals.back(), Refusal::kInterconnect);
  sc_core::sc_start(ns(400));
  EXPECT_EQ(rig.cpu->responses.size(), 12U);
}

}  // namespace
}  // namespace heddle::test
