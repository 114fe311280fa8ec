#include "modules/interconnect/interconnect.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "modules/messages/tick_order.h"
#include "sc_tests/modules/interconnect/four_slices.h"
#include "sc_tests/modules/memory_partition/figures.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_traffic.h"
#include "sc_tests/support/stat_table.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

/// Slice of block b of the address space: blocks go to channels 0 and 1, then to their other slices.
constexpr unsigned slice_of_block(unsigned block) { return block % 2 * 2 + block / 2 % 2; }

struct Options {
  InterconnectConfig config{};
  unsigned sms = 4;
  Cycle latency = 20;
  bool reversed = false;
  bool sleeping = true;
  sc_core::sc_time partition_period = ns(1);
};

/// Stub SMs and stub partitions round an interconnect on a clock of 1 ns, all hops checked.
struct Bench : sc_core::sc_module {
  explicit Bench(const Options& options = Options(), const sc_core::sc_module_name& name = "bench")
      : sc_module(name),
        clock("clock", ns(1), options.sleeping),
        partition_clock("partition_clock", options.partition_period),
        map(AddressMapConfig(), L2Config(), two_channels()),
        sms(options.sms),
        partitions(kSlices) {
    if (!options.reversed) build_network(options);
    for (unsigned i = 0; i < options.sms; ++i) {
      const unsigned sm = options.reversed ? options.sms - 1 - i : i;
      sms[sm] = std::make_unique<StubInitiator>(numbered("sm", sm).c_str(), clock, tick_order::kExecute, 8);
    }
    for (unsigned i = 0; i < kSlices; ++i) {
      const unsigned slice = options.reversed ? kSlices - 1 - i : i;
      partitions[slice] = std::make_unique<StubTarget>(numbered("partition", slice).c_str(), partition_clock,
                                                       options.latency);
    }
    if (options.reversed) build_network(options);
    for (unsigned sm = 0; sm < options.sms; ++sm) {
      check(sms[sm]->port.socket, network->sm_ports[sm].socket);
    }
    for (unsigned slice = 0; slice < kSlices; ++slice) {
      check(network->partition_ports[slice].socket, partitions[slice]->port.socket);
    }
  }

  void build_network(const Options& options) {
    network = std::make_unique<Interconnect>("network", clock, options.config, options.sms, map);
  }
  void check(MemoryInitiatorSocket& from, MemoryTargetSocket& to) {
    checkers.push_back(std::make_unique<ProtocolChecker>(numbered("checker", next_checker++).c_str()));
    from.bind(checkers.back()->from_initiator);
    checkers.back()->to_target.bind(to);
  }
  void finish() {
    EXPECT_TRUE(network->idle());
    for (const auto& checker : checkers) {
      checker->check_idle();
      EXPECT_EQ(checker->violations(), 0U);
    }
  }

  ClockDomain clock;
  ClockDomain partition_clock;
  AddressMap map;
  std::unique_ptr<Interconnect> network;
  std::vector<std::unique_ptr<StubInitiator>> sms;
  std::vector<std::unique_ptr<StubTarget>> partitions;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;
  unsigned next_checker = 0;
};

// A packet leaves latency + flits - 1 cycles after it was sent and is seen in the cycle after that.
TEST(Interconnect, ALoadTakesOneFlitThereAndOneForEverySectorBack) {
  Bench bench;
  bench.sms[1]->at(10, kBlock, RequestKind::kLoad);
  sc_core::sc_start(ns(100));
  const unsigned slice = slice_of_block(1);
  const Cycle latency = InterconnectConfig().latency_cycles;
  const Cycle arrives = 10 + latency + 1;
  EXPECT_EQ(bench.partitions[slice]->requests, (std::vector<Seen>{{kBlock, arrives}}));
  const Cycle answered = arrives + 20;
  EXPECT_EQ(bench.sms[1]->responses, (std::vector<Seen>{{kBlock, answered + latency + 3 + 1}}));
  bench.finish();
}

TEST(Interconnect, AStoreCarriesItsBytesThereAndAnAcknowledgementPerSectorBack) {
  Bench bench;
  bench.sms[0]->at(10, 0, RequestKind::kStore);
  sc_core::sc_start(ns(100));
  const Cycle latency = InterconnectConfig().latency_cycles;
  const Cycle arrives = 10 + latency + 3 + 1;
  EXPECT_EQ(bench.partitions[0]->requests, (std::vector<Seen>{{0, arrives}}));
  EXPECT_EQ(bench.sms[0]->responses, (std::vector<Seen>{{0, arrives + 20 + latency + 3 + 1}}));
}

TEST(Interconnect, RoutesByTheAddressMapAndRepliesToTheSocketOfTheRequest) {
  Bench bench;
  for (unsigned sm = 0; sm < 4; ++sm) {
    for (unsigned block = 0; block < 8; ++block) {
      request_of(bench.sms[sm]->at(10, sm * 8 * kBlock + block * kBlock))->sm = 99;
    }
  }
  sc_core::sc_start(ns(500));
  for (unsigned slice = 0; slice < kSlices; ++slice) {
    EXPECT_EQ(bench.partitions[slice]->requests.size(), 8U);
    for (const Seen& seen : bench.partitions[slice]->requests) {
      EXPECT_EQ(slice_of_block(static_cast<unsigned>(seen.address / kBlock)), slice);
    }
  }
  for (unsigned sm = 0; sm < 4; ++sm) {
    ASSERT_EQ(bench.sms[sm]->responses.size(), 8U);
    for (const Seen& seen : bench.sms[sm]->responses)
      EXPECT_EQ(seen.address / (std::uint64_t{8} * kBlock), sm);
  }
  bench.finish();
}

// SM i sends i + 1 loads to slice i mod 4: a flit each there, four back.
TEST(Interconnect, TheLinkOfEveryPortIsBusyForItsOwnFlits) {
  Options options;
  options.sms = 15;
  Bench bench(options);
  for (unsigned sm = 0; sm < options.sms; ++sm) {
    // The blocks of slices 0 to 3: 0, 2, 1, 3.
    const std::uint64_t address = std::uint64_t{sm % 4 / 2 + sm % 4 % 2 * 2} * kBlock;
    for (unsigned load = 0; load <= sm; ++load) bench.sms[sm]->at(10, address, RequestKind::kLoad);
  }
  sc_core::sc_start(ns(1000.5));
  bench.finish();
  StatTable stats = statistics(*bench.network);
  std::array<std::uint64_t, kSlices> loads{};
  for (unsigned sm = 0; sm < options.sms; ++sm) {
    EXPECT_EQ(stats.values[numbered("request.input", sm) + "_busy_cycles"], sm + 1U);
    EXPECT_EQ(stats.values[numbered("reply.output", sm) + "_busy_cycles"], 4 * (sm + 1U));
    loads.at(sm % 4) += sm + 1U;
  }
  for (unsigned slice = 0; slice < kSlices; ++slice) {
    EXPECT_EQ(stats.values[numbered("request.output", slice) + "_busy_cycles"], loads.at(slice));
    EXPECT_EQ(stats.values[numbered("reply.input", slice) + "_busy_cycles"], 4 * loads.at(slice));
  }
}

// A packet sent at t enters the input buffer at t + 1 and leaves the network at t + latency + flits - 1.
TEST(Interconnect, PacketsFlitsAndTheirTimesAreCountedByNetworkAndLink) {
  Options options;
  options.sms = 2;
  Bench bench(options);
  bench.sms[1]->at(10, kBlock, RequestKind::kLoad);
  bench.sms[0]->at(10, 0, RequestKind::kStore);
  bench.sms[0]->at(100, 0, RequestKind::kLoad);
  sc_core::sc_start(ns(200.5));
  const std::uint64_t latency = InterconnectConfig().latency_cycles - 1;
  // A load is one flit there and four back, a store four both ways. Block 1 is in slice 2.
  const StatTable stats = statistics(*bench.network);
  EXPECT_EQ(stats.values, (std::map<std::string, std::uint64_t>{{"request.packets", 3},
                                                                {"request.flits", 1 + 4 + 1},
                                                                {"request.latency_sum", 3 * latency + 3},
                                                                {"request.blocked_cycles", 0},
                                                                {"request.injection_stall_cycles", 0},
                                                                {"request.input0_busy_cycles", 4 + 1},
                                                                {"request.input1_busy_cycles", 1},
                                                                {"request.output0_busy_cycles", 4 + 1},
                                                                {"request.output1_busy_cycles", 0},
                                                                {"request.output2_busy_cycles", 1},
                                                                {"request.output3_busy_cycles", 0},
                                                                {"reply.packets", 3},
                                                                {"reply.flits", 4 + 4 + 4},
                                                                {"reply.latency_sum", 3 * (latency + 3)},
                                                                {"reply.blocked_cycles", 0},
                                                                {"reply.injection_stall_cycles", 0},
                                                                {"reply.input0_busy_cycles", 4 + 4},
                                                                {"reply.input1_busy_cycles", 0},
                                                                {"reply.input2_busy_cycles", 4},
                                                                {"reply.input3_busy_cycles", 0},
                                                                {"reply.output0_busy_cycles", 4 + 4},
                                                                {"reply.output1_busy_cycles", 4},
                                                                {"cycles", 200}}));
  bench.finish();
}

TEST(Interconnect, AHeldOutputAndAHeldInjectionAreCountedEveryCycle) {
  Options options;
  options.config.input_buffer_flits = 4;
  options.config.ejection_queue_packets = 2;
  Bench bench(options);
  bench.partitions[0]->open = [](Cycle now) { return now > 200; };
  for (unsigned i = 0; i < 30; ++i) bench.sms[0]->at(10, 0, RequestKind::kLoad);
  // One output can't pass its packet on, and one port can't inject.
  sc_core::sc_start(ns(100.5));
  const StatTable before = statistics(*bench.network);
  sc_core::sc_start(ns(90));
  const StatTable after = statistics(*bench.network);
  for (const char* name : {"request.blocked_cycles", "request.injection_stall_cycles"}) {
    EXPECT_GT(before.values.at(name), 0U);
    EXPECT_EQ(after.values.at(name) - before.values.at(name), 90U) << name;
  }
  EXPECT_EQ(after.values.at("reply.blocked_cycles"), 0U);
  sc_core::sc_start(ns(500));
  EXPECT_EQ(statistics(*bench.network).values.at("request.packets"), 30U);
  bench.finish();
}

TEST(Interconnect, RepliesThatAnSmDoesNotTakeHoldASliceUpEveryCycle) {
  Options options;
  options.config.input_buffer_flits = 4;
  options.config.ejection_queue_packets = 2;
  Bench bench(options);
  bench.sms[0]->take_responses = false;
  for (unsigned i = 0; i < 30; ++i) bench.sms[0]->at(10, 0, RequestKind::kLoad);
  sc_core::sc_start(ns(200.5));
  const StatTable before = statistics(*bench.network);
  sc_core::sc_start(ns(90));
  const StatTable after = statistics(*bench.network);
  for (const char* name : {"reply.blocked_cycles", "reply.injection_stall_cycles"}) {
    EXPECT_GT(before.values.at(name), 0U);
    EXPECT_EQ(after.values.at(name) - before.values.at(name), 90U) << name;
  }
  bench.sms[0]->take_responses = true;
  sc_core::sc_start(ns(500));
  EXPECT_EQ(statistics(*bench.network).values.at("reply.packets"), 30U);
  bench.finish();
}

TEST(Interconnect, SmsOfAClusterShareAPortInTurn) {
  Options options;
  options.config.sms_per_cluster = 2;
  Bench bench(options);
  for (unsigned i = 0; i < 4; ++i) {
    bench.sms[0]->at(10, 0);
    bench.sms[1]->at(10, 128);
  }
  bench.sms[2]->at(10, kBlock);
  sc_core::sc_start(ns(500));
  ASSERT_EQ(bench.partitions[0]->requests.size(), 8U);
  const Cycle first = 10 + InterconnectConfig().latency_cycles + 1;
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(bench.partitions[0]->requests[i], (Seen{std::uint64_t{i} % 2 * 128, first + i}));
  }
  // The replies, four flits each, share the cluster's port too.
  EXPECT_EQ(bench.sms[0]->responses.size(), 4U);
  EXPECT_EQ(bench.sms[1]->responses.size(), 4U);
  EXPECT_EQ(bench.sms[1]->responses.back().cycle - bench.sms[0]->responses.front().cycle, 7U * 4);
  bench.finish();
}

TEST(Interconnect, AClosedPartitionHoldsTheSmBackByWithheldEndReq) {
  Options options;
  options.config.input_buffer_flits = 4;
  options.config.ejection_queue_packets = 2;
  options.config.injection_queue_packets = 2;
  Bench bench(options);
  bench.partitions[0]->open = [](Cycle now) { return now > 200; };
  for (unsigned i = 0; i < 30; ++i) bench.sms[0]->at(10, 0, RequestKind::kLoad);
  bench.sms[1]->at(50, kBlock);
  sc_core::sc_start(ns(190));
  // The partition's two places and its offer, the ejection queue, the input buffer, the injection queue and
  // the offer to it.
  EXPECT_EQ(bench.sms[0]->sent.size(), 3U + 2U + 4U + 2U + 1U);
  EXPECT_NE(bench.sms[0]->port.awaiting_accept(), nullptr);
  EXPECT_EQ(bench.sms[1]->responses.size(), 1U);
  sc_core::sc_start(ns(1000));
  EXPECT_EQ(bench.sms[0]->responses.size(), 30U);
  bench.finish();
}

TEST(Interconnect, AnSmThatTakesNoRepliesHoldsThePartitionBackByWithheldEndResp) {
  Options options;
  options.config.input_buffer_flits = 8;
  options.config.ejection_queue_packets = 2;
  options.config.injection_queue_packets = 2;
  options.latency = 0;
  Bench bench(options);
  bench.sms[0]->take_responses = false;
  for (unsigned i = 0; i < 40; ++i) bench.sms[0]->at(10, 0);
  sc_core::sc_start(ns(400));
  // The SM's eight places and the response that waits for one, two ejected, two of four flits in the buffer,
  // two at the partition's socket and the one that waits there.
  EXPECT_EQ(bench.partitions[0]->responded.size(), 8U + 1U + 2U + 2U + 2U + 1U);
  EXPECT_TRUE(bench.partitions[0]->port.awaiting_end());
  bench.sms[0]->take_responses = true;
  sc_core::sc_start(ns(1000));
  EXPECT_EQ(bench.sms[0]->responses.size(), 40U);
  bench.finish();
}

TEST(Interconnect, ChargesTheTimesToTheNetworksAndTheyAddUp) {
  Bench bench;
  const MemoryRequest& request = *request_of(bench.sms[0]->at(10, 0));
  bool seen = false;
  bench.sms[0]->on_response = [&](tlm::tlm_generic_payload&) {
    seen = true;
    const Ticks cycle = bench.clock.period_ticks();
    Ticks sum = 0;
    for (const Ticks ticks : request.spent()) sum += ticks;
    EXPECT_EQ(sum, sc_core::sc_time_stamp().value() - request.born_at());
    // From the edge at which the packet is seen on.
    EXPECT_EQ(request.spent()[static_cast<unsigned>(Stage::kReplyNetwork)], (5 + 3) * cycle);
  };
  sc_core::sc_start(ns(100));
  EXPECT_TRUE(seen);
}

void add_random_traffic(Bench& bench) {
  std::mt19937 engine(11);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  for (unsigned i = 0; i < 600; ++i) {
    const RequestKind kind = random() % 3 == 0 ? RequestKind::kStore : RequestKind::kLoad;
    // Blocks ascend, so that the order of requests can be read from their addresses.
    const std::uint64_t address = (std::uint64_t{i} * 64 + random() % 64) * kBlock;
    const unsigned sm = random() % static_cast<unsigned>(bench.sms.size());
    bench.sms[sm]->at(10 + i / 2, address, kind, 32U << random() % 3);
  }
  for (unsigned slice = 0; slice < kSlices; ++slice) {
    bench.partitions[slice]->open = [slice](Cycle now) { return (now / 32 + slice) % 4 != 0; };
  }
}

void expect_all_answered_in_order(Bench& bench) {
  std::size_t responses = 0;
  for (const auto& sm : bench.sms) {
    responses += sm->responses.size();
    // Between one SM and one slice nothing overtakes.
    std::map<unsigned, std::uint64_t> last;
    for (const Seen& response : sm->responses) {
      std::uint64_t& before = last[bench.map.slice_of(response.address)];
      EXPECT_LT(before, response.address + 1);
      before = response.address + 1;
    }
  }
  EXPECT_EQ(responses, 600U);
  bench.finish();
}

void expect_equal(const Bench& a, const Bench& b) {
  for (std::size_t sm = 0; sm < a.sms.size(); ++sm) {
    EXPECT_EQ(a.sms[sm]->responses, b.sms[sm]->responses);
    EXPECT_EQ(a.sms[sm]->accepted, b.sms[sm]->accepted);
  }
  for (unsigned slice = 0; slice < kSlices; ++slice) {
    EXPECT_EQ(a.partitions[slice]->requests, b.partitions[slice]->requests);
  }
  EXPECT_EQ(Figures::of(*a.network), Figures::of(*b.network));
}

/// The same random traffic through three copies: plain, never sleeping, and constructed in reverse.
void expect_nothing_depends_on_sleep_or_order(const Options& options) {
  Options awake = options;
  awake.sleeping = false;
  Options reversed = options;
  reversed.reversed = true;
  Bench first(options, "first");
  Bench second(awake, "second");
  Bench third(reversed, "third");
  for (Bench* bench : {&first, &second, &third}) add_random_traffic(*bench);
  sc_core::sc_start(ns(8000));
  for (Bench* bench : {&first, &second, &third}) expect_all_answered_in_order(*bench);
  expect_equal(first, second);
  expect_equal(first, third);
}

TEST(Interconnect, RandomTrafficThroughACrossbar) { expect_nothing_depends_on_sleep_or_order(Options()); }

TEST(Interconnect, RandomTrafficThroughANarrowButterfly) {
  Options options;
  options.config.topology = Topology::kButterfly;
  options.config.ejection_queue_packets = 2;
  options.config.input_buffer_flits = 8;
  expect_nothing_depends_on_sleep_or_order(options);
}

TEST(Interconnect, RandomTrafficToPartitionsWithAnotherClock) {
  Options options;
  options.partition_period = sc_core::sc_time(1300, sc_core::SC_PS);
  expect_nothing_depends_on_sleep_or_order(options);
}

TEST(Interconnect, RandomTrafficFromClusters) {
  Options options;
  options.sms = 5;
  options.config.sms_per_cluster = 2;
  expect_nothing_depends_on_sleep_or_order(options);
}

TEST(Interconnect, CostsNothingWhileNothingMoves) {
  AddressMap map(AddressMapConfig(), L2Config(), two_channels());
  ClockDomain clock("clock", ns(1));
  ClockDomain other("other", ns(1));
  StubInitiator sm("sm", other);
  std::vector<std::unique_ptr<StubTarget>> partitions;
  Interconnect network("network", clock, InterconnectConfig(), 1, map);
  sm.port.socket.bind(network.sm_ports[0].socket);
  for (unsigned slice = 0; slice < kSlices; ++slice) {
    partitions.push_back(std::make_unique<StubTarget>(("p" + std::to_string(slice)).c_str(), other, 50));
    network.partition_ports[slice].socket.bind(partitions.back()->port.socket);
  }
  sm.at(1000, 0);
  sc_core::sc_start(ns(5000));
  EXPECT_EQ(sm.responses.size(), 1U);
  // The first edge, injection and ejection of request and reply, and the edges that acceptances wake.
  EXPECT_LE(clock.ticks_executed(), 12U);
}

TEST(Interconnect, AQueueWithoutPlacesIsRefusedByItsKey) {
  ClockDomain clock("clock", ns(1));
  const AddressMap map(AddressMapConfig(), L2Config(), two_channels());
  InterconnectConfig config;
  config.injection_queue_packets = 0;
  try {
    const Interconnect network("network", clock, config, 2, map);
    ADD_FAILURE() << "built";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "interconnect.injection_queue_packets: expected at least 1, found 0");
  }
}

}  // namespace
}  // namespace heddle::test
