// Warp-level resources (WarpMan) with two kernels at once, under the policies that share them out.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "sc_tests/modules/sm/watched_rig.h"

namespace heddle {
namespace {

using testing::FakeKernel;
using testing::IssueRig;
using testing::managed;
using testing::random_kernel;
using testing::WatchedRig;

constexpr Cycle kEnd = 60000;

/// Two random kernels under random limits; the second arrives while the first runs.
struct RandomPair {
  RandomPair(std::uint32_t seed, const std::string& name, IssueRig::Options options)
      : RandomPair(std::mt19937(seed), name, options) {}
  RandomPair(std::mt19937 random, const std::string& name, IssueRig::Options options)
      : kernels{random_kernel(random), random_kernel(random)}, rig(name, random_limits(random), options) {
    kernels[1]->code = 0x20000;
    rig.dispatcher->launch(*kernels[0], 0);
    LaunchTerms second;
    second.arrives_at = 1 + random() % 600;
    rig.dispatcher->launch(*kernels[1], 1, second);
  }
  /// Limits that hold one TB of each of two random kernels at least, as mpmax needs it.
  static GpuConfig random_limits(std::mt19937& random) {
    const auto draw = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
    const std::array<const char*, 3> managements{"tb", "warp_temporal", "warp_temporal_spatial"};
    const std::array<const char*, 4> policies{"fifo", "mpmax", "srtf", "spatial"};
    GpuConfig config = managed(managements[draw(8) < 5 ? 2 : draw(2)]);
    config.core.resources.contention = draw(3) == 0 ? "threshold" : "none";
    config.core.resources.contention_warps = 1 + draw(30);
    config.core.warps = 32 + 2 * draw(9);
    config.core.threads = config.core.warps * kWarpSize;
    config.core.registers = 2 * 48 * kWarpSize * 16 + 512 * draw(20);
    config.core.shared_bytes = 2 * 15104 + 256 * draw(60);
    config.core.tb_slots = 2 + draw(7);
    config.tb_dispatcher.policy = policies[draw(4)];
    config.tb_dispatcher.mixed_sms = config.tb_dispatcher.policy != "spatial" && draw(5) != 0;
    if (config.tb_dispatcher.policy == "mpmax") config.tb_dispatcher.mixed_sms = true;
    config.scheduler.name = draw(2) == 0 ? "lrr" : "gto";
    return config;
  }

  std::array<std::unique_ptr<FakeKernel>, 2> kernels;
  WatchedRig rig;
};

/// First and last start of a warp of each TB.
using Starts = std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<Cycle, Cycle>>;

Starts starts_of(const WatchedRig& rig) {
  Starts starts;
  for (const WatchedRig::Life& life : rig.lives) {
    const auto entry = starts.emplace(std::make_pair(life.launch, life.tb), std::make_pair(life.start, 0));
    entry.first->second.second = life.start;
  }
  return starts;
}

TEST(WarpResourcesPairsTest, RandomPairsEndWhateverSleepsOrIsBuiltFirst) {
  std::vector<std::array<std::unique_ptr<RandomPair>, 3>> runs;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const std::string name = "pair" + std::to_string(seed);
    runs.push_back({std::make_unique<RandomPair>(seed, name, IssueRig::Options{}),
                    std::make_unique<RandomPair>(seed, name + "_awake", IssueRig::Options{false, false}),
                    std::make_unique<RandomPair>(seed, name + "_reversed", IssueRig::Options{true, true})});
  }
  runs.front()[0]->rig.run_to(kEnd);
  unsigned partial = 0;
  unsigned mixed = 0;
  for (const auto& [plain, awake, reversed] : runs) {
    WatchedRig& rig = plain->rig;
    SCOPED_TRACE(rig.clock.name() + std::string(" ") + rig.config.core.resources.management + " " +
                 rig.config.tb_dispatcher.policy);
    rig.clock.rethrow_fault();
    rig.issue->settle();
    std::size_t tbs = 0;
    std::size_t warps = 0;
    for (const auto& kernel : plain->kernels) {
      tbs += kernel->grid().count();
      warps += kernel->grid().count() * kernel->warps_per_tb();
    }
    EXPECT_EQ(rig.ended.size(), tbs) << rig.issue->describe_waiting();
    EXPECT_EQ(rig.lives.size(), warps);
    EXPECT_TRUE(rig.dispatcher->idle());
    EXPECT_TRUE(rig.issues == awake->rig.issues);
    EXPECT_TRUE(rig.issues == reversed->rig.issues);
    for (unsigned s = 0; s < rig.issue->issuer.schedulers(); ++s) {
      const auto& causes = rig.issue->issuer.scheduler(s).cycles();
      EXPECT_EQ(std::accumulate(causes.begin(), causes.end(), std::uint64_t{0}), kEnd);
    }
    // At most one TB at a time has warps that have not started.
    const Starts starts = starts_of(rig);
    EXPECT_EQ(starts.size(), tbs);
    std::map<Cycle, Cycle> spans;
    for (const auto& [tb, span] : starts) {
      if (span.first != span.second) spans.insert(span);
    }
    Cycle until = 0;
    for (const auto& [first, last] : spans) {
      EXPECT_GE(first, until);
      until = last;
    }
    partial += spans.empty() ? 0 : 1;
    Cycle first_ends = 0;
    Cycle second_starts = kEnd;
    for (const WatchedRig::Life& life : rig.lives) {
      if (life.launch == 0) first_ends = std::max(first_ends, life.end);
      if (life.launch == 1) second_starts = std::min(second_starts, life.start);
    }
    mixed += second_starts < first_ends ? 1 : 0;
  }
  EXPECT_GE(partial, 15U) << "runs in which warps of a TB started at different times";
  EXPECT_GE(mixed, 15U) << "runs in which warps of both kernels were on the SM together";
}

}  // namespace
}  // namespace heddle
