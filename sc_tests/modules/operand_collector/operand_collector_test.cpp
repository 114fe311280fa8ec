#include "modules/operand_collector/operand_collector.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "sc_tests/modules/operand_collector/collector_design.h"

namespace heddle {
namespace {

using bench::alu;
using bench::Design;

TEST(OperandCollector, DispatchesThreeCyclesAfterIssue) {
  Design design;
  const WarpInstruction& instruction = design.issue_fma(10, {1, 2, 3});
  bench::run_to(design.domain, 12);
  EXPECT_EQ(design.dispatched(instruction), 0U);
  bench::run_to(design.domain, 13);
  EXPECT_EQ(design.dispatched(instruction), 13U);
}

TEST(OperandCollector, WithoutRegisterSourcesItIsReadyAtOnce) {
  Design design;
  const WarpInstruction& none = design.issue(10, alu(OpClass::kSimple, {}, {1}));
  const WarpInstruction& predicate =
      design.issue(20, alu(OpClass::kSimple, {Instruction::kFirstPredicate}, {1}));
  bench::run_to(design.domain, 40);
  EXPECT_EQ(design.dispatched(none), 12U);
  EXPECT_EQ(design.dispatched(predicate), 22U);
  EXPECT_EQ(design.statistics()["reads"], 0U);
}

class BankConflict : public ::testing::TestWithParam<unsigned> {};

TEST_P(BankConflict, EachReadOfTheSameBankCostsACycle) {
  Design design;
  std::vector<unsigned> sources;
  for (unsigned i = 0; i < GetParam(); ++i) sources.push_back(3 + 16 * i);
  const WarpInstruction& instruction = design.issue_fma(10, sources);
  const Cycle expected = 13 + GetParam() - 1;
  bench::run_to(design.domain, expected - 1);
  EXPECT_EQ(design.dispatched(instruction), 0U);
  bench::run_to(design.domain, expected);
  EXPECT_EQ(design.dispatched(instruction), expected);
  auto stats = design.statistics();
  EXPECT_EQ(stats["reads"], GetParam());
  EXPECT_EQ(stats["reads_delayed"], GetParam() - 1);
  EXPECT_EQ(stats["read_wait"], GetParam() * (GetParam() - 1) / 2);
}

INSTANTIATE_TEST_SUITE_P(Degrees, BankConflict, ::testing::Range(1U, 13U));

TEST(OperandCollector, ReadsADuplicateRegisterOnce) {
  Design design;
  const WarpInstruction& instruction = design.issue_fma(10, {3, 3, 3});
  bench::run_to(design.domain, 20);
  EXPECT_EQ(design.dispatched(instruction), 13U);
  EXPECT_EQ(design.statistics()["reads"], 1U);
}

TEST(OperandCollector, TheWarpRotatesTheBanks) {
  Design design;
  // Register 3 of warp 0 and register 2 of warp 1 share bank 3; register 3 of warp 1 does not.
  const WarpInstruction& first = design.issue_fma(10, {3}, 20, 0, 0);
  const WarpInstruction& second = design.issue_fma(10, {2}, 20, 1, 1);
  const WarpInstruction& third = design.issue_fma(20, {3}, 20, 0, 0);
  const WarpInstruction& fourth = design.issue_fma(20, {3}, 20, 1, 1);
  bench::run_to(design.domain, 40);
  EXPECT_EQ(design.dispatched(first), 13U);
  EXPECT_EQ(design.dispatched(second), 14U);
  EXPECT_EQ(design.dispatched(third), 23U);
  EXPECT_EQ(design.dispatched(fourth), 23U);
}

TEST(OperandCollector, ABankServesItsOldestReadFirst) {
  Design design;
  const WarpInstruction& older = design.issue_fma(10, {3, 19, 35});
  const WarpInstruction& younger = design.issue_fma(11, {3}, 20, 0, 1);
  bench::run_to(design.domain, 40);
  EXPECT_EQ(design.dispatched(older), 15U);
  EXPECT_EQ(design.dispatched(younger), 16U);
}

TEST(OperandCollector, DispatchesTwoToTheSpUnitsAndOneToTheSfuPerCycle) {
  Design design;
  std::vector<const WarpInstruction*> sp;
  std::vector<const WarpInstruction*> sfu;
  for (Cycle c = 10; c < 15; ++c) {
    sp.push_back(&design.issue_fma(c, {1}, 20, 0, 0));
    sp.push_back(&design.issue_fma(c, {2}, 20, 0, 0));
    sfu.push_back(&design.issue(c, alu(OpClass::kTranscendental, {4}, {21}, Unit::kSfu), 0, 1));
  }
  bench::run_to(design.domain, 40);
  for (unsigned i = 0; i < sp.size(); ++i) EXPECT_EQ(design.dispatched(*sp[i]), 13 + i / 2);
  for (unsigned i = 0; i < sfu.size(); ++i) EXPECT_EQ(design.dispatched(*sfu[i]), 13 + i);
  EXPECT_EQ(design.unit[0]->offers.size(), 5U);
  EXPECT_EQ(design.unit[1]->offers.size(), 5U);
}

TEST(OperandCollector, PrefersTheUnitThatCanStartFirst) {
  Design design;
  design.issue(10, alu(OpClass::kIntDiv, {1}, {20}));  // initiation interval 8
  const WarpInstruction& next = design.issue_fma(11, {2}, 21);
  const WarpInstruction& after = design.issue_fma(12, {2}, 22);
  bench::run_to(design.domain, 40);
  EXPECT_EQ(design.unit[1]->offered(next), 14U);
  EXPECT_EQ(design.unit[1]->offered(after), 15U);
}

class BusyUnits : public ::testing::TestWithParam<bool> {};

// Both SP units begin at 14, with intervals of 8 and 4 cycles: neither can begin with what comes at 14.
TEST_P(BusyUnits, TheOneThatIsFreeFirstIsPreferred) {
  const bool slow_first = GetParam();
  const Instruction slow = alu(OpClass::kIntDiv, {1}, {20});
  const Instruction fast = alu(OpClass::kFp32Div, {2}, {21});
  Design design;
  design.issue(10, slow_first ? slow : fast);
  design.issue(10, slow_first ? fast : slow);
  const WarpInstruction& next = design.issue_fma(11, {3}, 22);
  bench::run_to(design.domain, 20);
  EXPECT_EQ(design.unit[slow_first ? 1 : 0]->offered(next), 14U);
  EXPECT_EQ(design.unit[slow_first ? 0 : 1]->offered(next), 0U);
}

INSTANTIATE_TEST_SUITE_P(SlowFirst, BusyUnits, ::testing::Bool());

class IdleUnits : public ::testing::TestWithParam<Cycle> {};

// Of units that can begin at the next edge the first is taken: again from the edge at which it can, not
// later.
TEST_P(IdleUnits, TheFirstThatCanStartIsPreferred) {
  const Cycle gap = GetParam();
  Design design;
  design.issue(10, alu(OpClass::kIntMul, {1}, {20}));  // begins at 14, for 2 cycles
  const WarpInstruction& next = design.issue_fma(10 + gap, {2}, 21);
  bench::run_to(design.domain, 40);
  EXPECT_EQ(design.unit[gap < 2 ? 1 : 0]->offered(next), 13 + gap);
}

INSTANTIATE_TEST_SUITE_P(Gaps, IdleUnits, ::testing::Range(Cycle{1}, Cycle{5}));

class LateAcceptance : public ::testing::TestWithParam<Cycle> {};

// The first SP unit accepts at 20 what it was offered at 13, and begins then, for 2 cycles: it is preferred
// again from 21 on, to begin at 22.
TEST_P(LateAcceptance, TheUnitIsFreeAnIntervalAfterItsAcceptance) {
  const Cycle asked = GetParam();
  Design design;
  design.unit[0]->hold = 7;
  design.issue(10, alu(OpClass::kIntMul, {1}, {20}));
  const WarpInstruction& next = design.issue_fma(asked - 3, {2}, 21);
  bench::run_to(design.domain, 40);
  EXPECT_EQ(design.unit[asked < 21 ? 1 : 0]->offered(next), asked);
}

INSTANTIATE_TEST_SUITE_P(Asked, LateAcceptance, ::testing::Range(Cycle{19}, Cycle{23}));

// Three instructions are ready in collector units 1, 0 and 2 when the SFU takes its next one.
TEST(OperandCollector, ReadyCollectorUnitsTakeTurns) {
  Design design;
  design.unit[2]->hold = 7;
  const Instruction op = alu(OpClass::kTranscendental, {4}, {21}, Unit::kSfu);
  std::vector<const WarpInstruction*> sent;
  for (const Cycle cycle : {Cycle{10}, Cycle{11}, Cycle{14}, Cycle{15}, Cycle{21}}) {
    sent.push_back(&design.issue(cycle, op));
  }
  bench::run_to(design.domain, 60);
  EXPECT_EQ(design.dispatched(*sent[0]), 13U);  // from unit 0, which the third takes
  EXPECT_EQ(design.dispatched(*sent[1]), 20U);  // from unit 1, which the fifth takes
  EXPECT_EQ(design.dispatched(*sent[3]), 27U);  // from unit 2
  EXPECT_EQ(design.dispatched(*sent[2]), 34U);  // from unit 0: its turn comes after the last one
  EXPECT_EQ(design.dispatched(*sent[4]), 41U);
}

// While the SFU takes one in 7 cycles and one more is always ready, each is dispatched after at most as many
// others as there are collector units.
TEST(OperandCollector, NoCollectorUnitStarves) {
  OperandCollectorConfig config;
  config.sfu_units = 3;
  Design design(config);
  design.unit[2]->hold = 7;
  std::vector<const WarpInstruction*> sent;
  const Instruction op = alu(OpClass::kTranscendental, {4}, {21}, Unit::kSfu);
  for (unsigned i = 0; i < 30; ++i) sent.push_back(&design.issue(10 + 7 * i, op));
  bench::run_to(design.domain, 300);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    EXPECT_LE(design.dispatched(*sent[i]), 13 + 7 * (i + 3)) << i;
  }
}

TEST(OperandCollector, ReadySignalCountsWhatWasIssuedAtThisEdge) {
  Design design;
  std::map<Cycle, unsigned> sp_before;
  std::map<Cycle, unsigned> sp_after;
  // Scheduler 0 ticks before scheduler 1: what it issued at this edge is seen by the other.
  design.scheduler[0]->observe = [&](Cycle c) { sp_before[c] = design.collector->free_slots(Unit::kSp); };
  design.scheduler[1]->observe = [&](Cycle c) { sp_after[c] = design.collector->free_slots(Unit::kSp); };
  design.issue_fma(10, {1});
  bench::run_to(design.domain, 20);
  EXPECT_EQ(sp_before[10], 2U);
  EXPECT_EQ(sp_after[10], 1U);
  EXPECT_EQ(sp_before[11], 2U);
  EXPECT_EQ(design.collector->free_slots(Unit::kSfu), 1U);
  EXPECT_EQ(design.collector->free_slots(Unit::kLdst), 1U);
}

TEST(OperandCollector, FullCollectorUnitsKeepTheInputRegisters) {
  Design design;
  design.unit[3]->hold = 100;  // accepts nothing for long: one offered, two in the mem CUs
  std::map<Cycle, unsigned> free;
  design.scheduler[1]->observe = [&](Cycle c) { free[c] = design.collector->free_slots(Unit::kLdst); };
  const Instruction load = alu(OpClass::kMemory, {1}, {20}, Unit::kLdst);
  for (const Cycle c : {Cycle{10}, Cycle{20}, Cycle{30}, Cycle{40}}) design.issue(c, load);
  bench::run_to(design.domain, 45);
  EXPECT_EQ(free[31], 1U);
  EXPECT_EQ(free[41], 0U);
  EXPECT_EQ(free[45], 0U);
  EXPECT_EQ(design.statistics()["mem.input_wait"], 5U);
  bench::run_to(design.domain, 130);
  EXPECT_EQ(free[112], 0U);  // offered at 13, accepted at 113, when a CU is dispatched and refilled
  EXPECT_EQ(free[113], 1U);
}

TEST(OperandCollector, WithheldAcceptanceDelaysTheNextDispatch) {
  Design design;
  design.unit[2]->hold = 7;
  const Instruction op = alu(OpClass::kTranscendental, {4}, {21}, Unit::kSfu);
  const WarpInstruction& first = design.issue(10, op);
  const WarpInstruction& second = design.issue(11, op);
  bench::run_to(design.domain, 40);
  EXPECT_EQ(design.dispatched(first), 13U);
  EXPECT_EQ(design.dispatched(second), 20U);  // accepted at 13 + 7; the unit ticks before the collector
  EXPECT_EQ(design.statistics()["sfu.cu_waiting"], 6U);
}

// Allocated at 11, its three reads of one bank granted at 12, 13 and 14, dispatched at 15.
TEST(OperandCollector, ACollectorUnitCollectsUntilItsLastReadAndThenWaits) {
  Design design;
  design.issue_fma(10, {3, 19, 35});
  for (const auto& [end, collecting] :
       std::map<Cycle, std::uint64_t>{{10, 0}, {11, 1}, {12, 2}, {13, 3}, {14, 4}, {15, 4}, {20, 4}}) {
    bench::run_to(design.domain, end);
    auto stats = design.statistics();
    EXPECT_EQ(stats["sp.cu_collecting"], collecting) << "at " << end;
    EXPECT_EQ(stats["sp.cu_waiting"], 0U) << "at " << end;
    EXPECT_EQ(stats["sp.cu_free"], 6 * end - collecting) << "at " << end;
  }
}

// Allocated at 12 and ready at 13; the unit accepts the instruction before at 20.
TEST(OperandCollector, ACollectorUnitWaitsFromTheCycleAfterItsLastReadToItsDispatch) {
  Design design;
  design.unit[2]->hold = 7;
  const Instruction op = alu(OpClass::kTranscendental, {4}, {21}, Unit::kSfu);
  design.issue(10, op);
  design.issue(11, op);
  for (const auto& [end, waiting] :
       std::map<Cycle, std::uint64_t>{{13, 0}, {14, 1}, {18, 5}, {19, 6}, {20, 6}, {40, 6}}) {
    bench::run_to(design.domain, end);
    auto stats = design.statistics();
    EXPECT_EQ(stats["sfu.cu_collecting"], 4U) << "at " << end;
    EXPECT_EQ(stats["sfu.cu_waiting"], waiting) << "at " << end;
    EXPECT_EQ(stats["sfu.cu_free"], 8 * end - 4 - waiting) << "at " << end;
  }
  EXPECT_EQ(design.statistics()["sfu.dispatched"], 2U);
}

TEST(OperandCollector, EveryCollectorUnitCycleHasOneCause) {
  Design design;
  design.unit[0]->hold = 3;
  design.unit[2]->hold = 8;
  for (unsigned i = 0; i < 40; ++i) {
    design.issue_fma(3 + 2 * i, {i % 7, 16 + i % 7, i % 5});
    if (i % 8 == 0) {
      design.issue(3 + 2 * i, alu(OpClass::kTranscendental, {i % 3}, {21}, Unit::kSfu), 1, 1);
    }
  }
  for (const Cycle end : {Cycle{20}, Cycle{33}, Cycle{70}, Cycle{500}}) {
    bench::run_to(design.domain, end);
    auto stats = design.statistics();
    for (const auto& [kind, cus] : std::map<std::string, unsigned>{{"sp", 6}, {"sfu", 8}, {"mem", 2}}) {
      EXPECT_EQ(stats[kind + ".cu_collecting"] + stats[kind + ".cu_waiting"] + stats[kind + ".cu_free"],
                end * cus);
    }
  }
  EXPECT_TRUE(design.collector->idle());
}

void feed(Design& design, std::vector<const WarpInstruction*>& sent) {
  design.unit[1]->hold = 2;
  for (auto& unit : design.unit) unit->latency = 6;
  for (unsigned i = 0; i < 60; ++i) {
    const unsigned from = i % 2;
    sent.push_back(&design.issue_fma(3 + 3 * i, {i % 11, i * 7 % 40, i * 5 % 30}, i % 25, i % 9, from));
  }
  sent.push_back(&design.issue_fma(900, {1}));
}

TEST(OperandCollector, SleepingAndConstructionOrderChangeNothing) {
  Design asleep({}, {"asleep", true, false});
  Design awake({}, {"awake", false, false});
  Design reversed({}, {"reversed", true, true});
  std::vector<const WarpInstruction*> sent[3];
  feed(asleep, sent[0]);
  feed(awake, sent[1]);
  feed(reversed, sent[2]);
  bench::run_to(asleep.domain, 1000);
  for (unsigned i = 0; i < sent[0].size(); ++i) {
    const unsigned from = sent[0][i]->scheduler;
    const Cycle completed = asleep.scheduler[from]->completed(*sent[0][i]);
    EXPECT_NE(completed, 0U);
    EXPECT_EQ(completed, awake.scheduler[from]->completed(*sent[1][i]));
    EXPECT_EQ(completed, reversed.scheduler[from]->completed(*sent[2][i]));
  }
  EXPECT_EQ(asleep.statistics(), awake.statistics());
  EXPECT_EQ(asleep.statistics(), reversed.statistics());
  EXPECT_LT(asleep.domain.ticks_executed(), awake.domain.ticks_executed());
}

TEST(OperandCollector, WavesShowCollectorUnitsAndBanks) {
  Design design;
  design.unit[0]->latency = 3;
  bench::WaveTable waves;
  design.collector->trace(waves);
  std::map<Cycle, std::map<std::string, std::uint64_t>> at;
  design.scheduler[0]->observe = [&](Cycle cycle) { at[cycle] = waves.values(); };
  design.issue_fma(10, {1, 2, 17}, 20);
  bench::run_to(design.domain, 30);
  EXPECT_EQ(at[10]["busy_cus"], 0U);
  EXPECT_EQ(at[11]["busy_cus"], 1U);
  EXPECT_EQ(at[12]["bank_reads"], 0x6U);
  EXPECT_EQ(at[13]["bank_reads"], 0x2U);
  EXPECT_EQ(at[13]["ready_cus"], 1U);
  EXPECT_EQ(at[14]["busy_cus"], 0U);  // dispatched
  EXPECT_EQ(at[14]["bank_reads"], 0U);
  EXPECT_EQ(at[19]["bank_writes"], 0x10U);
  EXPECT_EQ(at[20]["bank_writes"], 0U);
}

TEST(OperandCollector, RefusesWrongConfigurations) {
  ClockDomain domain("domain", sc_core::sc_time(1, sc_core::SC_NS));
  OperandCollectorConfig banks;
  banks.banks = 12;
  EXPECT_THROW(OperandCollector("a", domain, banks, {}, 2), std::invalid_argument);
  OperandCollectorConfig none;
  none.mem_units = 0;
  EXPECT_THROW(OperandCollector("b", domain, none, {}, 2), std::invalid_argument);
  OperandCollectorConfig many;
  many.sp_units = 60;
  EXPECT_THROW(OperandCollector("c", domain, many, {}, 2), std::invalid_argument);
  EXPECT_THROW(OperandCollector("d", domain, {}, {}, kMaxSchedulers + 1), std::invalid_argument);
  ExecutionConfig ports;
  ports.sp_units = DueResults::kMaxPorts;
  ports.sfu_units = 1;
  EXPECT_THROW(OperandCollector("e", domain, {}, ports, 2), std::invalid_argument);
}

}  // namespace
}  // namespace heddle
