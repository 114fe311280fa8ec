#include "workloads/launch/device_memory.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace heddle {
namespace {

TEST(DeviceMemory, BuffersFollowEachOtherAligned) {
  DeviceMemory memory(1 << 20);
  EXPECT_EQ(memory.allocate("a", 1).address, 0xC0000000U);
  EXPECT_EQ(memory.allocate("b", 257).address, 0xC0000100U);
  EXPECT_EQ(memory.allocate("c", 256).address, 0xC0000300U);
  EXPECT_EQ(memory.allocate("d", 4).address, 0xC0000400U);
  ASSERT_EQ(memory.buffers().size(), 4U);
  EXPECT_EQ(memory.find("c")->bytes, 256U);
  EXPECT_EQ(memory.find("e"), nullptr);
}

TEST(DeviceMemory, AnAddressIsFoundInItsBufferOnly) {
  DeviceMemory memory(1 << 20);
  memory.allocate("a", 10);
  memory.allocate("b", 10);
  EXPECT_EQ(memory.find(std::uint64_t{0xC0000000})->name, "a");
  EXPECT_EQ(memory.find(std::uint64_t{0xC0000009})->name, "a");
  EXPECT_EQ(memory.find(std::uint64_t{0xC000000A}), nullptr);
  EXPECT_EQ(memory.find(std::uint64_t{0xBFFFFFFF}), nullptr);
  EXPECT_EQ(memory.find(std::uint64_t{0xC0000100})->name, "b");
  EXPECT_EQ(memory.find(std::uint64_t{0xFFFFFFFFFFFFFFFF}), nullptr);
  EXPECT_EQ(memory.nearest_below(0xC00000FF)->name, "a");
  EXPECT_EQ(memory.nearest_below(0xC0000200)->name, "b");
  EXPECT_EQ(memory.nearest_below(0xBFFFFFFF), nullptr);
}

TEST(DeviceMemory, ContentsStartAsZerosAndStay) {
  DeviceMemory memory(1 << 20);
  const std::uint64_t address = memory.allocate("a", 4096).address;
  EXPECT_EQ(*memory.host(address + 4095), 0);
  *memory.host(address + 4095) = 7;
  memory.allocate("b", 4096);
  EXPECT_EQ(*memory.host(address + 4095), 7);
}

TEST(DeviceMemory, WhatDoesNotFitIsRefused) {
  DeviceMemory memory(1024);
  EXPECT_THROW(memory.allocate("a", 0), std::invalid_argument);
  EXPECT_THROW(memory.allocate("a", 1025), std::length_error);
  memory.allocate("a", 700);
  EXPECT_THROW(memory.allocate("a", 4), std::invalid_argument);
  EXPECT_THROW(memory.allocate("b", 257), std::length_error);
  EXPECT_NO_THROW(memory.allocate("b", 256));
  EXPECT_THROW(memory.allocate("c", 1), std::length_error);
}

TEST(DeviceMemory, HugeCapacityCostsNothingUntilTouched) {
  DeviceMemory memory(std::uint64_t{64} << 30U);
  EXPECT_EQ(memory.allocate("a", std::uint64_t{32} << 30U).end(), 0xC0000000U + (std::uint64_t{32} << 30U));
  const std::uint64_t high = memory.allocate("b", 8).address;
  *memory.host(high) = 1;
  EXPECT_EQ(*memory.host(high), 1);
}

}  // namespace
}  // namespace heddle
