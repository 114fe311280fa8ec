// Real kernels on whole GPUs with a protocol checker in every memory hop.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sc_tests/support/apart.h"
#include "sc_tests/top/machine/counted_run.h"
#include "tlm/hop_checkers.h"

namespace heddle {
namespace {

constexpr unsigned kSms = 3;
// LD/ST unit to L1D and to texture cache, L1D, MSHR, instruction, constant and texture cache, memory port.
constexpr unsigned kHopsOfSm = 8;
constexpr unsigned kHopsOfSlice = 2;  // interconnect, L2 slice

class CheckedHopsTest : public ::testing::TestWithParam<CountedRun> {};

TEST_P(CheckedHopsTest, EveryHopKeepsTheBaseProtocolAndNothingIsCountedOtherwise) {
  CountedRun run = GetParam();
  // Few sets in the L2, so that each slice needs its DRAM channel.
  const std::vector<std::string> machine{"core.sms=" + std::to_string(kSms), "l2.cache.sets=2"};
  run.assignments.insert(run.assignments.end(), machine.begin(), machine.end());
  const std::string checked = test::apart([&] {
    HopCheckers checkers;
    GpuBuild build;
    build.hops = &checkers;
    const std::string counts = run.counts(build);
    const GpuConfig config;
    EXPECT_EQ(checkers.checkers().size(),
              kSms * kHopsOfSm + config.dram.channels * config.l2.slices_per_channel * kHopsOfSlice);
    for (const auto& checker : checkers.checkers()) {
      const bool is_of_textures = std::string(checker->name()).find("texture") != std::string::npos;
      if (!is_of_textures || run.kernel == "convolution_texture") {
        EXPECT_GT(checker->begun(), 0U) << checker->name();
      }
    }
    checkers.check_idle();
    EXPECT_EQ(checkers.violations(), 0U);
    return counts;
  });
  EXPECT_GT(checked.size(), 10000U);
  EXPECT_EQ(checked, test::apart([&] { return run.counts(); }));
}

const CountedRun kRuns[] = {
    {"vector_add_gto", "vector_add", {{"n", 20000}}, {"scheduler.name=gto"}},
    {"convolution_texture_lrr", "convolution_texture", {}, {"scheduler.name=lrr"}},
    {"bfs_gto", "bfs", {{"nodes", 1024}}, {"scheduler.name=gto", "l1d.flush_at_kernel_end=true"}},
    {"histogram_oaws_pro", "histogram", {{"words", 8192}}, {"scheduler.name=oaws_dynamic+pro"}},
    {"bfs_oaws_pro", "bfs", {{"nodes", 1024}}, {"scheduler.name=oaws_dynamic+pro"}},
    {"spmv_mascar", "spmv", {}, {"scheduler.name=mascar"}}};
INSTANTIATE_TEST_SUITE_P(Kernels, CheckedHopsTest, ::testing::ValuesIn(kRuns),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace heddle
