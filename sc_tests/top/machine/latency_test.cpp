// What single operations and accesses cost on the default machine, within 5% of gtx480.md, "Dependent-issue
// and load-to-use latencies". The figures there include a share of the measuring loop: 0.25 cycles of 11.25.
#include <gtest/gtest.h>

#include <numeric>

#include "sc_tests/top/machine/micro_run.h"

namespace heddle {
namespace {

constexpr double kTolerance = 0.05;

/// By how many operations the last two launches of a workload differ: its `rounds` times those of a round.
constexpr double kChainOperations = 32 * 16;
constexpr double kIndependentOperations = 32 * 32;
constexpr double kChaseOperations = 16 * 8;
constexpr double kSharedOperations = 8 * 8;
constexpr double kWarps = 32;  ///< of bank_conflicts and strided_load; the latter has 16 loads a round

void expect_cost(const MicroRun& run, const std::string& kernel, double operations, double expected) {
  const std::vector<double> costs = run.costs(kernel, operations);
  ASSERT_FALSE(costs.empty()) << kernel;
  EXPECT_NEAR(costs[0], expected, kTolerance * expected) << kernel;
}

TEST(Latency, DependentOperations) {
  const MicroRun run("chains");
  ASSERT_TRUE(run.complete());
  expect_cost(run, "fma_f32", kChainOperations, 11.25);
  expect_cost(run, "add_f32", kChainOperations, 10.25);
  expect_cost(run, "mul_f32", kChainOperations, 10.25);
  expect_cost(run, "add_s32", kChainOperations, 10.25);
  expect_cost(run, "mad_s32", kChainOperations, 11.25);
  expect_cost(run, "xor_b32", kChainOperations, 7.25);
  expect_cost(run, "setp_selp", 2 * kChainOperations, 7.25);
  expect_cost(run, "add_f64", kChainOperations, 14.24);
  expect_cost(run, "ex2_f32", kChainOperations, 14.24);
  expect_cost(run, "div_full_f32", kChainOperations, 45.21);
}

TEST(Latency, IndependentOperations) {
  const MicroRun run("chains");
  ASSERT_TRUE(run.complete());
  expect_cost(run, "fma_f32_independent", kIndependentOperations, 1.76);
  expect_cost(run, "add_s32_independent", kIndependentOperations, 1.76);
  expect_cost(run, "ex2_f32_independent", kIndependentOperations, 8.17);
  expect_cost(run, "barrier", kIndependentOperations, 1.75);
  expect_cost(run, "branch", kIndependentOperations, 1.75);
}

TEST(Latency, SharedMemory) { expect_cost(MicroRun("shared"), "chase_shared", kSharedOperations, 32.23); }
TEST(Latency, L1dHit) { expect_cost(MicroRun("chase"), "chase", kChaseOperations, 40.22); }
TEST(Latency, L2HitBehindL1dMiss) { expect_cost(MicroRun("chase", "l2"), "chase", kChaseOperations, 182.02); }
TEST(Latency, L2HitPastL1d) {
  expect_cost(MicroRun("chase_past_l1d"), "chase_past_l1d", kChaseOperations, 143.04);
}
TEST(Latency, DramRowHit) { expect_cost(MicroRun("chase", "dram"), "chase", kChaseOperations, 300.41); }
TEST(Latency, DramRowMiss) { expect_cost(MicroRun("chase", "dram_rows"), "chase", kChaseOperations, 316.73); }

// gtx480.md, "Clocks, size, occupancy".
TEST(Latency, EmptyKernelOfOneWarp) {
  const std::vector<double> cycles = MicroRun("workloads/reference/empty.yaml").cycles("empty");
  ASSERT_EQ(cycles.size(), 1U);
  EXPECT_NEAR(cycles[0], 275, kTolerance * 275);
}
TEST(Latency, EmptyKernelOf120ThreadBlocks) {
  const std::vector<double> cycles = MicroRun("workloads/reference/empty120.yaml").cycles("empty");
  ASSERT_EQ(cycles.size(), 1U);
  EXPECT_NEAR(cycles[0], 374, kTolerance * 374);
}

// gtx480.md, "Memory instructions, coalescing": a load holds the unit for as many cycles as its busiest bank
// has words; without conflicts the loop's other instructions limit the rate.
TEST(Latency, BankConflictsCostTheirDegree) {
  const std::vector<double> costs = MicroRun("shared").costs("bank_conflicts", kWarps * kSharedOperations);
  ASSERT_EQ(costs.size(), 32U);
  for (unsigned stride = 1; stride <= 32; ++stride) {
    const double cost = costs[stride - 1];
    const double degree = std::gcd(stride, 32U);
    if (degree == 1) {
      EXPECT_GE(cost, 1) << stride;
      EXPECT_LE(cost, 1.3) << stride;
    } else {
      EXPECT_NEAR(cost, degree, kTolerance * degree) << stride;
    }
  }
}

// One access a cycle enters the L1D: a load costs the lines that it touches.
TEST(Latency, StridedLoadsCostTheirLines) {
  const std::vector<double> costs = MicroRun("strided").costs("strided_load", 2 * kWarps * kSharedOperations);
  ASSERT_EQ(costs.size(), 32U);
  EXPECT_GE(costs[0], 1);
  EXPECT_LE(costs[0], 1.5);
  for (unsigned lines = 2; lines <= 32; ++lines) {
    EXPECT_NEAR(costs[lines - 1], lines, kTolerance * lines) << lines;
  }
}

}  // namespace
}  // namespace heddle
