#include "modules/memory_partition/l2_slice.h"

#include <gtest/gtest.h>

#include "modules/messages/tick_order.h"
#include "sc_tests/modules/memory_partition/figures.h"
#include "sc_tests/modules/memory_partition/foreign_stubs.h"
#include "sc_tests/support/memory_stubs.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

constexpr Cycle kDelay = 4;
constexpr Cycle kDramLatency = 30;
constexpr std::uint64_t kSetStride = std::uint64_t{64} * kLineBytes;

L2Config small_delay() {
  L2Config config;
  config.input_delay_cycles = kDelay;
  return config;
}

DramConfig one_channel() {
  DramConfig config;
  config.channels = 1;
  return config;
}

L2Config one_slice(L2Config config = small_delay()) {
  config.slices_per_channel = 1;
  return config;
}

/// A slice between a stub initiator and a stub memory, all on a clock of 1 ns, both hops checked.
struct Bench {
  explicit Bench(const L2Config& config = one_slice())
      : map(AddressMapConfig(), config, one_channel()), slice("slice", clock, config, map) {
    initiator.port.socket.bind(upper.from_initiator);
    upper.to_target.bind(slice.port.socket);
    slice.dram.socket.bind(lower.from_initiator);
    lower.to_target.bind(memory.port.socket);
  }
  /// Cycles at which the responses were seen, in order.
  std::vector<Cycle> response_cycles() const {
    std::vector<Cycle> cycles;
    for (const Seen& seen : initiator.responses) cycles.push_back(seen.cycle);
    return cycles;
  }
  void finish() {
    EXPECT_TRUE(slice.idle());
    upper.check_idle();
    lower.check_idle();
    EXPECT_EQ(upper.violations() + lower.violations(), 0U);
  }

  ClockDomain clock{"clock", ns(1)};
  StubInitiator initiator{"initiator", clock, tick_order::kExecute, 64};
  ProtocolChecker upper{"upper"};
  ProtocolChecker lower{"lower"};
  StubTarget memory{"memory", clock, kDramLatency};
  AddressMap map;
  L2Slice slice;
};

// Sent at s, taken at s + 1, looked up after the delay, sent hit_latency later, seen one cycle after that.
constexpr Cycle kHit = 1 + kDelay + 1 + 1;
// The fetch leaves one cycle after the lookup and is taken one later; the fill is taken one cycle after the
// memory sent it and the reply leaves one later.
constexpr Cycle kMiss = 1 + kDelay + 1 + 1 + kDramLatency + 1 + 1 + 1;

TEST(L2Slice, AHitTakesDelayAndHitLatency) {
  Bench bench;
  bench.slice.install(0);
  bench.initiator.at(10, 0);
  sc_core::sc_start(ns(100));
  EXPECT_EQ(bench.response_cycles(), (std::vector<Cycle>{10 + kHit}));
  EXPECT_TRUE(bench.memory.requests.empty());
  bench.finish();
}

TEST(L2Slice, AMissAddsTheTripToDram) {
  Bench bench;
  bench.initiator.at(10, 0);
  bench.initiator.at(200, 0);
  sc_core::sc_start(ns(300));
  EXPECT_EQ(bench.response_cycles(), (std::vector<Cycle>{10 + kMiss, 200 + kHit}));
  EXPECT_EQ(bench.memory.requests, (std::vector<Seen>{{0, 10 + 1 + kDelay + 2}}));
  bench.finish();
}

TEST(L2Slice, HoldsItsPortForEverySector) {
  Bench bench;
  bench.slice.install(0);
  bench.initiator.at(10, 0);                                        // 4 sectors
  bench.initiator.at(11, 0, RequestKind::kLoad, 2 * kSectorBytes);  // looked up 4 cycles after the first
  bench.initiator.at(12, 0, RequestKind::kLoad, kSectorBytes);
  sc_core::sc_start(ns(100));
  EXPECT_EQ(bench.response_cycles(), (std::vector<Cycle>{10 + kHit, 10 + kHit + 4, 10 + kHit + 6}));
}

TEST(L2Slice, AnAtomicHitHoldsThePortForReadAndWrite) {
  Bench bench;
  bench.slice.install(0);
  bench.initiator.at(10, 0, RequestKind::kAtomic, kSectorBytes);
  bench.initiator.at(11, 0, RequestKind::kLoad, kSectorBytes);
  sc_core::sc_start(ns(100));
  EXPECT_EQ(bench.response_cycles(), (std::vector<Cycle>{10 + kHit, 10 + kHit + 2}));
}

TEST(L2Slice, AnAtomicMissFetches) {
  Bench bench;
  bench.initiator.at(10, 0, RequestKind::kAtomic, kSectorBytes);
  sc_core::sc_start(ns(200));
  EXPECT_EQ(bench.response_cycles(), (std::vector<Cycle>{10 + kMiss}));
}

TEST(L2Slice, AnAtomicMissHoldsThePortForOneAccessOnly) {
  Bench bench;
  bench.initiator.at(10, 0, RequestKind::kAtomic, kSectorBytes);
  bench.initiator.at(10, kLineBytes, RequestKind::kAtomic, kSectorBytes);
  sc_core::sc_start(ns(100));
  ASSERT_EQ(bench.memory.requests.size(), 2U);
  EXPECT_EQ(bench.memory.requests[1].cycle - bench.memory.requests[0].cycle, 1U);
  bench.finish();
}

TEST(L2Slice, AStoreIsAcknowledgedWithoutFetch) {
  Bench bench;
  bench.initiator.at(10, 0, RequestKind::kStore);
  bench.initiator.at(50, 0);
  sc_core::sc_start(ns(200));
  EXPECT_EQ(bench.response_cycles(), (std::vector<Cycle>{10 + kHit, 50 + kHit}));
  EXPECT_TRUE(bench.memory.requests.empty());
}

TEST(L2Slice, LoadHitsAreSplitByWhoBroughtTheLineIn) {
  Bench bench;
  const auto load = [&bench](Cycle cycle, std::uint64_t address, std::uint16_t sm, std::uint16_t warp) {
    MemoryRequest& request = *request_of(bench.initiator.at(cycle, address));
    request.sm = sm;
    request.warp = warp;
    return &request;
  };
  bench.slice.install(kLineBytes);
  const std::vector<const MemoryRequest*> requests{load(10, 0, 1, 3), load(11, 0, 2, 3), load(100, 0, 1, 3),
                                                   load(110, 0, 1, 4)};
  // The first fetches, the second merges with it, then the warp itself and another warp of its SM.
  load(120, 0, 2, 3);           // by another SM, whose warp has the same slot
  load(130, kLineBytes, 1, 3);  // by the host
  bench.initiator.at(140, 0, RequestKind::kInstruction);
  sc_core::sc_start(ns(300));
  const auto figures = Figures::of(bench.slice);
  EXPECT_EQ(figures.at("load_merged_inter_sm"), 1U);
  EXPECT_EQ(figures.at("load_hits_intra_warp"), 1U);
  EXPECT_EQ(figures.at("load_hits_inter_warp"), 1U);
  EXPECT_EQ(figures.at("load_hits_inter_sm"), 1U);
  EXPECT_EQ(figures.at("load_hits_no_warp"), 1U);
  // The requests carry it back to their SMs.
  const std::vector<LineOrigin> origins{LineOrigin::kNobody, LineOrigin::kOtherSm, LineOrigin::kSameWarp,
                                        LineOrigin::kSameSm};
  for (unsigned i = 0; i < origins.size(); ++i) EXPECT_EQ(requests[i]->l2_origin, origins[i]) << i;
}

TEST(L2Slice, RequestsForALineUnderWayMergeAndAreAnsweredInTurn) {
  Bench bench;
  for (Cycle i = 0; i < 3; ++i) bench.initiator.at(10 + i, 0, RequestKind::kLoad, kSectorBytes);
  sc_core::sc_start(ns(200));
  EXPECT_EQ(bench.memory.requests.size(), 1U);
  EXPECT_EQ(bench.response_cycles(), (std::vector<Cycle>{10 + kMiss, 10 + kMiss + 1, 10 + kMiss + 2}));
  const auto figures = Figures::of(bench.slice);
  EXPECT_EQ(figures.at("misses"), 1U);
  EXPECT_EQ(figures.at("merged"), 2U);
  EXPECT_EQ(figures.at("fetched_sectors"), 1U);
}

TEST(L2Slice, TheFifthRequestForASectorWaitsForTheFill) {
  Bench bench;
  for (Cycle i = 0; i < 5; ++i) bench.initiator.at(10 + i, 0, RequestKind::kLoad, kSectorBytes);
  sc_core::sc_start(ns(200));
  const Cycle fill = 10 + kMiss - 2;  // the first reply leaves the cycle after, and is seen one later
  ASSERT_EQ(bench.initiator.responses.size(), 5U);
  // Refused from its first try at 15 + kDelay on, once every cycle; it hits in the cycle of the fill.
  bench.slice.settle();
  EXPECT_EQ(Figures::of(bench.slice).at("cycles_mshr_merges"), fill - (15 + kDelay));
  EXPECT_EQ(bench.memory.requests.size(), 1U);
}

TEST(L2Slice, SendsSectorsThatAreNotNeighboursOneAfterTheOther) {
  Bench bench;
  request_of(bench.initiator.at(10, 0))->sector_mask = 0b1011;
  sc_core::sc_start(ns(200));
  const Cycle first = 10 + 1 + kDelay + 2;
  EXPECT_EQ(bench.memory.requests, (std::vector<Seen>{{0, first}, {96, first + 1}}));
  EXPECT_EQ(bench.initiator.responses.size(), 1U);
  bench.finish();
}

TEST(L2Slice, WritesDirtyLinesBack) {
  Bench bench;
  for (unsigned way = 0; way < 9; ++way) bench.initiator.at(10, way * kSetStride, RequestKind::kStore);
  sc_core::sc_start(ns(300));
  ASSERT_EQ(bench.memory.requests.size(), 1U);
  EXPECT_EQ(bench.memory.requests[0].address, 0U);
  const auto figures = Figures::of(bench.slice);
  EXPECT_EQ(figures.at("writebacks"), 1U);
  EXPECT_EQ(figures.at("writeback_sectors"), 4U);
  EXPECT_EQ(bench.initiator.responses.size(), 9U);
  bench.finish();
}

TEST(L2Slice, AFullMissQueueRefuses) {
  Bench bench;
  bench.memory.open = [](Cycle now) { return now > 200; };
  for (unsigned line = 0; line < 12; ++line) {
    bench.initiator.at(10, std::uint64_t{line} * kLineBytes, RequestKind::kLoad, kSectorBytes);
  }
  sc_core::sc_start(ns(150));
  bench.slice.settle();
  const auto figures = Figures::of(bench.slice);
  EXPECT_EQ(figures.at("misses"), 4U + 2U + 1U);  // miss queue, the memory's two places and its offer
  EXPECT_GT(figures.at("cycles_miss_queue"), 100U);
  sc_core::sc_start(ns(300));
  EXPECT_EQ(bench.initiator.responses.size(), 12U);
  bench.finish();
}

TEST(L2Slice, StopsTakingRequestsWhenItsQueueHasNoRoomForALine) {
  L2Config config = one_slice();
  config.queue = 8;
  Bench bench(config);
  bench.memory.open = [](Cycle now) { return now > 300; };
  for (unsigned line = 0; line < 60; ++line) bench.initiator.at(10, std::uint64_t{line} * kLineBytes);
  sc_core::sc_start(ns(250));
  // Seven misses under way, two lines in the queue, what the delay took before it was full (a line a cycle
  // goes in, one in four cycles comes out), and the port's places.
  EXPECT_LT(bench.initiator.accepted.size(), 30U);
  EXPECT_NE(bench.initiator.port.awaiting_accept(), nullptr);
  sc_core::sc_start(ns(1000));
  EXPECT_EQ(bench.initiator.responses.size(), 60U);
  bench.finish();
}

TEST(L2Slice, AReplyThatIsNotTakenHoldsTheOthersBack) {
  L2Config config = one_slice();
  config.queue = 8;
  Bench bench(config);
  for (unsigned line = 0; line < 200; ++line) {
    bench.slice.install(std::uint64_t{line} * kLineBytes);
    bench.initiator.at(10, std::uint64_t{line} * kLineBytes, RequestKind::kLoad, kSectorBytes);
  }
  bench.initiator.take_responses = false;
  sc_core::sc_start(ns(300));
  bench.slice.settle();
  EXPECT_GT(Figures::of(bench.slice).at("cycles_reply_queue"), 100U);
  EXPECT_NE(bench.initiator.port.awaiting_accept(), nullptr);
  bench.initiator.take_responses = true;
  sc_core::sc_start(ns(500));
  EXPECT_EQ(bench.initiator.responses.size(), 200U);
  bench.finish();
}

TEST(L2Slice, EveryCycleHasOneActivity) {
  Bench bench;
  for (unsigned i = 0; i < 60; ++i) {
    bench.initiator.at(10 + 7 * i, std::uint64_t{i % 20} * kSetStride,
                       i % 3 == 0 ? RequestKind::kStore : RequestKind::kLoad);
  }
  for (int part = 0; part < 5; ++part) {
    sc_core::sc_start(ns(157));
    bench.slice.settle();
    const auto figures = Figures::of(bench.slice);
    std::uint64_t sum = 0;
    for (const auto& [name, value] : figures) {
      if (name.rfind("cycles_", 0) == 0) sum += value;
    }
    EXPECT_EQ(sum, figures.at("cycles"));
    EXPECT_EQ(sum, bench.clock.cycle_now());
  }
  const auto figures = Figures::of(bench.slice);
  EXPECT_EQ(figures.at("hits") + figures.at("misses") + figures.at("merged"), 60U);
}

TEST(L2Slice, TimesOfAMissAddUpToItsLife) {
  Bench bench;
  const MemoryRequest& request = *request_of(bench.initiator.at(10, 0));
  bool seen = false;
  bench.initiator.on_response = [&](tlm::tlm_generic_payload&) {
    seen = true;
    Ticks sum = 0;
    for (const Ticks ticks : request.spent()) sum += ticks;
    EXPECT_EQ(sum, kMiss * bench.clock.period_ticks());
    EXPECT_FALSE(request.l2_hit);
    EXPECT_EQ(request.spent()[static_cast<unsigned>(Stage::kL2Queue)], kDelay * bench.clock.period_ticks());
    // From sending the fetch to taking the fill: the stub memory does not say when it starts.
    EXPECT_EQ(request.spent()[static_cast<unsigned>(Stage::kDramQueue)],
              (kDramLatency + 2) * bench.clock.period_ticks());
  };
  sc_core::sc_start(ns(200));
  EXPECT_TRUE(seen);
}

TEST(L2Slice, APlainTargetCanStandBehindIt) {
  L2Config config = one_slice();
  config.cache.sets = 1;
  const AddressMap map(AddressMapConfig(), config, one_channel());
  ClockDomain clock("clock", ns(1));
  PlainInitiator initiator("initiator");
  PlainMemory memory("memory");
  L2Slice slice("slice", clock, config, map);
  ProtocolChecker lower("lower");
  initiator.socket.bind(slice.port.socket);
  slice.dram.socket.bind(lower.from_initiator);
  lower.to_target.bind(memory.socket);
  auto& write = initiator.add(tlm::TLM_WRITE_COMMAND, 300, 8);
  write.data.fill(0x5A);
  auto& read = initiator.add(tlm::TLM_READ_COMMAND, 296, 16);
  auto& crossing = initiator.add(tlm::TLM_READ_COMMAND, 120, 16);
  // Eight more lines in the only set: the written line goes back to the memory.
  for (unsigned way = 1; way < 9; ++way) {
    initiator.add(tlm::TLM_WRITE_COMMAND, 256 + way * kLineBytes, 4).data.fill(1);
  }
  sc_core::sc_start(ns(5000));
  EXPECT_EQ(read.data[0], 296 % 256);
  EXPECT_EQ(read.data[4], 0x5A);
  EXPECT_EQ(read.data[11], 0x5A);
  EXPECT_EQ(read.data[12], 308 % 256);
  EXPECT_EQ(memory.store.data[300], 0x5A);
  EXPECT_EQ(memory.store.data[299], 299 % 256);
  EXPECT_EQ(crossing.payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(memory.reads, 1U);
  EXPECT_EQ(memory.writes, 1U);
  EXPECT_TRUE(slice.idle());
  EXPECT_EQ(lower.violations(), 0U);
}

TEST(L2Slice, RefusesSizesThatDoNotWork) {
  const auto build = [](void (*change)(L2Config&)) {
    L2Config config = one_slice();
    change(config);
    return L2Cache(config);
  };
  EXPECT_THROW(build([](L2Config& c) { c.cache.line_bytes = 64; }), std::invalid_argument);
  const AddressMap map(AddressMapConfig(), one_slice(), one_channel());
  ClockDomain clock("clock", ns(1));
  L2Config config = one_slice();
  config.miss_queue = 1;
  EXPECT_THROW(L2Slice("a", clock, config, map), std::invalid_argument);
  config = one_slice();
  config.queue = 3;
  EXPECT_THROW(L2Slice("b", clock, config, map), std::invalid_argument);
  config = one_slice();
  config.hit_latency_cycles = 0;
  EXPECT_THROW(L2Slice("c", clock, config, map), std::invalid_argument);
}

}  // namespace
}  // namespace heddle::test
