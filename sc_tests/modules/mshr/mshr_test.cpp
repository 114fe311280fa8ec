#include "modules/mshr/mshr.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "modules/messages/tick_order.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_traffic.h"
#include "sc_tests/support/stat_table.h"
#include "sc_tests/support/stat_values.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

constexpr std::uint64_t kLine = kLineBytes;

/// stub - checker - MSHR - checker - stub.
class Rig : public sc_core::sc_module {
 public:
  struct Shape {
    MshrConfig config{4, 3, 2};
    Cycle latency = 10;
    bool sleeping = true;
    bool reversed = false;
  };
  Rig(const sc_core::sc_module_name& name, const Shape& shape)
      : sc_module(name), clock("clock", ns(1), shape.sleeping), above("above"), below("below") {
    const auto make_target = [&] { memory = std::make_unique<StubTarget>("memory", clock, shape.latency); };
    if (shape.reversed) make_target();
    if (!shape.reversed) cpu = std::make_unique<StubInitiator>("cpu", clock, tick_order::kMemory);
    mshr = std::make_unique<Mshr>("mshr", clock, shape.config, kLineBytes);
    if (shape.reversed) cpu = std::make_unique<StubInitiator>("cpu", clock, tick_order::kMemory);
    if (!shape.reversed) make_target();
    cpu->port.socket.bind(above.from_initiator);
    above.to_target.bind(mshr->cache.socket);
    mshr->memory.socket.bind(below.from_initiator);
    below.to_target.bind(memory->port.socket);
  }
  ClockDomain clock;
  ProtocolChecker above;
  ProtocolChecker below;
  std::unique_ptr<StubInitiator> cpu;
  std::unique_ptr<Mshr> mshr;
  std::unique_ptr<StubTarget> memory;
};

TEST(Mshr, AMissTakesOneCycleDownAndOneUp) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x1000);
  sc_core::sc_start(ns(50));
  // Sent at 5, leaves the miss queue at 6, seen below at 7, answered at 17, passed on at 18, seen at 19.
  EXPECT_EQ(rig.cpu->accepted, (std::vector<Seen>{{0x1000, 5}}));
  EXPECT_EQ(rig.memory->requests, (std::vector<Seen>{{0x1000, 7}}));
  EXPECT_EQ(rig.cpu->responses, (std::vector<Seen>{{0x1000, 19}}));
  EXPECT_TRUE(rig.mshr->idle());
}

TEST(Mshr, MissesOfOneLineAreMergedAndAnsweredInOrderOnePerCycle) {
  Rig rig("rig", {});
  std::vector<bool> primary;
  rig.cpu->on_response = [&](tlm::tlm_generic_payload& p) { primary.push_back(request_of(p)->primary); };
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(6, 0x1020, RequestKind::kLoad, 32);
  rig.cpu->at(10, 0x1040, RequestKind::kLoad, 32);
  sc_core::sc_start(ns(50));
  EXPECT_EQ(rig.memory->requests.size(), 1U);
  EXPECT_EQ(rig.cpu->responses, (std::vector<Seen>{{0x1000, 19}, {0x1020, 20}, {0x1040, 21}}));
  EXPECT_EQ(primary, (std::vector<bool>{true, false, false}));
}

TEST(Mshr, TheAnswerOfABypassWaitsForTheLinesThatCameBefore) {
  Rig rig("rig", {});
  // The line is back at 18, the acknowledgement of the store at 19, when two of three loads are unanswered.
  std::vector<Cycle> latencies{7, 10};
  rig.memory->latency_of = [&] {
    const Cycle latency = latencies.back();
    latencies.pop_back();
    return latency;
  };
  for (unsigned i = 0; i < 3; ++i) rig.cpu->at(5, 0x1000 + 32 * i, RequestKind::kLoad, 32);
  rig.cpu->at(8, 0x2000, RequestKind::kStore, 32);
  sc_core::sc_start(ns(50));
  EXPECT_EQ(rig.memory->responded, (std::vector<Seen>{{0x1000, 17}, {0x2000, 18}}));
  EXPECT_EQ(rig.cpu->responses, (std::vector<Seen>{{0x1000, 19}, {0x1020, 20}, {0x1040, 21}, {0x2000, 22}}));
}

TEST(Mshr, TheAnswerOfABypassGoesBeforeALineThatComesAfterIt) {
  Rig rig("rig", {});
  rig.cpu->at(5, 0x2000, RequestKind::kStore, 32);
  rig.cpu->at(6, 0x1000);
  rig.cpu->at(7, 0x1020, RequestKind::kLoad, 32);
  sc_core::sc_start(ns(50));
  EXPECT_EQ(rig.cpu->responses, (std::vector<Seen>{{0x2000, 19}, {0x1000, 20}, {0x1020, 21}}));
}

TEST(Mshr, ARequestBeyondTheMergesIsWithheldUntilTheLineIsBack) {
  Rig rig("rig", {});
  for (unsigned i = 0; i < 4; ++i) rig.cpu->at(5, 0x1000 + 4 * i, RequestKind::kLoad, 4);
  sc_core::sc_start(ns(50));
  // The first answer at 18 makes room for the fourth; it is answered after the others from the same fetch.
  EXPECT_EQ(rig.cpu->accepted, (std::vector<Seen>{{0x1000, 5}, {0x1004, 6}, {0x1008, 7}, {0x100C, 18}}));
  for (const Refusal refusal : rig.cpu->refusals) EXPECT_EQ(refusal, Refusal::kMshrMerges);
  EXPECT_EQ(rig.cpu->refusals.size(), 9U);  // seen by the stub at 9 to 17
  EXPECT_EQ(rig.memory->requests.size(), 1U);
  EXPECT_EQ(rig.cpu->responses.back(), (Seen{0x100C, 22}));
}

TEST(Mshr, WithOneRequestPerEntryTheNextOfTheLineStillSharesTheFetch) {
  Rig::Shape shape;
  shape.config.merges = 1;
  Rig rig("rig", shape);
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(6, 0x1000);
  sc_core::sc_start(ns(60));
  EXPECT_EQ(rig.memory->requests.size(), 1U);
  EXPECT_EQ(rig.cpu->responses, (std::vector<Seen>{{0x1000, 19}, {0x1000, 20}}));
}

TEST(Mshr, TheMissBeyondTheEntriesIsAcceptedAtTheEdgeAtWhichOneIsFreed) {
  Rig rig("rig", {});
  for (unsigned i = 0; i < 6; ++i) rig.cpu->at(5, i * kLine);
  sc_core::sc_start(ns(100));
  EXPECT_EQ(rig.cpu->accepted[3], (Seen{3 * kLine, 8}));
  EXPECT_EQ(rig.cpu->accepted[4], (Seen{4 * kLine, 18}));
  EXPECT_EQ(rig.cpu->accepted[5], (Seen{5 * kLine, 19}));
  for (const Refusal refusal : rig.cpu->refusals) EXPECT_EQ(refusal, Refusal::kMshrEntries);
  EXPECT_EQ(rig.memory->requests[4], (Seen{4 * kLine, 20}));
  EXPECT_EQ(rig.cpu->responses.size(), 6U);
}

TEST(Mshr, AFullMissQueueRefusesBecauseOfTheInterconnect) {
  Rig rig("rig", {});
  rig.memory->open = [](Cycle cycle) { return cycle >= 30; };
  for (unsigned i = 0; i < 7; ++i) rig.cpu->at(5, i * kLine, RequestKind::kStore, 32);
  sc_core::sc_start(ns(29.5));
  // Two queued below, one offered there, two in the miss queue: the sixth is refused.
  EXPECT_EQ(rig.cpu->accepted.size(), 5U);
  EXPECT_EQ(rig.cpu->sent.size(), 6U);
  EXPECT_EQ(rig.cpu->refusals.back(), Refusal::kInterconnect);
  sc_core::sc_start(ns(70));
  EXPECT_EQ(rig.cpu->responses.size(), 7U);
}

TEST(Mshr, TheReasonFollowsTheCause) {
  Rig rig("rig", {{2, 3, 2}, 10});
  rig.memory->open = [](Cycle cycle) { return cycle <= 8 || cycle >= 30; };
  rig.cpu->at(5, 0 * kLine);
  rig.cpu->at(6, 1 * kLine);
  for (unsigned i = 0; i < 5; ++i) rig.cpu->at(7, 8 * kLine, RequestKind::kStore);
  rig.cpu->at(12, 2 * kLine);
  // Two stores are queued below, one is offered there and two fill the miss queue. The entry freed at 18 is
  // of no use while the network takes nothing.
  sc_core::sc_start(ns(17.5));
  EXPECT_EQ(rig.cpu->refusals, std::vector<Refusal>(5, Refusal::kMshrEntries));
  sc_core::sc_start(ns(1));
  EXPECT_EQ(rig.cpu->refusals.back(), Refusal::kInterconnect);
  sc_core::sc_start(ns(60));
  EXPECT_EQ(rig.cpu->refusals[5], Refusal::kInterconnect);
  EXPECT_EQ(rig.cpu->refusals.back(), Refusal::kInterconnect);
  EXPECT_EQ(rig.cpu->responses.size(), 8U);
}

TEST(Mshr, StoresAtomicsAndBypassesTakeNoEntry) {
  Rig rig("rig", {});
  rig.memory->answering = [] { return false; };
  rig.cpu->at(5, 0x1000, RequestKind::kStore, 32);
  rig.cpu->at(6, 0x1000, RequestKind::kAtomic, 32);
  request_of(rig.cpu->at(7, 0x1000))->bypass_l1d = true;
  sc_core::sc_start(ns(30));
  EXPECT_EQ(rig.mshr->used_entries(), 0U);
  EXPECT_EQ(rig.memory->requests, (std::vector<Seen>{{0x1000, 7}, {0x1000, 8}, {0x1000, 9}}));
}

TEST(Mshr, AFailedFetchFailsEverybodyWhoWaitsForIt) {
  Rig rig("rig", {});
  unsigned failed = 0;
  rig.cpu->on_response = [&](tlm::tlm_generic_payload& p) { failed += p.is_response_error() ? 1 : 0; };
  rig.cpu->at(5, 0x1000);
  rig.cpu->at(6, 0x1000);
  sc_core::sc_start(ns(9));
  rig.memory->payloads.at(0)->set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  sc_core::sc_start(ns(50));
  EXPECT_EQ(failed, 2U);
}

TEST(Mshr, OccupancyAndRefusalsAreCountedInCycles) {
  Rig rig("rig", {{1, 1, 2}, 10});
  rig.cpu->at(5, 0 * kLine);
  rig.cpu->at(6, 1 * kLine);
  sc_core::sc_start(ns(100));
  rig.mshr->settle();
  StatValues stats;
  rig.mshr->report(stats);
  // Used from 5 to 18 and from 18 to 31; the second is refused from 6 to 18.
  EXPECT_EQ(stats.values["entry_cycles"], 26);
  EXPECT_EQ(stats.values["full_cycles"], 26);
  EXPECT_EQ(stats.values["refused_mshr_entries"], 12);
  EXPECT_EQ(stats.values["refused_interconnect"], 0);
  EXPECT_EQ(stats.values["peak_entries"], 1);
  EXPECT_EQ(stats.values["primary_misses"], 2);
}

TEST(Mshr, ThePresentCycleIsCountedWhenStatisticsAreRead) {
  Rig rig("rig", {{1, 1, 2}, 10});
  rig.cpu->at(5, 0 * kLine);
  rig.cpu->at(6, 1 * kLine);
  std::map<std::string, std::uint64_t> before;
  sc_core::sc_start(ns(0.5));
  for (Cycle cycle = 1; cycle < 40; ++cycle) {
    sc_core::sc_start(ns(1));
    std::map<std::string, std::uint64_t> now = statistics(*rig.mshr).values;
    // As above: of each cycle by itself.
    EXPECT_EQ(now["entry_cycles"] - before["entry_cycles"], cycle >= 5 && cycle < 31 ? 1U : 0U) << cycle;
    EXPECT_EQ(now["full_cycles"] - before["full_cycles"], cycle >= 5 && cycle < 31 ? 1U : 0U) << cycle;
    EXPECT_EQ(now["refused_mshr_entries"] - before["refused_mshr_entries"],
              cycle >= 6 && cycle < 18 ? 1U : 0U)
        << cycle;
    before = now;
  }
}

TEST(Mshr, EveryRequestIsCountedByWhatBecameOfItAndEachRefusedCycleByItsReason) {
  Rig rig("rig", {{1, 3, 2}, 10});
  rig.memory->open = [](Cycle cycle) { return cycle < 60 || cycle >= 90; };
  // One entry of three requests: the fourth of the line waits for the first answer, the other line for all.
  for (unsigned i = 0; i < 4; ++i) rig.cpu->at(5, 0x1000 + 32 * i, RequestKind::kLoad, 32);
  rig.cpu->at(5, 0x2000);
  // Nothing leaves from 60 to 90: two are queued below, one is offered there, two wait in the miss queue.
  for (unsigned i = 0; i < 5; ++i) rig.cpu->at(60, 0x3000, RequestKind::kStore, 32);
  rig.cpu->at(60, 0x3000, RequestKind::kAtomic, 32);
  request_of(rig.cpu->at(61, 0x3000))->bypass_l1d = true;
  sc_core::sc_start(ns(150));
  const std::vector<Seen>& sent = rig.cpu->sent;
  const std::vector<Seen>& accepted = rig.cpu->accepted;
  ASSERT_EQ(accepted.size(), 12U);
  const std::uint64_t merges = accepted[3].cycle - sent[3].cycle;
  const std::uint64_t entries = accepted[4].cycle - sent[4].cycle;
  std::uint64_t interconnect = 0;
  for (unsigned i = 5; i < 12; ++i) interconnect += accepted[i].cycle - sent[i].cycle;
  EXPECT_EQ(merges, 18U - 8);
  EXPECT_EQ(entries, 21U - 19);
  EXPECT_GE(interconnect, 90U - 65);
  // The first line's entry is used from 5 to 21, the second's from there to its answer, 13 cycles later.
  const StatTable stats = statistics(*rig.mshr);
  EXPECT_EQ(stats.values, (std::map<std::string, std::uint64_t>{{"primary_misses", 2},
                                                                {"merged_misses", 3},
                                                                {"passed", 7},
                                                                {"entry_cycles", 16 + 13},
                                                                {"full_cycles", 16 + 13},
                                                                {"refused_mshr_entries", entries},
                                                                {"refused_mshr_merges", merges},
                                                                {"refused_interconnect", interconnect}}));
  EXPECT_EQ(stats.levels, (std::map<std::string, double>{{"peak_entries", 1}}));
}

TEST(Mshr, RandomTrafficIsAnsweredOnceAndIndependentlyOfSleepAndConstruction) {
  std::vector<std::unique_ptr<Rig>> rigs;
  for (int i = 0; i < 3; ++i) {
    Rig::Shape shape;
    shape.sleeping = i != 1;
    shape.reversed = i == 2;
    rigs.push_back(std::make_unique<Rig>(("rig" + std::to_string(i)).c_str(), shape));
    Rig& rig = *rigs.back();
    auto random = std::make_shared<std::mt19937>(5);
    rig.memory->latency_of = [random] { return Cycle{1 + (*random)() % 40}; };
    rig.memory->open = [](Cycle cycle) { return cycle / 64 % 3 != 0; };
    std::mt19937 script(11);
    Cycle cycle = 2;
    for (unsigned k = 0; k < 1500; ++k) {
      cycle += script() % 4;
      const std::uint64_t address = (script() % 12) * kLine;
      const unsigned kind = script() % 8;
      auto& payload = rig.cpu->at(cycle, address, kind == 0 ? RequestKind::kStore : RequestKind::kLoad);
      request_of(payload)->bypass_l1d = kind == 1;
      request_of(payload)->access_id = k;
    }
  }
  std::multiset<std::uint64_t> answered;
  rigs[0]->cpu->on_response = [&](tlm::tlm_generic_payload& p) { answered.insert(request_of(p)->access_id); };
  for (int step = 0; step < 1000; ++step) {
    sc_core::sc_start(ns(10));
    ASSERT_LE(rigs[0]->mshr->used_entries(), 4U);
    ASSERT_LE(rigs[0]->mshr->queued_misses(), 2U);
  }
  ASSERT_EQ(answered.size(), 1500U);
  EXPECT_EQ(std::set<std::uint64_t>(answered.begin(), answered.end()).size(), 1500U);
  for (const auto& rig : rigs) {
    EXPECT_EQ(rig->cpu->responses, rigs[0]->cpu->responses);
    EXPECT_EQ(rig->cpu->accepted, rigs[0]->cpu->accepted);
    EXPECT_EQ(rig->cpu->refusals, rigs[0]->cpu->refusals);
    EXPECT_EQ(rig->memory->requests, rigs[0]->memory->requests);
    EXPECT_EQ(rig->above.in_flight() + rig->below.in_flight(), 0U);
    rig->mshr->settle();
    StatValues mine;
    StatValues first;
    rig->mshr->report(mine);
    rigs[0]->mshr->report(first);
    EXPECT_EQ(mine.values, first.values);
  }
  EXPECT_LT(rigs[0]->mshr->used_entries(), 1U);
}

TEST(Mshr, RoomIsToldWhenEntriesOrPlacesOfTheMissQueueChange) {
  Rig rig("rig", {});
  std::vector<std::array<Cycle, 3>> told;
  rig.mshr->room_changed.listen([&told](const MshrRoom& room) {
    told.push_back({room.cycle, room.free_entries, room.free_queue});
  });
  rig.cpu->at(5, 0x1000, RequestKind::kStore, 32);  // a place of the queue for one cycle, no entry
  rig.cpu->at(40, 0x1000);                          // an entry until 53 too
  rig.cpu->at(42, 0x1000);                          // joins it
  sc_core::sc_start(ns(100));
  EXPECT_EQ(told,
            (std::vector<std::array<Cycle, 3>>{{5, 4, 1}, {6, 4, 2}, {40, 3, 1}, {41, 3, 2}, {54, 4, 2}}));
}

TEST(Mshr, SleepsWhileItWaitsForMemory) {
  Rig::Shape shape;
  shape.latency = 500;
  Rig rig("rig", shape);
  rig.cpu->at(5, 0x1000);
  sc_core::sc_start(ns(400));
  const std::uint64_t stub_ticks = std::uint64_t{2} * 399;
  EXPECT_LE(rig.clock.ticks_executed() - stub_ticks, 5U);
}

TEST(Mshr, ImpossibleShapesAreRejected) {
  ClockDomain clock("clock", ns(1));
  EXPECT_THROW(Mshr("a", clock, {0, 1, 1}, kLineBytes), std::invalid_argument);
  EXPECT_THROW(Mshr("b", clock, {1, 0, 1}, kLineBytes), std::invalid_argument);
  EXPECT_THROW(Mshr("c", clock, {1, 1, 0}, kLineBytes), std::invalid_argument);
  for (const unsigned line_bytes : {0U, 100U, 256U}) {
    EXPECT_THROW(Mshr("d", clock, {}, line_bytes), std::invalid_argument) << line_bytes;
  }
}

TEST(Mshr, AStandardInitiatorsLineOfAnotherLengthThanItsOwnIsReported) {
  Rig rig("rig", {});
  tlm::tlm_generic_payload request;
  tlm::tlm_generic_payload& carried = rig.cpu->at(5, 0, RequestKind::kLoad, 32);
  request_of(carried)->stands_for = &request;
  sc_core::sc_start(ns(3));
  const ExpectReports reports;
  sc_core::sc_start(ns(10));
  EXPECT_EQ(ExpectReports::messages(),
            std::vector<std::string>{"/heddle/mshr: rig.mshr: expected lines of 128 bytes, found one of 32"});
}

/// generator - checker - MSHR - checker - memory with data.
struct ForeignRig {
  explicit ForeignRig(unsigned most_in_flight)
      : generator("generator", most_in_flight),
        mshr("mshr", clock, MshrConfig{4, 3, 2}, kLineBytes),
        memory("memory", 5, 60) {
    generator.socket.bind(above.from_initiator);
    above.to_target.bind(mshr.cache.socket);
    mshr.memory.socket.bind(below.from_initiator);
    below.to_target.bind(memory.socket);
  }
  ClockDomain clock{"clock", ns(1)};
  ProtocolChecker above{"above"};
  ProtocolChecker below{"below"};
  TrafficGenerator generator;
  Mshr mshr;
  DataMemory memory;
};

TEST(Mshr, AStandardInitiatorIsServedWithItsData) {
  ForeignRig rig(8);
  rig.generator.add_random(3000, 10, 5);
  const auto& crossing = rig.generator.load(1, 120, 16);
  sc_core::sc_start(ns(300000));
  EXPECT_EQ(rig.generator.done(), rig.generator.accesses.size());
  EXPECT_EQ(crossing.payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(rig.generator.stale(), 1U);  // the refused one
  StatValues values;
  rig.mshr.report(values);
  EXPECT_EQ(values.values.at("primary_misses"), rig.memory.reads);
  EXPECT_EQ(values.values.at("passed"), rig.memory.writes);
  EXPECT_EQ(
      values.values.at("primary_misses") + values.values.at("merged_misses") + values.values.at("passed"),
      3000);
  EXPECT_GT(values.values.at("merged_misses"), 30);
  EXPECT_GT(values.values.at("refused_mshr_merges"), 0);
  EXPECT_TRUE(rig.mshr.idle());
  rig.above.check_idle();
  rig.below.check_idle();
  EXPECT_EQ(rig.above.violations() + rig.below.violations(), 0U);
}

TEST(Mshr, AStandardInitiatorsMissTakesACycleMoreWhoeverIsConstructedFirst) {
  ClockDomain clock("clock", ns(1));
  std::vector<std::unique_ptr<TrafficGenerator>> generators;
  std::vector<std::unique_ptr<Mshr>> mshrs;
  std::vector<std::unique_ptr<StubTarget>> memories;
  for (const bool generator_first : {true, false}) {
    const std::string number = generator_first ? "0" : "1";
    const auto make = [&] {
      generators.push_back(std::make_unique<TrafficGenerator>(("g" + number).c_str()));
    };
    if (generator_first) make();
    mshrs.push_back(std::make_unique<Mshr>(("m" + number).c_str(), clock, MshrConfig{4, 3, 2}, kLineBytes));
    if (!generator_first) make();
    memories.push_back(std::make_unique<StubTarget>(("t" + number).c_str(), clock, 10));
    generators.back()->socket.bind(mshrs.back()->cache.socket);
    mshrs.back()->memory.socket.bind(memories.back()->port.socket);
    generators.back()->load(5, 0x1010, 4);
  }
  // Taken at 6, leaves the miss queue at 7, seen below at 8, answered at 18, passed on at 19.
  sc_core::sc_start(ns(18.5));
  EXPECT_EQ(generators[0]->done() + generators[1]->done(), 0U);
  sc_core::sc_start(ns(20));
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(memories[i]->requests, (std::vector<Seen>{{0x1000, 8}}));
    EXPECT_EQ(generators[i]->accesses[0]->accepted_at, ns(6));
    EXPECT_EQ(generators[i]->accesses[0]->done_at, ns(19));
  }
}

}  // namespace
}  // namespace heddle::test
