// An L1D of another maker behind the LD/ST unit.
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <string>

#include "sc_tests/modules/ldst_unit/ldst_bench.h"
#include "sc_tests/support/apart.h"
#include "sc_tests/support/memory_stubs.h"

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

}  // namespace
}  // namespace heddle
