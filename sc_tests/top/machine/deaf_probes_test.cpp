// With all probes deaf the machine does the same: function does not ride on observation.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/observe.h"
#include "sc_tests/support/apart.h"
#include "sc_tests/top/machine/counted_run.h"

namespace heddle {
namespace {

class DeafProbesTest : public ::testing::TestWithParam<CountedRun> {};

TEST_P(DeafProbesTest, NothingIsCountedOtherwise) {
  const std::string deaf = test::apart([] {
    const DeafProbes probes;
    return GetParam().counts();
  });
  EXPECT_GT(deaf.size(), 10000U);
  EXPECT_EQ(deaf, test::apart([] { return GetParam().counts(); }));
}

CountedRun bfs(const char* name, std::vector<std::string> assignments) {
  assignments.emplace_back("core.sms=4");
  return {name, "bfs", {{"nodes", 1024}}, std::move(assignments)};
}

INSTANTIATE_TEST_SUITE_P(
    Runs, DeafProbesTest,
    ::testing::Values(bfs("flush", {"l1d.flush_at_kernel_end=true"}),
                      bfs("oaws", {"scheduler.name=oaws_dynamic+pro", "l1d.flush_at_kernel_end=true"}),
                      bfs("mascar", {"scheduler.name=mascar"}), bfs("ccws", {"scheduler.name=ccws+gto"}),
                      bfs("ipaws", {"scheduler.name=ipaws"}),
                      bfs("srtf", {"tb_dispatcher.policy=srtf", "tb_dispatcher.mixed_sms=true"}),
                      CountedRun{"ccws_spmv", "spmv", {}, {"core.sms=4", "scheduler.name=ccws+gto"}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace heddle
