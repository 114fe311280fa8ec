#include "top/batch/batch_progress.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(BatchProgress, KnowsNothingBeforeTheFirstHasEnded) {
  EXPECT_FALSE(seconds_left({{"a", 0.0}, {"a"}}, 5, 2));
  EXPECT_EQ(batch_progress_text({{"a", 0.0}, {"a"}}, 5, 2), "0 of 2 runs");
}

TEST(BatchProgress, TakesWhatIsLeftToLastAsLongAsItsKind) {
  // Of a, 10 s each; of b, 2 s. Left: 4 s of an a that runs, one a, one b.
  const std::vector<RunTime> runs{{"a", 0.0, 10.0}, {"b", 0.0, 2.0}, {"a", 4.0}, {"a"}, {"b"}};
  EXPECT_DOUBLE_EQ(*seconds_left(runs, 10, 2), 10);  // no less than the one a that has not begun
  EXPECT_DOUBLE_EQ(*seconds_left(runs, 10, 1), 16);
  EXPECT_EQ(batch_progress_text(runs, 10, 1), "2 of 5 runs, 16 s left");
}

TEST(BatchProgress, AKindThatNobodyKnowsLastsAsTheMean) {
  EXPECT_DOUBLE_EQ(*seconds_left({{"a", 0.0, 10.0}, {"b", 0.0, 2.0}, {"c"}}, 10, 2), 6);
}

TEST(BatchProgress, WhatLastsLongerThanExpectedIsAboutToEnd) {
  EXPECT_DOUBLE_EQ(*seconds_left({{"a", 0.0, 1.0}, {"a", 1.0}}, 9, 2), 0);
}

}  // namespace
}  // namespace heddle
