// A foreign module at an L2 slice sees the time of the blocks, also when clocks are told to run ahead.
#include <gtest/gtest.h>

#include "modules/memory_partition/l2_slice.h"
#include "sc_tests/modules/memory_partition/foreign_stubs.h"
#include "sc_tests/support/kernel_time.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_bridge.h"

namespace heddle::test {
namespace {

using Names = std::vector<std::string>;

L2Config one_slice() {
  L2Config config;
  config.slices_per_channel = 1;
  config.cache.sets = 2;
  return config;
}

DramConfig single_channel() {
  DramConfig config;
  config.channels = 1;
  return config;
}

/// A slice on a clock that is told to run ahead for 5 microseconds.
struct AheadBench {
  AheadBench() { tree.run_ahead(); }
  void ask() {
    for (unsigned i = 0; i < 60; ++i) {
      initiator.at(5 + 3 * i, std::uint64_t{i} * kLineBytes,
                   i % 3 == 0 ? RequestKind::kLoad : RequestKind::kStore);
    }
  }
  Horizon horizon{"horizon", ns(5000)};
  ClockTree tree{"tree"};
  ClockDomain clock{"clock", ns(1), true, &tree};
  KernelTime time{clock};
  AddressMap map{AddressMapConfig(), one_slice(), single_channel()};
  StubInitiator initiator{"initiator", clock, tick_order::kExecute, 64};
  L2Slice slice{"slice", clock, one_slice(), map};
  StubTarget memory{"memory", clock, 20};
  PlainBridge bridge{"bridge"};
};

TEST(L2ForeignTime, InFrontOfTheSlice) {
  AheadBench bench;
  bench.ask();
  bench.initiator.port.socket.bind(bench.bridge.in);
  bench.bridge.out.bind(bench.slice.port.socket);
  bench.slice.dram.socket.bind(bench.memory.port.socket);
  bench.bridge.called = [&] { bench.time.look(); };
  sc_core::sc_start(ns(4000));
  EXPECT_EQ(bench.initiator.responses.size(), 60U);
  EXPECT_EQ(socket_peers().foreign, (Names{"initiator.port"}));
  EXPECT_GE(bench.time.looks, 120U);
  EXPECT_EQ(bench.time.wrong, 0U);
}

TEST(L2ForeignTime, BehindTheSlice) {
  AheadBench bench;
  bench.ask();
  bench.initiator.port.socket.bind(bench.slice.port.socket);
  bench.slice.dram.socket.bind(bench.bridge.in);
  bench.bridge.out.bind(bench.memory.port.socket);
  bench.bridge.called = [&] { bench.time.look(); };
  sc_core::sc_start(ns(4000));
  EXPECT_EQ(bench.initiator.responses.size(), 60U);
  EXPECT_EQ(socket_peers().foreign, (Names{"slice.dram"}));
  EXPECT_GE(bench.time.looks, 40U);
  EXPECT_EQ(bench.time.wrong, 0U);
}

TEST(L2ForeignTime, AForeignMemorysOwnTimesAreKept) {
  AheadBench bench;
  PlainMemory memory("plain_memory");
  bench.initiator.at(5, 0);
  bench.initiator.port.socket.bind(bench.bridge.in);
  bench.bridge.out.bind(bench.slice.port.socket);
  bench.slice.dram.socket.bind(memory.socket);
  StubInitiator idle("idle", bench.clock);
  idle.port.socket.bind(bench.memory.port.socket);
  sc_core::sc_start(ns(4000));
  ASSERT_EQ(bench.initiator.responses.size(), 1U);
  // The memory accepts after 20 ns and serves in 50: the slice adds its few cycles, and not the 4995 ns that
  // clocks would have run ahead.
  const Cycle lasted = bench.initiator.responses[0].cycle - 5;
  EXPECT_GE(lasted, 70U + one_slice().input_delay_cycles);
  EXPECT_LE(lasted, 70U + one_slice().input_delay_cycles + 10);
}

}  // namespace
}  // namespace heddle::test
