#include "modules/execution_unit/result_bus.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace heddle {
namespace {

TEST(ResultBus, CarriesItsWidthPerCycle) {
  ResultBus bus{ExecutionConfig{}};
  EXPECT_TRUE(bus.reserve(10));
  EXPECT_TRUE(bus.reserve(10));
  EXPECT_FALSE(bus.reserve(10));
  EXPECT_TRUE(bus.reserve(11));
}

TEST(ResultBus, ForgetsCyclesThatHavePassed) {
  ExecutionConfig config;
  config.result_bus_width = 1;
  ResultBus bus(config);
  EXPECT_TRUE(bus.reserve(5));
  EXPECT_TRUE(bus.reserve(5 + bus.horizon()));
  EXPECT_FALSE(bus.reserve(5 + bus.horizon()));
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
