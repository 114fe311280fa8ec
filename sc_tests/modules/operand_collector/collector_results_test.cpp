// Results on their way back through the collector: when they are written, and what they wait for.
#include <gtest/gtest.h>

#include "modules/operand_collector/operand_collector.h"
#include "sc_tests/modules/operand_collector/collector_design.h"

namespace heddle {
namespace {

using bench::alu;
using bench::Design;

TEST(OperandCollector, WritesBackACycleAfterTheResult) {
  Design design;
  for (auto& unit : design.unit) unit->latency = 5;
  const WarpInstruction& instruction = design.issue_fma(10, {1, 2, 3});
  bench::run_to(design.domain, 19);
  EXPECT_EQ(design.scheduler[0]->completed(instruction), 0U);
  bench::run_to(design.domain, 20);
  EXPECT_EQ(design.scheduler[0]->completed(instruction), 20U);  // t0 + 5 + L
}

TEST(OperandCollector, PassesADirectResultOnAtOnce) {
  Design design;
  for (auto& unit : design.unit) unit->latency = 5;
  WarpInstruction& direct = design.issue_fma(10, {1, 2, 3});
  direct.direct = true;
  bench::run_to(design.domain, 18);
  EXPECT_EQ(design.scheduler[0]->completed(direct), 0U);
  bench::run_to(design.domain, 40);
  EXPECT_EQ(design.scheduler[0]->completed(direct), 19U);
  EXPECT_EQ(design.statistics()["writes"], 0U);
}

TEST(OperandCollector, AnswersOnTheIssuingSchedulersSocket) {
  Design design;
  for (auto& unit : design.unit) unit->latency = 5;
  const WarpInstruction& zero = design.issue_fma(10, {1}, 20, 0, 0);
  const WarpInstruction& one = design.issue_fma(10, {2}, 21, 0, 1);
  bench::run_to(design.domain, 30);
  EXPECT_EQ(design.scheduler[0]->completed(zero), 20U);
  EXPECT_EQ(design.scheduler[0]->completed(one), 0U);
  EXPECT_EQ(design.scheduler[1]->completed(one), 20U);
}

// gtx480.md, "FUs": write-back drains everything ready.
TEST(OperandCollector, ResultsOfExecutionUnitsDoNotWaitForTheirBank) {
  Design design;
  for (auto& unit : design.unit) unit->latency = 5;
  const WarpInstruction& first = design.issue_fma(10, {1}, 20);
  const WarpInstruction& second = design.issue_fma(10, {2}, 36);
  const WarpInstruction& wide = design.issue(30, alu(OpClass::kFp64Add, {1, 2}, {4, 20}));
  bench::run_to(design.domain, 60);
  EXPECT_EQ(design.scheduler[0]->completed(first), 20U);
  EXPECT_EQ(design.scheduler[0]->completed(second), 20U);
  EXPECT_EQ(design.scheduler[0]->completed(wide), 40U);
  auto stats = design.statistics();
  EXPECT_EQ(stats["writes"], 4U);
  EXPECT_EQ(stats["write_wait"], 0U);
}

TEST(OperandCollector, ALoadsResultWaitsForABankThatAnExecutionUnitWrites) {
  Design design;
  for (auto& unit : design.unit) unit->latency = 5;
  const Instruction load = alu(OpClass::kMemory, {1}, {20}, Unit::kLdst);
  const WarpInstruction& alone = design.issue(10, load);
  const WarpInstruction& behind = design.issue(30, load);
  design.issue_fma(30, {2}, 36);  // of the same bank
  const WarpInstruction& wide = design.issue(50, alu(OpClass::kMemory, {1}, {4, 20}, Unit::kLdst));
  bench::run_to(design.domain, 80);
  EXPECT_EQ(design.scheduler[0]->completed(alone), 20U);
  EXPECT_EQ(design.scheduler[0]->completed(behind), 41U);
  EXPECT_EQ(design.scheduler[0]->completed(wide), 61U);
  EXPECT_EQ(design.statistics()["write_wait"], 2U);
  EXPECT_EQ(design.statistics()["writes"], 1U + 1 + 1 + 2);
}

TEST(OperandCollector, PredicateResultsNeedNoBank) {
  Design design;
  for (auto& unit : design.unit) unit->latency = 1;
  const unsigned predicate = Instruction::kFirstPredicate + 4;
  const WarpInstruction& first = design.issue(10, alu(OpClass::kSimple, {1}, {predicate}));
  const WarpInstruction& second = design.issue(10, alu(OpClass::kSimple, {2}, {predicate}));
  bench::run_to(design.domain, 40);
  EXPECT_EQ(design.scheduler[0]->completed(first), 16U);
  EXPECT_EQ(design.scheduler[0]->completed(second), 16U);
  EXPECT_EQ(design.statistics()["writes"], 0U);
}

TEST(OperandCollector, AWriteTakesItsBankBeforeReads) {
  Design design;
  for (auto& unit : design.unit) unit->latency = 5;
  design.issue_fma(10, {1}, 20);                                     // written at 20, bank 4
  const WarpInstruction& same_bank = design.issue_fma(18, {4}, 21);  // would read at 20
  const WarpInstruction& other_bank = design.issue_fma(18, {5}, 22);
  bench::run_to(design.domain, 60);
  EXPECT_EQ(design.dispatched(other_bank), 21U);
  EXPECT_EQ(design.dispatched(same_bank), 22U);
}

}  // namespace
}  // namespace heddle
