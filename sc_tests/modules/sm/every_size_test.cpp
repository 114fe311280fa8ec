// Every policy runs kernels with barriers and divergent loads to their end, with every number of warps that
// an SM can have, under one to four schedulers.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "modules/warp_scheduler/policies/oaws/parameters.h"
#include "sc_tests/modules/sm/lone_sm.h"

namespace heddle {
namespace {

using testing::FakeKernel;
using testing::LoneSm;

GpuConfig config_of(const std::string& scheduler, unsigned warps, unsigned schedulers) {
  GpuConfig config;
  config.scheduler.name = scheduler;
  config.scheduler.timing = warps % 2 == 0 ? hw::Timing::kIdeal : hw::Timing::kHardware;
  config.core.warps = warps;
  config.core.threads = kWarpSize * warps;
  config.core.tb_slots = std::min(config.core.tb_slots, warps);
  config.core.schedulers = schedulers;
  if (warps == 1) config.scheduler.settings.edit(oaws_parameters).ocw_min = 1;  // at most core.warps
  return config;
}

/// Three TBs of more than half the SM's warps, the first warp of each of which ends early.
std::unique_ptr<FakeKernel> small_kernel(unsigned warps) {
  auto kernel = std::make_unique<FakeKernel>(3, kWarpSize * (1 + warps / 2));
  kernel->fma({1}, {2});
  kernel->load({3}, {1}).stride = 128;
  kernel->branch_of_warp(0, 6);
  kernel->fma({4}, {3});
  kernel->barrier();
  kernel->store({4}).address = 0x100000;
  kernel->exit();
  return kernel;
}

struct Rig {
  Rig(const std::string& scheduler, unsigned warps, unsigned schedulers)
      : name("w" + std::to_string(warps) + "s" + std::to_string(schedulers)),
        kernel(small_kernel(warps)),
        bed(name, config_of(scheduler, warps, schedulers), {40}) {
    bed.dispatcher.launch(*kernel, 0);
  }

  std::string name;
  std::unique_ptr<FakeKernel> kernel;
  LoneSm bed;
};

class EverySizeTest : public ::testing::TestWithParam<std::string> {};

TEST_P(EverySizeTest, RunsToItsEndWithEveryNumberOfWarps) {
  std::vector<std::unique_ptr<Rig>> rigs;
  for (unsigned warps = 1; warps <= kMaxWarps; ++warps) {
    const unsigned schedulers = 1 + (warps + warps / kMaxSchedulers) % kMaxSchedulers;
    rigs.push_back(std::make_unique<Rig>(GetParam(), warps, std::min(warps, schedulers)));
  }
  sc_core::sc_start(sc_core::sc_time(400, sc_core::SC_US));
  for (const auto& rig : rigs) {
    rig->bed.clock.rethrow_fault();
    EXPECT_TRUE(rig->bed.dispatcher.idle())
        << rig->name << "\n"
        << rig->bed.sm.describe_held_back() << rig->bed.sm.describe_waiting();
  }
}

std::vector<std::string> every_name() {
  std::vector<std::string> names;
  for (const PrioritizerEntry* entry : prioritizers()) names.emplace_back(entry->name);
  for (const QualifierEntry* entry : qualifiers()) names.emplace_back(entry->name + std::string("+lrr"));
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EverySizeTest, ::testing::ValuesIn(every_name()), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) {
    if (c == '+') c = '_';
  }
  return name;
});

}  // namespace
}  // namespace heddle
