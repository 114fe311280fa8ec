#include "base/memory_budget.h"

#include <gtest/gtest.h>

#include <vector>

#include "sc_tests/support/sanitized.h"

namespace heddle {
namespace {

class MemoryBudget : public ::testing::Test {
 protected:
  void TearDown() override { set_memory_budget(0); }
};

TEST_F(MemoryBudget, ResidentMemoryIsWhatWasTouched) {
  constexpr std::size_t kBytes = std::size_t{64} << 20U;
  const std::uint64_t before = resident_bytes();
  EXPECT_GT(before, std::uint64_t{1} << 20U);
  const std::vector<char> touched(kBytes, 'x');
  const std::uint64_t after = resident_bytes();
  EXPECT_GE(after + (std::uint64_t{8} << 20U), before + kBytes) << touched.front();
  if (!test::kSanitized) EXPECT_LE(after, before + 2 * kBytes);
}

TEST_F(MemoryBudget, WithoutOneNothingIsRefused) {
  EXPECT_NO_THROW(require_memory(~std::uint64_t{0}, "everything"));
}

TEST_F(MemoryBudget, WhatItDoesNotHaveIsRefused) {
  const std::uint64_t budget = resident_bytes() + (std::uint64_t{100} << 20U);
  set_memory_budget(budget);
  EXPECT_NO_THROW(require_memory(std::uint64_t{50} << 20U, "buffers"));
  EXPECT_THROW(require_memory(std::uint64_t{101} << 20U, "buffers"), MemoryError);
  EXPECT_THROW(require_memory(~std::uint64_t{0}, "buffers"), MemoryError);
  try {
    require_memory(std::uint64_t{300} << 20U, "buffers");
    FAIL() << "not refused";
  } catch (const MemoryError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find("buffers: need 300 MiB of memory, but "), 0U) << message;
    EXPECT_NE(message.find(" of " + memory_text(budget) + " are used (--max-memory)"), std::string::npos)
        << message;
  }
  set_memory_budget(1);  // less than is used already
  EXPECT_THROW(require_memory(0, "nothing"), MemoryError);
}

TEST_F(MemoryBudget, IsToldInWholeMebibytes) {
  EXPECT_EQ(memory_text(0), "0 MiB");
  EXPECT_EQ(memory_text(1), "1 MiB");
  EXPECT_EQ(memory_text(std::uint64_t{512} << 20U), "512 MiB");
  EXPECT_EQ(memory_text((std::uint64_t{512} << 20U) + 1), "513 MiB");
}

}  // namespace
}  // namespace heddle
