// Standard initiators and memories on all sides of an interconnect.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "modules/interconnect/interconnect.h"
#include "sc_tests/modules/interconnect/four_slices.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_traffic.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

/// Plain initiators and plain memories round an interconnect on a clock of 1 ns, all hops checked.
struct ForeignBench {
  ForeignBench()
      : map(AddressMapConfig(), L2Config(), two_channels()), network("network", clock, {}, 2, map) {
    for (unsigned i = 0; i < 2; ++i) {
      generators.push_back(std::make_unique<TrafficGenerator>(numbered("generator", i).c_str(), 6));
      generators[i]->socket.bind(checker().from_initiator);
      checkers.back()->to_target.bind(network.sm_ports[i].socket);
    }
    for (unsigned i = 0; i < kSlices; ++i) {
      memories.push_back(std::make_unique<DataMemory>(numbered("memory", i).c_str(), 5, 60));
      network.partition_ports[i].socket.bind(checker().from_initiator);
      checkers.back()->to_target.bind(memories[i]->socket);
    }
  }
  ProtocolChecker& checker() {
    const std::string name = numbered("checker", checkers.size());
    checkers.push_back(std::make_unique<ProtocolChecker>(name.c_str()));
    return *checkers.back();
  }
  ClockDomain clock{"clock", ns(1)};
  AddressMap map;
  Interconnect network;
  std::vector<std::unique_ptr<TrafficGenerator>> generators;
  std::vector<std::unique_ptr<DataMemory>> memories;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;
};

TEST(InterconnectForeign, StandardInitiatorsReachEverySliceWithTheirData) {
  ForeignBench bench;
  bench.generators[0]->add_random(1000, 40, 3);
  const auto& crossing = bench.generators[0]->load(1, 120, 16);
  for (unsigned i = 0; i < 200; ++i) bench.generators[1]->load(1, 0x8000 + std::uint64_t{i} * 128, 128);
  sc_core::sc_start(ns(200000));
  for (const auto& generator : bench.generators) EXPECT_EQ(generator->done(), generator->accesses.size());
  EXPECT_EQ(bench.generators[0]->stale(), 1U);  // the refused one
  EXPECT_EQ(crossing.payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(bench.generators[1]->stale(), 0U);
  for (const auto& memory : bench.memories) EXPECT_GT(memory->reads, 100U);
  EXPECT_TRUE(bench.network.idle());
  for (const auto& checker : bench.checkers) {
    checker->check_idle();
    EXPECT_EQ(checker->violations(), 0U);
  }
}

TEST(InterconnectForeign, ALooselyTimedAccessTakesTheTimeOfBothNetworks) {
  ForeignBench bench;
  sc_core::sc_start(ns(1));
  tlm::tlm_generic_payload payload;
  std::array<unsigned char, 128> data{};
  TrafficGenerator::prepare(payload, tlm::TLM_READ_COMMAND, kBlock, 128, data.data());
  sc_core::sc_time delay;
  bench.generators[0]->socket->b_transport(payload, delay);
  // A flit there, four back (as many edges as the last follows the first), and 5 ns of the memory.
  EXPECT_EQ(delay, ns(2 * InterconnectConfig().latency_cycles + 3 + 5));
  EXPECT_EQ(data[1], TrafficGenerator::initial(kBlock + 1));
  EXPECT_EQ(bench.memories[bench.map.slice_of(kBlock)]->reads, 1U);
  TrafficGenerator::prepare(payload, tlm::TLM_READ_COMMAND, kBlock - 4, 8, data.data());
  bench.generators[0]->socket->b_transport(payload, delay);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(InterconnectForeign, AnUntimedAccessThatEndsInTheSliceOfItsBeginningIsRefusedForWhatLiesBetween) {
  ForeignBench bench;
  sc_core::sc_start(ns(1));
  tlm::tlm_generic_payload payload;
  std::array<unsigned char, 256> data{};
  // The address goes on to the other slices and comes back.
  const unsigned bytes = kSlices * kBlock + 4;
  ASSERT_EQ(bench.map.slice_of(0), bench.map.slice_of(bytes - 1));
  TrafficGenerator::prepare(payload, tlm::TLM_READ_COMMAND, 0, bytes, data.data());
  sc_core::sc_time delay;
  bench.generators[0]->socket->b_transport(payload, delay);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(bench.generators[0]->socket->transport_dbg(payload), 0U);
}

}  // namespace
}  // namespace heddle::test
