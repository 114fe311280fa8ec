#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "hw/logic/request_groups.h"
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
  const double sized = block.model_sized_fo4();
  return fmt::format("| {} | {} | {} | {:.0f} | {:.0f} | {} | {} | {:.0f} | {} | {} | {:.0f} | {} |\n",
                     block.name, known(block.flip_flops), block.model.totals.bits_per_sm, block.nand2, nand2,
                     deviation(nand2, block.nand2), known(block.fo4), fo4, deviation(fo4, block.fo4),
                     known(block.sized_fo4), sized, deviation(sized, block.sized_fo4));
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
    if (block.sized_fo4 > 0) {
      EXPECT_NEAR(block.model_sized_fo4(), block.sized_fo4, kTolerance * block.sized_fo4) << block.name;
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
  EXPECT_NEAR(gates::mux_fo4(24, 32).unsized, 22, 0.05 * 22);
}

// Depths of sized netlists of heddle_multiplexer, heddle_adder, heddle_minimum_tree and heddle_request_groups
// (rtl/synthesis/synthesise.sh), with 4 FO4 of a flip-flop.
TEST(Accuracy, DepthsAreWithin20PercentOfSizedNetlists) {
  const auto near = [](const std::string& what, const TimingPath& path, double netlist) {
    EXPECT_NEAR(path.sized_fo4(), netlist, 0.2 * netlist) << what;
  };
  struct Mux {
    unsigned inputs, width;
    double fo4;
  };
  for (const Mux& mux : {Mux{2, 1, 5.2},
                         {2, 16, 7.8},
                         {2, 64, 9.3},
                         {4, 1, 6.4},
                         {4, 32, 10.7},
                         {8, 6, 11.5},
                         {8, 64, 12.6},
                         {16, 1, 9.8},
                         {16, 16, 13.1},
                         {16, 64, 13.6},
                         {24, 1, 10.7},
                         {24, 16, 13.7}}) {
    near(fmt::format("multiplexer of {} x {}", mux.inputs, mux.width),
         TimingPath().through("mux", gates::mux_fo4(mux.inputs, mux.width)), mux.fo4);
  }
  struct Add {
    unsigned width, amount;
    double fo4;
  };
  for (const Add& add : {Add{8, 8, 13.7},
                         {16, 16, 21.5},
                         {32, 32, 38.5},
                         {48, 48, 49.8},
                         {16, 1, 18.2},
                         {32, 1, 32.8},
                         {32, 16, 34.0},
                         {22, 16, 25.2}}) {
    near(fmt::format("adder of {} and {}", add.width, add.amount),
         TimingPath().through("add", gates::adder_fo4(add.width, add.amount)), add.fo4);
  }
  struct Tree {
    unsigned inputs, width;
    double fo4;
  };
  for (const Tree& tree : {Tree{4, 32, 33.4}, {8, 32, 47.8}, {24, 32, 77.4}, {16, 6, 39.2}}) {
    const MinimumTree model(Owner(), "p", MinimumTreeShape{tree.inputs, tree.width});
    near(fmt::format("minimum tree of {} x {}", tree.inputs, tree.width), model.structure().path, tree.fo4);
  }
  for (const auto& [inputs, fo4] : {std::pair{8U, 6.8}, {16U, 7.6}, {24U, 7.9}, {48U, 8.3}}) {
    const RequestGroups model(Owner(), "p", {8, inputs, false});
    near(fmt::format("request groups of {}", inputs), model.structure().path, fo4);
  }
}

// hardware-cost.md, "What follows": of the PRO-like block of 24 warps x 32 bits, flip-flops are 24% of the
// area, the comparator about 1%, read multiplexers about 40%, priority select about 13%.
TEST(Accuracy, SharesOfTheProLikeBlock) {
  const test::SynthesisedBlock block = test::BlockBuilder().pro(24, 32, 901, 14758, 70, 50);
  const Area& area = block.model.totals.area_per_sm;
  EXPECT_NEAR(area.storage / area.total(), 0.24, 0.03);
  EXPECT_NEAR(area.comparators / area.total(), 0.01, 0.01);
  EXPECT_NEAR(area.read_muxes / area.total(), 0.42, 0.05);
  EXPECT_NEAR(area.selection / area.total(), 0.13, 0.02);
}

}  // namespace
}  // namespace heddle::hw
