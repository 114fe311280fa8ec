#include <gtest/gtest.h>

#include "modules/execution_unit/execution_unit.h"
#include "modules/messages/tick_order.h"
#include "modules/operand_collector/operand_collector.h"
#include "sc_tests/modules/operand_collector/pipeline_bench.h"

namespace heddle {
namespace {

/// What a dependent instruction sees: collector and real units together, against the latencies measured on
/// the reference machine (gtx480.md, "Dependent-issue and load-to-use latencies").
struct Measured {
  const char* name;
  OpClass op;
  Unit unit;
  Cycle cycles;  ///< from issue to the issue of a dependent
};

/// A collector and real units on one result bus.
struct Pipeline {
  Pipeline() {
    collector.sp[0].bind(sp0.dispatch);
    collector.sp[1].bind(sp1.dispatch);
    collector.sfu[0].bind(sfu.dispatch);
    collector.mem.bind(mem.socket);
    scheduler.socket.bind(collector.issue[0]);
  }

  WarpInstruction& issue(Cycle cycle, const Instruction& decoded) {
    WarpInstruction& made = instructions.make(decoded);
    scheduler.at(cycle, made);
    return made;
  }

  ClockDomain domain{"domain", sc_core::sc_time(1, sc_core::SC_NS)};
  ExecutionConfig config;
  ResultBus bus{config};
  OperandCollector collector{"collector", domain, {}, config, 1};
  ExecutionUnit sp0{"sp0", domain, config, bus, 1};
  ExecutionUnit sp1{"sp1", domain, config, bus, 2};
  ExecutionUnit sfu{"sfu", domain, config, bus, 0};
  bench::StubUnit mem{"mem", domain};
  bench::Sender scheduler{"scheduler", domain, tick_order::kIssue};
  bench::Instructions instructions;
};

class DependentIssue : public ::testing::TestWithParam<Measured> {};

TEST_P(DependentIssue, AgreesWithTheReference) {
  Pipeline pipeline;
  const WarpInstruction& instruction =
      pipeline.issue(10, bench::alu(GetParam().op, {1, 2}, {1}, GetParam().unit));
  bench::run_to(pipeline.domain, 200);
  // The write-back is seen by the issue stage at the next edge.
  EXPECT_EQ(pipeline.scheduler.completed(instruction) + 1 - 10, GetParam().cycles);
}

INSTANTIATE_TEST_SUITE_P(Reference, DependentIssue,
                         ::testing::Values(Measured{"fma", OpClass::kFp32Mad, Unit::kSp, 11},
                                           Measured{"fadd", OpClass::kFp32Add, Unit::kSp, 10},
                                           Measured{"iadd", OpClass::kIntAdd, Unit::kSp, 10},
                                           Measured{"logic", OpClass::kSimple, Unit::kSp, 7},
                                           Measured{"dadd", OpClass::kFp64Add, Unit::kSfu, 14},
                                           Measured{"ex2", OpClass::kTranscendental, Unit::kSfu, 14},
                                           Measured{"div", OpClass::kFp32Div, Unit::kSfu, 45}),
                         [](const auto& parameter) { return parameter.param.name; });

// Five and four cycles of latency: the results come in one cycle, so from two units.
TEST(ResultPorts, AnInstructionGoesToAUnitWhoseResultPortIsFree) {
  Pipeline pipeline;
  const WarpInstruction& fma = pipeline.issue(10, bench::alu(OpClass::kFp32Mad, {1, 2}, {3}));
  const WarpInstruction& add = pipeline.issue(11, bench::alu(OpClass::kIntAdd, {4}, {5}));
  bench::run_to(pipeline.domain, 40);
  EXPECT_EQ(pipeline.scheduler.completed(fma), 20U);
  EXPECT_EQ(pipeline.scheduler.completed(add), 20U);
}

TEST(ResultPorts, AnInstructionWaitsWhileNoUnitHasItsPortFree) {
  Pipeline pipeline;
  const WarpInstruction& first = pipeline.issue(10, bench::alu(OpClass::kFp32Mad, {1, 2}, {3}));
  const WarpInstruction& second = pipeline.issue(10, bench::alu(OpClass::kFp32Mad, {6, 7}, {8}));
  const WarpInstruction& add = pipeline.issue(11, bench::alu(OpClass::kIntAdd, {4}, {5}));
  bench::run_to(pipeline.domain, 40);
  EXPECT_EQ(pipeline.scheduler.completed(first), 20U);
  EXPECT_EQ(pipeline.scheduler.completed(second), 20U);
  EXPECT_EQ(pipeline.scheduler.completed(add), 21U);
}

}  // namespace
}  // namespace heddle
