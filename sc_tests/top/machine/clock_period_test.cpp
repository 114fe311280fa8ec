#include "top/machine/clock_period.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr double kFs = 1e-15;
constexpr double kPs = 1e-12;

TEST(ClockPeriod, OneThatIsRoundedIsTold) {
  EXPECT_THAT(rounded_period(700, kPs),
              ::testing::StartsWith("the period of 700 MHz, 1428.571 ps, becomes 1429.000 ps, +0.030%, in"));
  EXPECT_THAT(rounded_period(924, kPs), ::testing::HasSubstr("1082.251 ps, becomes 1082.000 ps, -0.023%"));
}

TEST(ClockPeriod, OneThatIsExactEnoughIsNot) {
  EXPECT_EQ(rounded_period(500, kPs), "");
  EXPECT_EQ(rounded_period(0.7, kPs), "");
  EXPECT_EQ(rounded_period(700, kFs), "");
  EXPECT_EQ(rounded_period(924, kFs), "");
}

/// The tests run with steps of a femtosecond.
TEST(ClockPeriod, IsThatOfTheFrequency) {
  EXPECT_EQ(clock_period(500), sc_core::sc_time(2, sc_core::SC_NS));
  EXPECT_EQ(clock_period(700), sc_core::sc_time(1428571, sc_core::SC_FS));
}

}  // namespace
}  // namespace heddle
