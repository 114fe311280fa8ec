#include "top/timeline/counter_track.h"

#include <gtest/gtest.h>

#include <numeric>

namespace heddle {
namespace {

using Sums = std::vector<std::uint64_t>;

TEST(CounterTrack, CountsInTheWindowAlone) {
  CounterTrack track({100, 140});
  for (const Cycle cycle : {99, 100, 115, 116, 139, 140}) track.count(cycle);
  EXPECT_EQ(track.sums(), (Sums{2, 1, 1}));
}

TEST(CounterTrack, ALevelIsSharedOutOverItsIntervals) {
  CounterTrack track({100, 140});
  track.add(90, 120, 3);
  track.add(120, 200, 2);
  EXPECT_EQ(track.sums(), (Sums{48, 3 * 4 + 2 * 12, 16}));
}

TEST(CounterTrack, WideningKeepsTheSum) {
  CounterTrack track({});
  for (Cycle c = 0; c < 5 * 16; ++c) track.count(c);
  track.widen();
  EXPECT_EQ(track.interval(), 32U);
  EXPECT_EQ(track.sums(), (Sums{32, 32, 16}));
  track.count(80);
  EXPECT_EQ(track.sums(), (Sums{32, 32, 17}));
}

}  // namespace
}  // namespace heddle
