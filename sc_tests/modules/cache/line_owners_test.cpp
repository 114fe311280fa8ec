#include "modules/cache/line_owners.h"

#include <gtest/gtest.h>

#include "hw/pricing/inventory.h"

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
  owners.note(0, LineIndex(3), SmId(7), WarpSlot(47));
  owners.note(1, LineIndex(2), SmId(7), WarpSlot(5));
  EXPECT_EQ(owners.warp(2, LineIndex(3)), 47U);
  EXPECT_EQ(owners.warp(2, LineIndex(2)), 5U);  // a hit and an eviction in a cycle
  EXPECT_THROW(owners.warp(2, LineIndex(1)), hw::PortConflict);
  EXPECT_EQ(owners.origin(3, LineIndex(3), SmId(7), WarpSlot(47)), LineOrigin::kSameWarp);
  EXPECT_EQ(owners.origin(5, LineIndex(3), SmId(7), WarpSlot(5)), LineOrigin::kSameSm);
}

TEST(LineOwners, TellsTheSmsOfAnL2SliceApart) {
  LineOwners owners(strict_hardware(), {4, 48, 15, 1});
  owners.note(0, LineIndex(1), SmId(14), WarpSlot(5));
  EXPECT_EQ(owners.origin(10, LineIndex(1), SmId(14), WarpSlot(5)), LineOrigin::kSameWarp);
  EXPECT_EQ(owners.origin(20, LineIndex(1), SmId(14), WarpSlot(6)), LineOrigin::kSameSm);
  EXPECT_EQ(owners.origin(30, LineIndex(1), SmId(13), WarpSlot(5)), LineOrigin::kOtherSm);
  owners.note_nobody(40, LineIndex(1));
  EXPECT_EQ(owners.origin(50, LineIndex(1), SmId(14), WarpSlot(5)), LineOrigin::kNobody);
  owners.note(60, LineIndex(1), SmId(0), WarpSlot(0));
  EXPECT_EQ(owners.origin(70, LineIndex(1), SmId(0), WarpSlot(0)), LineOrigin::kSameWarp);
  owners.installed(LineIndex(1));  // in the same cycle as others, as often as the host likes
  owners.installed(LineIndex(1));
  EXPECT_EQ(owners.origin(80, LineIndex(1), SmId(0), WarpSlot(0)), LineOrigin::kNobody);
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

// Schedulers compare the owner of an L1D line themselves; only what an L2 slice tells is compared there.
TEST(LineOwners, AreComparedWhereTheOriginIsTold) {
  GpuConfig gpu;
  for (const bool l2 : {false, true}) {
    hw::Inventory inventory;
    hw::Owner owner;
    owner.inventory = &inventory;
    const LineOwners owners(owner, l2 ? LineOwnersShape::of_l2(gpu) : LineOwnersShape::of_l1d(gpu));
    const auto& parts = inventory.parts();
    EXPECT_EQ(parts.size(), l2 ? 2U : 1U);
  }
}

}  // namespace
}  // namespace heddle
