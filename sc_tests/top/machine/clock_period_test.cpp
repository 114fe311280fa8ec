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

constexpr double kNs = 1e-9;

TEST(ClockPeriod, AResolutionInWhichItIsAnotherClockIsRefused) {
  EXPECT_EQ(
      too_coarse(700, kNs),
      "the period of 700 MHz, 1428.571 ps, becomes 1000.000 ps, -30.000%, in steps of the time "
      "resolution, of which at most 1% is accepted: expected a time resolution of 10 ps or finer, found "
      "1000 ps; call sc_set_time_resolution(1, SC_FS), which is exact enough for every clock, before the "
      "first module is built");
  EXPECT_THAT(too_coarse(3000, kNs), ::testing::HasSubstr("becomes 0.000 ps, -100.000%"));
  EXPECT_THAT(too_coarse(700, 100 * kPs), ::testing::HasSubstr("becomes 1400.000 ps, -2.000%"));
}

TEST(ClockPeriod, AResolutionInWhichItIsRoundedALittleIsNotRefused) {
  EXPECT_EQ(too_coarse(700, 10 * kPs), "");
  EXPECT_EQ(too_coarse(700, kPs), "");
  EXPECT_EQ(too_coarse(500, kNs), "");
  EXPECT_NO_THROW(check_rounding("clock.core_mhz", 700));
}

/// The tests run with steps of a femtosecond.
TEST(ClockPeriod, IsThatOfTheFrequency) {
  EXPECT_EQ(clock_period(500), sc_core::sc_time(2, sc_core::SC_NS));
  EXPECT_EQ(clock_period(700), sc_core::sc_time(1428571, sc_core::SC_FS));
}

}  // namespace
}  // namespace heddle
