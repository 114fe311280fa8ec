#include "workloads/checks/output_check.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace heddle {
namespace {

template <typename T>
CheckResult compare(const std::vector<T>& got, const std::vector<T>& expected, Tolerance tolerance) {
  return compare_elements(element_type_of<T>(), reinterpret_cast<const std::uint8_t*>(got.data()),
                          reinterpret_cast<const std::uint8_t*>(expected.data()), got.size(), tolerance);
}

TEST(OutputCheck, ExactComparisonFindsASingleBit) {
  EXPECT_TRUE(compare<std::int32_t>({1, 2, 3}, {1, 2, 3}, {}).passed);
  const CheckResult result = compare<std::int32_t>({1, 2, 3}, {1, 3, 3}, {});
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.mismatches, 1U);
  EXPECT_EQ(result.worst_index, 1U);
  EXPECT_EQ(result.got, "2");
  EXPECT_EQ(result.expected, "3");
}

TEST(OutputCheck, ToleranceIsInclusive) {
  EXPECT_TRUE(compare<double>({10.5}, {10.0}, {0.5, 0.0}).passed);
  EXPECT_FALSE(compare<double>({10.5000001}, {10.0}, {0.5, 0.0}).passed);
  EXPECT_TRUE(compare<double>({-110.0}, {-100.0}, {0.0, 0.1}).passed);
  EXPECT_FALSE(compare<double>({-111.0}, {-100.0}, {0.0, 0.1}).passed);
  EXPECT_TRUE(compare<double>({111.0}, {100.0}, {1.0, 0.1}).passed);
}

TEST(OutputCheck, WorstElementIsMeasuredInItsTolerance) {
  const CheckResult result = compare<float>({1.5F, 1000.0F}, {1.0F, 1010.0F}, {0.0, 0.1});
  EXPECT_EQ(result.worst_index, 0U);
  EXPECT_EQ(result.mismatches, 1U);
}

TEST(OutputCheck, NanEqualsNanOnly) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(compare<double>({nan, infinity}, {nan, infinity}, {}).passed);
  EXPECT_FALSE(compare<double>({nan}, {1.0}, {1e30, 1.0}).passed);
  EXPECT_FALSE(compare<double>({1.0}, {nan}, {1e30, 1.0}).passed);
  EXPECT_FALSE(compare<double>({1.0}, {infinity}, {1e30, 1.0}).passed);
}

TEST(OutputCheck, SixtyFourBitIntegersAreComparedExactly) {
  const std::uint64_t big = std::numeric_limits<std::uint64_t>::max();
  const CheckResult result = compare<std::uint64_t>({big, big - 1}, {big, big}, {});
  EXPECT_EQ(result.mismatches, 1U);
  EXPECT_EQ(result.got, "18446744073709551614");
}

TEST(OutputCheck, SumsAllElements) {
  const std::vector<std::int32_t> values = {1, 2, 3, -10};
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  EXPECT_TRUE(compare_sum(ElementType::kI32, bytes, 4, -4.0, {}).passed);
  const CheckResult wrong = compare_sum(ElementType::kI32, bytes, 4, -5.0, {0.5, 0.0});
  EXPECT_FALSE(wrong.passed);
}

TEST(OutputCheck, MessagesSayWhatWasFound) {
  CheckResult result = compare<std::int32_t>({1, 2}, {1, 3}, {});
  result.buffer = "y";
  result.against = "reference atax";
  EXPECT_EQ(result.message(),
            "y: 1 of 2 elements agree with reference atax (absolute 0, relative 0); worst element 1: got 2, "
            "expected 3: FAILED");
  const std::vector<std::int32_t> values = {1, 2};
  CheckResult sum = compare_sum(ElementType::kI32, reinterpret_cast<const std::uint8_t*>(values.data()), 2,
                                3.5, {1.0, 0.0});
  sum.buffer = "y";
  EXPECT_EQ(sum.message(), "y: sum is 3, expected 3.5 (absolute 1, relative 0): passed");
}

}  // namespace
}  // namespace heddle
