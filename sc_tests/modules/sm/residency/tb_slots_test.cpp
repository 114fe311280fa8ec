#include "modules/sm/residency/tb_slots.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

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

/// Schedulers of the slots.
std::vector<unsigned> schedulers_of(const std::vector<WarpSlot>& slots) {
  std::vector<unsigned> schedulers;
  for (const WarpSlot slot : slots) schedulers.push_back(slot.value() % CoreConfig().schedulers);
  return schedulers;
}

TEST(TbSlotsTest, ManagedByWarpTheFirstWarpsOfTbsTakeTurnsToo) {
  CoreConfig core;
  core.resources.management = "warp_temporal";
  TbSlots slots(core);
  testing::FakeKernel kernel(4, 3 * kWarpSize);
  std::array<TbTransaction, 4> tbs;
  for (unsigned tb = 0; tb < 4; ++tb) {
    tbs[tb].launch = &kernel;
    const ResidentTb& resident = *slots.accept(tbs[tb], 1, 1);
    const unsigned first = tb % 2;
    EXPECT_EQ(schedulers_of(resident.first_slots), (std::vector<unsigned>{first, 1 - first, first})) << tb;
  }
}

TEST(TbSlotsTest, ManagedByTbWarpsTakeTheLowestSlotsInTheOrderOfTheirIds) {
  const CoreConfig core;
  TbSlots slots(core);
  testing::FakeKernel kernel(2, 3 * kWarpSize);
  std::array<TbTransaction, 2> tbs;
  tbs[0].launch = tbs[1].launch = &kernel;
  EXPECT_EQ(slots.accept(tbs[0], 1, 1)->first_slots,
            (std::vector<WarpSlot>{WarpSlot(0), WarpSlot(1), WarpSlot(2)}));
  EXPECT_EQ(slots.accept(tbs[1], 1, 1)->first_slots,
            (std::vector<WarpSlot>{WarpSlot(3), WarpSlot(4), WarpSlot(5)}));
}

// TB 1 has 24 of its 32 warps at first; each other one is placed by the same rule when a warp of TB 0 has
// ended.
TEST(TbSlotsTest, LateWarpsOfAPartialTbTakeTheTurnsThatTheyWouldHaveHadAtItsStart) {
  CoreConfig core;
  core.resources.management = "warp_temporal_spatial";
  TbSlots slots(core);
  testing::FakeKernel large(1, 24 * kWarpSize);
  testing::FakeKernel larger(1, 32 * kWarpSize);
  std::array<TbTransaction, 2> tbs;
  tbs[0].launch = &large;
  tbs[1].launch = &larger;
  tbs[1].start_warps = 24;
  ResidentTb& first = *slots.accept(tbs[0], 1, 1);
  ResidentTb& partial = *slots.accept(tbs[1], 1, 1);
  for (unsigned n = 0; n < 8; ++n) slots.end_warp(first, WarpSlot(n), 2);
  std::vector<WarpSlot> late;
  for (unsigned left = slots.advance(3); left != 0; --left) late.push_back(slots.place_next(3).slot);
  EXPECT_EQ(partial.first_slots.size(), 24U);
  EXPECT_EQ(partial.first_slots[0], WarpSlot(25));
  EXPECT_EQ(schedulers_of(late), (std::vector<unsigned>{1, 0, 1, 0, 1, 0, 1, 0}));
}

}  // namespace
}  // namespace heddle
