// Bandwidths of the default machine under streams, against what its latencies and widths allow.
#include <gtest/gtest.h>

#include <algorithm>

#include "sc_tests/top/machine/micro_run.h"

namespace heddle {
namespace {

constexpr double kCoreGhz = 0.7;
constexpr double kLineBytes = 128;

/// gtx480.md, "DRAM": the pins, and what is left of them when every sector read takes a burst twice its size.
constexpr double kPinGbps = 177.4;
constexpr double kSectorReadGbps = 88.7;

double gigabytes_per_second(double bytes, double cycles) { return bytes / cycles * kCoreGhz; }

TEST(Bandwidth, DramNearItsPeak) {
  const MicroRun run("stream");
  ASSERT_TRUE(run.complete());
  constexpr double kBytes = 4.0 * 1048576;
  const double read = gigabytes_per_second(kBytes, run.cycles("stream_read").at(0));
  EXPECT_LE(read, kSectorReadGbps);
  EXPECT_GE(read, 0.9 * kSectorReadGbps);
  // Whole lines are written back: neighbouring sectors share bursts.
  const double write = gigabytes_per_second(kBytes, run.cycles("stream_write").at(1));
  EXPECT_LE(write, kPinGbps);
  EXPECT_GE(write, 0.8 * kPinGbps);
}

// 15 TBs of 8 warps, each with one line in flight for a DRAM latency of 300 to 317 cycles and a short loop.
TEST(Bandwidth, DramReadsBelowPeakFollowTheirLatency) {
  const MicroRun run("stream", "", {{"tbs", 15}});
  const double read = gigabytes_per_second(4.0 * 1048576, run.cycles("stream_read").at(0));
  const double most = gigabytes_per_second(15 * 8 * kLineBytes, 300);
  EXPECT_LE(read, most);
  EXPECT_GE(read, 0.85 * most);
}

// A write of 128 bytes has 136 on the link of 40 bytes a cycle, so four flits: 32 bytes a cycle and SM.
TEST(Bandwidth, WritesOfOneSmTakeItsLink) {
  const MicroRun run("stream", "", {{"tbs", 1}, {"n", 65536}});
  const double write = gigabytes_per_second(4.0 * 65536, run.cycles("stream_write").at(1));
  EXPECT_LE(write, gigabytes_per_second(32, 1));
  EXPECT_GE(write, 0.65 * gigabytes_per_second(32, 1));
}

class MissBandwidth : public ::testing::TestWithParam<unsigned> {};

// Little's law: as many lines as there are entries in the time that one is occupied, which is what an L1D
// miss takes longer than a hit (gtx480.md: 182 - 40 cycles); but a line takes four cycles on the SM's reply
// link.
TEST_P(MissBandwidth, FollowsMshrEntries) {
  const MicroRun run("miss_stream", "", {}, {"l1d.mshr.entries=" + std::to_string(GetParam())});
  const std::vector<double> cycles = run.cycles("miss_stream");
  ASSERT_EQ(cycles.size(), 3U);
  constexpr double kLines = 8 * 256;
  const double lines_per_cycle = kLines / (cycles[2] - cycles[1]);
  constexpr double kEntryCycles = 182 - 40;
  constexpr double kLinkLimit = 0.25;
  constexpr double kTolerance = 0.07;  // an entry is taken for 139 cycles here; the link carries up to 94%
  const double expected = std::min(GetParam() / kEntryCycles, kLinkLimit);
  EXPECT_LE(lines_per_cycle, kLinkLimit);
  EXPECT_NEAR(lines_per_cycle, expected, kTolerance * expected);
}

INSTANTIATE_TEST_SUITE_P(Entries, MissBandwidth, ::testing::Values(1, 2, 4, 8, 16, 32, 64));

}  // namespace
}  // namespace heddle
