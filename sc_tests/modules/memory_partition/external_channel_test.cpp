#include "modules/memory_partition/external_channel.h"

#include <gtest/gtest.h>

#include "sc_tests/modules/memory_partition/foreign_stubs.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/stat_values.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

constexpr Cycle kLatency = 30;

DramConfig channels(unsigned count) {
  DramConfig config;
  config.channels = count;
  return config;
}

/// Two stub slices in front of the channel and a stub memory behind it, all hops checked.
struct ExternalBench {
  explicit ExternalBench(const ExternalMemory& options = {})
      : channel("channel", clock, options, map, 0, 2, 8) {
    for (unsigned i = 0; i < 2; ++i) {
      slices[i].port.socket.bind(upper[i].from_initiator);
      upper[i].to_target.bind(channel.ports[i].socket);
    }
    channel.memory.socket.bind(lower.from_initiator);
    lower.to_target.bind(memory.port.socket);
  }
  void finish() {
    EXPECT_TRUE(channel.idle());
    upper[0].check_idle();
    upper[1].check_idle();
    lower.check_idle();
  }
  AddressMap map{AddressMapConfig(), L2Config(), channels(6)};
  ClockDomain clock{"clock", ns(1)};
  StubInitiator slices[2] = {{"slice0", clock, tick_order::kMemory, 64},
                             {"slice1", clock, tick_order::kMemory, 64}};
  ProtocolChecker upper[2] = {ProtocolChecker("upper0"), ProtocolChecker("upper1")};
  ProtocolChecker lower{"lower"};
  StubTarget memory{"memory", clock, kLatency};
  ExternalChannel channel;
};

TEST(ExternalChannel, AddsOneCycleEachWay) {
  ExternalBench bench;
  bench.slices[0].at(10, 0);
  sc_core::sc_start(ns(100));
  // Sent at 10, out at 11, seen by the memory at 12, which answers; in at + 1, and at the slice one later.
  EXPECT_EQ(bench.memory.requests, (std::vector<Seen>{{0, 12}}));
  EXPECT_EQ(bench.slices[0].responses, (std::vector<Seen>{{0, 12 + kLatency + 1 + 1}}));
  bench.finish();
}

TEST(ExternalChannel, AddressesAreDenseFromZeroInTheChannel) {
  ExternalBench bench;
  // The channel gets every sixth block of 256 bytes.
  for (unsigned block = 0; block < 4; ++block) {
    bench.slices[0].at(10 + block, std::uint64_t{block} * 6 * 256 + 128);
  }
  sc_core::sc_start(ns(100));
  std::vector<std::uint64_t> addresses;
  for (const Seen& seen : bench.memory.requests) addresses.push_back(seen.address);
  EXPECT_EQ(addresses, (std::vector<std::uint64_t>{128, 384, 640, 896}));
  bench.finish();
}

TEST(ExternalChannel, SlicesTakeTurns) {
  ExternalBench bench;
  for (unsigned i = 0; i < 8; ++i) {
    bench.slices[0].at(10, std::uint64_t{i} * kLineBytes);
    bench.slices[1].at(10, 0x100000 + i * kLineBytes);
  }
  sc_core::sc_start(ns(200));
  unsigned from_first = 0;
  ASSERT_EQ(bench.memory.requests.size(), 16U);
  for (unsigned i = 0; i < 16; ++i) {
    from_first += bench.memory.requests[i].address < 0x10000 ? 1 : 0;
    EXPECT_LE(from_first, i / 2 + 1);
    EXPECT_GE(from_first, (i + 1) / 2);
  }
  bench.finish();
}

struct Split {
  unsigned first_byte;
  unsigned bytes;
  std::vector<std::pair<std::uint64_t, unsigned>> parts;  ///< address, length
};

class Splitting : public ::testing::TestWithParam<Split> {};

TEST_P(Splitting, MakesAlignedPowersOfTwo) {
  ExternalMemory options;
  options.aligned_powers_of_two = true;
  ExternalBench bench(options);
  bench.memory.latency_of = [n = Cycle{40}]() mutable { return n -= 9; };  // answers in the opposite order
  bench.slices[0].at(10, GetParam().first_byte, RequestKind::kLoad, GetParam().bytes);
  std::vector<std::pair<std::uint64_t, unsigned>> parts;
  sc_core::sc_start(ns(20));
  for (tlm::tlm_generic_payload* part : bench.memory.payloads) {
    parts.emplace_back(part->get_address(), part->get_data_length());
  }
  EXPECT_EQ(parts, GetParam().parts);
  EXPECT_TRUE(bench.slices[0].responses.empty());
  sc_core::sc_start(ns(100));
  EXPECT_EQ(bench.slices[0].responses.size(), 1U);
  bench.finish();
}

INSTANTIATE_TEST_SUITE_P(Runs, Splitting,
                         ::testing::Values(Split{0, 128, {{0, 128}}}, Split{0, 96, {{0, 64}, {64, 32}}},
                                           Split{32, 96, {{32, 32}, {64, 64}}},
                                           Split{32, 64, {{32, 32}, {64, 32}}}, Split{64, 64, {{64, 64}}}));

TEST(ExternalChannel, EndsResponsesApartWhenAsked) {
  ExternalMemory options;
  options.explicit_end_resp = true;
  ExternalBench bench(options);
  for (unsigned i = 0; i < 5; ++i) bench.slices[0].at(10, std::uint64_t{i} * kLineBytes);
  sc_core::sc_start(ns(200));
  ASSERT_EQ(bench.memory.responded.size(), 5U);
  // A response is ended at the edge after it, so that the next comes at the second.
  for (unsigned i = 1; i < 5; ++i) {
    EXPECT_EQ(bench.memory.responded[i].cycle - bench.memory.responded[i - 1].cycle, 2U);
  }
  EXPECT_EQ(bench.slices[0].responses.size(), 5U);
  bench.finish();
}

TEST(ExternalChannel, PassesErrorsOn) {
  ExternalBench bench;
  unsigned errors = 0;
  bench.slices[0].on_response = [&](tlm::tlm_generic_payload& payload) {
    errors += payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE ? 1 : 0;
  };
  bench.slices[0].at(10, 0);
  sc_core::sc_start(ns(20));
  ASSERT_EQ(bench.memory.payloads.size(), 1U);
  bench.memory.payloads[0]->set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  sc_core::sc_start(ns(100));
  EXPECT_EQ(errors, 1U);
}

TEST(ExternalChannel, UntimedAccessesGoToTheSameAddresses) {
  const AddressMap map{AddressMapConfig(), L2Config(), channels(6)};
  ClockDomain clock("clock", ns(1));
  StubInitiator slice("slice", clock);
  PlainMemory memory("memory");
  ExternalChannel channel("channel", clock, ExternalMemory(), map, 0, 1, 8);
  slice.port.socket.bind(channel.ports[0].socket);
  channel.memory.socket.bind(memory.socket);
  sc_core::sc_start(ns(1));
  // The seventh block is the channel's second.
  const std::uint64_t address = 6 * 256 + 250;
  std::array<unsigned char, 20> data{};
  tlm::tlm_generic_payload payload;
  PlainInitiator::prepare(payload, tlm::TLM_WRITE_COMMAND, address, 4, data.data());
  data.fill(7);
  sc_core::sc_time delay;
  channel.b_transport(payload, delay);
  EXPECT_EQ(delay, ns(72));  // a cycle each way
  EXPECT_EQ(payload.get_address(), address);
  EXPECT_EQ(memory.store.data[256 + 249], 249);
  EXPECT_EQ(memory.store.data[256 + 250], 7);
  PlainInitiator::prepare(payload, tlm::TLM_READ_COMMAND, address, 20, data.data());
  data.fill(0);
  EXPECT_EQ(channel.transport_dbg(payload), 6U);  // the rest is another channel's
  EXPECT_EQ(payload.get_address(), address);
  EXPECT_EQ(payload.get_data_length(), 20U);
  EXPECT_EQ(data[3], 7);
  EXPECT_EQ(data[5], 255);
  EXPECT_EQ(data[6], 0);
}

TEST(ExternalChannel, CountsWhatItSends) {
  ExternalBench bench;
  bench.slices[0].at(10, 0, RequestKind::kLoad, 96);
  bench.slices[1].at(10, 0x10000, RequestKind::kStore, 32);
  bench.slices[1].at(10, 0x20000, RequestKind::kStore, 64);
  sc_core::sc_start(ns(100));
  StatValues stats;
  bench.channel.report(stats);
  EXPECT_EQ(stats.values["reads"], 1);
  EXPECT_EQ(stats.values["writes"], 2);
  EXPECT_EQ(stats.values["read_bytes"], 96);
  EXPECT_EQ(stats.values["written_bytes"], 96);
  EXPECT_EQ(stats.values["most_in_flight"], 3);
}

TEST(ExternalChannel, TimesOfARequestAddUpToItsLife) {
  ExternalBench bench;
  std::array<Ticks, kNumStages> spent{};
  bench.slices[0].on_response = [&](tlm::tlm_generic_payload& payload) {
    spent = request_of(payload)->spent();
  };
  bench.slices[0].at(10, 0);
  sc_core::sc_start(ns(100));
  const auto cycles = [&](Stage stage) {
    return spent[static_cast<unsigned>(stage)] / bench.clock.period_ticks();
  };
  EXPECT_EQ(cycles(Stage::kLdst), 1U);                // until it goes out
  EXPECT_EQ(cycles(Stage::kDram), 1 + kLatency + 1);  // until the answer is taken
  EXPECT_EQ(cycles(Stage::kReplyQueue), 1U);
}

}  // namespace
}  // namespace heddle::test
