// What is proven of the schedulers' twins, at 8 warps; and that a wrong one is not.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "sc_tests/top/rtl/rtl_fixture.h"

namespace heddle {
namespace {

class Proofs : public RtlProgram {
 protected:
  void SetUp() override {
    if (!has_tool("yosys") || !has_tool("z3") || !has_tool("cadical"))
      GTEST_SKIP() << "yosys, z3 or cadical is not installed (make check installs them)";
    RtlProgram::SetUp();
  }
  void TearDown() override {
    ::unsetenv("PROOF_SOLVER");
    RtlProgram::TearDown();
  }
  int prove(const std::string& folder, const std::string& arguments) {
    const std::string command = "RTL=" + folder + " " + test::source_dir() + "/rtl/prove.sh" + " " +
                                arguments + " >" + (folder_ / "proof.txt").string() + " 2>&1";
    return std::system(command.c_str());
  }
};

// Nothing runs beside it, as it takes all processors.
TEST_F(Proofs, HoldAtEightEntries) {
  EXPECT_EQ(prove(sources(), "8"), 0) << read("proof.txt");
  const std::string proven = read("proof.txt");
  for (const char* const twin : {"lrr (Warps 8",
                                 "oldest (Warps 8",
                                 "gto (Warps 8",
                                 "two_level (Warps 8",
                                 "two_level_active (Warps 8",
                                 "least_issued (Warps 8",
                                 "swl (NumWarps 8",
                                 "pro (NumWarps 8",
                                 "pro_proof (NumWarps 8",
                                 "pro_choice (Warps 8",
                                 "ipaws_judge (NumWarps 8",
                                 "ipaws_phases (NumWarps 8",
                                 "oaws_static (NumWarps 8",
                                 "oaws_dynamic (NumWarps 8",
                                 "mascar (NumWarps 8",
                                 "ccws_tags (NumWarps 8",
                                 "ccws_scores (NumWarps 8",
                                 "ccws_cutoff (NumWarps 8",
                                 "ccws (NumWarps 8",
                                 "simple_slicing (Kernels 3",
                                 "warp_man (NumWarps 8",
                                 "in_place_sorter (Entries 8",
                                 "in_place_sorter_proof (Entries 8",
                                 "group_sorter (Entries 8",
                                 "group_sorter_proof (Entries 8",
                                 "fifo_queue (Entries 8",
                                 "table (Sets 1 Ways 8"})
    EXPECT_NE(proven.find(std::string("heddle_") + twin), std::string::npos) << twin;
}

TEST_F(Proofs, AreToldInTheirOrderHoweverManyRun) {
  ::setenv("PROOF_JOBS", "1", 1);
  EXPECT_EQ(prove(sources(), "4 'selector|prefix'"), 0);
  const std::string one_by_one = read("proof.txt");
  ::setenv("PROOF_JOBS", "3", 1);
  EXPECT_EQ(prove(sources(), "4 'selector|prefix'"), 0);
  EXPECT_EQ(read("proof.txt"), one_by_one);
  EXPECT_EQ(std::count(one_by_one.begin(), one_by_one.end(), '\n'), 5) << one_by_one;
  ::setenv("PROOF_JOBS", "none", 1);
  EXPECT_NE(prove(sources(), "4 prefix"), 0);
  EXPECT_NE(read("proof.txt").find("PROOF_JOBS: found none"), std::string::npos) << read("proof.txt");
  ::unsetenv("PROOF_JOBS");
}

TEST_F(Proofs, OfAnUnknownNameAreRefused) {
  EXPECT_NE(prove(sources(), "8 heddle_nobody"), 0);
  EXPECT_NE(read("proof.txt").find("no proof is of 'heddle_nobody'"), std::string::npos) << read("proof.txt");
}

// A row that can't be made has none of the row before it.
TEST_F(Proofs, OfNetlistsAreRefusedLikewise) {
  if (!fs::exists("/usr/share/qflow/tech/osu018/osu018_stdcells.lib"))
    GTEST_SKIP() << "qflow-tech-osu018 is not installed (make check installs it)";
  const auto equal = [this](const std::string& arguments) {
    return std::system((test::source_dir() + "/rtl/equivalence.sh " + arguments + " >" +
                        (folder_ / "proof.txt").string() + " 2>&1")
                           .c_str());
  };
  EXPECT_NE(equal("8 heddle_nobody"), 0);
  EXPECT_NE(read("proof.txt").find("no row is of 'heddle_nobody'"), std::string::npos) << read("proof.txt");
  EXPECT_NE(equal("1 'heddle_lrr|heddle_mascar .NumWarps 1 '"), 0);
  EXPECT_NE(read("proof.txt").find("heddle_mascar (NumWarps 1 NumSchedulers 2): no cells: not proven equal"),
            std::string::npos)
      << read("proof.txt");
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

TEST_F(Proofs, FailForAListThatShiftsOnePlace) {
  const std::string folder = mutated("parts/order/heddle_age_list.sv", "assign shifts[p] = |leaves[p:0];",
                                     "assign shifts[p] = leaves[p];");
  EXPECT_NE(prove(folder, "8 age_list"), 0);
  // Several properties are broken; which one the solver comes to first is its own affair.
  EXPECT_NE(read("proof.txt").find("Assert failed in top: "), std::string::npos) << read("proof.txt");
}

// Of one that is proven as gates.
TEST_F(Proofs, FailForASorterThatDoublesOne) {
  const std::string folder = mutated("parts/order/heddle_in_place_sorter.sv",
                                     "order_d[(p+1)*IdxWidth+:IdxWidth] = firsts[c*IdxWidth+:IdxWidth];",
                                     "order_d[(p+1)*IdxWidth+:IdxWidth] = seconds[c*IdxWidth+:IdxWidth];");
  ::setenv("PROOF_SOLVER", "z3", 1);
  EXPECT_NE(prove(folder, "4 'in_place_sorter .Entries 4'"), 0);
  EXPECT_NE(read("proof.txt").find("Assert failed in top: "), std::string::npos) << read("proof.txt");
}

// Numbers that fit into as many bits and are of no entry: none comes, and none that leaves is one.
TEST_F(Proofs, HoldOfASorterWithNumbersOfNoEntry) {
  EXPECT_EQ(prove(sources(), "3 in_place_sorter"), 0) << read("proof.txt");
  const std::string folder =
      mutated("parts/order/heddle_in_place_sorter.sv", "AppendIsInRange_M: assert (!Dynamic",
              "AppendIsInRange_M: assert (1'b1");
  ::setenv("PROOF_SOLVER", "z3", 1);
  EXPECT_NE(prove(folder, "3 'in_place_sorter '"), 0);
  EXPECT_NE(read("proof.txt").find("InRange_A"), std::string::npos) << read("proof.txt");
}

// With a turn too few.
TEST_F(Proofs, FailForSortsThatEndTooSoon) {
  const std::string in_place = mutated("parts/order/heddle_in_place_sorter.sv",
                                       "32'(phase) + 1 >= 32'(size) ||", "32'(phase) + 2 >= 32'(size) ||");
  const auto not_proven = [this] {
    std::istringstream lines(read("proof.txt"));
    std::string line;
    int found = 0;
    while (std::getline(lines, line)) found += line.find(": not proven in ") != std::string::npos ? 1 : 0;
    return found;
  };
  EXPECT_NE(prove(in_place, "5 in_place_sorter_proof"), 0);
  EXPECT_EQ(not_proven(), 2) << read("proof.txt");
  const std::string groups =
      mutated("parts/order/heddle_sort_control.sv", "32'(phase_q) + 1 >= 32'(size_i) ||",
              "32'(phase_q) + 2 >= 32'(size_i) ||");
  EXPECT_NE(prove(groups, "5 group_sorter_proof"), 0);
  EXPECT_EQ(not_proven(), 3) << read("proof.txt");
}

// A walk that ends before the scores reach the cutoff, and a sort that never does.
TEST_F(Proofs, FailForACutoffThatIsNotReachedAndForOneThatHoldsForEver) {
  const std::string cutoff = "schedulers/ccws/heddle_ccws_cutoff.sv";
  const std::string early =
      mutated(cutoff, "assign reached = !below;", "assign reached = !below || sum_q == 7;");
  EXPECT_NE(prove(early, "4 ccws_cutoff"), 0);
  EXPECT_NE(read("proof.txt").find("one of them fails"), std::string::npos) << read("proof.txt");
  ::setenv("PROOF_SOLVER", "z3", 1);
  const std::string stuck = mutated(cutoff, "Sort: if (!sorter_busy) phase_d = Walk;",
                                    "Sort: if (!sorter_busy && !keys_q[2]) phase_d = Walk;");
  EXPECT_NE(prove(stuck, "4 ccws_cutoff"), 0);
  EXPECT_NE(read("proof.txt").find("SortEndsInTime_A"), std::string::npos) << read("proof.txt");
}

// A count that goes wrong with the fourth warp of a TB that has finished.
TEST_F(Proofs, FailForACountThatEndsTooSoon) {
  const std::string folder =
      mutated("schedulers/pro/heddle_pro.sv", "finished_now = finished_now + CountWidth'(finishes[s]);",
              "finished_now = finished_now + CountWidth'(finishes[s] && finished != CountWidth'(3));");
  EXPECT_NE(prove(folder, "6 pro_proof"), 0);
  EXPECT_NE(read("proof.txt").find("one of them fails"), std::string::npos) << read("proof.txt");
}

class LargeProofs : public Proofs {};

TEST_F(LargeProofs, HoldAtMoreEntriesThanEight) {
  EXPECT_EQ(prove(sources(), "12 'heddle_swl|in_place_sorter.* .Entries 12.*Dynamic|table .Sets 1'"), 0)
      << read("proof.txt");
  const std::string proven = read("proof.txt");
  for (const char* const twin : {"swl (NumWarps 12", "in_place_sorter (Entries 12", "table (Sets 1 Ways 12"})
    EXPECT_NE(proven.find(std::string("heddle_") + twin), std::string::npos) << twin;
}

// What z3 finds wrong cadical does, too, also where it takes many cycles from the reset on.
TEST_F(LargeProofs, FailForWhatIsWrong) {
  ::setenv("PROOF_SOLVER", "cadical", 1);
  EXPECT_EQ(prove(sources(), "4 'age_list|heddle_lrr'"), 0) << read("proof.txt");
  const std::string list = mutated("parts/order/heddle_age_list.sv", "assign shifts[p] = |leaves[p:0];",
                                   "assign shifts[p] = leaves[p];");
  EXPECT_NE(prove(list, "4 age_list"), 0);
  EXPECT_NE(read("proof.txt").find("one of them fails; PROOF_SOLVER=z3 says which"), std::string::npos)
      << read("proof.txt");
  const std::string starves = mutated(
      "schedulers/heddle_lrr.sv",
      "start_d |= {IdxWidth{issue_i[n]}} & ((n + 1 < Warps) ? IdxWidth'(n + 1) : '0);", "start_d = '0;");
  EXPECT_NE(prove(starves, "4 heddle_lrr"), 0);
  EXPECT_NE(read("proof.txt").find("one of them fails"), std::string::npos) << read("proof.txt");
}

TEST_F(LargeProofs, AskASolverThatIsKnown) {
  ::setenv("PROOF_SOLVER", "yices", 1);
  EXPECT_NE(prove(sources(), "4 heddle_gto"), 0);
  EXPECT_NE(read("proof.txt").find("PROOF_SOLVER: found yices, expected z3 or cadical"), std::string::npos)
      << read("proof.txt");
}

TEST_F(Proofs, GiveUpWhenAsked) {
  ::setenv("PROOF_SECONDS", "1", 1);
  EXPECT_NE(prove(sources(), "24 age_list"), 0);
  ::unsetenv("PROOF_SECONDS");
  EXPECT_NE(read("proof.txt").find("given up"), std::string::npos) << read("proof.txt");
}

// A solver that never answers and tells who it is: with the proofs it is gone, too.
TEST_F(Proofs, TakeTheirSolversWithThemWhenTheyAreInterrupted) {
  std::ofstream(folder_ / "z3") << "#!/bin/sh\necho $$ >" << (folder_ / "solver").string()
                                << "\nexec sleep 600\n";
  std::ofstream(folder_ / "interrupt.sh")
      << "cd " << folder_.string() << " && chmod +x z3 && export PATH=$PWD:$PATH RTL=" << sources() << "\n"
      << test::source_dir() << "/rtl/prove.sh 4 heddle_lrr >proof.txt 2>&1 & proofs=$!\n"
      << "n=0; while ! [ -s solver ] && [ $n -lt 300 ]; do sleep 0.2; n=$((n + 1)); done\n"
      << "solver=$(cat solver) && kill -0 $solver || exit 2\n"
      << "kill $proofs; wait $proofs\n"
      << "n=0; while kill -0 $solver 2>/dev/null && [ $n -lt 50 ]; do sleep 0.2; n=$((n + 1)); done\n"
      << "kill $solver 2>/dev/null && exit 3\nexit 0\n";
  EXPECT_EQ(std::system(("sh " + (folder_ / "interrupt.sh").string()).c_str()), 0) << read("proof.txt");
}

}  // namespace
}  // namespace heddle
