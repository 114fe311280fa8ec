#include "modules/sm/residency/tb_slots.h"

#include <gtest/gtest.h>

#include <array>

#include "sc_tests/support/fake_kernel.h"

namespace heddle {
namespace {

/// An SM of 48 warp slots whose TB of 24 warps in the lower half has `ended` of them; the slots that a TB of
/// four warps gets then.
WarpMask slots_after(WarpMask ended) {
  CoreConfig core;
  core.resources.management = "warp_temporal";
  TbSlots slots(core);
  testing::FakeKernel large(2, 24 * kWarpSize);
  testing::FakeKernel small(1, 4 * kWarpSize);
  std::array<TbTransaction, 3> tbs;
  tbs[0].launch = tbs[1].launch = &large;
  tbs[2].launch = &small;
  ResidentTb& lower = *slots.accept(tbs[0], 1, 1);
  EXPECT_EQ(lower.warps, 0xFFFFFFU);
  EXPECT_NE(slots.accept(tbs[1], 1, 1), nullptr);
  for (; ended != 0; ended &= ended - 1) slots.end_warp(lower, WarpSlot(lowest_warp(ended)), 2);
  slots.advance(3);
  return slots.accept(tbs[2], 3, 3)->warps;
}

TEST(TbSlotsTest, ManagedByWarpTheSchedulersTakeTurnsOverTheWarpsOfATb) {
  EXPECT_EQ(slots_after(0x000FFFU), 0x00000FU);
  EXPECT_EQ(slots_after(0xA00055U), 0xA00005U);  // two even slots and the two odd ones
}

TEST(TbSlotsTest, ASchedulerWithoutAFreeSlotIsPassedOver) {
  EXPECT_EQ(slots_after(0x555555U), 0x000055U);
  EXPECT_EQ(slots_after(0x800055U), 0x800015U);
}

}  // namespace
}  // namespace heddle
