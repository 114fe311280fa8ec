#include "hw/logic/minimum_tree.h"

#include <gtest/gtest.h>

#include "hw/logic/comparator.h"
#include "sc_tests/hw/strict_hardware.h"

namespace heddle::hw {
namespace {

constexpr std::uint64_t kKeys[] = {7, 3, 9, 3, 1};

Structure structure_of(unsigned inputs, unsigned bits) {
  return MinimumTree(Owner{}, "t", {inputs, bits, 1}).structure();
}

TEST(MinimumTree, FindsTheLeastOfTheValidOnesAndOfEqualsTheLowestIndex) {
  MinimumTree tree(Owner{}, "t", {5, 8, 1});
  EXPECT_EQ(tree.least(0, 0b11111, kKeys), 4U);
  EXPECT_EQ(tree.least(0, 0b01111, kKeys), 1U);
  EXPECT_EQ(tree.least(0, 0b01101, kKeys), 3U);
  EXPECT_EQ(tree.least(0, 0b00101, kKeys), 0U);
  EXPECT_EQ(tree.activity().compares, 4U + 3 + 2 + 1);
  EXPECT_EQ(tree.least(0, 0, kKeys), kNoInput);
}

TEST(MinimumTree, ComparesInItsWidth) {
  const std::uint64_t keys[] = {2, 0x11};
  MinimumTree tree(Owner{}, "t", {2, 4, 1});
  EXPECT_EQ(tree.least(0, 0b11, keys), 1U);  // 4 wires: 1
}

TEST(MinimumTree, EachTreeBeginsOneSelectionInEveryCycle) {
  MinimumTree trees(strict_hardware(), "t", {24, 32, 2});
  EXPECT_GT(trees.cycles(), 1U);
  trees.least(10, 0b11111, kKeys);
  trees.least(10, 0b11111, kKeys);
  EXPECT_THROW(trees.least(10, 0b11111, kKeys), PortConflict);
  trees.least(11, 0b11111, kKeys);
}

TEST(MinimumTree, EveryNodeHasAComparatorAndAMultiplexer) {
  const Structure one = structure_of(2, 24);
  EXPECT_EQ(one.comparators, 1U);
  const Structure alone = Comparator(Owner{}, "c", {24, 1, 0, false}).structure();
  EXPECT_GT(one.area.total(), alone.area.total() + 24 * 2.0);  // a two-input cell per bit at least
  const Structure tree = structure_of(20, 24);
  EXPECT_EQ(tree.comparators, 19U);
  EXPECT_GT(tree.area.total(), 19 * one.area.total());  // indices grow towards the root
  EXPECT_EQ(structure_of(1, 24).area.total(), 0);
}

TEST(MinimumTree, LevelsFollowOneAnother) {
  const auto logic = [](unsigned inputs) {
    const Structure tree = structure_of(inputs, 24);
    double sum = 0;
    for (const TimingPath::Stage& stage : tree.path.stages()) sum += stage.fo4;
    return sum;
  };
  EXPECT_EQ(logic(1), 0);
  EXPECT_GT(logic(2), 0);
  EXPECT_DOUBLE_EQ(logic(4), 2 * logic(2));
  EXPECT_DOUBLE_EQ(logic(16), 4 * logic(2));
  EXPECT_DOUBLE_EQ(logic(17), 5 * logic(2));
  EXPECT_DOUBLE_EQ(logic(32), 5 * logic(2));
  EXPECT_DOUBLE_EQ(logic(33), 6 * logic(2));
}

TEST(MinimumTree, RefusesShapesOutsideTheirRanges) {
  EXPECT_THROW(MinimumTree(Owner{}, "t", {0, 8, 1}), std::invalid_argument);
  EXPECT_THROW(MinimumTree(Owner{}, "t", {65, 8, 1}), std::invalid_argument);
  EXPECT_THROW(MinimumTree(Owner{}, "t", {8, 0, 1}), std::invalid_argument);
  EXPECT_THROW(MinimumTree(Owner{}, "t", {8, 65, 1}), std::invalid_argument);
  EXPECT_THROW(MinimumTree(Owner{}, "t", {8, 8, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace heddle::hw
