// Standard TLM initiators, which know nothing of Heddle, in front of an L1D with its MSHR.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "modules/l1d/l1d.h"
#include "modules/mshr/mshr.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_traffic.h"
#include "sc_tests/support/stat_values.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

struct Shape {
  L1dConfig config;
  unsigned l1_latency = 4;
  unsigned most_in_flight = 8;
  bool memory_first = false;  ///< the order of construction
  bool sleeping = true;
  Shape() {
    config.cache = {4, 2, kLineBytes, SetIndex::kLinear};
    config.mshr = {4, 3, 2};
  }
};

/// generator - L1D - MSHR - memory with data (or a stub of fixed latency), a checker on every hop.
struct ForeignRig : sc_core::sc_module {
  ForeignRig(const sc_core::sc_module_name& name, const Shape& shape, bool stub_memory = false)
      : sc_module(name),
        clock("clock", ns(1), shape.sleeping),
        top("top"),
        middle("middle"),
        bottom("bottom") {
    const auto build_ends = [&] {
      generator = std::make_unique<TrafficGenerator>("generator", shape.most_in_flight);
      if (stub_memory) {
        stub = std::make_unique<StubTarget>("stub", clock, 10);
      } else {
        memory = std::make_unique<DataMemory>("memory", 5, 60);
      }
    };
    if (!shape.memory_first) build_ends();
    l1d = std::make_unique<L1d>("l1d", clock, shape.config, shape.l1_latency, std::uint16_t{2});
    mshr = std::make_unique<Mshr>("mshr", clock, shape.config.mshr, shape.config.cache.line_bytes);
    if (shape.memory_first) build_ends();
    generator->socket.bind(top.from_initiator);
    top.to_target.bind(l1d->cpu.socket);
    l1d->mshr.socket.bind(middle.from_initiator);
    middle.to_target.bind(mshr->cache.socket);
    mshr->memory.socket.bind(bottom.from_initiator);
    if (stub_memory) {
      bottom.to_target.bind(stub->port.socket);
    } else {
      bottom.to_target.bind(memory->socket);
    }
  }
  double stat(const std::string& name) const {
    StatValues values;
    l1d->report(values);
    return values.values.at(name);
  }
  double mshr_stat(const std::string& name) const {
    StatValues values;
    mshr->report(values);
    return values.values.at(name);
  }
  void run_to_the_end() {
    for (unsigned i = 0; i < 400 && generator->done() != generator->accesses.size(); ++i) {
      sc_core::sc_start(ns(5000));
    }
    EXPECT_EQ(generator->done(), generator->accesses.size());
    finish();
  }
  void finish() {
    EXPECT_TRUE(l1d->idle());
    EXPECT_TRUE(mshr->idle());
    for (ProtocolChecker* checker : {&top, &middle, &bottom}) {
      checker->check_idle();
      EXPECT_EQ(checker->violations(), 0U);
      EXPECT_GT(checker->begun(), 0U);
    }
  }

  ClockDomain clock;
  ProtocolChecker top;
  ProtocolChecker middle;
  ProtocolChecker bottom;
  std::unique_ptr<TrafficGenerator> generator;
  std::unique_ptr<DataMemory> memory;
  std::unique_ptr<StubTarget> stub;
  std::unique_ptr<L1d> l1d;
  std::unique_ptr<Mshr> mshr;
};

class L1dForeign : public ::testing::TestWithParam<int> {};

TEST_P(L1dForeign, NoneOfTenThousandRandomLoadsIsStaleAndEverySumCloses) {
  Shape shape;
  const int kind = GetParam();
  shape.config.allocate = kind == 1 ? AllocatePolicy::kOnFill : AllocatePolicy::kOnMiss;
  shape.config.enabled = kind != 2;
  if (kind == 3) shape.most_in_flight = 1;
  if (kind == 4) shape.config.cache.line_bytes = 64;
  ForeignRig rig("rig", shape);
  constexpr unsigned kAccesses = 10000;
  rig.generator->add_random(kAccesses, 20, 11);
  rig.run_to_the_end();
  EXPECT_EQ(rig.generator->stale(), 0U);
  unsigned loads = 0;
  for (const auto& access : rig.generator->accesses) {
    EXPECT_EQ(access->payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    loads += access->payload.is_read() ? 1 : 0;
  }
  EXPECT_EQ(rig.stat("accesses"), kAccesses);
  if (kind == 2) {
    EXPECT_EQ(rig.stat("bypasses"), kAccesses);
    EXPECT_EQ(rig.mshr_stat("passed"), kAccesses);
    return;
  }
  EXPECT_EQ(rig.stat("loads"), loads);
  EXPECT_EQ(rig.stat("stores"), kAccesses - loads);
  EXPECT_EQ(rig.stat("hits") + rig.stat("pending_hits") + rig.stat("misses"), loads);
  EXPECT_GT(rig.stat("hits"), 500);
  if (kind != 3) EXPECT_GT(rig.stat("pending_hits"), 20);
  EXPECT_EQ(rig.mshr_stat("primary_misses"), rig.stat("misses"));
  EXPECT_EQ(rig.mshr_stat("merged_misses"), rig.stat("pending_hits"));
  EXPECT_EQ(rig.mshr_stat("passed"), rig.stat("stores"));
  EXPECT_EQ(rig.stat("fills"), rig.stat("misses"));
  EXPECT_EQ(rig.memory->reads, rig.stat("misses"));
  EXPECT_EQ(rig.memory->writes, rig.stat("stores"));
}

INSTANTIATE_TEST_SUITE_P(Shapes, L1dForeign, ::testing::Range(0, 5));

// As of the LD/ST unit's accesses (l1d_timing_test.cpp): looked up at 9, answered by the MSHR at 23, when the
// LD/ST unit would see it a cycle later.
TEST(L1dForeign, AMissAndAHitComeWhenTheirTimeHasComeAndNotBefore) {
  ForeignRig rig("rig", {}, true);
  const auto& miss = rig.generator->load(5, 0x1010, 4);
  const auto& merged = rig.generator->load(6, 0x1020, 4);
  const auto& hit = rig.generator->load(100, 0x1030, 4);
  const auto& between = rig.generator->load(200.5, 0x1030, 4);
  sc_core::sc_start(ns(22.5));
  EXPECT_FALSE(miss.done);
  sc_core::sc_start(ns(1));
  EXPECT_TRUE(miss.done);
  EXPECT_FALSE(merged.done);
  sc_core::sc_start(ns(1));
  EXPECT_TRUE(merged.done);
  sc_core::sc_start(ns(79));
  EXPECT_FALSE(hit.done);
  sc_core::sc_start(ns(1));
  EXPECT_TRUE(hit.done);
  sc_core::sc_start(ns(195.5));
  EXPECT_EQ(miss.done_at, ns(23));
  EXPECT_EQ(merged.done_at, ns(24));
  EXPECT_EQ(hit.done_at, ns(104));
  EXPECT_EQ(between.done_at, ns(204));  // as if sent at the edge before: seen at the first one after it
  EXPECT_EQ(rig.stub->requests, (std::vector<Seen>{{0x1000, 11}}));  // the whole line, once
  rig.finish();
}

TEST(L1dForeign, AFullPipeTakesItsAccessesAtTheSameTimesWhoeverIsConstructedFirst) {
  std::vector<std::unique_ptr<ForeignRig>> rigs;
  for (const bool memory_first : {false, true}) {
    for (const bool sleeping : {false, true}) {
      Shape shape;
      shape.memory_first = memory_first;
      shape.sleeping = sleeping;
      shape.most_in_flight = 64;
      const std::string name = "rig" + std::to_string(rigs.size());
      rigs.push_back(std::make_unique<ForeignRig>(name.c_str(), shape, true));
      for (unsigned i = 0; i < 60; ++i) rigs.back()->generator->load(5, i * kLineBytes, 4);
    }
  }
  sc_core::sc_start(ns(2000));
  for (const auto& rig : rigs) {
    rig->finish();
    for (unsigned i = 0; i < 60; ++i) {
      EXPECT_EQ(rig->generator->accesses[i]->accepted_at, rigs[0]->generator->accesses[i]->accepted_at) << i;
      EXPECT_EQ(rig->generator->accesses[i]->done_at, rigs[0]->generator->accesses[i]->done_at) << i;
      EXPECT_TRUE(rig->generator->accesses[i]->done);
    }
    EXPECT_EQ(rig->stat("blocked_mshr_entries"), rigs[0]->stat("blocked_mshr_entries"));
  }
  EXPECT_GT(rigs[0]->stat("blocked_mshr_entries"), 0);
}

TEST(L1dForeign, WhatLeavesItsLineOrRepeatsIsRefused) {
  ForeignRig rig("rig", {});
  const auto& crossing = rig.generator->load(5, 120, 16);
  auto& repeating = rig.generator->load(6, 0, 16);
  repeating.payload.set_streaming_width(4);
  const auto& long_one = rig.generator->load(7, 0, 200);
  const auto& ignored = rig.generator->add(8, tlm::TLM_IGNORE_COMMAND, 0, 4);
  const auto& beyond = rig.generator->load(9, 1 << 16, 4);
  const auto& good = rig.generator->load(10, 4, 4);
  rig.run_to_the_end();
  EXPECT_EQ(crossing.payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(repeating.payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(long_one.payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(ignored.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(beyond.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(good.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(crossing.done_at, ns(9));  // as a hit
}

TEST(L1dForeign, ByteEnablesHoldForLoadsAndStores) {
  ForeignRig rig("rig", {});
  std::array<unsigned char, 2> every_other{TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
  auto& store = rig.generator->store(5, 256, 4, 0xAA);
  auto& load = rig.generator->load(200, 256, 4);
  auto& all = rig.generator->load(400, 256, 4);
  for (auto* access : {&store, &load}) {
    access->payload.set_byte_enable_ptr(every_other.data());
    access->payload.set_byte_enable_length(2);
  }
  rig.run_to_the_end();
  EXPECT_EQ(load.data[0], 0xAA);
  EXPECT_EQ(load.data[1], 0);
  EXPECT_EQ(all.data[1], TrafficGenerator::initial(257));
  EXPECT_EQ(all.data[2], 0xAA);
}

TEST(L1dForeign, LooselyTimedAccessesGoThroughAndHitWhatIsHeld) {
  ForeignRig rig("rig", {});
  rig.generator->load(5, 0x100, 4);
  rig.run_to_the_end();
  const auto transport = [&](tlm::tlm_command command, std::uint64_t address, unsigned char value) {
    tlm::tlm_generic_payload payload;
    std::array<unsigned char, 4> data{value, value, value, value};
    TrafficGenerator::prepare(payload, command, address, 4, data.data());
    sc_core::sc_time delay;
    rig.generator->socket->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    return std::make_pair(delay, data[0]);
  };
  EXPECT_EQ(transport(tlm::TLM_READ_COMMAND, 0x110, 0),
            std::make_pair(ns(4), TrafficGenerator::initial(0x110)));
  EXPECT_EQ(transport(tlm::TLM_READ_COMMAND, 0x200, 0),
            std::make_pair(ns(9), TrafficGenerator::initial(0x200)));
  EXPECT_EQ(transport(tlm::TLM_WRITE_COMMAND, 0x110, 0x55).first, ns(9));
  EXPECT_EQ(transport(tlm::TLM_READ_COMMAND, 0x110, 0),
            std::make_pair(ns(9), static_cast<unsigned char>(0x55)));
  EXPECT_EQ(rig.memory->bytes[0x113], 0x55);
}

TEST(L1dForeign, ALooselyTimedStoreAtAnyTimeOfALoadIsSeenByTheNextLoad) {
  constexpr unsigned kRigs = 90;
  std::vector<std::unique_ptr<ForeignRig>> rigs;
  for (unsigned i = 0; i < kRigs; ++i) {
    rigs.push_back(std::make_unique<ForeignRig>(("rig" + std::to_string(i)).c_str(), Shape()));
    rigs.back()->generator->load(5, 0x100, 4);
    rigs.back()->generator->load(500, 0x100, 4);
  }
  for (unsigned i = 0; i < kRigs; ++i) {
    sc_core::sc_start(ns(1));
    tlm::tlm_generic_payload payload;
    std::array<unsigned char, 4> data{0x77, 0x77, 0x77, 0x77};
    TrafficGenerator::prepare(payload, tlm::TLM_WRITE_COMMAND, 0x100, 4, data.data());
    sc_core::sc_time delay;
    rigs[i]->generator->socket->b_transport(payload, delay);
  }
  sc_core::sc_start(ns(1000));
  for (const auto& rig : rigs) EXPECT_EQ(rig->generator->accesses[1]->data[0], 0x77) << rig->name();
}

TEST(L1dForeign, ALooselyTimedStoreToALineThatNobodyLoadsIsForgottenAtOnce) {
  ForeignRig rig("rig", {});
  rig.generator->load(5, 0x100, 4);  // under way until 60 at least
  rig.generator->load(20, 0x200, 4);
  rig.generator->load(500, 0x200, 4);
  sc_core::sc_start(ns(10));
  tlm::tlm_generic_payload payload;
  std::array<unsigned char, 4> data{0x77, 0x77, 0x77, 0x77};
  TrafficGenerator::prepare(payload, tlm::TLM_WRITE_COMMAND, 0x200, 4, data.data());
  sc_core::sc_time delay;
  rig.generator->socket->b_transport(payload, delay);
  sc_core::sc_start(ns(1000));
  for (const unsigned load : {1, 2}) EXPECT_EQ(rig.generator->accesses[load]->data[0], 0x77);
  EXPECT_EQ(rig.stat("misses"), 2);  // the fetch that came after the store is kept
  EXPECT_EQ(rig.stat("hits"), 1);
}

TEST(L1dForeign, ALineThatTheGpusOwnLoadBroughtInIsFetchedAgainForItsBytes) {
  ForeignRig rig("rig", {});
  PayloadPool pool;
  tlm::tlm_generic_payload& own = pool.make(tlm::TLM_READ_COMMAND, 0x100, kLineBytes);
  sc_core::sc_start(ns(5));
  // The generator's socket carries it as it would an SM's: what comes back is not the generator's.
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  rig.generator->let_pass(own);
  rig.generator->socket->nb_transport_fw(own, phase, delay);
  sc_core::sc_start(ns(200));
  EXPECT_EQ(rig.stat("fills"), 1);
  const auto& load = rig.generator->load(250, 0x100, 4);
  const auto& again = rig.generator->load(500, 0x100, 4);
  rig.generator->wake();
  rig.run_to_the_end();
  EXPECT_EQ(rig.generator->stale(), 0U);
  EXPECT_TRUE(load.done && again.done);
  EXPECT_EQ(rig.stat("misses"), 2);
  EXPECT_EQ(rig.stat("hits"), 1);
  own.release();
}

}  // namespace
}  // namespace heddle::test
