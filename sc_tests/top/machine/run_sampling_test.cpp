// How far a run's estimates may be off, of what its launches' may.
#include <gtest/gtest.h>

#include "top/machine/run_result.h"

namespace heddle {
namespace {

TEST(RunSampling, WhatIsTheSameInAllLaunchesAddsUp) {
  const SampleDeviation chance{30, {3, 0}, false};
  const SampleDeviation alike{10, {1, 2}, true};
  RunSampling run;
  run.add({chance, alike});
  run.add({chance, chance, alike});
  ASSERT_EQ(run.deviations.size(), 4U);
  double squares = 0;
  for (const SampleDeviation& deviation : run.deviations) squares += deviation.cycles * deviation.cycles;
  EXPECT_EQ(squares, 3 * 30 * 30 + 20 * 20);
  EXPECT_EQ(run.deviations[1].counts, (std::vector<double>{2, 4}));
}

}  // namespace
}  // namespace heddle
