// A module of another maker on a socket of the issue protocol is known for one.
#include <gtest/gtest.h>

#include "modules/execution_unit/execution_unit.h"
#include "sc_tests/modules/operand_collector/pipeline_bench.h"
#include "sc_tests/support/memory_stubs.h"
#include "tlm/foreign_modules.h"

namespace heddle {
namespace {

class ForeignCollector : public sc_core::sc_module, private tlm::tlm_bw_transport_if<IssueProtocol> {
 public:
  explicit ForeignCollector(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }
  tlm::tlm_initiator_socket<kIssueSocketBits, IssueProtocol> socket;

 private:
  tlm::tlm_sync_enum nb_transport_bw(WarpInstruction& /*instruction*/, tlm::tlm_phase& /*phase*/,
                                     sc_core::sc_time& /*delay*/) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) override {}
};

TEST(ForeignCollector, IsAForeignModule) {
  ClockDomain clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  ResultBus bus{ExecutionConfig()};
  ExecutionUnit unit("unit", clock, ExecutionConfig(), bus, 0);
  ForeignCollector collector("collector");
  collector.socket.bind(unit.dispatch);
  EXPECT_TRUE(socket_peers().foreign.empty());  // not known yet
  sc_core::sc_start(sc_core::sc_time(5, sc_core::SC_NS));
  EXPECT_EQ(socket_peers().foreign, std::vector<std::string>{"unit.dispatch"});
  EXPECT_TRUE(socket_peers().need_kernel_time);
}

/// A unit that sleeps between the offers of a foreign collector.
struct Offers {
  Offers() { collector.socket.bind(unit.dispatch); }
  tlm::tlm_sync_enum offer(WarpInstruction& instruction, double delay_ns = 0) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = test::ns(delay_ns);
    return collector.socket->nb_transport_fw(instruction, phase, delay);
  }
  ClockDomain clock{"clock", test::ns(1)};
  ExecutionConfig config;
  ResultBus bus{config};
  ExecutionUnit unit{"unit", clock, config, bus, 0};
  ForeignCollector collector{"collector"};
  bench::Instructions instructions;
};

TEST(ForeignCollector, IsTakenAtItsTimeWhileTheUnitSleeps) {
  Offers rig;
  const auto add = bench::alu(OpClass::kFp32Add, {}, {});
  const unsigned latency = rig.config.timing[static_cast<unsigned>(OpClass::kFp32Add)].latency_cycles;
  for (unsigned i = 0; i < 5; ++i) {
    sc_core::sc_start(test::ns(100.25));
    WarpInstruction& instruction = rig.instructions.make(add);
    EXPECT_EQ(rig.offer(instruction), tlm::TLM_COMPLETED) << i;
    EXPECT_EQ(instruction.due_in_cycles, 1 + latency) << i;
  }
}

TEST(ForeignCollector, WhatItSaysWrongIsAnErrorThatNamesTheUnit) {
  Offers rig;
  sc_core::sc_start(test::ns(10));
  const test::ExpectReports reports;
  rig.offer(rig.instructions.make(bench::alu(OpClass::kFp32Add, {}, {})), 3);
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay;
  WarpInstruction& other = rig.instructions.make(bench::alu(OpClass::kFp32Add, {}, {}));
  rig.collector.socket->nb_transport_fw(other, phase, delay);
  rig.collector.socket->b_transport(other, delay);
  EXPECT_EQ(test::ExpectReports::messages(),
            (std::vector<std::string>{
                "/heddle/issue: unit: a call has a delay; expected none in the issue protocol",
                "/heddle/issue: unit: received the unexpected phase END_RESP",
                "/heddle/issue: unit: the issue protocol has no blocking transport"}));
}

TEST(IssueProtocol, BlocksOfTwoClocksAreRefusedBeforeTheStart) {
  ClockDomain clock("clock", test::ns(1));
  ClockDomain other("other", test::ns(2));
  ResultBus bus{ExecutionConfig()};
  ExecutionUnit unit("unit", clock, ExecutionConfig(), bus, 0);
  bench::Sender sender("sender", other, tick_order::kOperandCollector);
  sender.socket.bind(unit.dispatch);
  const test::ExpectReports reports;
  sc_core::sc_start(test::ns(5));
  ASSERT_EQ(test::ExpectReports::messages().size(), 2U);  // each end says so
  EXPECT_EQ(test::ExpectReports::messages()[0],
            "/heddle/port: unit.dispatch is bound to a block with the clock other; expected its own, clock");
}

}  // namespace
}  // namespace heddle
