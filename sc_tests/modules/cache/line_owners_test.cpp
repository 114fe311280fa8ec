#include "modules/cache/line_owners.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

hw::Owner strict_hardware() {
  hw::Owner owner;
  owner.timing = hw::Timing::kHardware;
  owner.strict = true;
  return owner;
}

TEST(LineOwners, TellsWarpsOfOneSmApart) {
  LineOwners owners(strict_hardware(), {4, 48, 1, 2});
  owners.note(0, 3, 7, 47);
  owners.note(1, 2, 7, 5);
  EXPECT_EQ(owners.warp(2, 3), 47U);
  EXPECT_EQ(owners.warp(2, 2), 5U);  // a hit and an eviction in a cycle
  EXPECT_THROW(owners.warp(2, 1), hw::PortConflict);
  EXPECT_EQ(owners.origin(3, 3, 7, 47), LineOrigin::kSameWarp);
  EXPECT_EQ(owners.origin(5, 3, 7, 5), LineOrigin::kSameSm);
}

TEST(LineOwners, TellsTheSmsOfAnL2SliceApart) {
  LineOwners owners(strict_hardware(), {4, 48, 15, 1});
  owners.note(0, 1, 14, 5);
  EXPECT_EQ(owners.origin(10, 1, 14, 5), LineOrigin::kSameWarp);
  EXPECT_EQ(owners.origin(20, 1, 14, 6), LineOrigin::kSameSm);
  EXPECT_EQ(owners.origin(30, 1, 13, 5), LineOrigin::kOtherSm);
  owners.note_nobody(40, 1);
  EXPECT_EQ(owners.origin(50, 1, 14, 5), LineOrigin::kNobody);
  owners.note(60, 1, 0, 0);
  EXPECT_EQ(owners.origin(70, 1, 0, 0), LineOrigin::kSameWarp);
  owners.installed(1);  // in the same cycle as others, as often as the host likes
  owners.installed(1);
  EXPECT_EQ(owners.origin(80, 1, 0, 0), LineOrigin::kNobody);
}

TEST(LineOwners, HasAFieldForEachLineOfTheCache) {
  GpuConfig gpu;  // an L1D of 128 lines, L2 slices of 512, 48 warps, 15 SMs
  const LineOwnersShape l1d = LineOwnersShape::of_l1d(gpu);
  EXPECT_EQ(l1d.lines, 128U);
  EXPECT_EQ(l1d.sms, 1U);
  const LineOwnersShape l2 = LineOwnersShape::of_l2(gpu);
  EXPECT_EQ(l2.lines, 512U);
  EXPECT_EQ(l2.sms, 15U);
}

}  // namespace
}  // namespace heddle
