// A standard initiator in place of a slice: what it may ask an external channel for, and what it is answered.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "modules/memory_partition/external_channel.h"
#include "modules/memory_partition/l2_slice.h"
#include "sc_tests/modules/memory_partition/foreign_stubs.h"
#include "sc_tests/support/apart.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_traffic.h"
#include "sc_tests/support/stat_values.h"

namespace heddle::test {
namespace {

using Payload = tlm::tlm_generic_payload;

constexpr unsigned kBlock = 256;
/// Its first block: the second of the map.
constexpr std::uint64_t kOwn = kBlock;

AddressMap map_of_six() {
  DramConfig dram;
  dram.channels = 6;
  return AddressMap(AddressMapConfig(), L2Config(), dram);
}

/// Channel 1 of six between an initiator and a memory of 64 kB that know nothing of Heddle.
struct ChannelRig {
  explicit ChannelRig(const ExternalMemory& options = {}) : channel("channel", clock, options, map, 1, 1, 2) {
    initiator.socket.bind(channel.ports[0].socket);
    channel.memory.socket.bind(memory.socket);
  }
  AddressMap map = map_of_six();
  ClockDomain clock{"clock", ns(1)};
  TrafficGenerator initiator{"initiator"};
  DataMemory memory{"memory", 5, 5};
  ExternalChannel channel;
};

struct Asked {
  const char* what;
  std::uint64_t address;
  unsigned bytes;
  tlm::tlm_response_status answer;
  std::function<void(Payload&)> change = [](Payload&) {};
  bool reaches_memory = false;
};

unsigned char one_enable = TLM_BYTE_ENABLED;

std::vector<Asked> asked() {
  const auto repeats = [](Payload& payload) { payload.set_streaming_width(4); };
  const auto no_enables = [](Payload& payload) {
    payload.set_byte_enable_ptr(&one_enable);
    payload.set_byte_enable_length(0);
  };
  return {
      {"its own", kOwn + 4, 16, tlm::TLM_OK_RESPONSE, [](Payload&) {}, true},
      {"channel 0's", 4, 16, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {"channel 2's", 2 * kBlock, 16, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {"empty", kOwn, 0, tlm::TLM_BURST_ERROR_RESPONSE},
      {"leaves the block", kOwn + kBlock - 8, 16, tlm::TLM_BURST_ERROR_RESPONSE},
      {"repeats", kOwn, 16, tlm::TLM_BURST_ERROR_RESPONSE, repeats},
      {"enables of no length", kOwn, 16, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, no_enables},
      {"behind the memory's end", kOwn + 6 * (1 << 16), 16, tlm::TLM_ADDRESS_ERROR_RESPONSE, [](Payload&) {},
       false},
  };
}

TEST(ExternalChannelForeign, WhatItCanNotDoIsAnErrorAndNeverAnotherAddress) {
  for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
    const std::string done = apart([command] {
      ChannelRig rig;
      unsigned reaching = 0;
      for (const Asked& test : asked()) {
        test.change(rig.initiator.add(1, command, test.address, test.bytes).payload);
        reaching += test.reaches_memory ? 1 : 0;
      }
      sc_core::sc_start(ns(1000));
      const std::vector<Asked> expected = asked();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const TrafficGenerator::Access& access = *rig.initiator.accesses[i];
        EXPECT_TRUE(access.done) << expected[i].what;
        EXPECT_EQ(access.payload.get_response_status(), expected[i].answer) << expected[i].what;
        EXPECT_EQ(access.payload.get_address(), expected[i].address) << expected[i].what;
      }
      EXPECT_EQ(rig.memory.reads + rig.memory.writes, reaching);
      EXPECT_TRUE(rig.channel.idle());
      return std::to_string(rig.initiator.done());
    });
    EXPECT_EQ(done, "8");
  }
}

TEST(ExternalChannelForeign, LooselyTimedLikewise) {
  ChannelRig rig;
  sc_core::sc_start(ns(1));
  for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
    for (const Asked& test : asked()) {
      std::array<unsigned char, 32> data{};
      Payload payload;
      TrafficGenerator::prepare(payload, command, test.address, test.bytes, data.data());
      test.change(payload);
      sc_core::sc_time delay = ns(10);
      rig.initiator.socket->b_transport(payload, delay);
      EXPECT_EQ(payload.get_response_status(), test.answer) << test.what;
      EXPECT_EQ(payload.get_address(), test.address) << test.what;
      // A cycle each way, and the memory's time.
      if (test.reaches_memory) {
        EXPECT_EQ(delay, ns(10 + 1 + 5 + 1)) << test.what;
      }
    }
  }
  EXPECT_EQ(rig.memory.reads, 1U);
  EXPECT_EQ(rig.memory.writes, 1U);
}

TEST(ExternalChannelForeign, ByteEnablesAreHonouredAlsoInParts) {
  for (const bool parts : {false, true}) {
    const std::string written = apart([parts] {
      ExternalMemory options;
      options.aligned_powers_of_two = parts;
      ChannelRig rig(options);
      // A pattern that no part begins with; a part of 32 bytes, one of 64.
      std::array<unsigned char, 3> enables{TLM_BYTE_DISABLED, TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
      const auto enable = [&enables](Payload& payload) {
        payload.set_byte_enable_ptr(enables.data());
        payload.set_byte_enable_length(enables.size());
      };
      enable(rig.initiator.store(1, kOwn + 32, 96, 0xEE).payload);
      TrafficGenerator::Access& load = rig.initiator.load(1, kOwn + 32, 96);
      enable(load.payload);
      load.data.fill(0x11);
      sc_core::sc_start(ns(200));
      EXPECT_EQ(rig.initiator.done(), 2U);
      for (unsigned i = 0; i < 96; ++i) {
        const bool on = i % 3 == 1;
        EXPECT_EQ(rig.memory.bytes[32 + i], on ? 0xEE : TrafficGenerator::initial(32 + i)) << i;
        EXPECT_EQ(load.data[i], on ? 0xEE : 0x11) << i;
      }
      return std::to_string(rig.memory.writes);
    });
    EXPECT_EQ(written, parts ? "2" : "1");
  }
}

TEST(ExternalChannelForeign, IgnoreIsAnsweredAndNoAccessIsCounted) {
  ChannelRig rig;
  TrafficGenerator::Access& access = rig.initiator.add(1, tlm::TLM_IGNORE_COMMAND, kOwn, 16);
  sc_core::sc_start(ns(100));
  EXPECT_TRUE(access.done);
  EXPECT_EQ(access.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  StatValues stats;
  rig.channel.report(stats);
  EXPECT_EQ(stats.values["reads"] + stats.values["writes"], 0);
}

TEST(ExternalChannelForeign, DebugTransportHasNoBytesOfOthers) {
  const AddressMap map = map_of_six();
  ClockDomain clock("clock", ns(1));
  PlainInitiator initiator("initiator");
  PlainMemory memory("memory");
  ExternalChannel channel("channel", clock, ExternalMemory(), map, 1, 1, 2);
  initiator.socket.bind(channel.ports[0].socket);
  channel.memory.socket.bind(memory.socket);
  sc_core::sc_start(ns(1));
  std::array<unsigned char, 16> data{};
  Payload payload;
  PlainInitiator::prepare(payload, tlm::TLM_READ_COMMAND, kOwn + 3, 16, data.data());
  EXPECT_EQ(initiator.socket->transport_dbg(payload), 16U);
  EXPECT_EQ(data[0], 3);
  for (const std::uint64_t other : {std::uint64_t{3}, std::uint64_t{2 * kBlock + 3}}) {
    data.fill(0x55);
    PlainInitiator::prepare(payload, tlm::TLM_READ_COMMAND, other, 16, data.data());
    EXPECT_EQ(initiator.socket->transport_dbg(payload), 0U);
    EXPECT_EQ(data[0], 0x55);
  }
}

TEST(ExternalChannelForeign, AChannelThatTheMapHasNotIsRefused) {
  const AddressMap map = map_of_six();
  ClockDomain clock("clock", ns(1));
  EXPECT_THROW(ExternalChannel("channel", clock, ExternalMemory(), map, 6, 1, 2), std::invalid_argument);
}

/// The second slice's request comes while the memory holds END_REQ back, and the first one's next after it.
TEST(ExternalChannelForeign, WhoseTurnItIsDoesNotDependOnSleeping) {
  for (const bool sleeping : {true, false}) {
    const std::string order = apart([sleeping] {
      const AddressMap map = map_of_six();
      ClockDomain clock("clock", ns(1), sleeping);
      StubInitiator first("first", clock);
      StubInitiator second("second", clock);
      PlainMemory memory("memory");  // END_REQ after 20 ns
      ExternalChannel channel("channel", clock, ExternalMemory(), map, 1, 2, 4);
      first.port.socket.bind(channel.ports[0].socket);
      second.port.socket.bind(channel.ports[1].socket);
      channel.memory.socket.bind(memory.socket);
      first.at(5, kOwn);
      first.at(6, kOwn + 0x20, RequestKind::kLoad, 32);
      second.at(15, kOwn + 0x40, RequestKind::kLoad, 32);
      sc_core::sc_start(ns(500));
      EXPECT_EQ(first.responses.size() + second.responses.size(), 3U);
      return std::to_string(first.responses.back().cycle < second.responses.back().cycle);
    });
    EXPECT_EQ(order, "1") << (sleeping ? "asleep" : "awake");
  }
}

/// The slice sees a block of ours behind it, and the memory beyond.
TEST(ExternalChannelForeign, ASliceInFrontAnswersAnErrorForWhatTheMemoryHasNot) {
  const AddressMap map = map_of_six();
  ClockDomain clock("clock", ns(1));
  TrafficGenerator initiator("initiator");
  L2Slice slice("slice", clock, L2Config(), map);
  ExternalChannel channel("channel", clock, ExternalMemory(), map, 1, 1, 2);
  PlainMemory memory("memory");  // of 16 kB
  initiator.socket.bind(slice.port.socket);
  slice.dram.socket.bind(channel.ports[0].socket);
  channel.memory.socket.bind(memory.socket);
  const auto& there = initiator.load(1, kOwn + 32, 8);
  const auto& behind = initiator.load(1, kOwn + 6 * (1 << 14), 8);
  const auto& other = initiator.load(1, 32, 8);
  sc_core::sc_start(ns(2000));
  EXPECT_EQ(there.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(there.data[1], 33);
  EXPECT_EQ(behind.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(other.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

}  // namespace
}  // namespace heddle::test
