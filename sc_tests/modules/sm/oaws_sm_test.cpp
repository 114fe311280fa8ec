// OAWS figure 5 on a whole SM, and that kernels end under OAWS.
#include <gtest/gtest.h>

#include <vector>

#include "modules/warp_scheduler/policies/oaws/parameters.h"
#include "sc_tests/modules/sm/lone_sm.h"

namespace heddle {
namespace {

using testing::FakeKernel;
using testing::LoneSm;

struct OawsRig : LoneSm {
  OawsRig(const GpuConfig& gpu, const char* name, bool sleeping = true) : LoneSm(name, gpu, {50, sleeping}) {
    sm.issue.issuer.issued.listen([this](const WarpInstruction& issued) {
      if (issued.instruction->mem == MemOp::kLoad) loads.push_back(issued.warp);
    });
  }
  void run(FakeKernel& kernel) { LoneSm::run(kernel, 5000); }

  std::vector<unsigned> loads;  ///< warps, in the order of their loads
};

GpuConfig figure_five(const std::string& scheduler) {
  GpuConfig gpu;
  gpu.core.schedulers = 1;
  gpu.l1d.mshr.entries = 8;
  gpu.l1d.mshr.miss_queue = 16;
  gpu.l1d.allocate = AllocatePolicy::kOnFill;
  gpu.scheduler.name = scheduler;
  gpu.scheduler.settings.edit(oaws_parameters).miss_percent = 100;
  gpu.core.load_statistics = true;
  return gpu;
}

/// Warps 0, 1, 2 load 6, 6 and 2 lines after a barrier, twice: the first time makes the loads known as
/// divergent. In between stores drop the lines. Warp 0 comes last to the barrier, so that GTO is greedy about
/// it, and all loads are in the I-buffers then: a barrier and its load are fetched together.
FakeKernel three_warps() {
  FakeKernel kernel(1, 3 * kWarpSize);
  kernel.branch_of_warp(0, 8);
  kernel.branch_of_warp(1, 16);
  const auto part = [&](bool late, unsigned lines, std::uint64_t address) {
    const std::uint32_t first = kernel.size();
    if (late) {
      kernel.add(OpClass::kFp64Div, Unit::kSfu, {2}, {1});
      kernel.fma({3}, {2});
    }
    kernel.barrier();
    for (const bool load : {true, false}) {
      auto& op = load ? kernel.load({1}) : kernel.store({1});
      op.active = (1U << lines) - 1;
      op.address = address;
      op.stride = 128;
    }
    kernel.membar();
    kernel.branch(first, 1);
    kernel.exit();
  };
  part(false, 2, 0x10000);
  part(true, 6, 0x20000);
  part(false, 6, 0x30000);
  return kernel;
}

TEST(OawsSmTest, GtoLetsBOccludeTheLdstUnit) {
  FakeKernel kernel = three_warps();
  OawsRig gto(figure_five("gto"), "gto");
  gto.run(kernel);
  ASSERT_EQ(gto.loads.size(), 6U);
  EXPECT_EQ(std::vector<unsigned>(gto.loads.begin() + 3, gto.loads.end()), (std::vector<unsigned>{0, 1, 2}));
  EXPECT_GT(gto.sm.l1d.occluded_cycles(5000), 0U);
}

TEST(OawsSmTest, OawsLetsCGoFirstAndNothingOccludes) {
  FakeKernel kernel = three_warps();
  OawsRig oaws(figure_five("oaws_static"), "oaws");
  const auto occluded_before = [&] { return oaws.sm.l1d.occluded_cycles(oaws.clock.cycle()); };
  std::vector<Cycle> occluded;  // at each load's issue
  oaws.sm.issue.issuer.issued.listen([&](const WarpInstruction& issued) {
    if (issued.instruction->mem == MemOp::kLoad) occluded.push_back(occluded_before());
  });
  oaws.run(kernel);
  ASSERT_EQ(oaws.loads.size(), 6U);
  EXPECT_EQ(std::vector<unsigned>(oaws.loads.begin() + 3, oaws.loads.end()),
            (std::vector<unsigned>{0, 2, 1}));
  EXPECT_EQ(occluded_before(), occluded[3]);
}

}  // namespace
}  // namespace heddle
