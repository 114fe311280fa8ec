#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "sc_tests/modules/ldst_unit/ldst_bench.h"

namespace heddle {
namespace {

using bench::LdstDesign;
using bench::run_to;

class SharedConflict : public ::testing::TestWithParam<unsigned> {};

TEST_P(SharedConflict, HoldsTheUnitForItsDegree) {
  LdstDesign design;
  const unsigned degree = GetParam();
  const WarpInstruction& load = design.shared(10, std::uint64_t{4} * degree);
  const WarpInstruction& next = design.shared(11);
  const Cycle done = 11 + (degree - 1) + 26;
  run_to(design.domain, done - 1);
  EXPECT_EQ(design.completed(load), 0U);
  run_to(design.domain, done + 1);
  EXPECT_EQ(design.completed(load), done);
  EXPECT_EQ(design.completed(next), done + 1);
  EXPECT_EQ(design.statistics()["cycles.shared_conflict"], degree - 1);
}

INSTANTIATE_TEST_SUITE_P(Degrees, SharedConflict, ::testing::Values(1, 2, 4, 8, 16, 32));

TEST(LdstShared, StoresAreCompleteWhenTheBanksAreDone) {
  LdstDesign design;
  const WarpInstruction& store = design.access(10, MemOp::kStore, Space::kShared, 0, 16);
  run_to(design.domain, 40);
  EXPECT_EQ(design.completed(store), 14U);
  EXPECT_EQ(design.unit->outstanding_stores(3), 0U);
}

TEST(LdstShared, LoadsFollowEachOtherEveryCycle) {
  LdstDesign design;
  std::vector<const WarpInstruction*> loads;
  for (Cycle c = 10; c < 50; ++c) loads.push_back(&design.shared(c));
  run_to(design.domain, 120);
  for (unsigned i = 0; i < loads.size(); ++i) EXPECT_EQ(design.completed(*loads[i]), 37 + i);
  EXPECT_EQ(design.statistics()["cycles.write_back"], 0U);
}

TEST(LdstWriteback, OneResultACycleAndSourcesTakeTurns) {
  LdstDesign design;
  design.constants->latency = 1;
  design.param(10, 0);
  const WarpInstruction& shared = design.shared(100);  // result at 127
  design.l1d->latency = 22;
  const WarpInstruction& global = design.load(103);         // sent 104, answered 126, seen 127
  const WarpInstruction& constant = design.param(121, 64);  // missed at 122, its line there at 126
  run_to(design.domain, 200);
  // The constant of the beginning was the last served: global is next, then shared, then constant.
  EXPECT_EQ(design.completed(global), 127U);
  EXPECT_EQ(design.completed(shared), 128U);
  EXPECT_EQ(design.completed(constant), 129U);
}

TEST(LdstWriteback, AFullPipeHoldsTheUnit) {
  GpuConfig config;
  config.ldst.shared_latency_cycles = 2;
  LdstDesign design(config);
  design.l1d->latency = 40;
  // Loads sent at 11 to 40 return at 52 to 81 and leave half of the slots to the shared loads of that time.
  for (Cycle c = 10; c < 40; ++c) design.load(c);
  std::vector<const WarpInstruction*> shared;
  for (Cycle c = 50; c < 70; ++c) shared.push_back(&design.shared(c));
  run_to(design.domain, 400);
  EXPECT_EQ(design.completed(*shared[0]), 53U);  // started at 51; 52 and 54 are the loads'
  EXPECT_EQ(design.completed(*shared[1]), 55U);
  EXPECT_EQ(design.completed(*shared[2]), 57U);
  EXPECT_EQ(design.accepted(*shared[4]), 55U);  // the pipe holds two, so that the fourth waits at 54
  auto stats = design.statistics();
  EXPECT_EQ(stats["results"], 50U);
  EXPECT_EQ(stats["cycles.progress"], 50U);
  EXPECT_GT(stats["cycles.write_back"], 0U);
  EXPECT_EQ(stats["cycles.progress"] + stats["cycles.write_back"] + stats["cycles.idle"], 400U);
}

/// A long mixed stream; returns its instructions.
std::vector<const WarpInstruction*> feed(LdstDesign& design) {
  std::mt19937 random(5);
  std::vector<const WarpInstruction*> sent;
  static constexpr Space kSpaces[] = {Space::kGlobal, Space::kGlobal, Space::kShared, Space::kLocal,
                                      Space::kParam};
  Cycle cycle = 5;
  for (unsigned i = 0; i < 300; ++i) {
    const Space space = kSpaces[random() % 5];
    const bool store = space != Space::kParam && random() % 3 == 0;
    const auto base = (space == Space::kGlobal ? LdstDesign::kGlobal : 0) + random() % 64 * 4;
    const auto stride = random() % 5 * 4;
    sent.push_back(&design.access(cycle, store ? MemOp::kStore : MemOp::kLoad, space, base, stride,
                                  static_cast<LaneMask>(random()) | 1U, i % 48));
    cycle += random() % 4 == 0 ? 60 : 1;
  }
  design.l1d->refuse_until = 90;
  design.l1d->reason = Refusal::kInterconnect;
  design.l1d->latency = 37;
  design.constants->latency = 90;
  return sent;
}

TEST(LdstUnit, EveryCycleHasOneCause) {
  LdstDesign design;
  feed(design);
  for (const Cycle end : {Cycle{57}, Cycle{300}, Cycle{1200}, Cycle{8000}}) {
    run_to(design.domain, end);
    std::uint64_t sum = 0;
    for (const auto& [name, value] : design.statistics()) {
      if (name.rfind("cycles.", 0) == 0) sum += value;
    }
    EXPECT_EQ(sum, end);
  }
  auto stats = design.statistics();
  for (const char* cause : {"progress", "coalescing", "interconnect", "shared_conflict", "constant_miss"}) {
    EXPECT_GT(stats[std::string("cycles.") + cause], 0U) << cause;
  }
  EXPECT_TRUE(design.unit->idle());
  EXPECT_EQ(design.pool.in_use(), 0U);
}

TEST(LdstUnit, SleepingAndConstructionOrderChangeNothing) {
  LdstDesign asleep({}, {"asleep", true, false});
  LdstDesign awake({}, {"awake", false, false});
  LdstDesign reversed({}, {"reversed", true, true});
  const auto first = feed(asleep);
  const auto second = feed(awake);
  const auto third = feed(reversed);
  run_to(asleep.domain, 8000);
  for (unsigned i = 0; i < first.size(); ++i) {
    EXPECT_NE(asleep.completed(*first[i]), 0U);
    EXPECT_EQ(asleep.completed(*first[i]), awake.completed(*second[i]));
    EXPECT_EQ(asleep.completed(*first[i]), reversed.completed(*third[i]));
  }
  EXPECT_EQ(asleep.statistics(), awake.statistics());
  EXPECT_EQ(asleep.statistics(), reversed.statistics());
  EXPECT_LT(asleep.domain.ticks_executed(), awake.domain.ticks_executed());
}

TEST(LdstUnit, WavesShowWhatHappensInEachCycle) {
  LdstDesign design;
  bench::WaveTable waves;
  design.unit->trace(waves);
  design.l1d->reason = Refusal::kMshrEntries;
  design.l1d->refuse_until = 13;
  std::map<Cycle, std::map<std::string, std::uint64_t>> at;
  std::map<Cycle, std::string> cause;
  design.collector->observe = [&](Cycle cycle) {
    at[cycle] = waves.values();
    cause[cycle] = waves.text("state") + " " + waves.text("cause");
  };
  design.load(10, 8);
  design.shared(20, 8);
  run_to(design.domain, 40);
  EXPECT_EQ(cause[10], "idle idle");
  EXPECT_EQ(cause[11], "global mshr");
  EXPECT_EQ(cause[12], "global mshr");
  EXPECT_EQ(cause[13], "global coalescing");
  EXPECT_EQ(cause[14], "global progress");
  EXPECT_EQ(cause[15], "idle idle");
  EXPECT_EQ(cause[21], "shared shared_conflict");
  EXPECT_EQ(cause[22], "shared progress");
  EXPECT_EQ(cause[23], "idle idle");
  EXPECT_EQ(at[13]["remaining"], 2U);
  EXPECT_EQ(at[14]["remaining"], 1U);
  EXPECT_EQ(at[14]["warp"], 3U);
}

TEST(LdstUnit, RefusesLatencyZero) {
  GpuConfig config;
  config.ldst.shared_latency_cycles = 0;
  ClockDomain domain("domain", sc_core::sc_time(1, sc_core::SC_NS));
  PayloadPool pool;
  EXPECT_THROW(LdstUnit("unit", domain, config, 0, pool), std::invalid_argument);
}

}  // namespace
}  // namespace heddle
