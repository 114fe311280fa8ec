#include "base/id.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <unordered_set>

namespace heddle {
namespace {

using Chair = Id<struct ChairTag, std::uint16_t>;
using Table = Id<struct TableTag, std::uint16_t>;
using Address = Id<struct AddressTag, std::uint64_t>;

static_assert(sizeof(Chair) == sizeof(std::uint16_t));
static_assert(sizeof(Address) == sizeof(std::uint64_t));
static_assert(std::is_trivially_copyable_v<Chair>);
// Nothing becomes an id by accident, and an id becomes nothing by accident.
static_assert(!std::is_convertible_v<unsigned, Chair>);
static_assert(!std::is_convertible_v<Chair, unsigned>);
static_assert(!std::is_convertible_v<Chair, Table>);
static_assert(!std::is_constructible_v<Chair, Table>);
static_assert(!std::is_constructible_v<Chair, Address>);

TEST(IdTest, KeepsItsNumber) {
  EXPECT_EQ(Chair().value(), 0U);
  EXPECT_EQ(Chair(47).value(), 47U);
  EXPECT_EQ(Address(std::uint64_t{1} << 40).value(), std::uint64_t{1} << 40);
}

TEST(IdTest, IsComparedByItsNumber) {
  EXPECT_TRUE(Chair(3) == Chair(3));
  EXPECT_FALSE(Chair(3) == Chair(4));
  EXPECT_TRUE(Chair(3) != Chair(4));
  EXPECT_FALSE(Chair(3) != Chair(3));
  EXPECT_TRUE(Chair(3) < Chair(4));
  EXPECT_FALSE(Chair(3) < Chair(3));
}

TEST(IdTest, CountsOn) {
  Chair chair(3);
  EXPECT_EQ(++chair, Chair(4));
  EXPECT_EQ(chair, Chair(4));
}

TEST(IdTest, IsAKeyOfAHashTable) {
  std::unordered_set<Chair> chairs{Chair(1), Chair(2), Chair(1)};
  EXPECT_EQ(chairs.size(), 2U);
  EXPECT_EQ(chairs.count(Chair(2)), 1U);
}

}  // namespace
}  // namespace heddle
