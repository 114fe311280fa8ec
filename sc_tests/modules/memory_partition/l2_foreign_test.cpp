// Standard initiators and standard memories around an L2 slice: no data are lost or stale.
#include <gtest/gtest.h>

#include "modules/memory_partition/memory_partition.h"
#include "sc_tests/modules/memory_partition/late_memory.h"
#include "sc_tests/modules/memory_partition/random_traffic.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_bridge.h"
#include "sc_tests/support/stat_values.h"
#include "sc_tests/support/timed_memory.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

constexpr unsigned kAccesses = 20'000;
constexpr unsigned kSets = 2;
constexpr unsigned kWays = 2;

/// Two sets of two ways for a dozen lines: almost every access evicts.
L2Config small_l2() {
  L2Config config;
  config.slices_per_channel = 1;
  config.input_delay_cycles = 2;
  config.cache.sets = kSets;
  config.cache.ways = kWays;
  return config;
}

DramConfig one_channel() {
  DramConfig config;
  config.channels = 1;
  return config;
}

struct Case {
  const char* name;
  Moves moves;
  unsigned initiators;
  unsigned outstanding;
};

void PrintTo(const Case& shown, std::ostream* out) { *out << shown.name; }

class L2WithLateMemory : public ::testing::TestWithParam<Case> {};

TEST_P(L2WithLateMemory, NoReadIsStaleAndNoWriteIsLost) {
  const L2Config config = small_l2();
  const AddressMap map(AddressMapConfig(), config, one_channel());
  ClockDomain clock("clock", ns(1));
  RandomTraffic traffic("traffic", {kAccesses, GetParam().initiators, GetParam().outstanding, 12, kLineBytes},
                        1);
  ProtocolChecker upper("upper");
  L2Slice slice("slice", clock, config, map);
  ProtocolChecker lower("lower");
  LateMemory memory("memory", GetParam().moves, 2);
  traffic.socket.bind(upper.from_initiator);
  upper.to_target.bind(slice.port.socket);
  slice.dram.socket.bind(lower.from_initiator);
  lower.to_target.bind(memory.socket);
  sc_core::sc_start(ns(20'000'000));

  EXPECT_EQ(traffic.answered, kAccesses);
  EXPECT_EQ(traffic.stale, 0U) << "of " << traffic.reads << " reads";
  EXPECT_GT(traffic.refused, kAccesses / 100);
  EXPECT_TRUE(slice.idle());
  // The memory has everything that left the slice, and by debug transport the rest.
  EXPECT_EQ(memory.store.data, traffic.expected.data);
  // The traffic is what it is meant to be.
  EXPECT_GT(memory.writes, kAccesses / 10);
  EXPECT_GT(memory.passed_by, 100U);
  upper.check_idle();
  lower.check_idle();
}

INSTANTIATE_TEST_SUITE_P(Memories, L2WithLateMemory,
                         ::testing::Values(Case{"InOrderEndRequest", Moves::kAtEndRequest, 1, 1},
                                           Case{"InOrderServed", Moves::kWhenServed, 1, 1},
                                           Case{"InOrderBeginResponse", Moves::kAtBeginResponse, 1, 1},
                                           Case{"ManyEndRequest", Moves::kAtEndRequest, 3, 8},
                                           Case{"ManyServed", Moves::kWhenServed, 3, 8},
                                           Case{"ManyBeginResponse", Moves::kAtBeginResponse, 3, 8}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(L2Foreign, NothingIsLostBehindAnExternalChannelEither) {
  const L2Config config = small_l2();
  const AddressMap map(AddressMapConfig(), config, one_channel());
  ClockDomain clock("clock", ns(1));
  RandomTraffic traffic("traffic", {kAccesses, 3, 8, 12, kLineBytes}, 4);
  ExternalMemory parts;
  parts.aligned_powers_of_two = true;
  parts.explicit_end_resp = true;
  MemoryPartition partition("partition", clock, clock, config, one_channel(), map, 0, ns(1), nullptr, parts);
  ProtocolChecker lower("lower");
  LateMemory memory("late_memory", Moves::kAtBeginResponse, 5);
  traffic.socket.bind(partition.sockets[0]);
  partition.memory->memory.socket.bind(lower.from_initiator);
  lower.to_target.bind(memory.socket);
  sc_core::sc_start(ns(20'000'000));
  EXPECT_EQ(traffic.answered, kAccesses);
  EXPECT_EQ(traffic.stale, 0U) << "of " << traffic.reads << " reads";
  EXPECT_TRUE(partition.idle());
  EXPECT_EQ(memory.store.data, traffic.expected.data);
  EXPECT_GT(memory.writes, kAccesses / 10);
  lower.check_idle();
}

/// A slice of one line between a plain initiator and a memory that answers when the test says so.
struct OneLine {
  OneLine() : map(AddressMapConfig(), config, one_channel()), slice("slice", clock, config, map) {
    initiator.socket.bind(slice.port.socket);
    slice.dram.socket.bind(memory.socket);
  }
  static L2Config one_line() {
    L2Config config = small_l2();
    config.cache.sets = 1;
    config.cache.ways = 1;
    return config;
  }
  L2Config config = one_line();
  AddressMap map;
  ClockDomain clock{"clock", ns(1)};
  PlainInitiator initiator{"initiator"};
  PlainMemory memory{"memory"};
  L2Slice slice;
};

TEST(L2Foreign, AWriteWaitsForTheWriteBackOfItsBytesAndNoLonger) {
  OneLine bench;
  bench.initiator.add(tlm::TLM_WRITE_COMMAND, 0, 32).data.fill(1);
  // Evicts the first line: its write-back is sent, accepted after 20 ns and answered 50 ns later.
  auto& evicts = bench.initiator.add(tlm::TLM_WRITE_COMMAND, kLineBytes, 32);
  auto& waits = bench.initiator.add(tlm::TLM_WRITE_COMMAND, 8, 4);
  waits.data.fill(2);
  sc_core::sc_start(ns(1000));
  const double write_back_ns = 20 + 50;
  // From the eviction to the answer, and not by more than the few cycles of either end.
  const double waited_ns = (waits.done_at - evicts.done_at).to_seconds() * 1e9;
  EXPECT_GE(waited_ns, write_back_ns - 2);
  EXPECT_LE(waited_ns, write_back_ns + 6);
  EXPECT_EQ(bench.memory.store.data[7], 1);
  EXPECT_EQ(bench.memory.store.data[8], 2);
  EXPECT_EQ(bench.memory.store.data[12], 1);
}

TEST(L2Foreign, AWriteToOtherBytesDoesNotWait) {
  OneLine bench;
  bench.initiator.add(tlm::TLM_WRITE_COMMAND, 0, 32).data.fill(1);
  auto& evicts = bench.initiator.add(tlm::TLM_WRITE_COMMAND, kLineBytes, 32);
  auto& other = bench.initiator.add(tlm::TLM_WRITE_COMMAND, kLineBytes + 64, 32);
  sc_core::sc_start(ns(1000));
  EXPECT_LE((other.done_at - evicts.done_at).to_seconds() * 1e9, 4);
}

TEST(L2Foreign, TheCyclesOfTheWaitHaveACauseOfTheirOwn) {
  OneLine bench;
  bench.initiator.add(tlm::TLM_WRITE_COMMAND, 0, 32).data.fill(1);
  bench.initiator.add(tlm::TLM_WRITE_COMMAND, kLineBytes, 32);
  bench.initiator.add(tlm::TLM_WRITE_COMMAND, 8, 4);
  sc_core::sc_start(ns(1000));
  bench.slice.settle();
  StatValues stats;
  bench.slice.report(stats);
  double sum = 0;
  for (const auto& [name, value] : stats.values) sum += name.rfind("cycles_", 0) == 0 ? value : 0;
  EXPECT_EQ(sum, stats.values["cycles"]);
  EXPECT_GE(stats.values["cycles_write_back"], 20 + 50 - 4);
  EXPECT_LE(stats.values["cycles_write_back"], 20 + 50 + 4);
}

TEST(L2Foreign, WhereTheMemoryHasNoDebugTransportAnAccessIsRefusedAndNotLost) {
  const L2Config config = small_l2();
  const AddressMap map(AddressMapConfig(), config, one_channel());
  ClockDomain clock("clock", ns(1));
  PlainInitiator initiator("initiator");
  L2Slice slice("slice", clock, config, map);
  TimedMemory<64> memory("memory", 10, ns(50));
  initiator.socket.bind(slice.port.socket);
  slice.dram.socket.bind(memory.socket);
  auto& write = initiator.add(tlm::TLM_WRITE_COMMAND, 0, 32);
  auto& read = initiator.add(tlm::TLM_READ_COMMAND, 64, 4);
  sc_core::sc_start(ns(500));
  EXPECT_EQ(write.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(read.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(memory.requests, 0U);
  EXPECT_TRUE(slice.idle());
}

/// A loosely timed writer, in a thread of its own.
class LooseWriter : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  SC_HAS_PROCESS(LooseWriter);
  LooseWriter(const sc_core::sc_module_name& name, L2Slice& slice) : sc_module(name), slice_(slice) {
    SC_THREAD(run);
  }
  sc_core::sc_time begins;
  sc_core::sc_time ended;
  unsigned debug_bytes = ~0U;

 private:
  void run() {
    wait(begins);
    std::array<unsigned char, 4> data{9, 9, 9, 9};
    tlm::tlm_generic_payload payload;
    PlainInitiator::prepare(payload, tlm::TLM_WRITE_COMMAND, 16, 4, data.data());
    debug_bytes = slice_.transport_dbg(payload);
    sc_core::sc_time delay;
    slice_.b_transport(payload, delay);
    ended = sc_core::sc_time_stamp();
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_phase& /*phase*/,
                                     sc_core::sc_time& /*delay*/) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) override {}
  L2Slice& slice_;
};

TEST(L2Foreign, UntimedWritesAreNotOverwrittenByAWriteBackEither) {
  OneLine bench;
  bench.initiator.add(tlm::TLM_WRITE_COMMAND, 0, 32).data.fill(1);
  bench.initiator.add(tlm::TLM_WRITE_COMMAND, kLineBytes, 32);
  LooseWriter writer("writer", bench.slice);
  writer.begins = ns(30);  // the write-back is on its way
  sc_core::sc_start(ns(1000));
  EXPECT_EQ(writer.debug_bytes, 0U);
  EXPECT_GT(writer.ended, ns(60));
  EXPECT_EQ(bench.memory.writes, 1U);
  EXPECT_EQ(bench.memory.store.data[15], 1);
  EXPECT_EQ(bench.memory.store.data[16], 9);
}

/// A bus whose debug transport answers as that of many memories does, with a status and a hint, and which
/// notes the annotated time of loosely timed accesses.
class TalkativeBus : public PlainBridge {
 public:
  using PlainBridge::PlainBridge;
  std::vector<sc_core::sc_time> annotated;

 private:
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    payload.set_dmi_allowed(true);
    return out->transport_dbg(payload);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    annotated.push_back(delay);
    out->b_transport(payload, delay);
  }
};

TEST(L2Foreign, AWriteBackBeginsWithoutTheAnswersOfDebugTransport) {
  const L2Config config = OneLine::one_line();
  const AddressMap map(AddressMapConfig(), config, one_channel());
  ClockDomain clock("clock", ns(1));
  PlainInitiator initiator("initiator");
  L2Slice slice("slice", clock, config, map);
  ProtocolChecker lower("lower");
  TalkativeBus bus("bus");
  PlainMemory memory("memory");
  initiator.socket.bind(slice.port.socket);
  slice.dram.socket.bind(lower.from_initiator);
  lower.to_target.bind(bus.in);
  bus.out.bind(memory.socket);
  initiator.add(tlm::TLM_WRITE_COMMAND, 0, 32);
  initiator.add(tlm::TLM_WRITE_COMMAND, kLineBytes, 32);  // evicts the line before
  sc_core::sc_start(ns(1000));
  EXPECT_EQ(memory.writes, 1U);
  EXPECT_EQ(lower.violations(), 0U);
}

TEST(L2Foreign, ALooselyTimedMissReachesTheMemoryAtItsTime) {
  const L2Config config = small_l2();
  const AddressMap map(AddressMapConfig(), config, one_channel());
  ClockDomain clock("clock", ns(1));
  PlainInitiator initiator("initiator");
  L2Slice slice("slice", clock, config, map);
  TalkativeBus bus("bus");
  PlainMemory memory("memory");
  initiator.socket.bind(slice.port.socket);
  slice.dram.socket.bind(bus.in);
  bus.out.bind(memory.socket);
  sc_core::sc_start(ns(1));
  std::array<unsigned char, 4> data{};
  tlm::tlm_generic_payload payload;
  PlainInitiator::prepare(payload, tlm::TLM_READ_COMMAND, 0, 4, data.data());
  sc_core::sc_time delay = ns(100);  // the initiator has run ahead by so much
  initiator.socket->b_transport(payload, delay);
  const sc_core::sc_time at_memory = ns(100 + config.input_delay_cycles + config.hit_latency_cycles);
  EXPECT_EQ(bus.annotated, std::vector<sc_core::sc_time>{at_memory});
  EXPECT_EQ(delay, at_memory + ns(70));
}

TEST(L2Foreign, TheGpusOwnTrafficUsesNoDebugTransport) {
  const L2Config config = small_l2();
  const AddressMap map(AddressMapConfig(), config, one_channel());
  ClockDomain clock("clock", ns(1));
  StubInitiator initiator("initiator", clock, tick_order::kExecute, 64);
  L2Slice slice("slice", clock, config, map);
  LateMemory memory("memory", Moves::kWhenServed, 3);
  initiator.port.socket.bind(slice.port.socket);
  slice.dram.socket.bind(memory.socket);
  for (unsigned i = 0; i < 64; ++i) {
    initiator.at(10 + i, std::uint64_t{i} * kLineBytes,
                 i % 2 == 0 ? RequestKind::kStore : RequestKind::kLoad);
  }
  sc_core::sc_start(ns(20'000));
  EXPECT_EQ(initiator.responses.size(), 64U);
  EXPECT_GT(memory.writes, 20U);
  EXPECT_EQ(memory.debug_calls, 0U);
}

}  // namespace
}  // namespace heddle::test
