#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "sc_tests/hw/pricing/synthesised_blocks.h"
#include "sc_tests/support/paths.h"

namespace heddle::hw {
namespace {

constexpr double kTolerance = 0.25;

std::string page(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(heddle::test::source_dir() + "/docs/" + name).rdbuf();
  return text.str();
}

std::string known(double figure) { return figure == 0 ? "-" : fmt::format("{:.0f}", figure); }

std::string deviation(double model, double synthesised) {
  return synthesised == 0 ? "-" : fmt::format("{:+.0f}%", 100 * (model / synthesised - 1));
}

std::string row_of(const test::SynthesisedBlock& block) {
  const double nand2 = block.model.totals.area_per_sm.total();
  const double fo4 = block.model_fo4();
  return fmt::format("| {} | {} | {} | {:.0f} | {:.0f} | {} | {} | {:.0f} | {} |\n", block.name,
                     known(block.flip_flops), block.model.totals.bits_per_sm, block.nand2, nand2,
                     deviation(nand2, block.nand2), known(block.fo4), fo4, deviation(fo4, block.fo4));
}

std::string row_of(const test::SynthesisedPart& part) {
  const Structure model = part.model->structure();
  const double nand2 = model.area.total();
  return fmt::format("| {} | {:.0f} | {:.0f} | {:.2f} | {} | {:.0f} |\n", part.name, part.nand2, nand2,
                     nand2 / part.nand2, known(part.fo4), model.path.fo4());
}

TEST(Accuracy, BlocksAreWithin25PercentOfSynthesis) {
  for (const test::SynthesisedBlock& block : test::synthesised_blocks()) {
    const auto bits = static_cast<double>(block.model.totals.bits_per_sm);
    EXPECT_NEAR(block.model.totals.area_per_sm.total(), block.nand2, kTolerance * block.nand2) << block.name;
    if (block.fo4 > 0) {
      EXPECT_NEAR(block.model_fo4(), block.fo4, kTolerance * block.fo4) << block.name;
    }
    if (block.flip_flops > 0) {
      EXPECT_EQ(bits, block.flip_flops) << block.name;
    }
  }
}

TEST(Accuracy, PartsAreWithin25PercentOfSynthesis) {
  for (const test::SynthesisedPart& part : test::synthesised_parts()) {
    const Structure model = part.model->structure();
    EXPECT_NEAR(model.area.total(), part.nand2, kTolerance * part.nand2) << part.name;
    if (part.fo4 > 0) {
      EXPECT_NEAR(model.path.fo4(), part.fo4, kTolerance * part.fo4) << part.name;
    }
  }
}

// What fails here is the row that the page has to have.
TEST(Accuracy, ThePagesGiveTheFiguresOfTheModel) {
  const std::string blocks = page("hardware-parts.md");
  for (const test::SynthesisedBlock& block : test::synthesised_blocks()) {
    EXPECT_NE(blocks.find(row_of(block)), std::string::npos) << row_of(block);
  }
  const std::string parts = page("hardware-cost.md");
  for (const test::SynthesisedPart& part : test::synthesised_parts()) {
    EXPECT_NE(parts.find(row_of(part)), std::string::npos) << row_of(part);
  }
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
