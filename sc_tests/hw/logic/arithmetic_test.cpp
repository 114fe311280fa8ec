#include <gtest/gtest.h>

#include <stdexcept>

#include "hw/logic/population_count.h"
#include "hw/logic/ratio_unit.h"
#include "hw/pricing/gates.h"
#include "hw/storage/decaying_counters.h"
#include "sc_tests/hw/strict_hardware.h"

namespace heddle::hw {
namespace {

DecayingCountersShape counters(unsigned bits, std::uint64_t floor) {
  DecayingCountersShape shape;
  shape.entries = 4;
  shape.bits = bits;
  shape.floor = floor;
  return shape;
}

TEST(DecayingCounters, FallByOneACycleToTheFloorAndStay) {
  DecayingCounters part({}, "scores", counters(16, 100));
  EXPECT_EQ(part.value(7, 2), 100U);
  EXPECT_EQ(part.write(10, 2, 103), 103U);
  EXPECT_EQ(part.value(10, 2), 103U);
  EXPECT_EQ(part.value(11, 2), 102U);
  EXPECT_EQ(part.value(12, 2), 101U);
  EXPECT_EQ(part.value(13, 2), 100U);
  EXPECT_EQ(part.value(1000, 2), 100U);
  EXPECT_EQ(part.floor_at(2), 13U);
  EXPECT_TRUE(part.any_above(12));
  EXPECT_FALSE(part.any_above(13));
}

TEST(DecayingCounters, AWriteSetsTheValueAndKeepsItInItsRange) {
  DecayingCounters part({}, "scores", counters(8, 100));
  EXPECT_EQ(part.write(0, 0, 300), 255U);
  EXPECT_EQ(part.activity().overflows, 1U);
  EXPECT_EQ(part.write(5, 0, 120), 120U);  // not added to what is left
  EXPECT_EQ(part.value(6, 0), 119U);
  EXPECT_EQ(part.write(6, 0, 3), 100U);
  EXPECT_EQ(part.value(6, 0), 100U);
}

TEST(DecayingCounters, HaveOneWritePortAndPlausibleShapes) {
  DecayingCounters part(strict_hardware(), "scores", counters(8, 0));
  part.write(3, 0, 1);
  EXPECT_THROW(part.write(3, 1, 1), PortConflict);
  EXPECT_THROW(DecayingCounters({}, "scores", counters(6, 64)), std::invalid_argument);
  const Structure row = part.structure();
  EXPECT_EQ(row.total_bits(), 32U);
  EXPECT_EQ(row.adders, 4U);
}

RatioUnitShape ratio(unsigned factor, unsigned multiplier, unsigned divisor, unsigned result) {
  RatioUnitShape shape;
  shape.factor_bits = factor;
  shape.multiplier_bits = multiplier;
  shape.divisor_bits = divisor;
  shape.result_bits = result;
  return shape;
}

TEST(RatioUnit, MultipliesBeforeItDividesAndTruncates) {
  RatioUnit part({}, "ratio", ratio(32, 16, 32, 16));
  EXPECT_EQ(part.multiply_divide(0, 2, 3200, 7), 914U);
  EXPECT_EQ(part.multiply_divide(0, 0xffffffff, 0xffff, 0xffffffff), 0xffffU);
  EXPECT_EQ(part.multiply_divide(0, 1, 1, 2), 0U);
}

TEST(RatioUnit, CutsOperandsAndSaturatesResults) {
  RatioUnit part({}, "ratio", ratio(4, 4, 4, 6));
  EXPECT_EQ(part.multiply_divide(0, 0x12, 0x23, 0x31), 6U);
  EXPECT_EQ(part.multiply_divide(0, 15, 15, 1), 63U);
  EXPECT_EQ(part.activity().overflows, 1U);
  EXPECT_EQ(part.multiply_divide(0, 1, 1, 0), 63U);
}

TEST(RatioUnit, TakesAStepPerBitAndIsBusyMeanwhile) {
  RatioUnitShape shape = ratio(32, 16, 32, 16);
  shape.cycles_per_step = 2;
  RatioUnit part(strict_hardware(), "ratio", shape);
  EXPECT_EQ(part.steps(), 16U + 48U);
  EXPECT_EQ(part.cycles(), 128U);
  part.multiply_divide(10, 1, 1, 1);
  EXPECT_THROW(part.multiply_divide(137, 1, 1, 1), PortConflict);
  part.multiply_divide(138, 1, 1, 1);
  EXPECT_EQ(RatioUnit({}, "ratio", shape).cycles(), 0U);
}

TEST(RatioUnit, TakesLongerToTellStepsOfTheMultiplicationWhereMoreOfTheirBitsSayIt) {
  const auto fo4 = [](unsigned multiplier_bits) {
    return RatioUnit({}, "ratio", ratio(32, multiplier_bits, 4, 32)).structure().path;
  };
  // Steps 0 to 15 of 64, by the two upper bits of six; 0 to 31 of 96 by two of seven, 0 to 25 of 84 by six.
  const double two_bits = gates::any_fo4(2).sized;
  const double six_bits = gates::any_fo4(6).sized;
  const auto lines = [](unsigned work_bits) { return gates::fan_out_fo4(2 * 33 + work_bits).sized; };
  EXPECT_NEAR(fo4(16).sized_fo4() - fo4(26).sized_fo4(), two_bits + lines(52) - six_bits - lines(62), 1e-9);
  EXPECT_NEAR(fo4(32).sized_fo4() - fo4(26).sized_fo4(), two_bits + lines(68) - six_bits - lines(62), 1e-9);
  EXPECT_GT(fo4(26).fo4(), fo4(16).fo4());
}

TEST(PopulationCount, CountsBits) {
  PopulationCount part({}, "count", 48);
  EXPECT_EQ(part.count(0), 0U);
  EXPECT_EQ(part.count(0x8001000000f0), 6U);
  EXPECT_THROW(PopulationCount({}, "count", 65), std::invalid_argument);
}

}  // namespace
}  // namespace heddle::hw
