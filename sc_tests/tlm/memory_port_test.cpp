#include "tlm/memory_port.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <string>

#include "sc_tests/support/memory_stubs.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

constexpr std::uint64_t kLine = kLineBytes;

/// initiator - checker - target, in one clock domain or in two, constructed in either order.
class CheckedHop : public sc_core::sc_module {
 public:
  struct Shape {
    double initiator_ns = 1;
    double target_ns = 1;
    bool target_first = false;
    const char* target_name = "target";
    unsigned depth = 2;
    unsigned response_depth = 2;
    Cycle latency = 0;
  };

  CheckedHop(const sc_core::sc_module_name& name, const Shape& shape)
      : sc_module(name),
        clock("clock", ns(shape.initiator_ns)),
        other_clock("other_clock", ns(shape.target_ns)),
        checker("checker") {
    ClockDomain& target_clock = shape.initiator_ns == shape.target_ns ? clock : other_clock;
    const auto make_target = [&] {
      target = std::make_unique<StubTarget>(shape.target_name, target_clock, shape.latency, shape.depth);
    };
    if (shape.target_first) make_target();
    initiator =
        std::make_unique<StubInitiator>("initiator", clock, tick_order::kMemory, shape.response_depth);
    if (!shape.target_first) make_target();
    initiator->port.socket.bind(checker.from_initiator);
    checker.to_target.bind(target->port.socket);
  }

  ClockDomain clock;
  ClockDomain other_clock;
  ProtocolChecker checker;
  std::unique_ptr<StubInitiator> initiator;
  std::unique_ptr<StubTarget> target;
};

std::vector<Seen> every_cycle(Cycle from, unsigned count) {
  std::vector<Seen> seen;
  for (unsigned i = 0; i < count; ++i) seen.push_back({i * kLine, from + i});
  return seen;
}

TEST(MemoryPort, AHopWithDepthTwoCarriesOneRequestAndOneResponseEveryCycle) {
  CheckedHop hop("hop", {});
  for (unsigned i = 0; i < 20; ++i) hop.initiator->at(5, i * kLine);
  sc_core::sc_start(ns(100));
  EXPECT_EQ(hop.initiator->sent, every_cycle(5, 20));
  EXPECT_EQ(hop.initiator->accepted, every_cycle(5, 20));
  EXPECT_EQ(hop.target->requests, every_cycle(6, 20));
  EXPECT_EQ(hop.target->responded, every_cycle(6, 20));
  EXPECT_EQ(hop.initiator->responses, every_cycle(7, 20));
  EXPECT_EQ(hop.initiator->pool.in_use(), 0U);
  hop.checker.check_idle();
}

TEST(MemoryPort, WithDepthOneAHopCarriesTwoPayloadsInThreeCycles) {
  CheckedHop::Shape shape;
  shape.depth = 1;
  CheckedHop hop("hop", shape);
  for (unsigned i = 0; i < 4; ++i) hop.initiator->at(5, i * kLine);
  sc_core::sc_start(ns(100));
  EXPECT_EQ(hop.target->requests, (std::vector<Seen>{{0, 6}, {kLine, 7}, {2 * kLine, 9}, {3 * kLine, 10}}));
}

TEST(MemoryPort, EndReqIsWithheldWhenFullAndGivenAtTheEdgeAfterAPop) {
  CheckedHop hop("hop", {});
  hop.target->open = [](Cycle cycle) { return cycle >= 20; };
  for (unsigned i = 0; i < 4; ++i) hop.initiator->at(5, i * kLine);
  sc_core::sc_start(ns(100));
  // Two fit. The first pop is at 20, so END_REQ of the third comes at 21, seen at 22 at the latest.
  EXPECT_EQ(hop.initiator->sent, (std::vector<Seen>{{0, 5}, {kLine, 6}, {2 * kLine, 7}, {3 * kLine, 22}}));
  EXPECT_EQ(hop.target->requests,
            (std::vector<Seen>{{0, 20}, {kLine, 21}, {2 * kLine, 22}, {3 * kLine, 23}}));
  EXPECT_EQ(hop.checker.violations(), 0U);
}

TEST(MemoryPort, EndRespIsWithheldWhileTheInitiatorTakesNoResponses) {
  CheckedHop hop("hop", {});
  hop.initiator->take_responses = false;
  for (unsigned i = 0; i < 5; ++i) hop.initiator->at(5, i * kLine);
  sc_core::sc_start(ns(30.5));
  EXPECT_EQ(hop.target->responded, every_cycle(6, 3));  // two queued, one offered
  EXPECT_EQ(hop.checker.in_flight(), 3U);
  hop.initiator->take_responses = true;
  sc_core::sc_start(ns(70));
  // Taken at 31; END_RESP of the offered one is given at 32.
  EXPECT_EQ(hop.initiator->responses, every_cycle(31, 5));
  EXPECT_EQ(hop.checker.in_flight(), 0U);
}

TEST(MemoryPort, TimingIsTheSameForAllConstructionAndTickOrders) {
  // "a_target" ticks before "initiator", "target" after it.
  std::vector<std::unique_ptr<CheckedHop>> hops;
  for (const bool first : {false, true}) {
    for (const char* name : {"a_target", "target"}) {
      CheckedHop::Shape shape;
      shape.target_first = first;
      shape.target_name = name;
      shape.latency = 2;
      hops.push_back(std::make_unique<CheckedHop>(("hop" + std::to_string(hops.size())).c_str(), shape));
      hops.back()->target->open = [](Cycle cycle) { return cycle % 7 < 4; };
      for (unsigned i = 0; i < 40; ++i) hops.back()->initiator->at(i + i % 5, i * kLine);
    }
  }
  sc_core::sc_start(ns(200));
  ASSERT_EQ(hops[0]->initiator->responses.size(), 40U);
  for (const auto& hop : hops) {
    EXPECT_EQ(hop->initiator->sent, hops[0]->initiator->sent);
    EXPECT_EQ(hop->target->requests, hops[0]->target->requests);
    EXPECT_EQ(hop->initiator->responses, hops[0]->initiator->responses);
  }
}

TEST(MemoryPort, BetweenClocksTheSlowerSetsTheRateAndAnnotatedTimeNeverDecreases) {
  CheckedHop::Shape to_slow;
  to_slow.target_ns = 2.5;
  CheckedHop::Shape to_fast;
  to_fast.initiator_ns = 2.5;
  CheckedHop slow("slow", to_slow);
  CheckedHop fast("fast", to_fast);
  for (unsigned i = 0; i < 20; ++i) {
    slow.initiator->at(5, i * kLine);
    fast.initiator->at(2, i * kLine);
  }
  sc_core::sc_start(ns(200));
  EXPECT_EQ(slow.target->requests, every_cycle(3, 20));  // sent at 5 ns, seen at 7.5 ns
  EXPECT_EQ(fast.initiator->sent, every_cycle(2, 20));
  EXPECT_EQ(fast.initiator->responses, every_cycle(3, 20));
  EXPECT_EQ(slow.checker.violations() + fast.checker.violations(), 0U);
  EXPECT_EQ(slow.checker.in_flight() + fast.checker.in_flight(), 0U);
}

/// A target of another maker, with the whole freedom of the base protocol.
class ForeignTarget : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  enum class Style { kCompletes, kRespondsAtOnce, kRespondsLater };
  ForeignTarget(const sc_core::sc_module_name& name, Style style)
      : sc_module(name), socket("socket"), style_(style) {
    socket.bind(*this);
    SC_METHOD(respond);
    sensitive << due_;
    dont_initialize();
  }
  SC_HAS_PROCESS(ForeignTarget);
  MemoryTargetSocket socket;
  sc_core::sc_time delay = ns(3);
  unsigned end_responses = 0;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& time) override {
    if (phase == tlm::END_RESP) {
      ++end_responses;
      return tlm::TLM_COMPLETED;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (style_ == Style::kRespondsLater) {
      accepted_ = &payload;
      due_.notify(delay);
      return tlm::TLM_ACCEPTED;
    }
    time += delay;
    if (style_ == Style::kCompletes) return tlm::TLM_COMPLETED;
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
  }
  /// Without an END_REQ before.
  void respond() {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time time;
    if (socket->nb_transport_bw(*accepted_, phase, time) == tlm::TLM_COMPLETED) ++end_responses;
  }
  void b_transport(tlm::tlm_generic_payload& /*payload*/, sc_core::sc_time& /*time*/) override {}
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_dmi& /*dmi*/) override {
    return false;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& /*payload*/) override { return 0; }

  Style style_;
  sc_core::sc_event due_{"due"};
  tlm::tlm_generic_payload* accepted_ = nullptr;
};

class ForeignHop {
 public:
  explicit ForeignHop(ForeignTarget::Style style, unsigned response_depth = 2)
      : clock("clock", ns(1)),
        initiator("initiator", clock, tick_order::kMemory, response_depth),
        checker("checker"),
        target("target", style) {
    initiator.port.socket.bind(checker.from_initiator);
    checker.to_target.bind(target.socket);
  }
  ClockDomain clock;
  StubInitiator initiator;
  ProtocolChecker checker;
  ForeignTarget target;
};

TEST(MemoryPort, ACompletedReturnIsAResponseAtItsAnnotatedTime) {
  ForeignHop hop(ForeignTarget::Style::kCompletes);
  hop.initiator.at(5, 0);
  hop.initiator.at(5, kLine);
  sc_core::sc_start(ns(50));
  EXPECT_EQ(hop.initiator.sent, (std::vector<Seen>{{0, 5}, {kLine, 8}}));
  EXPECT_EQ(hop.initiator.responses, (std::vector<Seen>{{0, 9}, {kLine, 12}}));  // strictly after 8 and 11
  EXPECT_EQ(hop.initiator.pool.in_use(), 0U);
  EXPECT_EQ(hop.target.end_responses, 0U);
}

TEST(MemoryPort, CompletedReturnsAreNeitherLostNorEndedTwiceWhenTheQueueIsFull) {
  ForeignHop hop(ForeignTarget::Style::kCompletes, 1);
  hop.target.delay = ns(0);
  hop.initiator.take_responses = false;
  for (unsigned i = 0; i < 4; ++i) hop.initiator.at(5, i * kLine);
  sc_core::sc_start(ns(20.5));
  EXPECT_EQ(hop.initiator.sent, (std::vector<Seen>{{0, 5}, {kLine, 6}}));
  hop.initiator.take_responses = true;
  sc_core::sc_start(ns(50));
  ASSERT_EQ(hop.initiator.responses.size(), 4U);
  EXPECT_EQ(hop.initiator.responses[0], (Seen{0, 21}));
  EXPECT_EQ(hop.initiator.responses[1], (Seen{kLine, 22}));
  EXPECT_EQ(hop.initiator.pool.in_use(), 0U);
  EXPECT_EQ(hop.target.end_responses, 0U);
}

TEST(MemoryPort, BeginRespInTheReturnStandsForEndReqAndIsEnded) {
  ForeignHop hop(ForeignTarget::Style::kRespondsAtOnce);
  hop.initiator.at(5, 0);
  hop.initiator.at(5, kLine);
  sc_core::sc_start(ns(50));
  EXPECT_EQ(hop.initiator.responses, (std::vector<Seen>{{0, 9}, {kLine, 12}}));
  EXPECT_EQ(hop.target.end_responses, 2U);
  EXPECT_EQ(hop.checker.in_flight(), 0U);
}

TEST(MemoryPort, ALaterBeginRespWithoutEndReqStandsForIt) {
  ForeignHop hop(ForeignTarget::Style::kRespondsLater);
  hop.initiator.at(5, 0);
  hop.initiator.at(5, kLine);
  sc_core::sc_start(ns(50));
  EXPECT_EQ(hop.initiator.sent, (std::vector<Seen>{{0, 5}, {kLine, 9}}));
  EXPECT_EQ(hop.initiator.responses, (std::vector<Seen>{{0, 9}, {kLine, 13}}));
  EXPECT_EQ(hop.target.end_responses, 2U);
  EXPECT_EQ(hop.checker.in_flight(), 0U);
}

TEST(MemoryPort, BeginRespInTheReturnWaitsForRoomInTheResponseQueue) {
  ForeignHop hop(ForeignTarget::Style::kRespondsAtOnce, 1);
  hop.target.delay = ns(0);
  hop.initiator.take_responses = false;
  hop.initiator.at(5, 0);
  hop.initiator.at(5, kLine);
  sc_core::sc_start(ns(20.5));
  EXPECT_EQ(hop.target.end_responses, 1U);
  hop.initiator.take_responses = true;
  sc_core::sc_start(ns(50));
  EXPECT_EQ(hop.initiator.responses, (std::vector<Seen>{{0, 21}, {kLine, 22}}));
  EXPECT_EQ(hop.target.end_responses, 2U);
}

/// Admits while `open`; does nothing with what it took.
class GateOwner : public sc_core::sc_module, public Clocked, private TargetPort::Gate {
 public:
  GateOwner(const sc_core::sc_module_name& name, ClockDomain& domain)
      : sc_module(name),
        Clocked(domain, tick_order::kMshr, this->name()),
        port("port", *this, static_cast<Gate&>(*this)) {}
  TargetPort port;
  std::vector<Seen> admitted;
  bool open = true;
  std::function<void(Cycle)> on_tick;

  bool tick() override {
    if (on_tick) on_tick(domain().cycle());
    port.begin_tick();
    if (!held_.empty() && port.can_respond()) {
      port.respond(*held_.front());
      held_.erase(held_.begin());
    }
    return true;
  }

 private:
  Answer admit(tlm::tlm_generic_payload& payload) override {
    if (!open) return Answer::kWithheld;
    admitted.push_back({payload.get_address(), domain().cycle()});
    held_.push_back(&payload);
    return Answer::kTaken;
  }
  std::vector<tlm::tlm_generic_payload*> held_;
};

TEST(MemoryPort, AGateDecidesAtTheEdgeOfTheOfferAndThenAtEachBeginTick) {
  ClockDomain clock("clock", ns(1));
  StubInitiator initiator("initiator", clock);
  ProtocolChecker checker("checker");
  GateOwner owner("owner", clock);
  initiator.port.socket.bind(checker.from_initiator);
  checker.to_target.bind(owner.port.socket);
  owner.on_tick = [&](Cycle cycle) { owner.open = cycle < 7 || cycle >= 15; };
  for (unsigned i = 0; i < 5; ++i) initiator.at(5, i * kLine);
  sc_core::sc_start(ns(50));
  EXPECT_EQ(owner.admitted,
            (std::vector<Seen>{{0, 5}, {kLine, 6}, {2 * kLine, 15}, {3 * kLine, 16}, {4 * kLine, 17}}));
  EXPECT_EQ(initiator.sent,
            (std::vector<Seen>{{0, 5}, {kLine, 6}, {2 * kLine, 7}, {3 * kLine, 16}, {4 * kLine, 17}}));
  EXPECT_EQ(initiator.responses.size(), 5U);
  EXPECT_EQ(checker.in_flight(), 0U);
}

TEST(MemoryPort, ACheckerBetweenDoesNotHideAnotherClock) {
  ClockDomain clock("clock", ns(1));
  ClockDomain other_clock("other_clock", ns(2));
  StubInitiator initiator("initiator", other_clock);
  ProtocolChecker first("first");
  ProtocolChecker second("second");
  GateOwner owner("owner", clock);
  initiator.port.socket.bind(first.from_initiator);
  first.to_target.bind(second.from_initiator);
  second.to_target.bind(owner.port.socket);
  const ExpectReports reports;
  sc_core::sc_start(ns(5));
  EXPECT_EQ(
      ExpectReports::messages(),
      std::vector<std::string>{"/heddle/port: owner.port is bound to a block with the clock other_clock; "
                               "expected its own, clock"});
}

TEST(MemoryPort, AGateBehindABlockOfAnotherClockIsRefusedBeforeTheStart) {
  ClockDomain clock("clock", ns(1));
  ClockDomain other_clock("other_clock", ns(2));
  StubInitiator initiator("initiator", other_clock);
  GateOwner owner("owner", clock);
  initiator.port.socket.bind(owner.port.socket);
  const ExpectReports reports;
  sc_core::sc_start(ns(5));
  EXPECT_EQ(
      ExpectReports::messages(),
      std::vector<std::string>{"/heddle/port: owner.port is bound to a block with the clock other_clock; "
                               "expected its own, clock"});
}

DECLARE_EXTENDED_PHASE(FOREIGN_PHASE);

TEST(MemoryPort, ExtendedPhasesOfOthersAreIgnoredOnBothPaths) {
  CheckedHop hop("hop", {});
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  auto& payload = hop.initiator->pool.make(tlm::TLM_READ_COMMAND, 0, 4);
  tlm::tlm_phase phase = FOREIGN_PHASE;
  sc_core::sc_time delay;
  EXPECT_EQ(hop.initiator->port.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_ACCEPTED);
  EXPECT_EQ(hop.target->port.socket->nb_transport_bw(payload, phase, delay), tlm::TLM_ACCEPTED);
  EXPECT_EQ(phase, FOREIGN_PHASE);
  payload.release();
}

/// A plain initiator in front of a target with one place.
struct UnboundTarget : sc_core::sc_module {
  explicit UnboundTarget(const sc_core::sc_module_name& name) : sc_module(name) {
    initiator.bind(target.port.socket);
  }
  void send(std::uint64_t address, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    initiator->nb_transport_fw(pool.make(tlm::TLM_READ_COMMAND, address, 4), phase, delay);
  }
  ClockDomain clock{"clock", ns(1)};
  StubTarget target{"target", clock, 0, 1};
  tlm_utils::simple_initiator_socket<StubTarget, 64> initiator{"initiator"};
  PayloadPool pool;
};

TEST(MemoryPort, AWrongPhaseIsReportedWithTheSocketThatGotIt) {
  UnboundTarget rig("rig");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const ExpectReports reports;
  rig.send(0, tlm::END_REQ);
  EXPECT_EQ(ExpectReports::messages(),
            std::vector<std::string>{
                "/heddle/port: rig.target.port received the phase END_REQ; expected BEGIN_REQ or "
                "END_RESP on the forward path"});
}

TEST(MemoryPort, ASecondRequestBeforeEndReqIsReportedAndNotTaken) {
  UnboundTarget rig("rig");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const ExpectReports reports;
  for (unsigned i = 0; i < 3; ++i) rig.send(i * kLine, tlm::BEGIN_REQ);
  EXPECT_EQ(ExpectReports::messages(),
            std::vector<std::string>{
                "/heddle/port: rig.target.port received BEGIN_REQ for address 0x100; expected none "
                "before it has given END_REQ for the one before"});
  EXPECT_EQ(rig.target.port.withheld()->get_address(), kLine);
}

TEST(MemoryPort, WithoutABackdoorUntimedAccessIsRefused) {
  CheckedHop hop("hop", {});
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  auto& payload = hop.initiator->pool.make(tlm::TLM_READ_COMMAND, 0, 4);
  sc_core::sc_time delay;
  hop.initiator->port.socket->b_transport(payload, delay);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(hop.initiator->port.socket->transport_dbg(payload), 0U);
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(hop.initiator->port.socket->get_direct_mem_ptr(payload, dmi));
  payload.release();
}

}  // namespace
}  // namespace heddle::test
