#include "modules/tb_dispatcher/sampling/rate_error.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {
namespace {

TEST(RateErrorTest, IsOfTheRatioOfTheSums) {
  const std::vector<MeasuredWindow> windows{{10, 21}, {20, 39}, {10, 20}};
  const RateError error = rate_error(windows);
  EXPECT_DOUBLE_EQ(error.per_work, 2.0);
  EXPECT_DOUBLE_EQ(error.deviation, 1.0);  // rests 1, -1, 0, two degrees of freedom
  EXPECT_DOUBLE_EQ(error.t, 4.303);
  EXPECT_DOUBLE_EQ(error.of_rate(windows), std::sqrt(3.0) / 40);
  EXPECT_DOUBLE_EQ(error.relative(windows), 4.303 * std::sqrt(3.0) / 80);
}

TEST(RateErrorTest, OneWindowSaysNothingOfTheError) {
  const std::vector<MeasuredWindow> windows{{10, 20}};
  EXPECT_DOUBLE_EQ(rate_error(windows).per_work, 2.0);
  EXPECT_TRUE(std::isinf(rate_error(windows).relative(windows)));
  EXPECT_DOUBLE_EQ(rate_error({}).per_work, 0);
}

/// Percentiles of tables of the distribution.
TEST(RateErrorTest, StudentsTFallsToTheNormalDistributions) {
  EXPECT_NEAR(student_t(1), 12.706, 0.001);
  EXPECT_NEAR(student_t(30), 2.042, 0.001);
  EXPECT_NEAR(student_t(31), 2.040, 0.002);
  EXPECT_NEAR(student_t(40), 2.021, 0.002);
  EXPECT_NEAR(student_t(120), 1.980, 0.002);
  EXPECT_NEAR(student_t(100'000), 1.960, 0.001);
}

}  // namespace
}  // namespace heddle
