// The times of a VCD file, counted up.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

#include "top/waves/clock_edges.h"
#include "top/waves/time_line.h"

namespace heddle {
namespace {

TEST(TimeLine, SaysAnyTimeAfterAnyOther) {
  TimeLine line;
  const auto expect = [&line](std::uint64_t units) {
    std::array<char, TimeLine::kMost> text{};
    char* const end = line.put(text.data(), units);
    ASSERT_EQ(std::string(text.data(), end), "#" + std::to_string(units) + "\n");
  };
  for (const std::uint64_t units :
       {0U, 7U, 999U, 1000U, 42U, 999999U, 1000000U, 1000000U, 1000001U, 1999999U, 3U}) {
    expect(units);
  }
  std::mt19937_64 random(1);
  std::uint64_t units = 0;
  for (unsigned step = 0; step < 100000; ++step) expect(units += random() % 1500);
  for (unsigned step = 0; step < 1000; ++step) expect(random() >> random() % 64);
}

TEST(ClockEdges, AreWhereDivisionsPutThem) {
  constexpr Ticks kCore = 1428571;
  for (const Ticks period : {kCore, Ticks{1082251}, kCore / 2, Ticks{3 * kCore + 1}, Ticks{7}}) {
    for (const std::uint64_t first : {0U, 1U, 123456U}) {
      ClockEdges edges(period, kCore, first);
      for (std::uint64_t number = first; number < first + 5000; ++number) {
        const std::uint64_t units = file_time(number * period, kCore);
        ASSERT_EQ(edges.units(), units);
        ASSERT_EQ(edges.advance(false), units);
        ASSERT_EQ(edges.advance(true), (units + file_time((number + 1) * period, kCore)) / 2);
      }
    }
  }
}

}  // namespace
}  // namespace heddle
