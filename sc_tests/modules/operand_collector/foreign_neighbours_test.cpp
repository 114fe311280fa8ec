// Neighbours of another maker: they call when they like.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sc_tests/modules/operand_collector/collector_design.h"
#include "sc_tests/support/memory_stubs.h"

namespace heddle {
namespace {

using bench::alu;
using bench::Design;
using bench::Variant;
using test::ExpectReports;
using test::ns;

TEST(ForeignNeighbours, WhatIsIssuedBeforeTheCollectorsTickIsCollectedAtTheNextEdgeToo) {
  Variant early;
  early.sleeping = false;
  early.scheduler_order = tick_order::kMshr;
  Design design({}, early);
  const WarpInstruction& first = design.issue_fma(10, {1});
  sc_core::sc_start(ns(40));
  EXPECT_EQ(design.dispatched(first), 13U);
}

/// A unit that takes everything and says what the test tells it to.
class ForeignUnit : public sc_core::sc_module, private tlm::tlm_fw_transport_if<IssueProtocol> {
 public:
  explicit ForeignUnit(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }
  tlm::tlm_target_socket<kIssueSocketBits, IssueProtocol> socket;
  std::vector<WarpInstruction*> taken;

  void answer(WarpInstruction& instruction, unsigned due_in_cycles, double delay_ns = 0) {
    instruction.due_in_cycles = due_in_cycles;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = ns(delay_ns);
    socket->nb_transport_bw(instruction, phase, delay);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& /*delay*/) override {
    taken.push_back(&instruction);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void b_transport(WarpInstruction& /*instruction*/, sc_core::sc_time& /*delay*/) override {}
  bool get_direct_mem_ptr(WarpInstruction& /*instruction*/, tlm::tlm_dmi& /*dmi*/) override { return false; }
  unsigned transport_dbg(WarpInstruction& /*instruction*/) override { return 0; }
};

/// A collector between a scheduler and foreign units.
struct ForeignDesign {
  ForeignDesign() {
    scheduler.socket.bind(collector.issue[0]);
    collector.sp[0].bind(sp.socket);
    collector.sfu[0].bind(sfu.socket);
    collector.mem.bind(mem.socket);
  }
  WarpInstruction& issue(Cycle cycle, Unit unit) {
    WarpInstruction& made = instructions.make(alu(OpClass::kFp32Mad, {1}, {20}, unit));
    scheduler.at(cycle, made);
    return made;
  }
  static ExecutionConfig one_sp() {
    ExecutionConfig config;
    config.sp_units = 1;
    return config;
  }

  ClockDomain domain{"domain", ns(1)};
  bench::Instructions instructions;
  OperandCollector collector{"collector", domain, {}, one_sp(), 1};
  bench::Sender scheduler{"scheduler", domain, tick_order::kIssue};
  ForeignUnit sp{"sp"};
  ForeignUnit sfu{"sfu"};
  ForeignUnit mem{"mem"};
};

TEST(ForeignNeighbours, AResultAnnouncedWhileTheCollectorSleepsIsWrittenWhenItIsDue) {
  ForeignDesign design;
  const WarpInstruction& first = design.issue(10, Unit::kSp);
  const WarpInstruction& second = design.issue(10, Unit::kLdst);
  sc_core::sc_start(ns(500.5));
  ASSERT_EQ(design.sp.taken.size(), 1U);
  design.sp.answer(*design.sp.taken[0], 3);  // there at 503
  sc_core::sc_start(ns(100));
  EXPECT_EQ(design.scheduler.completed(first), 504U);
  design.mem.answer(*design.mem.taken.at(0), 0);  // at 600.5
  sc_core::sc_start(ns(100));
  EXPECT_EQ(design.scheduler.completed(second), 601U);
  EXPECT_TRUE(design.collector.idle());
}

TEST(ForeignNeighbours, TwoResultsOfOneUnitInACycleAreAnError) {
  ForeignDesign design;
  design.issue(10, Unit::kSp);
  design.issue(11, Unit::kSp);
  sc_core::sc_start(ns(50.5));
  ASSERT_EQ(design.sp.taken.size(), 2U);
  const ExpectReports reports;
  for (WarpInstruction* instruction : design.sp.taken) design.sp.answer(*instruction, 3);
  EXPECT_EQ(ExpectReports::messages(),
            std::vector<std::string>{"/heddle/issue: collector: a unit announced two results for one cycle; "
                                     "expected one at most"});
}

TEST(ForeignNeighbours, TheLdstUnitAnnouncesNoResults) {
  ForeignDesign design;
  design.issue(10, Unit::kLdst);
  sc_core::sc_start(ns(50.5));
  const ExpectReports reports;
  design.mem.answer(*design.mem.taken.at(0), 3);
  EXPECT_EQ(ExpectReports::messages(),
            std::vector<std::string>{"/heddle/issue: collector: the LD/ST unit announced a result; expected "
                                     "BEGIN_RESP when it is there"});
}

TEST(ForeignNeighbours, ADelayIsAnErrorThatNamesTheBlock) {
  ForeignDesign design;
  design.issue(10, Unit::kSp);
  sc_core::sc_start(ns(50.5));
  const ExpectReports reports;
  design.sp.answer(*design.sp.taken.at(0), 0, 7);
  EXPECT_EQ(ExpectReports::messages(),
            std::vector<std::string>{
                "/heddle/issue: collector: a call has a delay; expected none in the issue protocol"});
}

}  // namespace
}  // namespace heddle
