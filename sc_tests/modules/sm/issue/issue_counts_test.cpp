// What the issue stage counts of instructions, warps, barriers and resources.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "sc_tests/modules/sm/watched_rig.h"
#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

using testing::FakeKernel;
using testing::WatchedRig;

constexpr LaneMask lanes(unsigned count) {
  return count == kWarpSize ? kAllLanes : (LaneMask{1} << count) - 1;
}

TEST(IssueCounts, OfABlockOfThreeWarps) {
  GpuConfig config;
  WatchedRig rig("rig", config);
  FakeKernel kernel(1, 96);
  kernel.registers = 20;
  kernel.shared = 1000;
  // A loop of 2 turns, with every number of lanes that a bin begins or ends with.
  for (const unsigned count : {0U, 1U, 8U, 9U, 16U, 17U, 24U, 25U, 31U}) {
    kernel.fma({1}, {2});
    kernel.op(kernel.size() - 1).active = lanes(count);
  }
  kernel.sfu({3}, {4});
  kernel.branch(0, 1);
  kernel.branch_of_warp(1, 13);
  kernel.fma({5}, {5});  // not by warp 1, which comes to the barrier before the others
  kernel.load({6});
  kernel.barrier();
  kernel.exit();
  rig.dispatcher->launch(kernel, 0);
  rig.run_to(3000);
  ASSERT_EQ(rig.lives.size(), 3U);
  const std::uint64_t turn = 9 + 1 + 1;
  const std::uint64_t of_warp = 2 * turn + 1 + 3;  // the branch over; load, barrier, exit
  std::uint64_t alive = 0;
  Cycle longest = 0;
  Cycle first = ~Cycle{0};
  Cycle last = 0;
  std::uint64_t waited = 0;
  Cycle released = 0;
  for (unsigned w = 0; w < 3; ++w) {
    alive += rig.lives[w].end - rig.lives[w].start;
    longest = std::max(longest, rig.lives[w].end - rig.lives[w].start);
    first = std::min(first, rig.lives[w].start);
    last = std::max(last, rig.lives[w].end);
    released = std::max(released, rig.issue_cycle(w, 14));
  }
  for (unsigned w = 0; w < 3; ++w) waited += released - rig.issue_cycle(w, 14);
  EXPECT_GT(waited, 0U);
  test::StatTable stats;
  rig.issue->report(stats);
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [name, value] : stats.values) {
    if (name.find('.') == std::string::npos) counts[name] = value;
  }
  const std::uint64_t instructions = 3 * of_warp + 2;  // two warps execute the fma before the barrier
  const std::uint64_t narrow = 3 * 2 * (0 + 1 + 8 + 9 + 16 + 17 + 24 + 25 + 31);
  const std::uint64_t wide = instructions - std::uint64_t{3} * 2 * 9;
  const double rtru = 1 - static_cast<double>(alive) / (3.0 * static_cast<double>(longest));
  const auto microbits = static_cast<std::uint64_t>(std::llround(std::log2(1 / rtru) * 1e6));
  EXPECT_EQ(counts, (std::map<std::string, std::uint64_t>{{"warp_instructions", instructions},
                                                          {"thread_instructions", narrow + 32 * wide},
                                                          {"path_lanes", narrow + 32 * wide},
                                                          {"sp_instructions", instructions - 3 * 2 - 3},
                                                          {"sfu_instructions", 3 * 2},
                                                          {"ldst_instructions", 3},
                                                          {"sp_lanes", narrow + 32 * (wide - 3 * 2 - 3)},
                                                          {"sfu_lanes", 32 * 3 * 2},
                                                          {"ldst_lanes", 32 * 3},
                                                          {"lanes_0", 6},
                                                          {"lanes_1_8", 12},
                                                          {"lanes_9_16", 12},
                                                          {"lanes_17_24", 12},
                                                          {"lanes_25_31", 12},
                                                          {"lanes_32", wide},
                                                          {"redirects", 3 + 1},
                                                          {"active_cycles", last - first},
                                                          {"warp_cycles", alive},
                                                          {"barriers", 1},
                                                          {"barrier_wait_cycles", waited},
                                                          {"tbs", 1},
                                                          {"warps", 3},
                                                          {"register_cycles", (last - first) * 20 * 96},
                                                          {"warp_slot_cycles", (last - first) * 3},
                                                          {"shared_byte_cycles", (last - first) * 1024},
                                                          {"tb_warp_cycles", 3 * longest},
                                                          {"unused_warp_cycles", 3 * longest - alive},
                                                          {"unequal_tbs", 1},
                                                          {"rtru_microbits", microbits}}));
}

}  // namespace
}  // namespace heddle
