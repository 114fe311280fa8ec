#include "modules/execution_unit/execution_unit.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "modules/messages/tick_order.h"
#include "sc_tests/modules/operand_collector/pipeline_bench.h"

namespace heddle {
namespace {

using bench::alu;

/// One result bus, and units each fed by a sender in the place of the operand collector.
struct Variant {
  std::string prefix = "design";
  bool sleeping = true;
  bool reversed = false;  ///< constructed in the opposite order
};

struct Design {
  explicit Design(unsigned units, const ExecutionConfig& config = {}, const Variant& variant = {})
      : domain((variant.prefix + "_domain").c_str(), sc_core::sc_time(1, sc_core::SC_NS), variant.sleeping),
        bus(config),
        unit(units),
        sender(units) {
    for (unsigned n = 0; n < units; ++n) {
      const unsigned i = variant.reversed ? units - 1 - n : n;
      const std::string number = std::to_string(i);
      unit[i] = std::make_unique<ExecutionUnit>((variant.prefix + "_unit" + number).c_str(), domain, config,
                                                bus, i);
      sender[i] = std::make_unique<bench::Sender>((variant.prefix + "_sender" + number).c_str(), domain,
                                                  tick_order::kOperandCollector);
      sender[i]->socket.bind(unit[i]->dispatch);
    }
  }

  WarpInstruction& send(Cycle cycle, OpClass op, unsigned to = 0) {
    WarpInstruction& made = instructions.make(alu(op, {}, {}));
    sender[to]->at(cycle, made);
    return made;
  }

  ClockDomain domain;
  ResultBus bus;
  bench::Instructions instructions;
  std::vector<std::unique_ptr<ExecutionUnit>> unit;
  std::vector<std::unique_ptr<bench::Sender>> sender;
};

class Latency : public ::testing::TestWithParam<unsigned> {};

TEST_P(Latency, ResultComesLatencyAfterTheStartAtTheNextEdge) {
  const auto op = static_cast<OpClass>(GetParam());
  const Cycle latency = ExecutionConfig{}.timing[GetParam()].latency_cycles;
  Design design(1);
  const WarpInstruction& instruction = design.send(10, op);
  bench::run_to(design.domain, 11 + latency - 1);
  EXPECT_EQ(design.sender[0]->completed(instruction), 0U);
  bench::run_to(design.domain, 11 + latency);
  EXPECT_EQ(design.sender[0]->completed(instruction), 11 + latency);
}

TEST_P(Latency, NextOneStartsAfterTheInitiationInterval) {
  const auto op = static_cast<OpClass>(GetParam());
  const OpTiming timing = ExecutionConfig{}.timing[GetParam()];
  Design design(1);
  design.send(10, op);
  const WarpInstruction& second = design.send(11, op);
  const Cycle start = 11 + timing.initiation_cycles;
  bench::run_to(design.domain, start + timing.latency_cycles - 1);
  EXPECT_EQ(design.sender[0]->completed(second), 0U);
  bench::run_to(design.domain, start + timing.latency_cycles);
  EXPECT_EQ(design.sender[0]->completed(second), start + timing.latency_cycles);
  // Withheld until its start, unless nothing was in its way when it was offered.
  EXPECT_EQ(design.sender[0]->accepted(second), timing.initiation_cycles == 1 ? 11 : start);
}

INSTANTIATE_TEST_SUITE_P(AllClasses, Latency, ::testing::Range(0U, kNumOpClasses - 1));

TEST(ExecutionUnit, IssuesOneInstructionPerCycleWithInitiationOne) {
  Design design(1);
  std::vector<const WarpInstruction*> all;
  for (Cycle c = 5; c < 25; ++c) all.push_back(&design.send(c, OpClass::kFp32Mad));
  bench::run_to(design.domain, 60);
  for (unsigned i = 0; i < all.size(); ++i) EXPECT_EQ(design.sender[0]->completed(*all[i]), 5 + i + 1 + 5);
}

TEST(ExecutionUnit, ResultPortCarriesOneResultPerCycle) {
  Design design(1);
  const WarpInstruction& slow = design.send(5, OpClass::kFp32Add);  // starts at 6, result at 10
  const WarpInstruction& fast = design.send(8, OpClass::kSimple);   // would give its result at 10 too
  bench::run_to(design.domain, 30);
  EXPECT_EQ(design.sender[0]->completed(slow), 10U);
  EXPECT_EQ(design.sender[0]->completed(fast), 11U);
  EXPECT_EQ(design.sender[0]->accepted(fast), 10U);
  auto stats = bench::statistics(*design.unit[0]).values;
  EXPECT_EQ(stats["blocked_result_port"], 1U);
  EXPECT_EQ(stats["blocked_result_bus"], 0U);
}

TEST(ExecutionUnit, WaitsForTheSharedResultBus) {
  Design design(3);
  const WarpInstruction& a = design.send(5, OpClass::kFp32Add, 0);
  const WarpInstruction& b = design.send(5, OpClass::kFp32Add, 1);
  const WarpInstruction& c = design.send(5, OpClass::kFp32Add, 2);
  bench::run_to(design.domain, 30);
  EXPECT_EQ(design.sender[0]->completed(a), 10U);
  EXPECT_EQ(design.sender[1]->completed(b), 10U);
  EXPECT_EQ(design.sender[2]->completed(c), 11U);
  auto stats = bench::statistics(*design.unit[2]).values;
  EXPECT_EQ(stats["blocked_result_bus"], 1U);
  EXPECT_EQ(stats["blocked_result_port"], 0U);
}

TEST(ExecutionUnit, OfThoseThatWaitForTheSameSlotTheLowestPortGetsIt) {
  ExecutionConfig config;
  config.result_bus_width = 1;
  Design forward(4, config, {"forward", true, false});
  Design reversed(4, config, {"reversed", true, true});
  std::vector<const WarpInstruction*> sent;
  for (Design* design : {&forward, &reversed}) {
    for (unsigned unit = 0; unit < 4; ++unit) sent.push_back(&design->send(10, OpClass::kFp32Add, unit));
  }
  bench::run_to(forward.domain, 100);
  for (unsigned unit = 0; unit < 4; ++unit) {
    EXPECT_EQ(forward.sender[unit]->completed(*sent[unit]), 15U + unit) << unit;
    EXPECT_EQ(reversed.sender[unit]->completed(*sent[4 + unit]), 15U + unit) << unit;
  }
}

TEST(ExecutionUnit, OneWaitsInTheDispatchRegisterAndTheNextIsWithheld) {
  Design design(1);
  design.send(5, OpClass::kFp64Add);                                  // starts at 6, next start 14
  const WarpInstruction& second = design.send(6, OpClass::kFp64Add);  // starts at 14
  const WarpInstruction& third = design.send(7, OpClass::kFp64Add);   // can be offered at 14
  bench::run_to(design.domain, 60);
  EXPECT_EQ(design.sender[0]->accepted(second), 14U);
  EXPECT_EQ(design.sender[0]->sent(third), 14U);
  EXPECT_EQ(design.sender[0]->accepted(third), 22U);
}

TEST(ExecutionUnit, EveryCycleHasOneCause) {
  Design design(2);
  for (Cycle c = 3; c < 60; c += 2) {
    design.send(c, c % 3 == 0 ? OpClass::kFp32MinMax : OpClass::kSimple, 0);
    design.send(c, c % 5 == 0 ? OpClass::kFp32Add : OpClass::kTranscendental, 1);
  }
  for (const Cycle end : {Cycle{17}, Cycle{40}, Cycle{55}, Cycle{400}}) {
    bench::run_to(design.domain, end);
    for (auto& unit : design.unit) {
      auto stats = bench::statistics(*unit).values;
      EXPECT_EQ(stats["busy"] + stats["idle"] + stats["blocked_result_bus"] + stats["blocked_result_port"],
                end);
    }
  }
}

TEST(ExecutionUnit, CountsBusyAndWithheldCycles) {
  Design design(1);
  design.send(5, OpClass::kFp64Add);
  design.send(6, OpClass::kFp64Add);
  bench::run_to(design.domain, 9);
  auto early = bench::statistics(*design.unit[0]).values;
  EXPECT_EQ(early["busy"], 4U);  // 6, 7, 8, 9
  bench::run_to(design.domain, 60);
  auto stats = bench::statistics(*design.unit[0]).values;
  EXPECT_EQ(stats["busy"], 16U);
  EXPECT_EQ(stats["withheld"], 7U);  // could have started at 7, started at 14
  EXPECT_EQ(stats["instructions_fp64_add"], 2U);
  EXPECT_EQ(stats["instructions_fp32_add"], 0U);
}

struct NamedClass {
  OpClass op;
  const char* name;
};

class InstructionsOf : public ::testing::TestWithParam<NamedClass> {};

TEST_P(InstructionsOf, AreCountedUnderTheNameOfTheirClass) {
  Design design(1);
  for (Cycle cycle = 5; cycle < 2000; cycle += 500) design.send(cycle, GetParam().op);
  bench::run_to(design.domain, 3000);
  std::map<std::string, std::uint64_t> started;
  for (const auto& [name, value] : bench::statistics(*design.unit[0]).values) {
    if (name.rfind("instructions_", 0) == 0 && value != 0) started[name] = value;
  }
  EXPECT_EQ(started, (std::map<std::string, std::uint64_t>{{GetParam().name, 4}}));
}

INSTANTIATE_TEST_SUITE_P(AllClasses, InstructionsOf,
                         ::testing::Values(NamedClass{OpClass::kSimple, "instructions_simple"},
                                           NamedClass{OpClass::kIntAdd, "instructions_int_add"},
                                           NamedClass{OpClass::kIntMinMax, "instructions_int_min_max"},
                                           NamedClass{OpClass::kIntMul, "instructions_int_mul"},
                                           NamedClass{OpClass::kIntMad, "instructions_int_mad"},
                                           NamedClass{OpClass::kIntDiv, "instructions_int_div"},
                                           NamedClass{OpClass::kShuffle, "instructions_shuffle"},
                                           NamedClass{OpClass::kFp32Add, "instructions_fp32_add"},
                                           NamedClass{OpClass::kFp32MinMax, "instructions_fp32_min_max"},
                                           NamedClass{OpClass::kFp32Mul, "instructions_fp32_mul"},
                                           NamedClass{OpClass::kFp32Mad, "instructions_fp32_mad"},
                                           NamedClass{OpClass::kFp32Div, "instructions_fp32_div"},
                                           NamedClass{OpClass::kFp64Add, "instructions_fp64_add"},
                                           NamedClass{OpClass::kFp64MinMax, "instructions_fp64_min_max"},
                                           NamedClass{OpClass::kFp64Mul, "instructions_fp64_mul"},
                                           NamedClass{OpClass::kFp64Mad, "instructions_fp64_mad"},
                                           NamedClass{OpClass::kFp64Div, "instructions_fp64_div"},
                                           NamedClass{OpClass::kTranscendental,
                                                      "instructions_transcendental"}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

/// Completion cycles and statistics of a fixed mixed stream.
class Stream {
 public:
  explicit Stream(Design& design) : design_(design) {
    static constexpr OpClass kOps[] = {OpClass::kSimple, OpClass::kFp32Mad,    OpClass::kIntMul,
                                       OpClass::kIntDiv, OpClass::kFp32MinMax, OpClass::kSimple,
                                       OpClass::kFp64Div};
    for (unsigned i = 0; i < 60; ++i) {
      sent_.emplace_back(i % 3, &design.send(3 + i / 2, kOps[i * 5 % 7], i % 3));
    }
  }

  std::vector<Cycle> completions() const {
    std::vector<Cycle> result;
    for (const auto& [to, instruction] : sent_) {
      result.push_back(design_.sender[to]->completed(*instruction));
    }
    return result;
  }

  std::vector<std::map<std::string, std::uint64_t>> statistics() const {
    std::vector<std::map<std::string, std::uint64_t>> result;
    for (auto& unit : design_.unit) result.push_back(bench::statistics(*unit).values);
    return result;
  }

 private:
  Design& design_;
  std::vector<std::pair<unsigned, const WarpInstruction*>> sent_;
};

TEST(ExecutionUnit, SleepingAndConstructionOrderChangeNothing) {
  Design asleep(3, {}, {"asleep", true, false});
  Design awake(3, {}, {"awake", false, false});
  Design reversed(3, {}, {"reversed", true, true});
  const Stream first(asleep);
  const Stream second(awake);
  const Stream third(reversed);
  bench::run_to(asleep.domain, 4000);
  for (const Cycle completed : first.completions()) EXPECT_NE(completed, 0U);
  EXPECT_EQ(first.completions(), second.completions());
  EXPECT_EQ(first.statistics(), second.statistics());
  EXPECT_EQ(first.completions(), third.completions());
  EXPECT_EQ(first.statistics(), third.statistics());
}

TEST(ExecutionUnit, DoesNotTickForItsResult) {
  Design design(1);
  const WarpInstruction& instruction = design.send(5, OpClass::kFp64Div);
  bench::run_to(design.domain, 1000);
  EXPECT_EQ(design.sender[0]->completed(instruction), 336U);
  EXPECT_LE(design.domain.ticks_executed(), 5U + 1U);  // the sender's first five, the unit's first
}

TEST(ExecutionUnit, WavesShowEachCycleAlsoWhileAsleep) {
  Design design(1);
  bench::WaveTable waves;
  design.unit[0]->trace(waves);
  std::string states;
  design.sender[0]->observe = [&](Cycle /*cycle*/) { states += waves.text("state")[1]; };
  design.send(3, OpClass::kIntMul);   // starts at 4, two cycles, result at 8
  design.send(9, OpClass::kFp32Add);  // starts at 10, result at 14
  design.send(12, OpClass::kSimple);  // would start at 13 with its result at 14
  bench::run_to(design.domain, 17);
  // Second letters of idle, busy, blocked, from cycle 1 on.
  EXPECT_EQ(states,
            "ddd"
            "uu"
            "dddd"
            "u"
            "dd"
            "l"
            "u"
            "ddd");
}

TEST(ExecutionUnit, WavesCountTheResultsUnderWay) {
  Design design(1);
  bench::WaveTable waves;
  design.unit[0]->trace(waves);
  std::map<Cycle, std::uint64_t> in_flight;
  design.sender[0]->observe = [&](Cycle cycle) { in_flight[cycle] = waves.values().at("in_flight"); };
  design.send(3, OpClass::kFp32Mad);  // starts at 4, result at 9
  design.send(4, OpClass::kFp32Mad);  // starts at 5, result at 10
  bench::run_to(design.domain, 12);
  const std::map<Cycle, std::uint64_t> expected{{1, 0}, {2, 0}, {3, 0}, {4, 1},  {5, 2},  {6, 2},
                                                {7, 2}, {8, 2}, {9, 1}, {10, 0}, {11, 0}, {12, 0}};
  EXPECT_EQ(in_flight, expected);
}

TEST(ExecutionUnit, RefusesLatencyZero) {
  ExecutionConfig config;
  config.timing[3].latency_cycles = 0;
  ClockDomain domain("domain", sc_core::sc_time(1, sc_core::SC_NS));
  ResultBus bus(config);
  EXPECT_THROW(ExecutionUnit("unit", domain, config, bus, 0), std::invalid_argument);
}

}  // namespace
}  // namespace heddle
