// What is proven of the schedulers' twins, at 8 warps; and that a wrong one is not.
#include "sc_tests/top/rtl/rtl_fixture.h"

namespace heddle {
namespace {

class Proofs : public RtlProgram {
 protected:
  void SetUp() override {
    if (!has_tool("yosys") || !has_tool("z3"))
      GTEST_SKIP() << "yosys or z3 is not installed (make check installs them)";
    RtlProgram::SetUp();
  }
  int prove(const std::string& folder, const std::string& arguments) {
    const std::string command = "RTL=" + folder + " " + test::source_dir() + "/rtl/prove.sh" + " " +
                                arguments + " >" + (folder_ / "proof.txt").string() + " 2>&1";
    return std::system(command.c_str());
  }
};

TEST_F(Proofs, HoldAtEightWarps) {
  EXPECT_EQ(prove(sources(), "8 'lrr|oldest|gto|two_level|least_issued|swl'"), 0) << read("proof.txt");
  for (const char* const twin : {"lrr", "oldest", "gto", "two_level", "two_level_active", "least_issued"})
    EXPECT_NE(read("proof.txt").find(std::string("heddle_") + twin + " (Warps 8"), std::string::npos) << twin;
  EXPECT_NE(read("proof.txt").find("heddle_swl (NumWarps 8"), std::string::npos);
}

TEST_F(Proofs, HoldForIpaws) {
  EXPECT_EQ(prove(sources(), "8 ipaws"), 0) << read("proof.txt");
  for (const char* const block : {"judge (NumWarps 8", "phases (NumWarps 8"})
    EXPECT_NE(read("proof.txt").find(std::string("heddle_ipaws_") + block), std::string::npos) << block;
}

TEST_F(Proofs, HoldForTheChoiceOfPro) {
  EXPECT_EQ(prove(sources(), "4 pro_choice"), 0) << read("proof.txt");
  EXPECT_NE(read("proof.txt").find("heddle_pro_choice"), std::string::npos);
}

TEST_F(Proofs, HoldForOaws) {
  EXPECT_EQ(prove(sources(), "8 oaws"), 0) << read("proof.txt");
  EXPECT_NE(read("proof.txt").find("heddle_oaws_static (NumWarps 8"), std::string::npos);
}

TEST_F(Proofs, HoldForMascar) {
  EXPECT_EQ(prove(sources(), "8 mascar"), 0) << read("proof.txt");
  EXPECT_NE(read("proof.txt").find("heddle_mascar (NumWarps 8"), std::string::npos);
}

TEST_F(Proofs, HoldForCcws) {
  EXPECT_EQ(prove(sources(), "8 ccws"), 0) << read("proof.txt");
  for (const char* const block : {"tags (NumWarps 8", "scores (NumWarps 8", "cutoff (NumWarps 4"})
    EXPECT_NE(read("proof.txt").find(std::string("heddle_ccws_") + block), std::string::npos) << block;
}

TEST_F(Proofs, HoldForThePredictor) {
  EXPECT_EQ(prove(sources(), "4 'simple_slicing|ratio_unit'"), 0) << read("proof.txt");
  EXPECT_NE(read("proof.txt").find("heddle_simple_slicing (Kernels 3"), std::string::npos);
}

TEST_F(Proofs, HoldForTheWorkloadBuffer) {
  EXPECT_EQ(prove(sources(), "8 warp_man"), 0) << read("proof.txt");
  EXPECT_NE(read("proof.txt").find("heddle_warp_man (NumWarps 8"), std::string::npos);
}

TEST_F(Proofs, FailForASchedulerThatStarves) {
  const std::string folder = mutated(
      "schedulers/heddle_lrr.sv",
      "start_d |= {IdxWidth{issue_i[n]}} & ((n + 1 < Warps) ? IdxWidth'(n + 1) : '0);", "start_d = '0;");
  EXPECT_NE(prove(folder, "8 heddle_lrr"), 0);
  EXPECT_NE(read("proof.txt").find("NoStarvation_A"), std::string::npos) << read("proof.txt");
}

TEST_F(Proofs, FailForASelectionThatLeavesOneOut) {
  const std::string folder =
      mutated("parts/order/heddle_age_select.sv", "assign oldest_o = among_i & ~behind_o;",
              "assign oldest_o = among_i & ~behind_o & ~(Entries'(1) << 3);");
  EXPECT_NE(prove(folder, "8 age_select"), 0);
  const std::string proof = read("proof.txt");
  EXPECT_NE(proof.find("OldestIfAny_A"), std::string::npos) << proof;
  EXPECT_NE(proof.find("BestIsSelected_A"), std::string::npos) << proof;
}

TEST_F(Proofs, GiveUpWhenAsked) {
  ::setenv("PROOF_SECONDS", "1", 1);
  EXPECT_NE(prove(sources(), "24 age_list"), 0);
  ::unsetenv("PROOF_SECONDS");
  EXPECT_NE(read("proof.txt").find("given up"), std::string::npos) << read("proof.txt");
}

}  // namespace
}  // namespace heddle
