#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "sc_tests/hw/parts/synthesised_blocks.h"

namespace heddle::hw {
namespace {

std::string deviation(double model, double synthesised) {
  return synthesised == 0 ? "-" : fmt::format("{:+.0f}%", 100 * (model / synthesised - 1));
}

// Prints the accuracy table of docs/hardware-parts.md.
TEST(Accuracy, ModelIsWithin30PercentOfSynthesis) {
  std::string table =
      "| block | flip-flops: synthesis | model | NAND2-eq: synthesis | model | off by | FO4: synthesis | "
      "model | "
      "off by |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  const auto known = [](double figure) {
    return figure == 0 ? std::string("-") : fmt::format("{:.0f}", figure);
  };
  for (const test::SynthesisedBlock& block : test::synthesised_blocks()) {
    const auto bits = static_cast<double>(block.model.totals.bits_per_sm);
    const double nand2 = block.model.totals.area_per_sm.total();
    const double fo4 = block.model_fo4();
    table += fmt::format("| {} | {} | {:.0f} | {:.0f} | {:.0f} | {} | {} | {:.0f} | {} |\n", block.name,
                         known(block.flip_flops), bits, block.nand2, nand2, deviation(nand2, block.nand2),
                         known(block.fo4), fo4, deviation(fo4, block.fo4));
    EXPECT_NEAR(nand2, block.nand2, 0.3 * block.nand2) << block.name;
    if (block.fo4 > 0) {
      EXPECT_NEAR(fo4, block.fo4, 0.3 * block.fo4) << block.name;
    }
    if (block.flip_flops > 0) {
      EXPECT_EQ(bits, block.flip_flops) << block.name;
    }
  }
  std::fputs(table.c_str(), stdout);
}

TEST(Accuracy, ReadMultiplexer) {
  EXPECT_NEAR(gates::mux(24, 32), 1980, 0.05 * 1980);
  EXPECT_NEAR(gates::mux_fo4(24, 32), 22, 0.05 * 22);
}

// hardware-cost.md, "What follows": of the PRO-like block of 24 warps x 32 bits, flip-flops are 24% of the
// area, the comparator about 1%, read multiplexers about 40%, priority select about 13%.
TEST(Accuracy, SharesOfTheProLikeBlock) {
  const test::SynthesisedBlock block = test::BlockBuilder().pro(24, 32, 901, 14758, 70);
  const Area& area = block.model.totals.area_per_sm;
  EXPECT_NEAR(area.storage / area.total(), 0.24, 0.03);
  EXPECT_NEAR(area.comparators / area.total(), 0.01, 0.01);
  EXPECT_NEAR(area.read_muxes / area.total(), 0.42, 0.05);
  EXPECT_NEAR(area.selection / area.total(), 0.13, 0.02);
}

}  // namespace
}  // namespace heddle::hw
