// The times of a VCD file, counted up.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "top/waves/clock_edges.h"
#include "top/waves/time_line.h"

namespace heddle {
namespace {

std::string text_of(const TimeLine& line) { return {line.text().chars, line.text().size}; }
std::string text_of(const CycleLines::Part& part) { return {part.chars, part.size}; }

TEST(TimeLine, SaysAnyTimeAfterAnyOther) {
  TimeLine line;
  const auto expect = [&line](std::uint64_t units) {
    line.set(units);
    ASSERT_EQ(text_of(line), "#" + std::to_string(units) + "\n");
  };
  for (const std::uint64_t units : {0U, 7U, 999U, 1000U, 1001U, 42U, 9999U, 10000U, 10000U, 12345U, 3U}) {
    expect(units);
  }
  std::mt19937_64 random(1);
  std::uint64_t units = 0;
  for (unsigned step = 0; step < 100000; ++step) expect(units += random() % 1500);
  for (unsigned step = 0; step < 1000; ++step) expect(random() >> random() % 64);
}

TEST(CycleLines, RiseAndFallInEachCycle) {
  for (const std::uint64_t first : {0U, 95U, 99985U}) {
    CycleLines lines(first, ShortText("1!\n"), ShortText("0!\n"));
    for (std::uint64_t cycle = first; cycle < first + 1200; ++cycle, lines.count()) {
      const std::string time = "#" + std::to_string(cycle);
      ASSERT_EQ(text_of(lines.rise()), time + "000\n1!\n");
      ASSERT_EQ(text_of(lines.fall()), time + "500\n0!\n");
      ASSERT_EQ(text_of(lines.both()), time + "000\n1!\n" + time + "500\n0!\n");
    }
  }
}

TEST(ClockEdges, AreWhereDivisionsPutThem) {
  constexpr Ticks kCore = 1428571;
  for (const Ticks period : {kCore, Ticks{1082251}, kCore / 2, Ticks{3 * kCore + 1}, Ticks{7}}) {
    for (const std::uint64_t first : {0U, 1U, 123456U}) {
      ClockEdges edges(period, kCore, first);
      for (std::uint64_t number = first; number < first + 5000; ++number) {
        const std::uint64_t units = file_time(number * period, kCore);
        ASSERT_EQ(edges.units(), units);
        ASSERT_EQ(edges.advance(), (units + file_time((number + 1) * period, kCore)) / 2);
      }
    }
  }
}

}  // namespace
}  // namespace heddle
