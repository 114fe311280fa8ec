#include "modules/ldst_unit/texel_lines.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// Lanes of `lanes` read the texels of `bytes` at base + stride * lane.
TexelAddresses texels(std::uint64_t base, std::uint64_t stride, LaneMask lanes = kAllLanes) {
  TexelAddresses texels;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((lanes >> lane & 1U) == 0) continue;
    texels.address.push_back(base + stride * lane);
    texels.of_lane[lane] = 1;
  }
  return texels;
}

TexelLines lines(unsigned lanes_per_cycle, const TexelAddresses& found) {
  TextureConfig config;
  config.lanes_per_cycle = lanes_per_cycle;
  TexelLines lines(config);
  lines.find(found);
  return lines;
}

TEST(TexelLines, LanesThatAreAddressedTogetherShareALine) {
  EXPECT_EQ(lines(32, texels(0x1000, 4)).size(), 1U);
  EXPECT_EQ(lines(4, texels(0x1000, 4)).size(), 8U);  // eight times the same line
  EXPECT_EQ(lines(4, texels(0x1000, 4))[7], 0x1000U);
  EXPECT_EQ(lines(32, texels(0x1040, 4)).size(), 2U);
  EXPECT_EQ(lines(4, texels(0x1040, 4)).size(), 8U);
  EXPECT_EQ(lines(32, texels(0x1000, 128)).size(), 32U);
  EXPECT_EQ(lines(4, texels(0x1000, 128)).size(), 32U);
  EXPECT_EQ(lines(1, texels(0x1000, 0)).size(), 32U);
}

TEST(TexelLines, LanesWithoutATexelTakeNoTime) {
  EXPECT_EQ(lines(4, texels(0x1000, 4, 0x0000000F)).size(), 1U);
  EXPECT_EQ(lines(4, texels(0x1000, 4, 0x10000001)).size(), 2U);
  EXPECT_EQ(lines(4, texels(0x1000, 4, 0)).size(), 0U);
}

TEST(TexelLines, ALaneMayReadSeveral) {
  TexelAddresses several;
  several.address = {0x1000, 0x1080, 0x1004, 0x1084, 0x2000};
  several.of_lane[0] = 4;
  several.of_lane[1] = 1;
  const TexelLines found = lines(4, several);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], 0x1000U);
  EXPECT_EQ(found[1], 0x1080U);
  EXPECT_EQ(found[2], 0x2000U);
}

}  // namespace
}  // namespace heddle
