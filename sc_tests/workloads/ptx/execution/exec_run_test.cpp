// Steps of a warp that are taken together do what they do one by one.
#include <gtest/gtest.h>

#include <algorithm>

#include "sc_tests/workloads/ptx/execution/exec_kernel_support.h"

namespace heddle::ptx::testing {
namespace {

/// What a thread block did up to its end, and how often its warps were stopped on the way.
struct Way {
  TbWork work;
  std::vector<std::string> stops;
  std::vector<std::uint32_t> words;
};

std::string text_of(unsigned warp, const Step& last, std::uint64_t cycle) {
  return std::to_string(warp) + " next " + (last.warp_finished ? "-" : std::to_string(last.next_index)) +
         (last.redirected ? " redirected" : "") + (last.at_barrier ? " barrier " : " lanes ") +
         std::to_string(last.at_barrier ? last.barrier : last.active) + " path " + std::to_string(last.path) +
         " access " + std::to_string(last.access) + " at " + std::to_string(cycle);
}

/// Lanes of two warps loop for different times, meet at a barrier, and store the clock.
class ExecRun : public ::testing::Test {
 protected:
  static constexpr unsigned kWarps = 2;

  ExecRun()
      : kernel_(kThreadAddress + R"(
          mov.u32 %r2, 0;
          LOOP: setp.ge.u32 %p1, %r2, %r1; @%p1 bra DONE; add.u32 %r2, %r2, 1; bra.uni LOOP;
          DONE: bar.sync 3; and.b32 %r3, %r1, 1; setp.eq.u32 %p2, %r3, 0; mov.u32 %r4, %clock;
          @%p2 st.global.u32 [%rd2], %r4; ret;)") {}

  /// Each warp in turn to its barrier or its end, at most `most` steps together; 0: by step().
  Way go(std::uint64_t most) {
    kernel_.spec().grid = {1, 1, 1};
    kernel_.spec().block = {32 * kWarps, 1, 1};
    const std::unique_ptr<KernelLaunch> launch = kernel_.module().launch(kernel_.spec());
    const std::unique_ptr<ThreadBlock> block = launch->start(0);
    Way way;
    ExecutionSite site;
    site.cycle = 100;
    for (unsigned part = 0; part < 2; ++part) {
      for (unsigned warp = 0; warp < kWarps; ++warp) {
        Step last;
        while (!last.warp_finished && !last.at_barrier) go_on(*block, warp, most, site, last, way.work);
        way.stops.push_back(text_of(warp, last, site.cycle));
      }
      block->barrier_released(3);
    }
    for (unsigned i = 0; i < 32 * kWarps; ++i) way.words.push_back(kernel_.word(i));
    return way;
  }

 private:
  void go_on(ThreadBlock& block, unsigned warp, std::uint64_t most, ExecutionSite& site, Step& last,
             TbWork& work) {
    if (most != 0) {
      const std::uint64_t before = work.warp_instructions;
      const std::uint64_t steps = block.run(warp, site, {most, work}, last, addresses_);
      EXPECT_EQ(work.warp_instructions - before, steps);
      EXPECT_LE(steps, most);
      EXPECT_TRUE(steps == most || last.warp_finished || last.at_barrier);
      return;
    }
    const std::uint32_t index = block.next_index(warp);
    block.step(warp, site, last, addresses_);
    ++site.cycle;
    work.add(index, last.active);
  }

  KernelRun kernel_;
  LaneAddresses addresses_{};
};

TEST_F(ExecRun, DoesWhatStepsDo) {
  const Way expected = go(0);
  EXPECT_EQ(expected.stops.size(), 4U);
  EXPECT_GT(expected.words[0], 100U);
  for (const std::uint64_t most : {1U, 2U, 7U, 1000U}) {
    const Way way = go(most);
    EXPECT_EQ(way.stops, expected.stops) << most;
    EXPECT_EQ(way.words, expected.words) << most;
    EXPECT_EQ(way.work.warp_instructions, expected.work.warp_instructions) << most;
    EXPECT_EQ(way.work.thread_instructions, expected.work.thread_instructions) << most;
    EXPECT_EQ(way.work.of_part, expected.work.of_part) << most;
  }
}

}  // namespace
}  // namespace heddle::ptx::testing
