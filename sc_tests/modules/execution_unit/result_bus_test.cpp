#include "modules/execution_unit/result_bus.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace heddle {
namespace {

using Reservation = ResultBus::Reservation;

TEST(ResultBus, CarriesItsWidthPerCycle) {
  ResultBus bus{ExecutionConfig{}};
  EXPECT_EQ(bus.reserve(10, 0), Reservation::kDone);
  EXPECT_EQ(bus.reserve(10, 1), Reservation::kDone);
  EXPECT_EQ(bus.reserve(10, 2), Reservation::kBusTaken);
  EXPECT_EQ(bus.reserve(11, 2), Reservation::kDone);
}

TEST(ResultBus, APortCarriesOneResultPerCycle) {
  ResultBus bus{ExecutionConfig{}};
  EXPECT_EQ(bus.reserve(10, 3), Reservation::kDone);
  EXPECT_EQ(bus.reserve(10, 3), Reservation::kPortTaken);
  EXPECT_EQ(bus.reserve(11, 3), Reservation::kDone);
  EXPECT_TRUE(bus.carries(10, 3));
  EXPECT_FALSE(bus.carries(10, 2));
  EXPECT_FALSE(bus.carries(12, 3));
}

TEST(ResultBus, ForgetsCyclesThatHavePassed) {
  ExecutionConfig config;
  config.result_bus_width = 1;
  ResultBus bus(config);
  EXPECT_EQ(bus.reserve(5, 0), Reservation::kDone);
  EXPECT_EQ(bus.reserve(5 + bus.horizon(), 0), Reservation::kDone);
  EXPECT_FALSE(bus.carries(5, 0));
  EXPECT_EQ(bus.reserve(5 + bus.horizon(), 1), Reservation::kBusTaken);
}

TEST(ResultBus, HasAPortForEachOf32Units) {
  ResultBus bus{ExecutionConfig{}};
  for (unsigned port = ResultBus::kMaxPorts; port-- != 0;) EXPECT_NO_THROW(bus.claim(port));
  EXPECT_THROW(bus.claim(ResultBus::kMaxPorts), std::invalid_argument);
  EXPECT_THROW(bus.claim(31), std::invalid_argument);
}

TEST(ResultBus, LooksBeyondTheLongestLatency) {
  ExecutionConfig config;
  config.timing[0].latency_cycles = 1000;
  EXPECT_GE(ResultBus(config).horizon(), 1002U);
}

TEST(ResultBus, RefusesWidthZero) {
  ExecutionConfig config;
  config.result_bus_width = 0;
  EXPECT_THROW(ResultBus{config}, std::invalid_argument);
}

}  // namespace
}  // namespace heddle
