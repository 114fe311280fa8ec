// When END_REQ of a target of another maker counts: the same edge for a block that sleeps and for one that
// ticks at every edge, whoever's process comes first at an edge.
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <string>

#include "sc_tests/support/apart.h"
#include "sc_tests/support/memory_stubs.h"

namespace heddle::test {
namespace {

using Payload = tlm::tlm_generic_payload;

/// Sends two requests, and sleeps while it waits for an acceptance, as the blocks do.
class Sender : public sc_core::sc_module, public Clocked {
 public:
  Sender(const sc_core::sc_module_name& name, ClockDomain& domain)
      : sc_module(name), Clocked(domain, tick_order::kExecute, this->name()), port("port", *this) {}
  InitiatorPort port;
  std::string log;

  bool tick() override {
    port.begin_tick();
    const Cycle now = domain().cycle();
    if (port.has_response()) {
      note("response", now);
      port.response().release();
      port.pop_response();
    }
    if (waits_ && port.awaiting_accept() == nullptr) accepted(now);
    if (!waits_ && now >= kFirst && sent_ < 2 && port.can_send()) {
      ++sent_;
      waits_ = true;
      note("sent", now);
      port.send(pool_.make(tlm::TLM_READ_COMMAND, sent_ * 0x80, 4));
      if (port.awaiting_accept() == nullptr) accepted(now);
    }
    if (now < kFirst) wake_in(kFirst - now);
    return (now >= kFirst && sent_ < 2 && port.awaiting_accept() == nullptr) || port.has_response();
  }

 private:
  static constexpr Cycle kFirst = 5;
  void note(const char* what, Cycle now) { log += std::string(what) + " " + std::to_string(now) + "; "; }
  void accepted(Cycle now) {
    waits_ = false;
    note("accepted", now);
  }
  PayloadPool pool_;
  unsigned sent_ = 0;
  bool waits_ = false;
};

struct Manner {
  enum class Says : std::uint8_t {
    kReturnsEnd,
    kReturnsResponse,
    kCompletes,
    kCallsInCall,
    kCalls,
    kResponds
  };
  Says says = Says::kCalls;
  double annotation_ns = 0;
  double later_ns = 0;        ///< of kCalls and kResponds
  bool second_delta = false;  ///< of that time
};

/// Accepts the first request in the given manner, the second not at all.
class Acceptor : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Acceptor);
  Acceptor(const sc_core::sc_module_name& name, const Manner& manner)
      : sc_module(name), socket("socket"), manner_(manner) {
    socket.register_nb_transport_fw(this, &Acceptor::nb_transport_fw);
    SC_METHOD(say);
    sensitive << due_;
    dont_initialize();
  }
  tlm_utils::simple_target_socket<Acceptor, 64> socket;

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    if (payload_ != nullptr) return tlm::TLM_ACCEPTED;
    payload_ = &payload;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    switch (manner_.says) {
      case Manner::Says::kReturnsEnd:
        phase = tlm::END_REQ;
        delay = ns(manner_.annotation_ns);
        return tlm::TLM_UPDATED;
      case Manner::Says::kReturnsResponse:
        phase = tlm::BEGIN_RESP;
        delay = ns(manner_.annotation_ns);
        return tlm::TLM_UPDATED;
      case Manner::Says::kCompletes:
        delay = ns(manner_.annotation_ns);
        return tlm::TLM_COMPLETED;
      case Manner::Says::kCallsInCall:
        call();
        return tlm::TLM_ACCEPTED;
      case Manner::Says::kCalls:
      case Manner::Says::kResponds:
        due_.notify(ns(manner_.later_ns));
        break;
    }
    return tlm::TLM_ACCEPTED;
  }
  void say() {
    if (manner_.second_delta) {
      manner_.second_delta = false;
      due_.notify(sc_core::SC_ZERO_TIME);
      return;
    }
    call();
  }
  void call() {
    tlm::tlm_phase phase = manner_.says == Manner::Says::kResponds ? tlm::BEGIN_RESP : tlm::END_REQ;
    sc_core::sc_time delay = ns(manner_.annotation_ns);
    socket->nb_transport_bw(*payload_, phase, delay);
  }

  Manner manner_;
  Payload* payload_ = nullptr;
  sc_core::sc_event due_;
};

std::string log_of(const Manner& manner, bool sleeping, bool processes) {
  return apart([&] {
    ClockDomain clock("clock", ns(1), sleeping);
    if (processes) clock.tick_by_processes();
    Sender sender("sender", clock);
    Acceptor target("target", manner);
    sender.port.socket.bind(target.socket);
    sc_core::sc_start(ns(30));
    return sender.log;
  });
}

void expect(const Manner& manner, const std::string& log) {
  for (const bool processes : {false, true}) {
    for (const bool sleeping : {true, false}) {
      EXPECT_EQ(log_of(manner, sleeping, processes), log)
          << (sleeping ? "asleep" : "awake") << (processes ? ", by processes" : "");
    }
  }
}

using Says = Manner::Says;

TEST(ForeignAcceptance, InTheReturnOrTheCallUpToAPeriodItCountsAtOnce) {
  for (const Says says : {Says::kReturnsEnd, Says::kCallsInCall}) {
    for (const double annotation_ns : {0.0, 0.5, 1.0}) {
      expect({says, annotation_ns, 0, false}, "sent 5; accepted 5; sent 6; ");
    }
  }
}

TEST(ForeignAcceptance, InTheReturnOrTheCallALaterOneCountsFromItsTimeOn) {
  for (const Says says : {Says::kReturnsEnd, Says::kCallsInCall}) {
    expect({says, 1.5, 0, false}, "sent 5; accepted 7; sent 7; ");
    expect({says, 3, 0, false}, "sent 5; accepted 8; sent 8; ");
    expect({says, 3.5, 0, false}, "sent 5; accepted 9; sent 9; ");
  }
}

TEST(ForeignAcceptance, ACallBetweenEdgesCountsAtTheNextEdge) {
  expect({Says::kCalls, 0, 2.5, false}, "sent 5; accepted 8; sent 8; ");
}

TEST(ForeignAcceptance, ACallAtAnEdgeCountsAtTheNextWhoeverComesFirst) {
  for (const bool second_delta : {false, true}) {
    expect({Says::kCalls, 0, 2, second_delta}, "sent 5; accepted 8; sent 8; ");
  }
}

TEST(ForeignAcceptance, AnAnnotatedCallCountsStrictlyAfterItsTime) {
  for (const bool second_delta : {false, true}) {
    expect({Says::kCalls, 3, 2, second_delta}, "sent 5; accepted 11; sent 11; ");
  }
  expect({Says::kCalls, 0.5, 2, false}, "sent 5; accepted 8; sent 8; ");
  expect({Says::kCalls, 2, 2.5, false}, "sent 5; accepted 10; sent 10; ");
  expect({Says::kCalls, 0.5, 2.5, false}, "sent 5; accepted 9; sent 9; ");
}

TEST(ForeignAcceptance, AResponseStandsForItAtItsTime) {
  expect({Says::kResponds, 0, 2, false}, "sent 5; response 8; accepted 8; sent 8; ");
  expect({Says::kResponds, 3, 2, false}, "sent 5; response 11; accepted 11; sent 11; ");
  expect({Says::kReturnsResponse, 3, 0, false}, "sent 5; accepted 8; sent 8; response 9; ");
  expect({Says::kCompletes, 3, 0, false}, "sent 5; accepted 8; sent 8; response 9; ");
  expect({Says::kCompletes, 3.5, 0, false}, "sent 5; response 9; accepted 9; sent 9; ");
}

}  // namespace
}  // namespace heddle::test
