// Thread blocks that wait for each other without timing, and the limit of a run that does not end.
#include "workloads/host/functional_run.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "workloads/launch/device_memory.h"
#include "workloads/ptx/execution/execute.h"
#include "workloads/ptx/load.h"

namespace heddle {
namespace {

/// Block b waits until flag b + `step` is set, then sets flag b.
std::string chain_kernel(int step) {
  return ".version 6.0\n.target sm_70\n.address_size 64\n"
         ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n"
         "ld.param.u64 %rd1, [p]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, "
         "%rd2;\n"
         "wait: ld.volatile.global.u32 %r2, [%rd2+" +
         std::to_string(4 * step) +
         "]; setp.eq.u32 %p1, %r2, 0; @%p1 bra wait;\n"
         "add.u32 %r2, %r2, 1; st.global.u32 [%rd2], %r2; ret;\n}\n";
}

class FunctionalRunTest : public ::testing::Test {
 protected:
  static constexpr unsigned kWords = 64;

  void load(const std::string& text) {
    data_ = memory_.allocate("data", kWords * 4).address;
    module_ = std::make_unique<ptx::LoadedModule>(ptx::load_text(text, "k.ptx"), memory_);
  }
  std::unique_ptr<KernelLaunch> launch(unsigned blocks) {
    ptx::LoadedModule::LaunchSpec spec;
    spec.entry = "k";
    spec.grid = {blocks, 1, 1};
    spec.block = {32, 1, 1};
    spec.params.resize(8);
    std::memcpy(spec.params.data(), &data_, sizeof(data_));
    return module_->launch(spec);
  }
  std::uint32_t& word(unsigned index) {
    return *reinterpret_cast<std::uint32_t*>(memory_.host(data_ + std::uint64_t{index} * 4));
  }
  static FunctionalLimits side_by_side(std::uint64_t blocks) {
    FunctionalLimits limits;
    limits.resident_tbs = [blocks](const KernelLaunch& /*launch*/) { return blocks; };
    return limits;
  }

  DeviceMemory memory_{std::uint64_t{1} << 24U};
  std::uint64_t data_ = 0;
  std::unique_ptr<ptx::LoadedModule> module_;
};

TEST_F(FunctionalRunTest, ABlockMayWaitForALaterOne) {
  load(chain_kernel(1));
  word(8) = 1;
  const FunctionalCounts counts = run_functionally(*launch(8), side_by_side(8));
  EXPECT_TRUE(counts.complete);
  EXPECT_EQ(counts.thread_blocks, 8U);
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(word(i), 9 - i);
}

TEST_F(FunctionalRunTest, AsManyBlocksRunSideBySideAsTheMachineHolds) {
  load(chain_kernel(1));
  word(4) = 1;
  FunctionalLimits limits = side_by_side(3);  // blocks 0 to 2 wait for block 3, which never begins
  limits.warp_instructions = 2'000'000;
  EXPECT_FALSE(run_functionally(*launch(4), limits).complete);
  EXPECT_EQ(word(2), 0U);
  limits.resident_tbs = side_by_side(4).resident_tbs;
  EXPECT_TRUE(run_functionally(*launch(4), limits).complete);
  EXPECT_EQ(word(0), 5U);
}

TEST_F(FunctionalRunTest, ARunThatDoesNotEndStopsAtItsLimit) {
  load(chain_kernel(0));  // block 0 waits for itself
  FunctionalLimits limits = side_by_side(2);
  limits.warp_instructions = 100'000;
  const FunctionalCounts counts = run_functionally(*launch(2), limits);
  EXPECT_FALSE(counts.complete);
  EXPECT_EQ(counts.warp_instructions, 100'000U);
}

TEST_F(FunctionalRunTest, ALimitThatIsReachedAtTheEndIsNone) {
  load(chain_kernel(1));
  word(1) = 1;
  const std::uint64_t needed = run_functionally(*launch(1)).warp_instructions;
  FunctionalLimits limits;
  limits.warp_instructions = needed;
  EXPECT_TRUE(run_functionally(*launch(1), limits).complete);
  limits.warp_instructions = needed - 1;
  EXPECT_FALSE(run_functionally(*launch(1), limits).complete);
}

}  // namespace
}  // namespace heddle
