// What a scheduling policy hears of the issue stage, and what it may ask.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sc_tests/modules/sm/policy_rig.h"

namespace heddle {
namespace {

using ::testing::Contains;
using testing::FakeKernel;
using testing::PolicyRig;

TEST(PolicyEventsTest, KernelBlockAndWarpsStartAndEndInOrder) {
  PolicyRig rig;
  FakeKernel kernel(2, 64);
  kernel.fma({1}, {});
  kernel.exit();
  rig.run(kernel);
  ASSERT_EQ(rig.policy.kernels.size(), 1U);
  EXPECT_EQ(rig.policy.kernels[0].second.launch_id, 5U);
  ASSERT_EQ(rig.policy.tb_starts.size(), 2U);
  EXPECT_LT(rig.policy.kernels[0].first, rig.policy.tb_starts[0].first);
  const TbEvent& second = rig.policy.tb_starts[1].second;
  EXPECT_EQ(second.slot, 1U);
  EXPECT_EQ(second.tb, 1U);
  EXPECT_EQ(second.launch_id, 5U);
  EXPECT_EQ(second.warps, 0b1100U);
  ASSERT_EQ(rig.policy.warp_starts.size(), 4U);
  EXPECT_EQ(rig.policy.warp_starts[3].second.warp, 3U);
  EXPECT_EQ(rig.policy.warp_starts[3].second.tb, 1U);
  EXPECT_EQ(rig.policy.warp_starts[3].second.warp_in_tb, 1U);
  ASSERT_EQ(rig.policy.warp_finishes.size(), 4U);
  ASSERT_EQ(rig.policy.warp_retires.size(), 4U);
  EXPECT_LT(rig.policy.warp_finishes[0].second.cycle, rig.policy.warp_retires[0].second.cycle);
  ASSERT_EQ(rig.policy.tb_ends.size(), 2U);
  EXPECT_GE(rig.policy.tb_ends[0].second.cycle, rig.policy.warp_retires[1].second.cycle);
}

TEST(PolicyEventsTest, TheCycleAfterTheLastWaitingBlockWasGivenAwayTheGridIsDispatched) {
  GpuConfig config;
  config.core.tb_slots = 2;
  PolicyRig rig(config);
  std::vector<Cycle> given;
  rig.dispatcher.tb_dispatched.listen([&](const TbTransaction&, Cycle cycle) { given.push_back(cycle); });
  FakeKernel kernel(3, 64);
  kernel.fma({1}, {});
  kernel.exit();
  rig.run(kernel);
  ASSERT_EQ(given.size(), 3U);
  ASSERT_EQ(rig.policy.grids_dispatched.size(), 1U);
  EXPECT_EQ(rig.policy.grids_dispatched[0].second.launch_id, 5U);
  EXPECT_EQ(rig.policy.grids_dispatched[0].second.cycle, given[2]);
  EXPECT_EQ(rig.policy.grids_dispatched[0].first,
            given[2] + 1);  // the first time it is told: not at given[2]
  EXPECT_GT(given[2], given[1]);
  EXPECT_EQ(rig.policy.tb_starts[2].first, given[2] + 1);
}

/// Whether the SM sleeps or not.
class FarGridTest : public ::testing::TestWithParam<bool> {};

TEST_P(FarGridTest, InHardwareTimingWhatIsSaidOfTheGridTakesItsWay) {
  GpuConfig config;
  config.core.tb_slots = 2;
  config.scheduler.timing = hw::Timing::kHardware;
  config.scheduler.broadcast_cycles = 5;
  PolicyRig rig(config, GetParam());
  std::vector<Cycle> given;
  rig.dispatcher.tb_dispatched.listen([&](const TbTransaction&, Cycle cycle) { given.push_back(cycle); });
  FakeKernel kernel(3, 64);
  kernel.fma({1}, {});
  kernel.exit();
  rig.run(kernel);
  ASSERT_EQ(given.size(), 3U);
  ASSERT_EQ(rig.policy.grids_dispatched.size(), 1U);
  EXPECT_EQ(rig.policy.grids_dispatched[0].first, given[2] + 5);  // not at given[2] + 4
  EXPECT_EQ(rig.policy.grids_dispatched[0].second.cycle, given[2] + 4);
  EXPECT_EQ(rig.policy.grids_dispatched[0].second.launch_id, 5U);
  EXPECT_EQ(rig.policy.tb_starts[2].first, given[2] + 1);  // before it is told
}

INSTANTIATE_TEST_SUITE_P(Sleeping, FarGridTest, ::testing::Bool());

TEST(PolicyEventsTest, IssuesTellLanesAndNumber) {
  PolicyRig rig;
  FakeKernel kernel;
  kernel.fma({1}, {});
  kernel.op(0).active = 0xF;
  kernel.load({2}, {1}).address = 0x1000;
  kernel.exit();
  rig.run(kernel);
  ASSERT_EQ(rig.policy.issues.size(), 3U);
  EXPECT_EQ(rig.policy.issues[0].second.active, 0xFU);
  EXPECT_FALSE(rig.policy.issues[0].second.is_l1d_load());
  EXPECT_TRUE(rig.policy.issues[1].second.is_l1d_load());
  EXPECT_EQ(rig.policy.issues[1].second.id, 1U);
  EXPECT_EQ(rig.policy.issues[1].second.pc, kernel.code_base() + 8);
  ASSERT_EQ(rig.policy.results.size(), 3U);
  // The exit depends on nothing: it completes before the load.
  EXPECT_EQ(rig.policy.results[2].second.id, 1U);
}

TEST(PolicyEventsTest, AResultIsToldAtTheCycleAtWhichADependentMayIssue) {
  PolicyRig rig;
  FakeKernel kernel;
  kernel.fma({1}, {});
  kernel.fma({2}, {1});
  kernel.exit();
  rig.run(kernel);
  EXPECT_EQ(rig.policy.results[0].second.cycle, rig.policy.issues[1].second.cycle);
}

TEST(PolicyEventsTest, BarriersAreToldPerWarpAndMet) {
  PolicyRig rig;
  FakeKernel kernel(1, 96);
  kernel.fma({1}, {});
  kernel.barrier(3);
  kernel.fma({2}, {});
  kernel.exit();
  rig.run(kernel);
  ASSERT_EQ(rig.policy.arrivals.size(), 3U);
  WarpMask arrived = 0;
  Cycle last = 0;
  for (const auto& [cycle, arrival] : rig.policy.arrivals) {
    EXPECT_EQ(arrival.barrier, 3U);
    arrived |= arrival.warps;
    last = std::max(last, arrival.cycle);
  }
  EXPECT_EQ(arrived, 0b111U);
  ASSERT_EQ(rig.policy.releases.size(), 1U);
  EXPECT_EQ(rig.policy.releases[0].second.warps, 0b111U);
  EXPECT_EQ(rig.policy.releases[0].second.cycle, last);
}

TEST(PolicyEventsTest, EveryCycleOfASchedulerIsAnIssueOrAStall) {
  PolicyRig rig;
  FakeKernel kernel(2, 96);
  kernel.load({1}).address = 0x1000;
  kernel.sfu({2}, {});
  kernel.sfu({3}, {});
  kernel.sfu({4}, {1});
  kernel.exit();
  rig.run(kernel, 900);
  std::vector<std::uint64_t> cycles(2, 0);
  for (const StallEvent& stall : rig.policy.stalls) cycles[stall.scheduler] += stall.cycles;
  for (const auto& [cycle, issue] : rig.policy.issues) ++cycles[issue.warp % 2];
  EXPECT_EQ(cycles[0], 900U);
  EXPECT_EQ(cycles[1], 900U);
}

TEST(PolicyEventsTest, StallsNameTheWarpsThatPassedTheScoreboard) {
  PolicyRig rig;
  FakeKernel kernel(1, 64);
  for (std::uint16_t i = 0; i < 6; ++i) kernel.sfu({i}, {});  // one SFU takes one in eight cycles
  kernel.exit();
  rig.run(kernel);
  std::uint64_t held = 0;
  for (const auto& [mask, cycles] : rig.policy.stall_cycles) {
    EXPECT_TRUE(mask == 0 || mask == 1 || mask == 2) << mask;
    if (mask != 0) held += cycles;
  }
  const auto of_cause = [&rig](unsigned scheduler) {
    return rig.sm.issue.issuer.scheduler(scheduler).cycles()[static_cast<unsigned>(IssueCause::kPipelineSfu)];
  };
  EXPECT_EQ(held, of_cause(0) + of_cause(1));
  EXPECT_GT(held, 0U);
}

// A warp of each scheduler, that waits for its load and then at the barrier.
TEST(PolicyEventsTest, StallsNameTheWarpsWithAnInstruction) {
  PolicyRig rig;
  FakeKernel kernel(1, 64);
  kernel.load({1}).address = 0x1000;
  kernel.fma({2}, {1});
  kernel.barrier();
  kernel.exit();
  rig.run(kernel);
  std::uint64_t waits_for_load = 0;
  for (const StallEvent& stall : rig.policy.stalls) {
    EXPECT_EQ(stall.passed & ~stall.valid, 0U);
    EXPECT_EQ(stall.valid & ~warp_bit(stall.scheduler), 0U) << "the one warp of the scheduler";
    if (stall.valid != 0 && stall.passed == 0) waits_for_load += stall.cycles;
  }
  const auto cycles_of = [&rig](IssueCause cause) {
    std::uint64_t cycles = 0;
    for (unsigned s = 0; s < 2; ++s) {
      cycles += rig.sm.issue.issuer.scheduler(s).cycles()[static_cast<unsigned>(cause)];
    }
    return cycles;
  };
  EXPECT_EQ(waits_for_load, cycles_of(IssueCause::kScoreboardMemory) + cycles_of(IssueCause::kScoreboardAlu));
  EXPECT_GT(waits_for_load, 0U);
}

// Each cycle belongs to one span of a scheduler; where both stall their spans are the same.
void expect_equal_spans(const std::vector<StallEvent>& stalls) {
  std::array<std::map<Cycle, Cycle>, 2> spans;
  std::array<std::set<Cycle>, 2> stalled;
  for (const StallEvent& stall : stalls) {
    EXPECT_TRUE(spans[stall.scheduler].emplace(stall.first_cycle, stall.cycles).second);
    for (Cycle c = 0; c < stall.cycles; ++c) stalled[stall.scheduler].insert(stall.first_cycle + c);
  }
  unsigned equal = 0;
  for (const auto& [first, cycles] : spans[0]) {
    const auto other = spans[1].find(first);
    if (other != spans[1].end()) {
      EXPECT_EQ(other->second, cycles) << first;
      ++equal;
      continue;
    }
    for (Cycle c = 0; c < cycles; ++c) EXPECT_EQ(stalled[1].count(first + c), 0U) << first + c;
  }
  EXPECT_GT(equal, 3U);
}

TEST(PolicyEventsTest, SchedulersThatStallTogetherAreToldInEqualSpans) {
  PolicyRig asleep({}, true, "asleep");
  PolicyRig awake({}, false, "awake");
  FakeKernel kernel(3, 96);
  auto& load = kernel.load({1});
  load.address = 0x1000;
  load.stride = 96;
  kernel.sfu({2}, {1});
  kernel.barrier();
  kernel.exit();
  asleep.dispatcher.launch(kernel, 5);
  awake.dispatcher.launch(kernel, 5);
  asleep.run_to(3000);
  awake.sm.settle();
  expect_equal_spans(asleep.policy.stalls);
  expect_equal_spans(awake.policy.stalls);
}

TEST(PolicyEventsTest, SleepingChangesNothing) {
  PolicyRig asleep({}, true, "asleep");
  PolicyRig awake({}, false, "awake");
  const auto make = [] {
    auto kernel = std::make_unique<FakeKernel>(3, 96);
    auto& load = kernel->load({1});
    load.address = 0x1000;
    load.stride = 96;
    kernel->sfu({2}, {1});
    kernel->barrier();
    kernel->store({2}).address = 0x1000;
    kernel->branch(0, 2);
    kernel->exit();
    return kernel;
  };
  const auto first = make();
  const auto second = make();
  asleep.dispatcher.launch(*first, 0);
  awake.dispatcher.launch(*second, 0);
  asleep.run_to(5000);
  awake.sm.settle();
  EXPECT_TRUE(asleep.dispatcher.idle());
  EXPECT_EQ(asleep.policy.updates, awake.policy.updates);
  EXPECT_EQ(asleep.policy.stall_cycles, awake.policy.stall_cycles);
  const auto cycles_of = [](const auto& heard) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> cycles;
    for (const auto& [cycle, event] : heard) cycles.emplace_back(cycle, event.cycle);
    return cycles;
  };
  EXPECT_EQ(cycles_of(asleep.policy.issues), cycles_of(awake.policy.issues));
  EXPECT_EQ(cycles_of(asleep.policy.accesses), cycles_of(awake.policy.accesses));
  EXPECT_EQ(cycles_of(asleep.policy.rooms), cycles_of(awake.policy.rooms));
  EXPECT_EQ(cycles_of(asleep.policy.returned), cycles_of(awake.policy.returned));
}

TEST(PolicyEventsTest, UpdateIsCalledAtTheTimeAskedFor) {
  PolicyRig rig;
  rig.policy.call_at = 400;
  FakeKernel kernel;
  kernel.exit();
  rig.run(kernel, 390);
  const std::size_t calls = rig.policy.updates.size();
  EXPECT_LT(rig.policy.updates.back(), 300U);
  rig.run_to(399);
  EXPECT_EQ(rig.policy.updates.size(), calls);
  rig.run_to(400);
  EXPECT_EQ(rig.policy.updates.back(), 400U);
}

TEST(PolicyEventsTest, ANoteWakesTheSmAtTheNextCycle) {
  PolicyRig rig;
  FakeKernel kernel;
  kernel.exit();
  rig.run(kernel, 500);
  rig.policy.channel.post(rig.clock.cycle_now(), 1, 42);
  rig.run_to(510);
  ASSERT_EQ(rig.policy.notes.size(), 1U);
  EXPECT_EQ(rig.policy.notes[0].first, 501U);
  EXPECT_EQ(rig.policy.notes[0].second.value, 42U);
  EXPECT_THAT(rig.policy.updates, Contains(501U));
}

TEST(PolicyEventsTest, TheLanesOfTheNextInstructionCanBeAskedFor) {
  PolicyRig rig;
  FakeKernel kernel;
  kernel.load({1}).address = 0x1000;
  kernel.fma({2}, {1});
  kernel.op(1).active = 0xFF00;
  kernel.exit();
  rig.dispatcher.launch(kernel, 0);
  while (rig.policy.issues.empty()) rig.run_to(rig.clock.cycle_now() + 1);
  EXPECT_EQ(rig.policy.context.host->next_lanes(0), 0xFF00U);
  EXPECT_EQ(rig.policy.context.table.l1d_loads(1), 0U);
}

}  // namespace
}  // namespace heddle
