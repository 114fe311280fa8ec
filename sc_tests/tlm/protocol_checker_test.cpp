#include "tlm/protocol_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "sc_tests/support/memory_stubs.h"

namespace heddle::test {
namespace {

using Payload = tlm::tlm_generic_payload;
using ::testing::HasSubstr;

/// Both ends of a hop, whose answers the test writes.
class Ends : public sc_core::sc_module,
             private tlm::tlm_bw_transport_if<>,
             private tlm::tlm_fw_transport_if<> {
 public:
  using Answer = std::function<tlm::tlm_sync_enum(Payload&, tlm::tlm_phase&, sc_core::sc_time&)>;
  explicit Ends(const sc_core::sc_module_name& name) : sc_module(name), out("out"), in("in") {
    out.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    in.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  }
  MemoryInitiatorSocket out;
  MemoryTargetSocket in;
  Answer on_forward;
  Answer on_backward;
  std::function<void(Payload&, sc_core::sc_time&)> on_blocking;

 private:
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return on_backward ? on_backward(payload, phase, delay) : tlm::TLM_ACCEPTED;
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return on_forward ? on_forward(payload, phase, delay) : tlm::TLM_ACCEPTED;
  }
  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    if (on_blocking) on_blocking(payload, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) override {}
  bool get_direct_mem_ptr(Payload& /*payload*/, tlm::tlm_dmi& /*dmi*/) override { return false; }
  unsigned transport_dbg(Payload& /*payload*/) override { return 0; }
};

class ProtocolCheckerTest : public ::testing::Test {
 protected:
  ProtocolCheckerTest() : ends_("ends"), checker_("hop") {
    ends_.out.bind(checker_.from_initiator);
    checker_.to_target.bind(ends_.in);
    sc_core::sc_start(ns(100));
  }

  Payload& make(std::uint64_t address = 0x1280) { return pool_.make(tlm::TLM_READ_COMMAND, address, 128); }
  tlm::tlm_sync_enum forward(Payload& payload, tlm::tlm_phase phase, double delay_ns = 0) {
    sc_core::sc_time delay = ns(delay_ns);
    return ends_.out->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum backward(Payload& payload, tlm::tlm_phase phase, double delay_ns = 0) {
    if (phase == tlm::BEGIN_RESP && payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE &&
        set_status_) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    sc_core::sc_time delay = ns(delay_ns);
    return ends_.in->nb_transport_bw(payload, phase, delay);
  }
  /// Exactly one violation, of this rule, whose message holds `text`.
  void expect_only(ProtocolRule rule, const std::string& text) {
    EXPECT_EQ(checker_.violations(rule), 1U) << to_string(rule);
    EXPECT_EQ(checker_.violations(), 1U);
    ASSERT_EQ(ExpectReports::messages().size(), 1U);
    const std::string& message = ExpectReports::messages().front();
    EXPECT_THAT(message, HasSubstr("/heddle/protocol"));
    EXPECT_THAT(message, HasSubstr(to_string(rule)));
    EXPECT_THAT(message, HasSubstr("hop hop"));
    EXPECT_THAT(message, HasSubstr(text));
  }

  Ends ends_;
  ProtocolChecker checker_;
  PayloadPool pool_;
  ExpectReports reports_;
  bool set_status_ = true;
};

TEST_F(ProtocolCheckerTest, FourPhasesAndEveryLegalShortcutPass) {
  Payload& full = make();
  forward(full, tlm::BEGIN_REQ);
  backward(full, tlm::END_REQ);
  backward(full, tlm::BEGIN_RESP);
  forward(full, tlm::END_RESP);

  Payload& implied = make();  // BEGIN_RESP stands for END_REQ
  forward(implied, tlm::BEGIN_REQ);
  backward(implied, tlm::BEGIN_RESP);
  forward(implied, tlm::END_RESP);

  Payload& by_return = make();
  ends_.on_forward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    phase = tlm::END_REQ;
    delay += ns(5);
    return tlm::TLM_UPDATED;
  };
  ends_.on_backward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  };
  forward(by_return, tlm::BEGIN_REQ);
  backward(by_return, tlm::BEGIN_RESP, 5);

  Payload& completed = make();
  ends_.on_forward = [](Payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  forward(completed, tlm::BEGIN_REQ, 5);

  EXPECT_EQ(checker_.violations(), 0U) << ::testing::PrintToString(ExpectReports::messages());
  EXPECT_EQ(checker_.begun(), 4U);
  EXPECT_EQ(checker_.in_flight(), 0U);
  checker_.check_idle();
}

TEST_F(ProtocolCheckerTest, PhaseOrderBeginRespTwice) {
  Payload& payload = make();
  forward(payload, tlm::BEGIN_REQ);
  backward(payload, tlm::BEGIN_RESP);
  backward(payload, tlm::BEGIN_RESP);
  expect_only(ProtocolRule::kPhaseOrder, "phase BEGIN_RESP, address 0x1280");
}

TEST_F(ProtocolCheckerTest, PhaseOrderEndReqAfterBeginResp) {
  Payload& payload = make();
  forward(payload, tlm::BEGIN_REQ);
  backward(payload, tlm::BEGIN_RESP);
  backward(payload, tlm::END_REQ);
  expect_only(ProtocolRule::kPhaseOrder, "END_REQ after BEGIN_RESP");
}

TEST_F(ProtocolCheckerTest, PhaseOrderEndRespBeforeBeginResp) {
  Payload& payload = make();
  forward(payload, tlm::BEGIN_REQ);
  forward(payload, tlm::END_RESP);
  expect_only(ProtocolRule::kPhaseOrder, "END_RESP after BEGIN_REQ");
}

TEST_F(ProtocolCheckerTest, PhaseOrderResponseToAnUnknownTransaction) {
  backward(make(), tlm::BEGIN_RESP);
  expect_only(ProtocolRule::kPhaseOrder, "not in flight");
}

TEST_F(ProtocolCheckerTest, PhaseOrderARequestThatIsInFlight) {
  Payload& payload = make();
  forward(payload, tlm::BEGIN_REQ);
  backward(payload, tlm::END_REQ);
  forward(payload, tlm::BEGIN_REQ);
  expect_only(ProtocolRule::kPhaseOrder, "in flight already");
}

TEST_F(ProtocolCheckerTest, PhaseOrderAPhaseOnTheWrongPath) {
  Payload& payload = make();
  forward(payload, tlm::BEGIN_REQ);
  forward(payload, tlm::END_REQ);
  expect_only(ProtocolRule::kPhaseOrder, "on the forward path");
}

TEST_F(ProtocolCheckerTest, RequestExclusionWhileEndReqIsOutstanding) {
  forward(make(), tlm::BEGIN_REQ);
  forward(make(0x40), tlm::BEGIN_REQ);
  expect_only(ProtocolRule::kRequestExclusion, "address 0x40");
}

TEST_F(ProtocolCheckerTest, RequestExclusionCountsAnnotatedTime) {
  Payload& first = make();
  forward(first, tlm::BEGIN_REQ);
  backward(first, tlm::END_REQ, 10);
  forward(make(0x40), tlm::BEGIN_REQ, 9);
  expect_only(ProtocolRule::kRequestExclusion, "annotated before");
}

TEST_F(ProtocolCheckerTest, ResponseExclusionWhileEndRespIsOutstanding) {
  Payload& first = make();
  Payload& second = make(0x40);
  forward(first, tlm::BEGIN_REQ);
  backward(first, tlm::END_REQ);
  forward(second, tlm::BEGIN_REQ);
  backward(first, tlm::BEGIN_RESP);
  backward(second, tlm::BEGIN_RESP);
  expect_only(ProtocolRule::kResponseExclusion, "address 0x40");
}

TEST_F(ProtocolCheckerTest, ReturnValueUpdatedToAWrongPhase) {
  ends_.on_forward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  };
  forward(make(), tlm::BEGIN_REQ);
  expect_only(ProtocolRule::kReturnValue, "TLM_UPDATED with phase END_RESP");
}

TEST_F(ProtocolCheckerTest, ReturnValueCompletedToEndReq) {
  ends_.on_backward = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_COMPLETED; };
  Payload& payload = make();
  forward(payload, tlm::BEGIN_REQ);
  backward(payload, tlm::END_REQ);
  expect_only(ProtocolRule::kReturnValue, "TLM_COMPLETED");
}

TEST_F(ProtocolCheckerTest, AcceptedWithAChangedPhase) {
  ends_.on_forward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    phase = tlm::END_REQ;
    return tlm::TLM_ACCEPTED;
  };
  forward(make(), tlm::BEGIN_REQ);
  expect_only(ProtocolRule::kAcceptedModified, "phase BEGIN_REQ");
}

TEST_F(ProtocolCheckerTest, AnnotatedTimeDecreases) {
  Payload& payload = make();
  forward(payload, tlm::BEGIN_REQ, 10);
  backward(payload, tlm::END_REQ, 9);
  expect_only(ProtocolRule::kTimingDecreased, "phase END_REQ");
}

TEST_F(ProtocolCheckerTest, NoMemoryManager) {
  Payload payload;
  unsigned char data[4];
  payload.set_read();
  payload.set_address(0x1280);
  payload.set_data_ptr(data);
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  forward(payload, tlm::BEGIN_REQ);
  expect_only(ProtocolRule::kMemoryManager, "address 0x1280");
}

TEST_F(ProtocolCheckerTest, NoReferenceAtTheRequest) {
  Payload& payload = make();
  payload.release();
  forward(payload, tlm::BEGIN_REQ);
  expect_only(ProtocolRule::kReference, "address 0x1280");
}

TEST_F(ProtocolCheckerTest, ReferenceDroppedInFlight) {
  Payload& payload = make();
  forward(payload, tlm::BEGIN_REQ);
  payload.release();
  backward(payload, tlm::END_REQ);
  expect_only(ProtocolRule::kReference, "phase END_REQ");
}

TEST_F(ProtocolCheckerTest, StatusSetAtTheRequest) {
  Payload& payload = make();
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  forward(payload, tlm::BEGIN_REQ);
  expect_only(ProtocolRule::kStatusAtRequest, "TLM_INCOMPLETE_RESPONSE");
}

TEST_F(ProtocolCheckerTest, StatusNotSetAtTheResponse) {
  set_status_ = false;
  Payload& payload = make();
  forward(payload, tlm::BEGIN_REQ);
  backward(payload, tlm::BEGIN_RESP);
  expect_only(ProtocolRule::kStatusAtResponse, "phase BEGIN_RESP");
}

TEST_F(ProtocolCheckerTest, StatusNotSetAtEarlyCompletion) {
  ends_.on_forward = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_COMPLETED; };
  forward(make(), tlm::BEGIN_REQ);
  expect_only(ProtocolRule::kStatusAtResponse, "completed without");
}

TEST_F(ProtocolCheckerTest, DmiAllowedAtTheRequest) {
  Payload& payload = make();
  payload.set_dmi_allowed(true);
  forward(payload, tlm::BEGIN_REQ);
  expect_only(ProtocolRule::kDmiAtRequest, "DMI");
}

TEST_F(ProtocolCheckerTest, StreamingWidthZero) {
  Payload& payload = make();
  payload.set_streaming_width(0);
  forward(payload, tlm::BEGIN_REQ);
  expect_only(ProtocolRule::kStreamingWidth, "is 0");
}

TEST_F(ProtocolCheckerTest, DataLengthZero) {
  Payload& payload = make();
  payload.set_data_length(0);
  forward(payload, tlm::BEGIN_REQ);
  expect_only(ProtocolRule::kData, "data pointer and a length");
}

TEST_F(ProtocolCheckerTest, AttributesChangedInFlight) {
  const std::vector<std::function<void(Payload&)>> changes{
      [](Payload& p) { p.set_address(p.get_address() + 4); },
      [](Payload& p) { p.set_command(tlm::TLM_WRITE_COMMAND); },
      [](Payload& p) { p.set_data_length(32); },
      [](Payload& p) { p.set_streaming_width(32); },
      [](Payload& p) { p.set_data_ptr(p.get_data_ptr() + 1); },
      [](Payload& p) { p.set_byte_enable_ptr(p.get_data_ptr()); },
      [](Payload& p) { p.set_byte_enable_length(4); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Payload& payload = make();
    forward(payload, tlm::BEGIN_REQ);
    changes[i](payload);
    backward(payload, tlm::BEGIN_RESP);
    EXPECT_EQ(checker_.violations(ProtocolRule::kAttributeChanged), i + 1);
    const Payload& original = make();
    payload.set_address(0x1280);
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_data_length(original.get_data_length());
    payload.set_streaming_width(original.get_streaming_width());
    payload.set_byte_enable_ptr(nullptr);
    payload.set_byte_enable_length(0);
    if (i == 4) payload.set_data_ptr(payload.get_data_ptr() - 1);
    forward(payload, tlm::END_RESP);
  }
  EXPECT_EQ(checker_.violations(), changes.size());
}

/// Forwards and takes `base` off the address, as a bus does; on the way back it may put it on again.
class Translator : public sc_core::sc_module,
                   private tlm::tlm_bw_transport_if<>,
                   private tlm::tlm_fw_transport_if<> {
 public:
  Translator(const sc_core::sc_module_name& name, std::uint64_t base, bool restores)
      : sc_module(name), out("out"), in("in"), base_(base), restores_(restores) {
    out.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    in.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  }
  MemoryInitiatorSocket out;
  MemoryTargetSocket in;

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_REQ) payload.set_address(payload.get_address() - base_);
    return out->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (restores_ && phase == tlm::BEGIN_RESP) payload.set_address(payload.get_address() + base_);
    return in->nb_transport_bw(payload, phase, delay);
  }
  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    payload.set_address(payload.get_address() - base_);
    out->b_transport(payload, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) override {}
  bool get_direct_mem_ptr(Payload& /*payload*/, tlm::tlm_dmi& /*dmi*/) override { return false; }
  unsigned transport_dbg(Payload& payload) override { return out->transport_dbg(payload); }

  std::uint64_t base_;
  bool restores_;
};

/// initiator - checker - translator - checker - target.
struct TranslatedHop {
  TranslatedHop(const std::string& name, bool restores)
      : ends((name + "_ends").c_str()),
        above((name + "_above").c_str()),
        translator((name + "_translator").c_str(), 0x1000, restores),
        below((name + "_below").c_str()) {
    ends.out.bind(above.from_initiator);
    above.to_target.bind(translator.in);
    translator.out.bind(below.from_initiator);
    below.to_target.bind(ends.in);
  }
  tlm::tlm_sync_enum forward(Payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    return ends.out->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum backward(Payload& payload, tlm::tlm_phase phase) {
    if (phase == tlm::BEGIN_RESP) payload.set_response_status(tlm::TLM_OK_RESPONSE);
    sc_core::sc_time delay;
    return ends.in->nb_transport_bw(payload, phase, delay);
  }
  std::uint64_t violations() const { return above.violations() + below.violations(); }

  Ends ends;
  ProtocolChecker above;
  Translator translator;
  ProtocolChecker below;
  PayloadPool pool;
};

TEST(ProtocolChecker, AnInterconnectMayTranslateAddresses) {
  TranslatedHop keeps("keeps", false);
  TranslatedHop restores("restores", true);
  sc_core::sc_start(ns(1));
  ExpectReports reports;
  for (TranslatedHop* hop : {&keeps, &restores}) {
    // END_REQ as a return, and before the forward call has returned.
    for (const bool at_once : {true, false}) {
      hop->ends.on_forward = [&](Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
        EXPECT_EQ(payload.get_address(), 0x280U);
        if (!at_once) {
          hop->backward(payload, tlm::END_REQ);
          return tlm::TLM_ACCEPTED;
        }
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
      };
      Payload& read = hop->pool.make(tlm::TLM_READ_COMMAND, 0x1280, 4);
      hop->forward(read, tlm::BEGIN_REQ);
      hop->backward(read, tlm::BEGIN_RESP);
      hop->forward(read, tlm::END_RESP);
    }
    hop->ends.on_blocking = [](Payload& payload, sc_core::sc_time&) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    sc_core::sc_time delay;
    hop->ends.out->b_transport(hop->pool.make(tlm::TLM_READ_COMMAND, 0x1280, 4), delay);
    EXPECT_EQ(hop->violations(), 0U);
    EXPECT_EQ(hop->above.begun() + hop->below.begun(), 4U);
    EXPECT_EQ(hop->above.in_flight() + hop->below.in_flight(), 0U);
  }
  EXPECT_TRUE(ExpectReports::messages().empty());
}

TEST(ProtocolChecker, AnAddressThatTheInitiatorChangesIsFoundBehindATranslationToo) {
  TranslatedHop hop("hop", false);
  sc_core::sc_start(ns(1));
  ExpectReports reports;
  hop.ends.on_forward = [](Payload& /*payload*/, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };
  Payload& early = hop.pool.make(tlm::TLM_READ_COMMAND, 0x1280, 4);
  hop.forward(early, tlm::BEGIN_REQ);
  early.set_address(0x2280);
  hop.backward(early, tlm::BEGIN_RESP);
  EXPECT_EQ(hop.above.violations(ProtocolRule::kAttributeChanged), 1U);
  EXPECT_EQ(hop.below.violations(ProtocolRule::kAttributeChanged), 1U);
  early.set_address(0x280);
  hop.forward(early, tlm::END_RESP);

  Payload& late = hop.pool.make(tlm::TLM_READ_COMMAND, 0x1280, 4);
  hop.forward(late, tlm::BEGIN_REQ);
  hop.backward(late, tlm::BEGIN_RESP);
  EXPECT_EQ(hop.violations(), 2U);
  late.set_address(0x2280);
  hop.forward(late, tlm::END_RESP);
  EXPECT_EQ(hop.above.violations(ProtocolRule::kAttributeChanged), 2U);
  EXPECT_EQ(hop.violations(), 4U);
}

TEST_F(ProtocolCheckerTest, LeftInFlightAtTheEnd) {
  forward(make(), tlm::BEGIN_REQ);
  EXPECT_EQ(checker_.in_flight(), 1U);
  checker_.check_idle();
  expect_only(ProtocolRule::kInFlightAtEnd, "address 0x1280");
}

TEST_F(ProtocolCheckerTest, BlockingTransportMustSetAStatusAndKeepAttributes) {
  ends_.on_blocking = [](Payload& payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  sc_core::sc_time delay;
  ends_.out->b_transport(make(), delay);
  EXPECT_EQ(checker_.violations(), 0U);
  ends_.on_blocking = nullptr;
  ends_.out->b_transport(make(), delay);
  expect_only(ProtocolRule::kStatusAtResponse, "b_transport");
}

TEST(ProtocolChecker, ChecksTheEndOfTheSimulationWhenAsked) {
  Ends ends("ends");
  ProtocolChecker checker("hop", true);
  ends.out.bind(checker.from_initiator);
  checker.to_target.bind(ends.in);
  PayloadPool pool;
  sc_core::sc_start(ns(1));
  ExpectReports reports;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  ends.out->nb_transport_fw(pool.make(tlm::TLM_READ_COMMAND, 0, 4), phase, delay);
  sc_core::sc_stop();
  EXPECT_EQ(checker.violations(ProtocolRule::kInFlightAtEnd), 1U);
}

TEST(ProtocolChecker, EveryRuleHasItsOwnName) {
  std::set<std::string> names;
  for (unsigned i = 0; i < kNumProtocolRules; ++i) names.insert(to_string(static_cast<ProtocolRule>(i)));
  EXPECT_EQ(names.size(), kNumProtocolRules);
}

}  // namespace
}  // namespace heddle::test
