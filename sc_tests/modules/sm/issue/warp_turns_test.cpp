// The states of warps over the cycles, as an SM's schedulers tell them turn by turn.
#include <gtest/gtest.h>

#include <map>

#include "sc_tests/modules/sm/watched_rig.h"

namespace heddle {
namespace {

using testing::FakeKernel;
using testing::IssueRig;
using testing::WatchedRig;

/// Spreads the turns of scheduler 0 over the cycles.
class StateWatch {
 public:
  explicit StateWatch(IssueRig& rig) {
    rig.issue->issuer.scheduler(0).took_turn.listen([this](const SchedulerTurn& turn) {
      fill(turn.cycle);
      states_ = states_of(turn);
    });
  }
  /// Cycles in which `warp` was in each state, up to and including `last`.
  std::map<WarpState, std::vector<Cycle>> of(unsigned warp, Cycle last) {
    fill(last + 1);
    std::map<WarpState, std::vector<Cycle>> cycles;
    for (Cycle cycle = 0; cycle < by_cycle_.size(); ++cycle) {
      const unsigned state = state_index(by_cycle_[cycle], warp);
      if (state != kNumWarpStates) cycles[static_cast<WarpState>(state)].push_back(cycle);
    }
    return cycles;
  }

 private:
  void fill(Cycle until) { by_cycle_.resize(until, states_); }

  WarpsByState states_{};
  std::vector<WarpsByState> by_cycle_;
};

std::vector<Cycle> between(Cycle first, Cycle last) {
  std::vector<Cycle> cycles;
  for (Cycle cycle = first; cycle <= last; ++cycle) cycles.push_back(cycle);
  return cycles;
}

constexpr Cycle kEnd = 3000;

TEST(WarpTurns, AWarpThatWaitsForALoadIsInThatStateFromItsIssueToItsResult) {
  GpuConfig config;
  WatchedRig rig("rig", config);
  StateWatch watch(rig);
  FakeKernel kernel;
  kernel.load({1});
  kernel.fma({2}, {1});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(kEnd);
  auto states = watch.of(0, kEnd);
  const Cycle load = rig.issue_cycle(0, 0);
  const Cycle fma = rig.issue_cycle(0, 1);
  EXPECT_EQ(fma - load, 5U + rig.collector->memory_latency + 1);
  // At the load's next cycle its I-buffer still has the FMA.
  EXPECT_EQ(states[WarpState::kScoreboardMemory], between(load + 1, fma - 1));
  EXPECT_EQ(states[WarpState::kSelected], (std::vector<Cycle>{load, fma, rig.issue_cycle(0, 2)}));
  EXPECT_EQ(states[WarpState::kDrain], between(rig.issue_cycle(0, 2) + 1, rig.lives[0].end - 1));
  EXPECT_EQ(states[WarpState::kFetch].front(), rig.lives[0].start);
  std::size_t all = 0;
  for (const auto& [state, cycles] : states) all += cycles.size();
  EXPECT_EQ(all, rig.lives[0].end - rig.lives[0].start);
}

TEST(WarpTurns, ABlockKeepsTheSlotOfAWarpThatEndedBefore) {
  GpuConfig config;
  config.core.schedulers = 1;
  WatchedRig rig("rig", config);
  StateWatch watch(rig);
  FakeKernel kernel(1, 64);
  kernel.branch_of_warp(0, 3);
  kernel.load({1});
  kernel.fma({2}, {1});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(kEnd);
  ASSERT_EQ(rig.lives.size(), 2U);
  ASSERT_GT(rig.lives[1].end, rig.lives[0].end + 1);
  EXPECT_EQ(watch.of(0, kEnd)[WarpState::kEnded], between(rig.lives[0].end, rig.lives[1].end - 1));
  EXPECT_EQ(watch.of(1, kEnd).count(WarpState::kEnded), 0U);
}

TEST(WarpTurns, ASlotThatIsGivenBackWithItsWarpHoldsNone) {
  GpuConfig config = testing::managed("warp_temporal");
  config.core.schedulers = 1;
  WatchedRig rig("rig", config);
  StateWatch watch(rig);
  FakeKernel kernel(1, 64);
  kernel.branch_of_warp(0, 3);
  kernel.load({1});
  kernel.fma({2}, {1});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(kEnd);
  ASSERT_EQ(rig.ended.size(), 1U);
  EXPECT_EQ(watch.of(0, kEnd).count(WarpState::kEnded), 0U);
}

TEST(WarpTurns, WaitingAtABarrierLastsFromTheArrivalToTheLastOne) {
  GpuConfig config;
  config.core.schedulers = 1;
  WatchedRig rig("rig", config);
  StateWatch watch(rig);
  FakeKernel kernel(1, 64);
  kernel.branch_of_warp(0, 3);
  kernel.load({1});
  kernel.fma({2}, {1});
  kernel.barrier();
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(kEnd);
  EXPECT_EQ(watch.of(0, kEnd)[WarpState::kBarrier],
            between(rig.issue_cycle(0, 3) + 1, rig.issue_cycle(1, 3)));
  EXPECT_EQ(watch.of(1, kEnd).count(WarpState::kBarrier), 0U) << "released in its own cycle";
}

TEST(WarpTurns, OfTwoThatCouldIssueOneIsNotSelected) {
  GpuConfig config;
  config.core.schedulers = 1;
  WatchedRig rig("rig", config);
  StateWatch watch(rig);
  FakeKernel kernel(1, 64);
  for (std::uint16_t i = 0; i < 40; ++i) kernel.fma({i}, {});
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(kEnd);
  const auto of_0 = watch.of(0, kEnd);
  auto of_1 = watch.of(1, kEnd);
  ASSERT_FALSE(of_1[WarpState::kNotSelected].empty());
  const std::vector<Cycle>& issues = of_0.at(WarpState::kSelected);
  for (const Cycle cycle : of_1[WarpState::kNotSelected]) {
    EXPECT_NE(std::find(issues.begin(), issues.end(), cycle), issues.end()) << "warp 0 issued at " << cycle;
  }
}

}  // namespace
}  // namespace heddle
