#include "workloads/launch/functional_tb.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sc_tests/support/fake_kernel.h"

namespace heddle {
namespace {

using testing::FakeKernel;

constexpr std::uint64_t kAll = ~std::uint64_t{0};

TEST(FunctionalTbTest, CountsWhatItExecutes) {
  FakeKernel kernel(1, 64);
  kernel.fma({1}, {2});
  kernel.op(0).active = 0xFFU;
  kernel.branch(0, 3);
  kernel.exit();
  FunctionalTb tb(kernel, 0, {});
  EXPECT_TRUE(tb.run(kAll, 0));
  const TbWork& work = tb.work();
  EXPECT_EQ(work.tbs, 1U);
  EXPECT_EQ(work.warp_instructions, 2U * (4 + 4 + 1));
  EXPECT_EQ(work.thread_instructions, 2U * (4 * 8 + 4 * 32 + 32));
  EXPECT_EQ(std::accumulate(work.of_part.begin(), work.of_part.end(), std::uint64_t{0}),
            work.warp_instructions);
}

TEST(FunctionalTbTest, OtherInstructionsAreOfOtherParts) {
  const auto parts_of = [](unsigned only_warp) {
    FakeKernel kernel(1, 64);
    kernel.branch_of_warp(only_warp, 9);
    for (unsigned i = 0; i < 8; ++i) kernel.fma({1}, {2});
    kernel.exit();
    FunctionalTb tb(kernel, 0, {});
    EXPECT_TRUE(tb.run(kAll, 0));
    return tb.work().of_part;
  };
  EXPECT_EQ(parts_of(0), parts_of(1));
  EXPECT_NE(parts_of(0), parts_of(7));  // no warp leaves them out
}

TEST(FunctionalTbTest, GoesOnWhereItsTurnEnded) {
  FakeKernel kernel(1, 64);
  kernel.fma({1}, {2});
  kernel.barrier();
  kernel.exit();
  FunctionalTb tb(kernel, 0, {});
  EXPECT_FALSE(tb.run(3, 0));
  EXPECT_EQ(tb.work().tbs, 0U);
  EXPECT_EQ(tb.work().warp_instructions, 3U);
  EXPECT_TRUE(tb.run(kAll, 100));
  EXPECT_EQ(tb.work().warp_instructions, 6U);
}

/// Block and sectors of each call.
struct RecordingWatch : MemoryWatch {
  void accessed(std::uint64_t address, unsigned sectors, bool /*writes*/) override {
    told.emplace_back(address, sectors);
  }
  std::vector<std::pair<std::uint64_t, unsigned>> told;
};

std::vector<std::pair<std::uint64_t, unsigned>> told_of(std::uint64_t address, std::uint64_t stride,
                                                        LaneMask lanes) {
  FakeKernel kernel(1, 32);
  FakeKernel::Op& load = kernel.load({1});
  load.address = address;
  load.stride = stride;
  load.active = lanes;
  kernel.exit();
  RecordingWatch watch;
  FunctionalTb tb(kernel, 0, {}, &watch);
  EXPECT_TRUE(tb.run(kAll, 0));
  return watch.told;
}

TEST(FunctionalTbTest, TellsTheSectorsThatLanesAccess) {
  using Told = std::vector<std::pair<std::uint64_t, unsigned>>;

  // Lanes in a row, at a block's begin and across blocks.
  EXPECT_EQ(told_of(0x1000, 4, kAllLanes), (Told{{0x1000, 0xF}}));
  EXPECT_EQ(told_of(0x1060, 4, kAllLanes), (Told{{0x1000, 0x8}, {0x1080, 0x7}}));
  EXPECT_EQ(told_of(0x107E, 4, kAllLanes), (Told{{0x1000, 0x8}, {0x1080, 0xF}}));
  // Not in a row: some lanes alone, gaps, one word for all.
  EXPECT_EQ(told_of(0x1000, 4, 0xFF), (Told{{0x1000, 0x1}}));
  EXPECT_EQ(told_of(0x1000, 4, 0xFF0000FF), (Told{{0x1000, 0x9}}));
  EXPECT_EQ(told_of(0x1000, 0, kAllLanes), (Told{{0x1000, 0x1}}));
  EXPECT_EQ(told_of(0x1000, 64, 0xF), (Told{{0x1000, 0x5}, {0x1080, 0x5}}));
}

TEST(FunctionalTbTest, WorkAddsUp) {
  TbWork a;
  a.tbs = 1;
  a.warp_instructions = 10;
  a.of_part[3] = 10;
  TbWork b = a;
  b.thread_instructions = 7;
  a += b;
  EXPECT_EQ(a.tbs, 2U);
  EXPECT_EQ(a.warp_instructions, 20U);
  EXPECT_EQ(a.thread_instructions, 7U);
  EXPECT_EQ(a.of_part[3], 20U);
}

}  // namespace
}  // namespace heddle
