// States of warps hold between the turns of their scheduler: they are the same when it has one in every
// cycle.
#include <gtest/gtest.h>

#include "modules/warp_scheduler/policy_registry.h"
#include "modules/warp_scheduler/warp_list.h"
#include "sc_tests/support/apart.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "top/profile/profile.h"
#include "top/profile/profile_json.h"
#include "top/support/project_files.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

/// The oldest first; with a turn in every cycle in which its warps are there, when it is told so.
template <bool kEveryCycle>
class Oldest : public Prioritizer {
 public:
  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override { return by_age_.first_of(issuable); }
  std::uint64_t update(std::uint64_t cycle) override { return kEveryCycle ? cycle + 1 : kNever; }
  void on_start(unsigned warp) override { by_age_.append(warp); }
  void on_finish(unsigned warp) override { by_age_.remove(warp); }

 private:
  WarpList by_age_;
};

template <bool kEveryCycle>
std::unique_ptr<Prioritizer> create(const PolicyContext& /*context*/) {
  return std::make_unique<Oldest<kEveryCycle>>();
}

const PrioritizerEntry kSleeping{"sleeping_oldest", "test", &create<false>};
const PrioritizerEntry kRestless{"restless_oldest", "test", &create<true>};
const PolicyRegistration sleeping{kSleeping};
const PolicyRegistration restless{kRestless};

class SleepingSchedulers : public ::testing::TestWithParam<const char*> {
 protected:
  /// What all warps and lines did, and the schedulers' turns.
  static std::string run(const std::string& scheduler, const std::string& workload) {
    const std::unique_ptr<Gpu> gpu =
        build_gpu(load_config("", {"core.sms=2", "scheduler.name=" + scheduler}), {});
    Profile profile(*gpu);
    std::uint64_t turns = 0;
    gpu->sm(0).issue.issuer.scheduler(0).took_turn.listen([&turns](const SchedulerTurn&) { ++turns; });
    HostProgram program(load_workload(ProjectFiles().workload(workload)), {});
    Host host("host", *gpu, program, {20000, nullptr});
    const RunResult result = host.run();
    RunDescription description;
    description.config.core = gpu->config().core;
    return std::to_string(turns) + "\n" + profile_json(description, result, profile.counts());
  }
};

TEST_P(SleepingSchedulers, CountTheSame) {
  const std::string by_turns = test::apart([] { return run("restless_oldest", GetParam()); });
  const std::string asleep = test::apart([] { return run("sleeping_oldest", GetParam()); });
  const auto rest = [](const std::string& text) { return text.substr(text.find('\n')); };
  EXPECT_GT(rest(asleep).size(), 5000U);
  EXPECT_EQ(rest(asleep) == rest(by_turns), true);
  EXPECT_LT(std::stoul(asleep), std::stoul(by_turns)) << "turns were spared";
}

INSTANTIATE_TEST_SUITE_P(Workloads, SleepingSchedulers,
                         ::testing::Values("bfs", "hotspot", "bitonic_sort", "histogram"));

}  // namespace
}  // namespace heddle
