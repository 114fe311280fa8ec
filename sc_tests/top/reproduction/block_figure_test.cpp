#include "top/reproduction/points/block_figure.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

const nlohmann::json kInstances = {
    {"sm.l1d",
     {{"block", {"sm0.l1d", "sm1.l1d", "sm12.l1d"}}, {"hits", {1, 20, 300}}, {"peak_mshrs", {4, 9, 7}}}},
    {"sm.ipaws.age",
     {{"block", {"sm0.ipaws.age1", "sm0.ipaws.age12", "sm1.ipaws.age1", "sm1.ipaws.age12"}},
      {"issued", {1, 20, 300, nullptr}}}},
};

TEST(BlockFigure, APartWithoutANumberMeansAllBlocks) {
  EXPECT_EQ(block_figure(kInstances, "sm.l1d.hits"), 321);
  EXPECT_EQ(block_figure(kInstances, "sm.ipaws.age1.issued"), 301);
  EXPECT_EQ(block_figure(kInstances, "sm0.ipaws.age.issued"), 21);
}

TEST(BlockFigure, ANumberMeansThatBlockAlone) {
  EXPECT_EQ(block_figure(kInstances, "sm1.l1d.hits"), 20);  // not sm12's
  EXPECT_EQ(block_figure(kInstances, "sm0.ipaws.age12.issued"), 20);
}

TEST(BlockFigure, OfWhatIsNoCountItIsTheLargest) {
  EXPECT_EQ(block_figure(kInstances, "sm.l1d.peak_mshrs"), 9);
}

TEST(BlockFigure, WhatNoBlockHasIsNothing) {
  EXPECT_EQ(block_figure(kInstances, "sm3.l1d.hits"), std::nullopt);
  EXPECT_EQ(block_figure(kInstances, "sm1.ipaws.age12.issued"), std::nullopt);  // null
  EXPECT_EQ(block_figure(kInstances, "sm.l1d.misses"), std::nullopt);
  EXPECT_EQ(block_figure(kInstances, "sm.l1.hits"), std::nullopt);  // "l1" is not "l1d"
  EXPECT_EQ(block_figure(kInstances, "sm.hits"), std::nullopt);
  EXPECT_EQ(block_figure(kInstances, "sm.l1d.block"), std::nullopt);
  EXPECT_EQ(block_figure(nlohmann::json::object(), "sm.l1d.hits"), std::nullopt);
}

}  // namespace
}  // namespace heddle
