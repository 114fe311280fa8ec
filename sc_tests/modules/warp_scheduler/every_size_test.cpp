// Every policy is built, and priced, for every number of warps and schedulers that an SM can have.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "hw/pricing/inventory.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"
#include "modules/warp_scheduler/sm_policies.h"

namespace heddle {
namespace {

class EverySizeTest : public ::testing::TestWithParam<std::string> {
 protected:
  void build(unsigned warps, unsigned schedulers, hw::Timing timing) {
    GpuConfig gpu;
    gpu.scheduler.name = GetParam();
    gpu.scheduler.timing = timing;
    gpu.scheduler.choice_cycles = 0;
    gpu.core.warps = warps;
    gpu.core.schedulers = schedulers;
    gpu.core.threads = kWarpSize * warps;
    gpu.core.tb_slots = std::min(gpu.core.tb_slots, warps);
    if (warps == 1) gpu.scheduler.settings.edit(oaws_parameters).ocw_min = 1;  // at most core.warps
    const WarpTable table;
    hw::Inventory inventory;
    hw::Owner owner;
    owner.inventory = &inventory;
    owner.path = "sm0";
    owner.timing = timing;
    SmContext context{table, gpu};
    context.hardware = owner;
    try {
      const SmPolicies policies(context);
      EXPECT_GT(policies.num_parts(), 0U);
      EXPECT_TRUE(policies.unpriced().empty());
    } catch (const std::exception& error) {
      ADD_FAILURE() << warps << " warps, " << schedulers << " schedulers: " << error.what();
    }
  }
};

TEST_P(EverySizeTest, IsBuiltForEveryNumberOfWarpsAndSchedulers) {
  for (unsigned warps = 1; warps <= kMaxWarps; ++warps) {
    for (unsigned schedulers = 1; schedulers <= std::min(warps, kMaxSchedulers); ++schedulers) {
      build(warps, schedulers, hw::Timing::kIdeal);
      build(warps, schedulers, hw::Timing::kHardware);
    }
  }
}

std::vector<std::string> every_name() {
  std::vector<std::string> names;
  // Those of other tests in this program say that they are.
  const auto shipped = [](const auto& entry) { return std::string_view(entry.description) != "test"; };
  for (const PrioritizerEntry* entry : prioritizers()) {
    if (shipped(*entry)) names.emplace_back(entry->name);
  }
  for (const QualifierEntry* entry : qualifiers()) {
    if (shipped(*entry)) names.push_back(entry->name + std::string("+lrr"));
  }
  names.emplace_back("gto:two_level");
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EverySizeTest, ::testing::ValuesIn(every_name()), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) {
    if (c == '+' || c == ':') c = '_';
  }
  return name;
});

}  // namespace
}  // namespace heddle
