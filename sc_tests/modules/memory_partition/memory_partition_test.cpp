#include "modules/memory_partition/memory_partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "modules/messages/tick_order.h"
#include "sc_tests/modules/memory_partition/figures.h"
#include "sc_tests/modules/memory_partition/foreign_stubs.h"
#include "sc_tests/support/memory_stubs.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

struct Options {
  L2Config l2{};
  DramConfig dram{};
  bool sleeping = true;
  bool reversed = false;
};

Options one_channel() {
  Options options;
  options.dram.channels = 1;
  return options;
}

sc_core::sc_time mhz(double value) { return {1000 / value, sc_core::SC_NS}; }

/// One partition of a single channel between two stub initiators in the core's clock, at the clocks of the
/// reference.
struct Bench : sc_core::sc_module {
  explicit Bench(const Options& options, const sc_core::sc_module_name& name = "bench")
      : sc_module(name),
        core("core", mhz(700), options.sleeping),
        l2("l2", mhz(700), options.sleeping),
        dram("dram", mhz(924), options.sleeping),
        map(AddressMapConfig(), options.l2, options.dram) {
    if (!options.reversed) build(options);
    for (unsigned i = 0; i < 2; ++i) {
      initiators.emplace_back(("initiator" + std::to_string(i)).c_str(), core, tick_order::kExecute, 8U);
      checkers.emplace_back(("checker" + std::to_string(i)).c_str());
      initiators[i].port.socket.bind(checkers[i].from_initiator);
    }
    if (options.reversed) build(options);
    for (unsigned i = 0; i < 2; ++i) checkers[i].to_target.bind(partition->sockets[i]);
  }
  void build(const Options& options) {
    partition = std::make_unique<MemoryPartition>("partition", l2, dram, options.l2, options.dram, map, 0U,
                                                  mhz(700), &store);
  }

  ClockDomain core;
  ClockDomain l2;
  ClockDomain dram;
  AddressMap map;
  SmallStore store;
  std::unique_ptr<MemoryPartition> partition;
  std::deque<StubInitiator> initiators;
  std::deque<ProtocolChecker> checkers;
};

void add_random_traffic(Bench& bench, unsigned requests) {
  std::mt19937 engine(21);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  for (unsigned i = 0; i < requests; ++i) {
    // Blocks of 256 bytes alternate between the slices; a few hot lines merge and conflict.
    const unsigned block = random() % 4 == 0 ? random() % 16 : random() % 8192;
    const unsigned offset = random() % 8 * kSectorBytes;
    const unsigned bytes = (1 + random() % (4 - offset / kSectorBytes % 4)) * kSectorBytes;
    constexpr RequestKind kKinds[] = {RequestKind::kLoad, RequestKind::kLoad, RequestKind::kStore,
                                      RequestKind::kAtomic};
    bench.initiators[block % 2].at(1 + i, std::uint64_t{block} * 256 + offset, kKinds[random() % 4],
                                   random() % 8 == 0 ? bytes - 20 : bytes);
  }
}

TEST(MemoryPartition, RandomTrafficIsAnsweredOnceWhateverSleepsAndInWhateverOrderItWasBuilt) {
  Options options = one_channel();
  options.l2.cache.sets = 8;
  Options awake = options;
  awake.sleeping = false;
  Options reversed = options;
  reversed.reversed = true;
  Bench first(options, "first");
  Bench second(awake, "second");
  Bench third(reversed, "third");
  constexpr unsigned kRequests = 4000;
  for (Bench* bench : {&first, &second, &third}) add_random_traffic(*bench, kRequests);
  sc_core::sc_start(ns(60000));
  for (Bench* bench : {&first, &second, &third}) {
    EXPECT_EQ(bench->initiators[0].responses.size() + bench->initiators[1].responses.size(), kRequests);
    EXPECT_TRUE(bench->partition->idle());
    bench->partition->settle();
    for (ProtocolChecker& checker : bench->checkers) {
      checker.check_idle();
      EXPECT_EQ(checker.violations(), 0U);
    }
  }
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(first.initiators[i].responses, second.initiators[i].responses);
    EXPECT_EQ(first.initiators[i].responses, third.initiators[i].responses);
  }
  EXPECT_EQ(Figures::of(*first.partition), Figures::of(*second.partition));
  EXPECT_EQ(Figures::of(*first.partition), Figures::of(*third.partition));
  EXPECT_GT(Figures::of(*first.partition).at("slice0/writebacks"), 100U);
  EXPECT_LT(first.dram.ticks_executed(), second.dram.ticks_executed());
}

TEST(MemoryPartition, TimesOfEveryRequestAddUpToItsLife) {
  Bench bench(one_channel());
  add_random_traffic(bench, 500);
  unsigned seen = 0;
  for (StubInitiator& initiator : bench.initiators) {
    initiator.on_response = [&](tlm::tlm_generic_payload& payload) {
      const MemoryRequest& request = *request_of(payload);
      Ticks sum = 0;
      for (const Ticks ticks : request.spent()) {
        EXPECT_LT(ticks, Ticks{1} << 60U);  // none ran backwards
        sum += ticks;
      }
      EXPECT_EQ(sum, sc_core::sc_time_stamp().value() - request.born_at());
      ++seen;
    };
  }
  sc_core::sc_start(ns(20000));
  EXPECT_EQ(seen, 500U);
}

/// Keeps the variables that blocks register, by "scope/name".
class Signals : public WaveSink {
 public:
  void enter(std::string_view scope) override { prefix_ += std::string(scope) + "/"; }
  void leave() override { prefix_.erase(prefix_.rfind('/', prefix_.size() - 2) + 1); }
  bool wanted() const override { return true; }
  void signal(const std::uint64_t& variable, unsigned /*bits*/, std::string_view name) override {
    variables[prefix_ + std::string(name)] = &variable;
  }
  void enumeration(const std::uint64_t& variable, std::string_view name,
                   const std::vector<std::string>& names) override {
    EXPECT_GE(names.size(), 2U);
    signal(variable, 64, name);
  }
  std::map<std::string, const std::uint64_t*> variables;

 private:
  std::string prefix_;
};

TEST(MemoryPartition, WavesShowTheQueuesAndRowsAndChangeNothing) {
  Bench traced(one_channel(), "traced");
  Bench plain(one_channel(), "plain");
  for (Bench* bench : {&traced, &plain}) add_random_traffic(*bench, 500);
  Signals signals;
  traced.partition->trace(signals);
  const auto value = [&signals](const char* name) { return *signals.variables.at(name); };
  unsigned reads = 0;
  std::uint64_t most_queued = 0;
  traced.partition->dram->commands_issued.listen([&](const DramCommands&, Cycle) {
    most_queued = std::max(most_queued, value("dram/queue"));
    if (value("dram/column_command") == 1) ++reads;
  });
  sc_core::sc_start(ns(20000));
  EXPECT_GT(reads, 0U);
  EXPECT_GT(most_queued, 4U);
  EXPECT_EQ(value("dram/queue"), 0U);
  EXPECT_EQ(value("dram/column_command"), 0U);
  EXPECT_EQ(value("slice0/mshr_sectors"), 0U);
  EXPECT_EQ(value("slice0/activity"), 0U);
  for (unsigned bank = 0; bank < 16; ++bank) {
    const std::string name = "dram/bank" + std::to_string(bank);
    EXPECT_EQ(value((name + "_state").c_str()) != 0, traced.partition->dram->controller().row_open(bank));
    EXPECT_EQ(value((name + "_row").c_str()), traced.partition->dram->controller().open_row(bank));
  }
  for (Bench* bench : {&traced, &plain}) bench->partition->settle();
  EXPECT_EQ(Figures::of(*traced.partition), Figures::of(*plain.partition));
}

// A fetch of sectors that DRAM reads as whole atoms reaches half of the bus peak in useful bytes.
TEST(MemoryPartition, StreamingReadsReachTheDramPeak) {
  Bench bench(one_channel());
  constexpr unsigned kBlocks = 1024;
  for (unsigned block = 0; block < kBlocks; ++block) {
    for (unsigned line = 0; line < 2; ++line) {
      bench.initiators[block % 2].at(1, std::uint64_t{block} * 256 + line * kLineBytes);
    }
  }
  while (bench.initiators[0].responses.size() + bench.initiators[1].responses.size() < 2 * kBlocks) {
    sc_core::sc_start(ns(1000));
    ASSERT_LT(sc_core::sc_time_stamp(), ns(100000));
  }
  bench.partition->settle();
  const auto figures = Figures::of(*bench.partition);
  EXPECT_EQ(figures.at("dram/read_bursts"), 2U * kBlocks * 4);
  const auto busy = static_cast<double>(figures.at("dram/cycles_busy"));
  const double active = busy + static_cast<double>(figures.at("dram/cycles_waiting"));
  EXPECT_GT(busy / active, 0.9);
  EXPECT_LE(busy / active, 1.0);
}

TEST(MemoryPartition, AnInstalledLineHitsInItsSlice) {
  Bench bench(one_channel());
  bench.partition->install(256);
  bench.initiators[1].at(10, 256);
  bench.initiators[0].at(10, 0);
  sc_core::sc_start(ns(1000));
  ASSERT_EQ(bench.initiators[1].responses.size(), 1U);
  ASSERT_EQ(bench.initiators[0].responses.size(), 1U);
  EXPECT_LT(bench.initiators[1].responses[0].cycle + 100, bench.initiators[0].responses[0].cycle);
}

TEST(MemoryPartition, AChannelThatTheMapDoesNotHaveIsRefused) {
  const Options options = one_channel();
  ClockDomain clock("clock", mhz(700));
  const AddressMap map(AddressMapConfig(), options.l2, options.dram);
  EXPECT_THROW(MemoryPartition("none", clock, clock, options.l2, options.dram, map, 1, mhz(700)),
               std::invalid_argument);
}

TEST(MemoryPartition, ServesALooselyTimedInitiator) {
  const Options options = one_channel();
  ClockDomain l2("l2", mhz(700));
  ClockDomain dram("dram", mhz(924));
  SmallStore store;
  const AddressMap map(AddressMapConfig(), options.l2, options.dram);
  MemoryPartition partition("partition", l2, dram, options.l2, options.dram, map, 0, mhz(700), &store);
  PlainInitiator initiator("initiator");
  PlainInitiator other("other");
  initiator.socket.bind(partition.sockets[0]);
  other.socket.bind(partition.sockets[1]);
  sc_core::sc_start(ns(10));
  tlm::tlm_generic_payload payload;
  std::array<unsigned char, 300> data{};
  PlainInitiator::prepare(payload, tlm::TLM_READ_COMMAND, 1000, 300, data.data());
  sc_core::sc_time miss = sc_core::SC_ZERO_TIME;
  initiator.socket->b_transport(payload, miss);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(data[0], 1000 % 256);
  EXPECT_EQ(data[299], 1299 % 256);
  // Delay and hit of the L2, then path, tRCD, tCL and burst of the DRAM.
  EXPECT_GT(miss, 121 * mhz(700) + 100 * mhz(700));
  partition.install(0);
  PlainInitiator::prepare(payload, tlm::TLM_WRITE_COMMAND, 8, 4, data.data());
  sc_core::sc_time hit = ns(3);
  initiator.socket->b_transport(payload, hit);
  EXPECT_EQ(hit, ns(3) + 121 * mhz(700));
  EXPECT_EQ(store.data[8], 1000 % 256);
  PlainInitiator::prepare(payload, tlm::TLM_READ_COMMAND, 20000, 4, data.data());
  initiator.socket->b_transport(payload, hit);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  PlainInitiator::prepare(payload, tlm::TLM_READ_COMMAND, 16, 4, data.data());
  EXPECT_EQ(initiator.socket->transport_dbg(payload), 4U);
  EXPECT_EQ(data[0], 16);
}

TEST(MemoryPartition, ServesAnApproximatelyTimedInitiatorWithItsData) {
  const Options options = one_channel();
  ClockDomain l2("l2", mhz(700));
  ClockDomain dram("dram", mhz(924));
  SmallStore store;
  const AddressMap map(AddressMapConfig(), options.l2, options.dram);
  MemoryPartition partition("partition", l2, dram, options.l2, options.dram, map, 0, mhz(700), &store);
  PlainInitiator initiator("initiator");
  PlainInitiator other("other");
  ProtocolChecker checker("checker");
  initiator.socket.bind(checker.from_initiator);
  checker.to_target.bind(partition.sockets[0]);
  other.socket.bind(partition.sockets[1]);
  auto& write = initiator.add(tlm::TLM_WRITE_COMMAND, 36, 8);
  write.data.fill(0x77);
  auto& read = initiator.add(tlm::TLM_READ_COMMAND, 32, 16);
  auto& nothing = initiator.add(tlm::TLM_IGNORE_COMMAND, 32, 16);
  sc_core::sc_start(ns(3000));
  EXPECT_TRUE(write.done && read.done && nothing.done);
  EXPECT_EQ(read.data[3], 35);
  EXPECT_EQ(read.data[4], 0x77);
  EXPECT_EQ(read.data[12], 44);
  EXPECT_EQ(nothing.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_TRUE(partition.idle());
  EXPECT_EQ(checker.violations(), 0U);
}

}  // namespace
}  // namespace heddle::test
