#include "modules/texture/texture_cache.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <string>

#include "modules/config/setting_error.h"
#include "sc_tests/support/apart.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_traffic.h"
#include "sc_tests/support/stat_values.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

/// A texture cache between a reader in the LD/ST unit's place and a memory that answers after `latency`.
class TextureRig : public sc_core::sc_module {
 public:
  explicit TextureRig(const std::string& name, const TextureConfig& config = {}, Cycle latency = 20,
                      bool sleeping = true)
      : sc_module(sc_core::sc_module_name(name.c_str())),
        clock("clock", ns(1), sleeping),
        reader("reader", clock),
        cache("cache", clock, config, 3),
        upper("upper"),
        lower("lower"),
        target("target", clock, latency) {
    reader.port.socket.bind(upper.from_initiator);
    upper.to_target.bind(cache.cpu.socket);
    cache.memory.socket.bind(lower.from_initiator);
    lower.to_target.bind(target.port.socket);
  }
  void read(Cycle cycle, std::uint64_t line) { reader.at(cycle, line, RequestKind::kTexture); }
  double count(const std::string& name) {
    StatValues sink;
    cache.report(sink);
    return sink.values.at(name);
  }

  ClockDomain clock;
  StubInitiator reader;
  TextureCache cache;
  ProtocolChecker upper;
  ProtocolChecker lower;
  StubTarget target;
};

TextureConfig small(unsigned latency = 3) {
  TextureConfig config;
  config.latency_cycles = latency;
  return config;
}

class TextureLatency : public testing::TestWithParam<unsigned> {};

TEST_P(TextureLatency, AHitIsSeenAfterTheLatencyAndNotBefore) {
  const unsigned latency = GetParam();
  TextureRig rig("hit", small(latency));
  rig.read(5, 0x1000);
  rig.read(100, 0x1000);
  sc_core::sc_start(ns(99.5 + latency));
  EXPECT_EQ(rig.reader.responses.size(), 1U);  // not at t - 1
  sc_core::sc_start(ns(1));
  ASSERT_EQ(rig.reader.responses.size(), 2U);  // at t
  EXPECT_EQ(rig.reader.responses[1], (Seen{0x1000, 100 + latency}));
  EXPECT_EQ(rig.count("hits"), 1);
  EXPECT_EQ(rig.count("misses"), 1);
  sc_core::sc_start(ns(1));
  EXPECT_TRUE(rig.cache.idle());
}

INSTANTIATE_TEST_SUITE_P(Cycles, TextureLatency, testing::Values(2U, 3U, 4U, 9U));

TEST(TextureCache, AMissIsAnsweredWhenItsDataCome) {
  TextureRig rig("miss");
  rig.read(5, 0x1080);
  sc_core::sc_start(ns(27.5));
  // Sent at 5, looked up and fetched at 6, seen by the memory at 7, answered at 27.
  EXPECT_EQ(rig.target.requests, (std::vector<Seen>{{0x1080, 7}}));
  EXPECT_TRUE(rig.reader.responses.empty());
  EXPECT_FALSE(rig.cache.idle());
  sc_core::sc_start(ns(1));  // seen and answered at 28
  EXPECT_TRUE(rig.reader.responses.empty());
  sc_core::sc_start(ns(1));
  EXPECT_EQ(rig.reader.responses, (std::vector<Seen>{{0x1080, 29}}));
  const MemoryRequest& request = *request_of(*rig.target.payloads.at(0));
  EXPECT_EQ(request.kind, RequestKind::kTexture);
  EXPECT_EQ(request.requester, Requester::kTextureCache);
  EXPECT_EQ(request.sm, 3);
}

TEST(TextureCache, HitsWaitForTheMissesBeforeThem) {
  TextureRig rig("order");
  rig.read(5, 0x1000);
  rig.read(100, 0x2000);  // misses
  rig.read(101, 0x1000);  // hits
  rig.read(102, 0x2000);  // is being fetched
  sc_core::sc_start(ns(150.5));
  EXPECT_EQ(rig.reader.responses,
            (std::vector<Seen>{{0x1000, 29}, {0x2000, 124}, {0x1000, 125}, {0x2000, 126}}));
  EXPECT_EQ(rig.count("hits"), 1);
  EXPECT_EQ(rig.count("pending_hits"), 1);
  EXPECT_EQ(rig.count("misses"), 2);
}

TEST(TextureCache, TellsWhatEachLookUpFound) {
  TextureRig rig("told");
  std::vector<TextureOutcome> found;
  rig.cache.looked_up.listen(
      [&found](const MemoryRequest&, TextureOutcome outcome) { found.push_back(outcome); });
  rig.read(5, 0x1000);
  rig.read(6, 0x1000);
  rig.read(100, 0x1000);
  sc_core::sc_start(ns(150.5));
  EXPECT_EQ(found, (std::vector<TextureOutcome>{TextureOutcome::kMiss, TextureOutcome::kPending,
                                                TextureOutcome::kHit}));
}

TEST(TextureCache, AFetchGoesOnWithTheLifeOfItsLookUp) {
  TextureRig rig("life");
  std::vector<Ticks> spent;
  std::uint64_t address = 0;
  rig.cache.fetch_ended.listen(
      [&](const tlm::tlm_generic_payload& payload, const MemoryRequest& request, Ticks now) {
        address = payload.get_address();
        for (const Stage stage : {Stage::kLdst, Stage::kL1d, Stage::kMshr, Stage::kMemoryPort})
          spent.push_back(request.spent()[static_cast<unsigned>(stage)] / rig.clock.period_ticks());
        spent.push_back((now - request.born_at()) / rig.clock.period_ticks());
      });
  rig.read(5, 0x1080);
  sc_core::sc_start(ns(50.5));
  EXPECT_EQ(address, 0x1080U);
  // Offered and accepted at 5, looked up and sent at 6, seen at 28; all behind the memory port is a stub.
  EXPECT_EQ(spent, (std::vector<Ticks>{0, 1, 0, 22, 23}));
}

TEST(TextureCache, MissesAreUnderWayTogether) {
  TextureRig rig("stream");
  for (unsigned i = 0; i < 10; ++i) rig.read(5, 0x1000 + i * 0x80);
  sc_core::sc_start(ns(60.5));
  ASSERT_EQ(rig.reader.responses.size(), 10U);
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_EQ(rig.target.requests[i].cycle, 7U + i);  // one a cycle
    EXPECT_EQ(rig.reader.responses[i], (Seen{0x1000 + i * 0x80, 29 + i}));
  }
}

/// The accepted requests of ten misses at once while the memory answers none.
std::string accepted(const TextureConfig& config, bool open) {
  return apart([&] {
    TextureRig rig("full", config, 1000);
    rig.target.open = [open](Cycle) { return open; };
    for (unsigned i = 0; i < 10; ++i) rig.read(5, 0x1000 + i * 0x80);
    sc_core::sc_start(ns(100.5));
    return std::to_string(rig.reader.accepted.size());
  });
}

TEST(TextureCache, FullPlacesRefuseLines) {
  TextureConfig config;
  EXPECT_EQ(accepted(config, true), "10");
  config.fifo_entries = 4;
  EXPECT_EQ(accepted(config, true), "4");
  config = {};
  config.reorder_entries = 6;
  EXPECT_EQ(accepted(config, true), "6");
  config = {};
  config.request_queue = 2;
  // Two in the queue, and what the memory's input takes: one accepted of its two places, and one offered.
  EXPECT_EQ(accepted(config, false), "5");
}

TEST(TextureCache, APlaceIsTakenAgainWhenTheFifoGivesOneBack) {
  TextureConfig config;
  config.fifo_entries = 1;
  TextureRig rig("again", config);
  rig.read(5, 0x1000);
  rig.read(6, 0x1000);
  sc_core::sc_start(ns(60.5));
  // The miss is answered at 28, and the second line accepted then, which is looked up at 29.
  EXPECT_EQ(rig.reader.responses, (std::vector<Seen>{{0x1000, 29}, {0x1000, 31}}));
}

TEST(TextureCache, ALineIsReplacedByTheLeastRecentlyUsed) {
  TextureConfig config;
  config.cache = {1, 2, 128, SetIndex::kLinear};
  TextureRig rig("lru", config);
  Cycle at = 5;
  for (const std::uint64_t line : {0x1000, 0x2000, 0x1000, 0x3000, 0x1000, 0x2000}) rig.read(at += 50, line);
  sc_core::sc_start(ns(400.5));
  EXPECT_EQ(rig.count("misses"), 4);  // 1, 2, 3 in the place of 2, 2 again
  EXPECT_EQ(rig.count("hits"), 2);
}

TEST(TextureCache, AFlushForgetsTheLines) {
  TextureRig rig("flush");
  rig.read(5, 0x1000);
  rig.read(100, 0x1000);
  sc_core::sc_start(ns(50.5));
  rig.cache.flush();
  sc_core::sc_start(ns(100));
  EXPECT_EQ(rig.count("misses"), 2);
}

TEST(TextureCache, ItSleepsWithoutAnyDifference) {
  const auto run = [](bool sleeping) {
    return apart([sleeping] {
      TextureConfig config = small(7);
      config.fifo_entries = 5;
      config.request_queue = 2;
      TextureRig rig("cache_rig", config, 13, sleeping);
      for (unsigned i = 0; i < 60; ++i) rig.read(5 + i * 3, 0x1000 + (i * 7 % 11) * 0x80);
      sc_core::sc_start(ns(1000.5));
      EXPECT_EQ(rig.reader.responses.size(), 60U);
      return testing::PrintToString(rig.reader.responses) + testing::PrintToString(rig.target.requests);
    });
  };
  EXPECT_EQ(run(true), run(false));
}

/// A plain loosely timed memory of 4 KB of which each byte is the low one of its address.
struct PlainMemory : sc_core::sc_module {
  explicit PlainMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &PlainMemory::b_transport);
    socket.register_transport_dbg(this, &PlainMemory::transport_dbg);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    transport_dbg(payload);
    delay += latency;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    if (address + payload.get_data_length() > 4096) return 0;
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      payload.get_data_ptr()[i] = static_cast<unsigned char>(address + i);
    }
    return payload.get_data_length();
  }
  tlm_utils::simple_target_socket<PlainMemory, 64> socket;
  sc_core::sc_time latency;
};

TEST(TextureCache, AStandardInitiatorGetsTheBytesThatItEnablesAndThatThereAre) {
  ClockDomain clock("clock", ns(1));
  TrafficGenerator generator("generator", 4);
  TextureCache cache("cache", clock, small(), 3);
  PlainMemory memory("memory");
  generator.socket.bind(cache.cpu.socket);
  cache.memory.socket.bind(memory.socket);
  std::array<unsigned char, 2> every_other{TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
  const auto& all = generator.load(5, 0x204, 8);
  auto& some = generator.load(6, 0x208, 4);
  some.data.fill(0xEE);
  some.payload.set_byte_enable_ptr(every_other.data());
  some.payload.set_byte_enable_length(2);
  const auto& beyond = generator.load(7, 4096, 4);
  const auto& store = generator.store(8, 0x204, 4, 1);
  auto& without_length = generator.load(9, 0x204, 4);
  without_length.payload.set_byte_enable_ptr(every_other.data());
  sc_core::sc_start(ns(300));
  EXPECT_EQ(generator.done(), 5U);
  EXPECT_EQ(all.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(all.data[0], 0x04);
  EXPECT_EQ(all.data[7], 0x0B);
  EXPECT_EQ(some.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(some.data[0], 0x08);
  EXPECT_EQ(some.data[1], 0xEE);
  EXPECT_EQ(some.data[2], 0x0A);
  EXPECT_EQ(some.data[3], 0xEE);
  EXPECT_EQ(beyond.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(store.payload.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(without_length.payload.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_TRUE(cache.idle());
}

TEST(TextureCache, ALooselyTimedReadTakesTheTimeOfAnIdleCache) {
  ClockDomain clock("clock", ns(1));
  TrafficGenerator generator("generator");
  TextureCache cache("cache", clock, small(30), 3);
  PlainMemory memory("memory");
  generator.socket.bind(cache.cpu.socket);
  cache.memory.socket.bind(memory.socket);
  memory.latency = ns(50);
  generator.load(5, 0x200, 4);  // brings its line in
  sc_core::sc_start(ns(200));
  const auto time_of = [&](tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    std::array<unsigned char, 128> data{};
    tlm::tlm_generic_payload payload;
    TrafficGenerator::prepare(payload, command, address, bytes, data.data());
    sc_core::sc_time delay = ns(100);  // the initiator has run ahead by so much
    generator.socket->b_transport(payload, delay);
    return delay;
  };
  EXPECT_EQ(time_of(tlm::TLM_READ_COMMAND, 0x204, 8), ns(130));
  EXPECT_EQ(time_of(tlm::TLM_READ_COMMAND, 0x304, 8), ns(152));
  EXPECT_EQ(time_of(tlm::TLM_READ_COMMAND, 0x27C, 8), ns(152));  // of two lines
  EXPECT_EQ(time_of(tlm::TLM_WRITE_COMMAND, 0x204, 8), ns(130));
  memory.latency = ns(5);
  EXPECT_EQ(time_of(tlm::TLM_READ_COMMAND, 0x304, 8), ns(130));
}

/// With a block of ours between, which passes debug transport on.
TEST(TextureCache, ABlockBetweenDoesNotHideThatAMemoryHasNotTheBytes) {
  ClockDomain clock("clock", ns(1));
  TrafficGenerator generator("generator", 4);
  TextureCache cache("cache", clock, small(), 3);
  ProtocolChecker between("between");
  PlainMemory memory("memory");
  generator.socket.bind(cache.cpu.socket);
  cache.memory.socket.bind(between.from_initiator);
  between.to_target.bind(memory.socket);
  const auto& there = generator.load(5, 0x204, 8);
  const auto& beyond = generator.load(7, 4096, 4);
  sc_core::sc_start(ns(300));
  EXPECT_EQ(there.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(there.data[0], 0x04);
  EXPECT_EQ(beyond.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(TextureCache, RefusesWhatItCanNotBe) {
  ClockDomain clock("clock_of_none", ns(1));
  const auto key = [&](const TextureConfig& config) -> std::string {
    try {
      const TextureCache cache("none", clock, config, 0);
    } catch (const SettingError& error) {
      return error.what();
    }
    return "built";
  };
  TextureConfig config;
  config.latency_cycles = 1;
  EXPECT_NE(key(config).find("expected at least 2, found 1"), std::string::npos) << key(config);
  config = {};
  config.fifo_entries = 0;
  EXPECT_NE(key(config).find("expected at least 1, found 0"), std::string::npos) << key(config);
}

}  // namespace
}  // namespace heddle::test
