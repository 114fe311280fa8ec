#include "top/reproduction/figures/five_numbers.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(FiveNumbers, QuartilesLieInProportionBetweenValues) {
  const FiveNumbers numbers = FiveNumbers::of({4, 1, 3, 2});
  EXPECT_DOUBLE_EQ(numbers.least, 1);
  EXPECT_DOUBLE_EQ(numbers.lower_quartile, 1.75);
  EXPECT_DOUBLE_EQ(numbers.median, 2.5);
  EXPECT_DOUBLE_EQ(numbers.upper_quartile, 3.25);
  EXPECT_DOUBLE_EQ(numbers.most, 4);
  EXPECT_TRUE(numbers.outliers.empty());
  EXPECT_DOUBLE_EQ(numbers.low_whisker, 1);
  EXPECT_DOUBLE_EQ(numbers.high_whisker, 4);
}

// Box from 2 to 4: values beyond -1 and 7 are outliers.
TEST(FiveNumbers, WhiskersReachOneAndAHalfBoxes) {
  const FiveNumbers numbers = FiveNumbers::of({1, 2, 3, 4, 7.5});
  EXPECT_DOUBLE_EQ(numbers.high_whisker, 4);
  EXPECT_EQ(numbers.outliers, std::vector<double>{7.5});
  EXPECT_DOUBLE_EQ(numbers.most, 7.5);
  EXPECT_TRUE(FiveNumbers::of({1, 2, 3, 4, 7}).outliers.empty()) << "exactly as far";
}

TEST(FiveNumbers, OneValueIsAllOfThem) {
  const FiveNumbers numbers = FiveNumbers::of({5});
  EXPECT_DOUBLE_EQ(numbers.least, 5);
  EXPECT_DOUBLE_EQ(numbers.upper_quartile, 5);
  EXPECT_DOUBLE_EQ(numbers.high_whisker, 5);
}

}  // namespace
}  // namespace heddle
