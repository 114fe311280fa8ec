#include "modules/sm/residency/workload_buffer.h"

#include <gtest/gtest.h>

#include "hw/reports/cost_table.h"
#include "modules/sm/residency/tb_slots.h"

namespace heddle {
namespace {

TEST(WorkloadBufferTest, IssuesWarpsInTheOrderOfTheirIds) {
  WorkloadBuffer buffer({}, 8);
  EXPECT_FALSE(buffer.valid());
  buffer.store(1, TbSlot(7), 67108863, WarpInTb(29), WarpInTb(31));
  EXPECT_TRUE(buffer.valid());
  EXPECT_EQ(buffer.tb_slot(), TbSlot(7));
  EXPECT_EQ(buffer.tb(), 67108863U);
  EXPECT_EQ(buffer.issue(2), WarpInTb(29));
  EXPECT_EQ(buffer.issue(3), WarpInTb(30));
  EXPECT_TRUE(buffer.valid());
  EXPECT_EQ(buffer.issue(4), WarpInTb(31));
  EXPECT_FALSE(buffer.valid());
}

/// Bits in flip-flops of what an SM's slots are built of.
std::uint64_t bits_with(const std::string& management) {
  CoreConfig core;
  core.resources.management = management;
  hw::Inventory inventory;
  hw::Owner owner;
  owner.inventory = &inventory;
  owner.path = "sm0";
  const TbSlots slots(core, owner);
  std::uint64_t bits = 0;
  for (const hw::Part* part : inventory.parts()) {
    EXPECT_NE(part->structure().storage, hw::StorageKind::kRam);
    bits += part->structure().total_bits();
  }
  return bits;
}

TEST(WorkloadBufferTest, Has40Bits) {
  // 3 + 26 + 5 + 5 + 1, WarpMan 4.2; and what the checks count: 6 + 6 + 4 + 4.
  EXPECT_EQ(bits_with("warp_temporal_spatial"), 40U + 20);
  EXPECT_EQ(bits_with("warp_temporal"), 40U);
  EXPECT_EQ(bits_with("tb"), 0U);
}

}  // namespace
}  // namespace heddle
