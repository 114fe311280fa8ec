// A foreign module in a hop of the network sees the time of the blocks, also when clocks are told to run
// ahead.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "modules/interconnect/interconnect.h"
#include "sc_tests/support/kernel_time.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_bridge.h"

namespace heddle::test {
namespace {

/// Of one partition with one slice.
AddressMap one_slice() {
  L2Config l2;
  l2.slices_per_channel = 1;
  DramConfig dram;
  dram.channels = 1;
  return {AddressMapConfig(), l2, dram};
}

TEST(InterconnectForeignTime, InTheHopFromAnSmAndToAPartition) {
  Horizon horizon("horizon", ns(5000));
  ClockTree tree("tree");
  tree.run_ahead();
  ClockDomain clock("clock", ns(1), true, &tree);
  KernelTime time(clock);
  const AddressMap map = one_slice();
  Interconnect network("network", clock, InterconnectConfig(), 1, map);
  StubInitiator sm("sm", clock, tick_order::kExecute, 64);
  StubTarget partition("partition", clock, 20);
  PlainBridge before("before");
  PlainBridge behind("behind");
  before.called = behind.called = [&] { time.look(); };
  sm.port.socket.bind(before.in);
  before.out.bind(network.sm_ports[0].socket);
  network.partition_ports[0].socket.bind(behind.in);
  behind.out.bind(partition.port.socket);
  for (std::uint64_t i = 0; i < 30; ++i) sm.at(5 + 3 * i, i * kLineBytes);
  sc_core::sc_start(ns(4000));
  EXPECT_EQ(sm.responses.size(), 30U);
  EXPECT_EQ(socket_peers().foreign.size(), 2U);
  EXPECT_GE(time.looks, 120U);
  EXPECT_EQ(time.wrong, 0U);
}

/// Notes the annotated time of loosely timed accesses.
class NotingBridge : public PlainBridge {
 public:
  using PlainBridge::PlainBridge;
  std::vector<sc_core::sc_time> annotated;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    annotated.push_back(delay);
    out->b_transport(payload, delay);
  }
};

TEST(InterconnectForeignTime, ALooselyTimedAccessReachesThePartitionAfterTheWayThere) {
  ClockDomain clock("clock", ns(1));
  const AddressMap map = one_slice();
  Interconnect network("network", clock, InterconnectConfig(), 1, map);
  StubInitiator sm("sm", clock, tick_order::kExecute, 64);
  StubTarget partition("partition", clock, 20);
  PlainBridge before("before");
  NotingBridge behind("behind");
  sm.port.socket.bind(before.in);
  before.out.bind(network.sm_ports[0].socket);
  network.partition_ports[0].socket.bind(behind.in);
  behind.out.bind(partition.port.socket);
  sc_core::sc_start(ns(1));
  std::array<unsigned char, kLineBytes> data{};
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_data_ptr(data.data());
  payload.set_data_length(kLineBytes);
  payload.set_streaming_width(kLineBytes);
  sc_core::sc_time delay = ns(100);  // the initiator has run ahead by so much
  before.out->b_transport(payload, delay);
  // One flit there, four back.
  const sc_core::sc_time there = ns(100 + InterconnectConfig().latency_cycles);
  EXPECT_EQ(behind.annotated, std::vector<sc_core::sc_time>{there});
  EXPECT_EQ(delay, there + ns(InterconnectConfig().latency_cycles + 3));
}

}  // namespace
}  // namespace heddle::test
