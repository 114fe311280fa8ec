// More threads than `heddle run` would take: three, however few processors there are.
#include "sc_tests/support/apart.h"
#include "sc_tests/top/machine/counted_run.h"

namespace heddle {
namespace {

class OversubscribedThreads : public ::testing::TestWithParam<CountedRun> {};

TEST_P(OversubscribedThreads, CountAsOneDoes) {
  const auto counts = [](unsigned threads) {
    return test::apart([threads] {
      GpuBuild build;
      build.threads = threads;
      return GetParam().counts(build);
    });
  };
  const std::string one = counts(1);
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(counts(3), one);
}

INSTANTIATE_TEST_SUITE_P(
    Runs, OversubscribedThreads,
    ::testing::Values(CountedRun{"vector_add", "vector_add", {{"n", 16384}}, {"core.sms=6"}},
                      CountedRun{"histogram", "histogram", {{"words", 8192}}, {"core.sms=6"}},
                      CountedRun{"ipaws", "scalar_product", {{"pairs", 12}}, {"scheduler.name=ipaws"}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace heddle
