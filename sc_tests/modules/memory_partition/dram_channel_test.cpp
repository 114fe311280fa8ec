#include "modules/memory_partition/dram_channel.h"

#include <gtest/gtest.h>

#include "modules/messages/tick_order.h"
#include "sc_tests/modules/memory_partition/figures.h"
#include "sc_tests/modules/memory_partition/foreign_stubs.h"
#include "sc_tests/support/memory_stubs.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

/// A channel with one stub initiator on a clock of 1 ns; the fixed latency is in units of 1 ns too.
struct Bench {
  explicit Bench(const DramConfig& config = DramConfig(), BackingStore* store = nullptr)
      : map(AddressMapConfig(), L2Config(), config),
        channel("channel", clock, config, map, 1, 64, ns(1), store) {
    initiator.port.socket.bind(checker.from_initiator);
    checker.to_target.bind(channel.ports[0].socket);
  }
  static DramConfig one_channel() {
    DramConfig config;
    config.channels = 1;
    return config;
  }

  ClockDomain clock{"clock", ns(1)};
  StubInitiator initiator{"initiator", clock, tick_order::kExecute, 64};
  ProtocolChecker checker{"checker", true};
  AddressMap map;
  DramChannel channel;
};

/// Address of the first sector of a line in (bank, row, column) of a single channel.
std::uint64_t place(const AddressMap& map, unsigned bank, std::uint64_t row, unsigned column) {
  MemoryLocation location;
  location.bank = bank;
  location.row = row;
  location.column = column;
  return map.address_of(location);
}

// Sent at 10; seen at 11; at the controller after the fixed latency; ACT, tRCD, read, tCL + burst; the
// response is seen one clock after it was sent.
TEST(DramChannel, ARowMissTakesTheSumOfItsParts) {
  const DramConfig config = Bench::one_channel();
  Bench bench(config);
  bench.initiator.at(10, 0, RequestKind::kLoad, kSectorBytes);
  sc_core::sc_start(ns(400));
  const Cycle expected = 11 + config.fixed_latency_core_cycles + config.tRCD + config.tCL + 2 + 1;
  EXPECT_EQ(bench.initiator.responses, (std::vector<Seen>{{0, expected}}));
  bench.checker.check_idle();
}

TEST(DramChannel, ARowHitSavesTRcdAndAConflictCostsTRp) {
  const DramConfig config = Bench::one_channel();
  Bench bench(config);
  bench.initiator.at(10, 0, RequestKind::kLoad, kSectorBytes);
  bench.initiator.at(1000, 64, RequestKind::kLoad, kSectorBytes);
  const std::uint64_t other_row = place(bench.map, 0, 1, 0);
  bench.initiator.at(2000, other_row, RequestKind::kLoad, kSectorBytes);
  sc_core::sc_start(ns(3000));
  const Cycle fixed = config.fixed_latency_core_cycles;
  ASSERT_EQ(bench.initiator.responses.size(), 3U);
  EXPECT_EQ(bench.initiator.responses[1].cycle, 1001 + fixed + config.tCL + 2 + 1);
  EXPECT_EQ(bench.initiator.responses[2].cycle, 2001 + fixed + config.tRP + config.tRCD + config.tCL + 2 + 1);
}

TEST(DramChannel, TheFixedLatencyIsInCoreCyclesRoundedUpToTheCommandClock) {
  const DramConfig config = Bench::one_channel();
  const AddressMap map(AddressMapConfig(), L2Config(), config);
  ClockDomain clock("clock", sc_core::sc_time(1e6 / 924, sc_core::SC_PS));
  StubInitiator initiator("initiator", clock);
  DramChannel channel("channel", clock, config, map, 1, 64, sc_core::sc_time(1e6 / 700, sc_core::SC_PS));
  initiator.port.socket.bind(channel.ports[0].socket);
  EXPECT_EQ(channel.fixed_latency(), 132U);  // 100 / 700 * 924
}

TEST(DramChannel, WritesAreAcknowledgedAtTheEndOfTheirData) {
  const DramConfig config = Bench::one_channel();
  Bench bench(config);
  bench.initiator.at(10, 0, RequestKind::kStore, kSectorBytes);
  sc_core::sc_start(ns(400));
  const Cycle expected = 11 + config.fixed_latency_core_cycles + config.tRCDWR + config.tWL + 2 + 1;
  EXPECT_EQ(bench.initiator.responses, (std::vector<Seen>{{0, expected}}));
}

TEST(DramChannel, ALineTakesABurstForEverySectorUnlessAccessesAreLarger) {
  const DramConfig config = Bench::one_channel();
  Bench bench(config);
  bench.initiator.at(10, 0);
  sc_core::sc_start(ns(400));
  const Cycle first = 11 + config.fixed_latency_core_cycles + config.tRCD;
  // Four column commands of one bank group: tCCDL apart.
  EXPECT_EQ(bench.initiator.responses,
            (std::vector<Seen>{{0, first + Cycle{3} * config.tCCDL + config.tCL + 2 + 1}}));
  EXPECT_EQ(bench.channel.controller().counts().read_bursts, 4U);
}

TEST(DramChannel, AccessesOf64BytesHalveTheBursts) {
  DramConfig config = Bench::one_channel();
  config.access_bytes = 64;
  Bench bench(config);
  bench.initiator.at(10, 0);
  sc_core::sc_start(ns(400));
  EXPECT_EQ(bench.channel.controller().counts().read_bursts, 2U);
}

TEST(DramChannel, StreamingReadsReachTheBusPeakAndNeverPassIt) {
  const DramConfig config = Bench::one_channel();
  Bench bench(config);
  constexpr unsigned kLines = 512;
  for (unsigned i = 0; i < kLines; ++i) bench.initiator.at(1, std::uint64_t{i} * kLineBytes);
  Cycle first = 0;
  Cycle last = 0;
  std::uint64_t bursts = 0;
  Cycle previous = 0;
  bench.channel.commands_issued.listen([&](const DramCommands& commands, Cycle now) {
    if (commands.column == nullptr) return;
    if (first == 0) first = now;
    EXPECT_TRUE(previous == 0 || now - previous >= 2);
    previous = last = now;
    ++bursts;
  });
  sc_core::sc_start(ns(20000));
  EXPECT_EQ(bench.initiator.responses.size(), kLines);
  EXPECT_EQ(bursts, kLines * 4);
  const double efficiency = static_cast<double>(2 * bursts) / static_cast<double>(last - first + 2);
  EXPECT_GT(efficiency, 0.95);
  EXPECT_LE(efficiency, 1.0);
  EXPECT_EQ(bench.checker.violations(), 0U);
}

TEST(DramChannel, CreditsBoundWhatIsInFlight) {
  DramConfig config = Bench::one_channel();
  config.queue = 4;
  config.return_queue = 4;
  Bench bench(config);
  for (unsigned i = 0; i < 4; ++i) bench.initiator.at(1, std::uint64_t{i} * kLineBytes);
  std::vector<Cycle> starts;
  bench.channel.commands_issued.listen([&](const DramCommands& commands, Cycle now) {
    if (commands.row == RowCommand::kActivate || commands.column != nullptr) starts.push_back(now);
  });
  sc_core::sc_start(ns(2000));
  ASSERT_EQ(bench.initiator.responses.size(), 4U);
  // Two lines are in flight; the third is accepted when the first has been answered.
  const Cycle first_answer = bench.initiator.responses[0].cycle - 1;
  EXPECT_GE(bench.initiator.responses[2].cycle, first_answer + config.fixed_latency_core_cycles);
  EXPECT_LT(bench.initiator.responses[1].cycle, first_answer + config.fixed_latency_core_cycles);
  EXPECT_TRUE(bench.channel.idle());
}

// Three lines of bank 0 reach the controller at 111, 115 and 119; an access of the first is given at 111 and
// the next at 124, after the column command of 123. In between 11 accesses wait.
class DramChannelWhenFull : public ::testing::TestWithParam<std::pair<Cycle, Cycle>> {};

TEST_P(DramChannelWhenFull, AFullControllerAcceptsNothing) {
  const auto [sent, accepted] = GetParam();
  DramConfig config = Bench::one_channel();
  config.queue = 11;
  config.return_queue = 100;
  Bench bench(config);
  for (unsigned row = 0; row < 3; ++row) bench.initiator.at(10, place(bench.map, 0, row, 0));
  constexpr unsigned kFreeBank = 6;
  bench.initiator.at(sent, place(bench.map, kFreeBank, 0, 0), RequestKind::kLoad, kSectorBytes);
  Cycle activated = 0;
  bench.channel.commands_issued.listen([&](const DramCommands& commands, Cycle now) {
    if (commands.row_for != nullptr && commands.row_for->bank == kFreeBank) activated = now;
  });
  sc_core::sc_start(ns(600));
  EXPECT_EQ(activated, accepted + config.fixed_latency_core_cycles);
}

INSTANTIATE_TEST_SUITE_P(Rows, DramChannelWhenFull,
                         ::testing::Values(std::pair<Cycle, Cycle>{118, 119},
                                           std::pair<Cycle, Cycle>{119, 125},
                                           std::pair<Cycle, Cycle>{123, 125},
                                           std::pair<Cycle, Cycle>{124, 125},
                                           std::pair<Cycle, Cycle>{125, 126}));

TEST(DramChannel, TimesOfARequestAddUpToItsLife) {
  Bench bench(Bench::one_channel());
  tlm::tlm_generic_payload& payload = bench.initiator.at(10, 0);
  const MemoryRequest& request = *request_of(payload);
  std::array<Ticks, kNumStages> spent{};
  Ticks life = 0;
  bench.initiator.on_response = [&](tlm::tlm_generic_payload&) {
    spent = request.spent();
    life = sc_core::sc_time_stamp().value() - request.born_at();
  };
  sc_core::sc_start(ns(400));
  const Ticks cycle = bench.clock.period_ticks();
  EXPECT_EQ(spent[static_cast<unsigned>(Stage::kDramQueue)], 100 * cycle);
  EXPECT_EQ(spent[static_cast<unsigned>(Stage::kDram)], (12U + 3 * 3 + 12 + 2) * cycle);
  Ticks sum = 0;
  for (const Ticks ticks : spent) sum += ticks;
  EXPECT_EQ(sum, life);
}

TEST(DramChannel, ServesAStandardInitiatorWithItsData) {
  const DramConfig config = Bench::one_channel();
  const AddressMap map(AddressMapConfig(), L2Config(), config);
  SmallStore store;
  ClockDomain clock("clock", ns(1));
  DramChannel channel("channel", clock, config, map, 1, 64, ns(1), &store);
  PlainInitiator initiator("initiator");
  ProtocolChecker checker("checker");
  initiator.socket.bind(checker.from_initiator);
  checker.to_target.bind(channel.ports[0].socket);
  auto& read = initiator.add(tlm::TLM_READ_COMMAND, 100, 16);
  auto& write = initiator.add(tlm::TLM_WRITE_COMMAND, 200, 4);
  write.data.fill(0xAB);
  std::array<unsigned char, 2> enables{TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
  write.payload.set_byte_enable_ptr(enables.data());
  write.payload.set_byte_enable_length(2);
  auto& crossing = initiator.add(tlm::TLM_READ_COMMAND, 120, 16);
  auto& beyond = initiator.add(tlm::TLM_READ_COMMAND, 16384, 16);
  sc_core::sc_start(ns(500));
  EXPECT_EQ(read.data[0], 100);
  EXPECT_EQ(read.data[15], 115);
  EXPECT_EQ(store.data[200], 0xAB);
  EXPECT_EQ(store.data[201], 201);
  EXPECT_EQ(store.data[202], 0xAB);
  EXPECT_EQ(read.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(write.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(crossing.payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(beyond.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_TRUE(channel.idle());
  EXPECT_EQ(checker.violations(), 0U);
  checker.check_idle();
}

TEST(DramChannel, ByteEnablesOfNoLengthAreRefused) {
  const DramConfig config = Bench::one_channel();
  const AddressMap map(AddressMapConfig(), L2Config(), config);
  SmallStore store;
  ClockDomain clock("clock", ns(1));
  DramChannel channel("channel", clock, config, map, 1, 64, ns(1), &store);
  PlainInitiator initiator("initiator");
  initiator.socket.bind(channel.ports[0].socket);
  auto& write = initiator.add(tlm::TLM_WRITE_COMMAND, 200, 4);
  write.payload.set_byte_enable_ptr(write.data.data());
  sc_core::sc_start(ns(500));
  EXPECT_EQ(write.payload.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  write.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay;
  initiator.socket->b_transport(write.payload, delay);
  EXPECT_EQ(write.payload.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_EQ(store.data[200], 200);
}

TEST(DramChannel, EveryClockHasOneCause) {
  Bench bench(Bench::one_channel());
  for (unsigned i = 0; i < 40; ++i) bench.initiator.at(1 + 50 * i, std::uint64_t{i} * 4096 * 3);
  for (int part = 0; part < 7; ++part) {
    sc_core::sc_start(ns(333));
    bench.channel.settle();
    auto c = Figures::of(bench.channel);
    EXPECT_EQ(c["cycles_busy"] + c["cycles_waiting"] + c["cycles_idle"], c["cycles"]);
    EXPECT_EQ(c["cycles"], bench.clock.cycle_now());
    EXPECT_LE(c["cycles_busy"], c["cycles"]);
  }
}

}  // namespace
}  // namespace heddle::test
