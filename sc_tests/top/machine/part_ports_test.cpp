// In hardware timing no policy asks more of a part in a cycle than its ports, comparators and adders can do.
#include <gtest/gtest.h>

#include <tuple>

#include "hw/pricing/inventory.h"
#include "hw/pricing/part.h"
#include "modules/warp_scheduler/policy_registry.h"
#include "sc_tests/support/paths.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "top/support/project_files.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

struct RealKernel {
  const char* workload;
  std::map<std::string, std::int64_t> parameters;
  std::vector<std::string> assignments;
};

/// Divergent loads that fill the MSHRs; barriers and TBs that follow each other; loads of all widths; partial
/// TBs of warps that end apart.
const std::vector<RealKernel>& kernels() {
  static const std::vector<RealKernel> kKernels{
      {"atax", {{"n", 128}, {"block", 128}}, {"core.sms=1", "l1d.mshr.entries=32"}},
      {"matrix_multiply", {{"n", 64}}, {"core.sms=2"}},
      {"spmv", {{"rows", 1024}}, {"core.sms=1", "l1d.allocate=on_fill"}},
      {"rays",
       {{"rows", 8}},
       {"core.sms=2", "core.resources.management=warp_temporal_spatial", "core.registers=16384"}},
  };
  return kKernels;
}

std::vector<std::string> schedulers() {
  std::vector<std::string> names{"ipaws scheduler.ipaws.greedy=ccws+gto",
                                 "ipaws scheduler.ipaws.greedy=mascar",
                                 "ipaws scheduler.ipaws.counters=tb",
                                 "swl+gto scheduler.swl.warps=5",
                                 "two_level_active scheduler.two_level_active.long_wait=until_data",
                                 "pro scheduler.pro.warp_comparators=4",
                                 "pro scheduler.pro.add_cycles=0",
                                 "pro scheduler.pro.same_tb=bank",
                                 "pro scheduler.choice_cycles=0",
                                 "ipaws scheduler.choice_cycles=3",
                                 "lrr scheduler.choice_cycles=2",
                                 "oaws_dynamic scheduler.oaws.miss_percent=33"};
  for (const PrioritizerEntry* prioritizer : prioritizers()) names.emplace_back(prioritizer->name);
  for (const QualifierEntry* qualifier : qualifiers()) {
    for (const char* inner : {"gto", "lrr", "pro"})
      names.push_back(std::string(qualifier->name) + "+" + inner);
  }
  return names;
}

class PartPorts : public ::testing::TestWithParam<std::tuple<std::string, unsigned>> {};

TEST_P(PartPorts, AreNeverOverused) {
  const auto& [scheduler, number] = GetParam();
  const RealKernel& kernel = kernels()[number];
  std::vector<std::string> assignments = kernel.assignments;
  assignments.emplace_back("scheduler.timing=hardware");
  const std::size_t space = std::min(scheduler.find(' '), scheduler.size());
  assignments.push_back("scheduler.name=" + scheduler.substr(0, space));
  if (space < scheduler.size()) assignments.push_back(scheduler.substr(space + 1));

  const Workload workload = load_workload(ProjectFiles(test::source_dir()).workload(kernel.workload));
  HostProgram program(workload, kernel.parameters);
  const std::unique_ptr<Gpu> gpu = build_gpu(load_config("", assignments));
  Host host("host", *gpu, program, {});
  ASSERT_EQ(host.run().end, RunEnd::kComplete);
  for (const hw::Inventory* inventory : gpu->inventories()) {
    for (const hw::Part* part : inventory->parts()) {
      EXPECT_EQ(part->activity().port_conflicts, 0U) << part->owner() << '/' << part->name();
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<PartPorts::ParamType>& info) {
  std::string name = std::get<0>(info.param) + "_" + kernels()[std::get<1>(info.param)].workload;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(RealKernels, PartPorts,
                         ::testing::Combine(::testing::ValuesIn(schedulers()), ::testing::Range(0U, 4U)),
                         name_of);

}  // namespace
}  // namespace heddle
