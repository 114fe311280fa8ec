#include "top/rtl/golden_vectors.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TwinDesign design_of(unsigned warps) {
  TwinDesign design;
  design.scheduler = "lrr";
  design.inputs = {TwinInput::kReady, TwinInput::kIssue};
  design.outputs = {TwinOutput::kGrant, TwinOutput::kPassed};
  design.warps = warps;
  return design;
}

TEST(GoldenVectors, HaveALineOfTheirDigitsForEachCycle) {
  GoldenVectors vectors(design_of(10), 3, 100);
  const std::uint64_t in[] = {0x2ff, 0x001, 0xbad};  // what stands behind the inputs is not theirs
  const std::uint64_t out[] = {0x200, 0x004};
  vectors.add(17, in, out);
  const std::uint64_t idle[] = {0, 0, 0};
  vectors.add(1234567, idle, idle);
  EXPECT_EQ(vectors.text("heddle run x"),
            "# lrr, SM 3: heddle run x\n"
            "# cycle ready_i issue_i grant_o passed_o\n"
            "17 2ff 001 200 004\n"
            "1234567 000 000 000 000\n");
}

TEST(GoldenVectors, HaveAsManyDigitsAsWarpsNeed) {
  const std::uint64_t none[] = {0, 0};
  for (const auto& [warps, digits] : {std::pair{1U, 1U}, {4U, 1U}, {5U, 2U}, {64U, 16U}}) {
    GoldenVectors vectors(design_of(warps), 0, 1);
    vectors.add(0, none, none);
    const std::string zeros(digits, '0');
    EXPECT_NE(vectors.text("").find("0 " + zeros + " " + zeros + " " + zeros + " " + zeros + "\n"),
              std::string::npos)
        << warps;
  }
}

TEST(GoldenVectors, EndWithTheLastOneThatIsWanted) {
  GoldenVectors vectors(design_of(4), 0, 2);
  const std::uint64_t none[] = {0, 0};
  for (std::uint64_t cycle = 0; cycle < 5; ++cycle) vectors.add(cycle, none, none);
  EXPECT_EQ(vectors.lines(), 2U);
  EXPECT_EQ(vectors.text("").find("\n2 "), std::string::npos);
}

}  // namespace
}  // namespace heddle
