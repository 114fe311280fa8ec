#include "modules/tb_dispatcher/policies/srtf/slicing_table.h"

#include <gtest/gtest.h>

#include "hw/pricing/inventory.h"
#include "hw/reports/cost_table.h"

namespace heddle {
namespace {

class SlicingTableTest : public ::testing::Test {
 protected:
  hw::Activity activity(std::string_view name) const {
    for (const hw::Part* part : inventory_.parts()) {
      if (part->name() == name) return part->activity();
    }
    ADD_FAILURE() << "no part " << name;
    return {};
  }

  hw::Inventory inventory_;
  SlicingTable table_{{&inventory_, "sm0/simple_slicing"}, 8, 8};
};

TEST_F(SlicingTableTest, NothingIsKnownBeforeTheFirstBlockEnds) {
  table_.launch(5, 2, 4, 30);
  table_.reslice();
  table_.block_start(10, 2, TbSlot(0));
  EXPECT_FALSE(table_.known(2));
  table_.block_end(110, 2, TbSlot(0));
  EXPECT_TRUE(table_.known(2));
}

// SRTF equation 2: active cycles so far, and the blocks left over the residency times t.
TEST_F(SlicingTableTest, PredictsFromTheFirstBlockOfASlice) {
  table_.launch(0, 0, 4, 30);
  table_.reslice();
  table_.block_start(10, 0, TbSlot(0));
  table_.block_start(11, 0, TbSlot(1));
  table_.block_end(110, 0, TbSlot(0));
  EXPECT_EQ(table_.tb_cycles(0), 100U);
  EXPECT_EQ(table_.remaining_cycles(0), 29U * 100 / 4);
  EXPECT_EQ(table_.predicted_cycles(0), 100U + 29 * 100 / 4);
  table_.block_end(211, 0, TbSlot(1));  // 200 cycles, but not the first of the slice
  EXPECT_EQ(table_.tb_cycles(0), 100U);
  EXPECT_EQ(table_.predicted_cycles(0), 201U + 28 * 100 / 4);
}

TEST_F(SlicingTableTest, ANewSliceIsMeasuredAnew) {
  table_.launch(0, 0, 1, 10);
  table_.reslice();
  table_.block_start(0, 0, TbSlot(0));
  table_.block_end(50, 0, TbSlot(0));
  table_.reslice();
  table_.block_start(51, 0, TbSlot(0));
  table_.block_end(131, 0, TbSlot(0));
  EXPECT_EQ(table_.tb_cycles(0), 80U);
}

TEST_F(SlicingTableTest, OnlyCyclesWithABlockAreActive) {
  table_.launch(0, 0, 1, 2);
  table_.reslice();
  table_.block_start(100, 0, TbSlot(3));
  table_.block_end(150, 0, TbSlot(3));
  table_.block_start(1000, 0, TbSlot(3));
  table_.block_end(1050, 0, TbSlot(3));
  EXPECT_EQ(table_.remaining_cycles(0), 0U);
  EXPECT_EQ(table_.predicted_cycles(0), 100U);
}

TEST_F(SlicingTableTest, TakesOverASampleOfAnotherSm) {
  table_.launch(0, 1, 8, 40);
  table_.adopt(300, 1, 500);
  EXPECT_EQ(table_.remaining_cycles(1), 40U * 500 / 8);
  EXPECT_EQ(table_.predicted_cycles(1), 40U * 500 / 8);
}

TEST_F(SlicingTableTest, ASlotIsClearedByTheNextLaunch) {
  table_.launch(0, 0, 1, 10);
  table_.reslice();
  table_.block_start(0, 0, TbSlot(0));
  table_.block_end(50, 0, TbSlot(0));
  table_.launch(60, 0, 2, 20);
  EXPECT_FALSE(table_.known(0));
  EXPECT_EQ(table_.blocks_left(0), 20U);
}

// 26 bits of blocks times 32 of t, then divided: no prediction is worked out without its parts.
TEST_F(SlicingTableTest, MultipliesAndDividesInAPricedPart) {
  table_.launch(0, 0, 4, 30);
  EXPECT_EQ(activity("blocks_times_t_over_residency").adds, 0U);
  table_.adopt(300, 0, 500);
  EXPECT_EQ(activity("blocks_times_t_over_residency").adds, 26U + 26 + 32);
  EXPECT_EQ(table_.remaining_cycles(0), 30U * 500 / 4);
}

// SRTF 5.1.1: the smaller remaining time goes first, equal ones do not.
TEST_F(SlicingTableTest, OrdersByRemainingTimeWithPricedComparisons) {
  table_.launch(0, 0, 4, 30);
  table_.launch(0, 1, 4, 31);
  table_.launch(0, 2, 4, 30);
  for (unsigned kernel = 0; kernel < 3; ++kernel) table_.adopt(300, kernel, 500);
  EXPECT_TRUE(table_.ends_before(301, 0, 1));
  EXPECT_FALSE(table_.ends_before(302, 1, 0));
  EXPECT_FALSE(table_.ends_before(303, 0, 2));
  EXPECT_EQ(activity("first_to_end").compares, 3U);
}

TEST_F(SlicingTableTest, AProductTooLargeForTheRegisterSaturates) {
  table_.launch(0, 0, 1, 1U << 20);
  table_.adopt(1, 0, 1U << 20);
  EXPECT_EQ(table_.remaining_cycles(0), 0xFFFFFFFFU);
  EXPECT_EQ(table_.predicted_cycles(0), 0xFFFFFFFFU);
}

// Table 1, with eight kernels, eight blocks per SM, 32-bit cycles and 26-bit block numbers.
TEST_F(SlicingTableTest, HoldsTheStateOfTheTable) {
  std::uint64_t bits = 0;
  for (const hw::Part* part : inventory_.parts()) bits += part->structure().paper_bits(part->paper_count());
  EXPECT_EQ(bits, 8U * (32 + 26 + 26 + 4 + 26 + 32 + 32 + 1) + 8 * 32);
}

TEST_F(SlicingTableTest, BlocksThatEndedOnAllSmsAreBesideThoseOfThisOne) {
  table_.launch(0, 1, 4, 30);
  table_.blocks_ended(10, 1, 17);
  EXPECT_EQ(table_.total_blocks_done(1), 17U);
  EXPECT_EQ(table_.total_blocks_done(0), 0U);
  EXPECT_EQ(table_.blocks_left(1), 30U);
  table_.launch(20, 1, 4, 30);
  EXPECT_EQ(table_.total_blocks_done(1), 0U);
}

// SRTF 4.2: "the prediction is only made once, at the beginning of the kernel".
TEST_F(SlicingTableTest, WithoutSlicesAKernelIsPredictedOnceByItsFirstBlockOnTheSm) {
  SlicingTable table({}, 8, 8, false);
  table.launch(0, 0, 1, 10);
  table.adopt(20, 0, 500);  // until then, what another SM has sampled
  EXPECT_EQ(table.predicted_cycles(0), 5000U);
  table.block_start(30, 0, TbSlot(0));
  EXPECT_TRUE(table.block_end(80, 0, TbSlot(0)));
  EXPECT_EQ(table.predicted_cycles(0), 50U + 9 * 50);
  table.reslice();
  table.block_start(81, 0, TbSlot(0));
  EXPECT_FALSE(table.block_end(381, 0, TbSlot(0)));
  EXPECT_EQ(table.tb_cycles(0), 50U);
  EXPECT_EQ(table.predicted_cycles(0), 50U + 9 * 50);
  EXPECT_EQ(table.remaining_cycles(0), 9U * 50);
  table.launch(400, 0, 1, 10);
  table.block_start(401, 0, TbSlot(0));
  EXPECT_TRUE(table.block_end(471, 0, TbSlot(0)));
  EXPECT_EQ(table.tb_cycles(0), 70U);
}

}  // namespace
}  // namespace heddle
