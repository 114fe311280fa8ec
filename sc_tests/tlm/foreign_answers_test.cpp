// What modules of another maker answer at the two ends of a memory hop: addresses that they have translated,
// and what nobody has asked for.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <string>
#include <vector>

#include "sc_tests/support/apart.h"
#include "sc_tests/support/memory_stubs.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

using Messages = std::vector<std::string>;
using Payload = tlm::tlm_generic_payload;

/// Keeps what it is sent, with another address, and says what the test tells it to.
class Translating : public sc_core::sc_module {
 public:
  enum class Answer : std::uint8_t { kLater, kResponds, kCompletes };

  explicit Translating(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_fw(this, &Translating::nb_transport_fw);
  }
  tlm_utils::simple_target_socket<Translating, 64> socket;
  Answer answer = Answer::kLater;
  std::vector<Payload*> taken;

  void say(Payload& payload, tlm::tlm_phase phase) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    sc_core::sc_time delay;
    socket->nb_transport_bw(payload, phase, delay);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& /*delay*/) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    payload.set_address(payload.get_address() + 0x10000);
    if (answer == Answer::kLater) {
      taken.push_back(&payload);
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    phase = tlm::BEGIN_RESP;
    return answer == Answer::kResponds ? tlm::TLM_UPDATED : tlm::TLM_COMPLETED;
  }
};

struct Rig {
  Rig() { initiator.port.socket.bind(target.socket); }
  ClockDomain clock{"clock", ns(1)};
  StubInitiator initiator{"initiator", clock};
  Translating target{"target"};
};

TEST(ForeignAnswers, AnAddressThatABusHasTranslatedIsPutBack) {
  for (const auto answer :
       {Translating::Answer::kLater, Translating::Answer::kResponds, Translating::Answer::kCompletes}) {
    const std::string text = apart([answer] {
      Rig rig;
      rig.target.answer = answer;
      rig.initiator.at(5, 0x80);
      rig.initiator.at(5, 0x100);
      sc_core::sc_start(ns(20.5));
      for (Payload* payload : rig.target.taken) rig.target.say(*payload, tlm::BEGIN_RESP);
      sc_core::sc_start(ns(20));
      EXPECT_EQ(rig.initiator.responses.size(), 2U);
      std::string addresses;
      for (const Seen& seen : rig.initiator.responses) addresses += std::to_string(seen.address) + " ";
      return addresses;
    });
    EXPECT_EQ(text, "128 256 ");
  }
}

TEST(ForeignAnswers, AResponseThatNobodyAskedForIsAnErrorWithTheSocketsName) {
  Rig rig;
  rig.initiator.at(5, 0x80);
  sc_core::sc_start(ns(10.5));
  ASSERT_EQ(rig.target.taken.size(), 1U);
  const ExpectReports reports;
  PayloadPool pool;
  Payload& other = pool.make(tlm::TLM_READ_COMMAND, 0x40, 4);
  rig.target.say(other, tlm::BEGIN_RESP);
  EXPECT_EQ(
      ExpectReports::messages(),
      Messages{"/heddle/port: initiator.port received a response for address 0x40; expected one to each "
               "request that it has sent"});
  rig.target.say(*rig.target.taken[0], tlm::BEGIN_RESP);
  rig.target.say(*rig.target.taken[0], tlm::BEGIN_RESP);
  sc_core::sc_start(ns(10));
  EXPECT_EQ(ExpectReports::messages().size(), 2U);
  EXPECT_EQ(rig.initiator.responses.size(), 1U);
  other.release();
}

TEST(ForeignAnswers, EndReqIsTakenOnceOfTheRequestThatWaitsForIt) {
  Rig rig;
  rig.initiator.at(5, 0x80);
  sc_core::sc_start(ns(10.5));
  const ExpectReports reports;
  rig.target.say(*rig.target.taken.at(0), tlm::END_REQ);  // it was the return already
  EXPECT_EQ(
      ExpectReports::messages(),
      Messages{"/heddle/port: initiator.port received END_REQ for address 0x10080; expected it once, of "
               "the request that waits for it"});
}

/// A target in front of which a test speaks itself.
struct LoneTarget : sc_core::sc_module {
  explicit LoneTarget(const sc_core::sc_module_name& name) : sc_module(name) {
    initiator.bind(target.port.socket);
  }
  ClockDomain clock{"clock", ns(1)};
  StubTarget target{"target", clock};
  tlm_utils::simple_initiator_socket<StubTarget, 64> initiator{"initiator"};
};

TEST(ForeignAnswers, EndRespIsTakenOnceOfTheResponseThatWaitsForIt) {
  LoneTarget rig("rig");
  PayloadPool pool;
  sc_core::sc_start(ns(1));
  const ExpectReports reports;
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay;
  Payload& payload = pool.make(tlm::TLM_READ_COMMAND, 0x40, 4);
  rig.initiator->nb_transport_fw(payload, phase, delay);
  EXPECT_EQ(ExpectReports::messages(),
            Messages{"/heddle/port: rig.target.port received END_RESP for address 0x40; expected it once, of "
                     "the response that waits for it"});
  payload.release();
}

TEST(ForeignAnswers, BehindACheckerTheyAreLookedAtToo) {
  ClockDomain clock("clock", ns(1));
  StubInitiator initiator("initiator", clock);
  ProtocolChecker checker("checker");
  Translating target("target");
  initiator.port.socket.bind(checker.from_initiator);
  checker.to_target.bind(target.socket);
  target.answer = Translating::Answer::kResponds;
  initiator.at(5, 0x80);
  sc_core::sc_start(ns(20));
  EXPECT_EQ(initiator.responses, (std::vector<Seen>{{0x80, 6}}));
  EXPECT_EQ(checker.violations(), 0U);
}

}  // namespace
}  // namespace heddle::test
