// An L1D of another maker behind the LD/ST unit.
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <string>

#include "sc_tests/modules/ldst_unit/ldst_bench.h"
#include "sc_tests/support/apart.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/stat_values.h"

namespace heddle {
namespace {

using test::ns;

/// Takes an access and answers when the test says so, in place of END_REQ.
class AnswersAtOnce : public sc_core::sc_module {
 public:
  explicit AnswersAtOnce(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_fw(this, &AnswersAtOnce::nb_transport_fw);
  }
  tlm_utils::simple_target_socket<AnswersAtOnce, 64> socket;
  tlm::tlm_generic_payload* taken = nullptr;

  void answer() {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    taken->set_response_status(tlm::TLM_OK_RESPONSE);
    socket->nb_transport_bw(*taken, phase, delay);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& /*delay*/) {
    if (phase == tlm::BEGIN_REQ) taken = &payload;
    return tlm::TLM_ACCEPTED;
  }
};

TEST(ForeignL1d, AnInstructionLeavesBeforeItEndsWhenTheAnswerStandsForTheAcceptance) {
  for (const bool texture : {false, true}) {
    const std::string completed = test::apart([texture] {
      ClockDomain domain("domain", ns(1));
      PayloadPool pool;
      LdstUnit unit("unit", domain, GpuConfig{}, 0, pool);
      bench::Sender collector("collector", domain, tick_order::kOperandCollector);
      AnswersAtOnce cache("cache");
      AnswersAtOnce other("other");
      bench::StubMemory constants("constants", domain);
      collector.socket.bind(unit.dispatch);
      unit.l1d.socket.bind(texture ? other.socket : cache.socket);
      unit.texture.socket.bind(texture ? cache.socket : other.socket);
      unit.constant_cache.memory.socket.bind(constants.port.socket);
      bench::Windows launch;
      bench::Instructions instructions;
      Instruction decoded = bench::alu(OpClass::kMemory, {}, {}, Unit::kLdst);
      decoded.mem = MemOp::kLoad;
      decoded.element_bytes = decoded.bytes_per_lane = 4;
      WarpInstruction& load = instructions.make(decoded);
      load.space = texture ? Space::kTexture : Space::kGlobal;
      load.access = 1;
      load.launch = &launch;
      load.addresses.lane[0] = 0xC0000000;
      load.addresses.texels.address = {0xC0000000};
      load.addresses.texels.of_lane[0] = 1;
      load.addresses.texels.bytes = 4;
      // Who issued it may use it again as soon as it has ended.
      unit.load_completed.bind([](const WarpInstruction& instruction, Cycle) {
        const_cast<WarpInstruction&>(instruction).instruction = nullptr;
      });
      collector.at(10, load);
      sc_core::sc_start(ns(20.5));
      cache.answer();
      sc_core::sc_start(ns(20));
      domain.rethrow_fault();
      EXPECT_TRUE(unit.idle());
      return std::to_string(collector.completed(load));
    });
    EXPECT_EQ(completed, "22");  // seen at 21, when it leaves
  }
}

/// Takes an access at once, or says so half a cycle later, with END_REQ annotated by 3.5 cycles; answers 20
/// cycles after it came.
class AcceptsLater : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(AcceptsLater);
  AcceptsLater(const sc_core::sc_module_name& name, bool in_return)
      : sc_module(name), socket("socket"), in_return_(in_return) {
    socket.register_nb_transport_fw(this, &AcceptsLater::nb_transport_fw);
    SC_METHOD(accept);
    sensitive << accepts_;
    dont_initialize();
    SC_METHOD(answer);
    sensitive << answers_;
    dont_initialize();
  }
  tlm_utils::simple_target_socket<AcceptsLater, 64> socket;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    taken_ = &payload;
    answers_.notify(ns(20));
    if (!in_return_) {
      accepts_.notify(ns(0.5));
      return tlm::TLM_ACCEPTED;
    }
    phase = tlm::END_REQ;
    delay += ns(3.5);
    return tlm::TLM_UPDATED;
  }
  void accept() {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = ns(3.5);
    socket->nb_transport_bw(*taken_, phase, delay);
  }
  void answer() {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    taken_->set_response_status(tlm::TLM_OK_RESPONSE);
    socket->nb_transport_bw(*taken_, phase, delay);
  }
  const bool in_return_;
  tlm::tlm_generic_payload* taken_ = nullptr;
  sc_core::sc_event accepts_;
  sc_core::sc_event answers_;
};

/// When the stores of a warp, which end when they have been taken, end and what their cycles are charged to.
std::string stores_of(bool in_return, bool sleeping) {
  return test::apart([&] {
    ClockDomain domain("domain", ns(1), sleeping);
    PayloadPool pool;
    LdstUnit unit("unit", domain, GpuConfig{}, 0, pool);
    bench::Sender collector("collector", domain, tick_order::kOperandCollector);
    AcceptsLater cache("cache", in_return);
    AnswersAtOnce other("other");
    bench::StubMemory constants("constants", domain);
    collector.socket.bind(unit.dispatch);
    unit.l1d.socket.bind(cache.socket);
    unit.texture.socket.bind(other.socket);
    unit.constant_cache.memory.socket.bind(constants.port.socket);
    bench::Windows launch;
    bench::Instructions instructions;
    Instruction decoded = bench::alu(OpClass::kMemory, {}, {}, Unit::kLdst);
    decoded.mem = MemOp::kStore;
    decoded.element_bytes = decoded.bytes_per_lane = 4;
    WarpInstruction& store = instructions.make(decoded);
    store.space = Space::kGlobal;
    store.access = 1;
    store.launch = &launch;
    store.addresses.lane[0] = 0xC0000000;
    collector.at(10, store);
    sc_core::sc_start(ns(60));
    domain.rethrow_fault();
    unit.settle();
    test::StatValues stats;
    unit.report(stats);
    std::string text = "ends " + std::to_string(collector.completed(store));
    for (const auto& [name, value] : stats.values) {
      if (value != 0) text += ", " + name + " " + std::to_string(static_cast<long>(value));
    }
    return text;
  });
}

TEST(ForeignL1d, AnAnnotatedAcceptanceCountsFromItsTimeAsleepOrAwake) {
  for (const bool in_return : {true, false}) {
    const std::string asleep = stores_of(in_return, true);
    EXPECT_EQ(asleep, stores_of(in_return, false));
    // Sent at 11; taken at the first edge from 14.5 on, or after 11.5 + 3.5.
    EXPECT_EQ(asleep.substr(0, 7), in_return ? "ends 15" : "ends 16") << asleep;
  }
}

}  // namespace
}  // namespace heddle
