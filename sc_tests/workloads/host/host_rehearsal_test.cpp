// What a run would come to between kernels, found without running one.
#include <gmock/gmock.h>

#include "sc_tests/workloads/host/program_folder.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

constexpr const char* kEmptyKernel = R"(.version 3.2
.target sm_20
.address_size 64
.visible .entry put(.param .u64 to, .param .u32 value)
{
  ret;
}
)";

class HostRehearsal : public test::ProgramFolder {
 protected:
  HostRehearsal() { write("k.ptx", kEmptyKernel); }

  /// What it says of a program whose launches begin in line 6; "" when nothing is wrong.
  std::string told(const std::string& launches) {
    HostProgram program(
        workload("ptx: k.ptx\nbuffers:\n  a: {type: u32, count: 8, init: {formula: i}}\n"
                 "  b: {type: u32, count: 4}\nlaunches:\n" +
                 launches));
    try {
      program.rehearse();
    } catch (const WorkloadError& error) {
      return error.what();
    }
    return "";
  }
  static std::string launch(const std::string& grid, const std::string& value) {
    return "{kernel: put, grid: \"" + grid + "\", block: 1, args: [a, \"" + value + "\"]}";
  }
  static std::string rounds(const std::string& count, const std::string& statement) {
    return "- repeat: {count: \"" + count + "\", as: k, launches: [" + statement + "]}\n";
  }
};

TEST_F(HostRehearsal, AnArgumentThatFitsUntilTheThirdRound) {
  EXPECT_EQ(told(rounds("2", launch("1", "2000000000 * k"))), "");
  EXPECT_EQ(told(rounds("3", launch("1", "2000000000 * k"))), "");
  EXPECT_THAT(told(rounds("4", launch("1", "2000000000 * k"))), HasSubstr("w.yaml:6:"));
  EXPECT_THAT(told(rounds("4", launch("1", "2000000000 * k"))), HasSubstr("6000000000"));
}

TEST_F(HostRehearsal, AnExtentThatIsNoneInTheLastRound) {
  EXPECT_EQ(told(rounds("3", launch("3 - k", "0"))), "");
  EXPECT_THAT(told(rounds("4", launch("3 - k", "0"))), HasSubstr("w.yaml:6:"));
}

TEST_F(HostRehearsal, WritesOfTheHost) {
  EXPECT_EQ(told(rounds("4", "{set: {buffer: b, index: k, value: 1}}")), "");
  EXPECT_THAT(told(rounds("5", "{set: {buffer: b, index: k, value: 1}}")), HasSubstr("expected 0..3"));
  EXPECT_EQ(told(rounds("5", "{fill: {buffer: b, first: k, value: 1}}")), "");
  EXPECT_THAT(told(rounds("6", "{fill: {buffer: b, first: k, value: 1}}")), HasSubstr("expected 0..4"));
  EXPECT_EQ(told(rounds("5", "{copy: {from: a, to: b, count: k}}")), "");
  EXPECT_THAT(told(rounds("6", "{copy: {from: a, to: b, count: k}}")),
              HasSubstr("5 elements of 'a' to 'b', expected at most 4"));
  EXPECT_THAT(told("- swap: [a, b]\n"), HasSubstr("expected as many"));
}

TEST_F(HostRehearsal, WhatDependsOnAnElementIsLeftOut) {
  EXPECT_EQ(told("- " + launch("a[0]", "0") + "\n"), "") << "0 blocks as long as no kernel has written it";
  EXPECT_EQ(told("- " + launch("1", "5000000000 * a[1]") + "\n"), "");
  EXPECT_EQ(told("- set: {buffer: b, index: \"a[7]\", value: 1}\n"), "");
  EXPECT_EQ(told(rounds("a[1]", launch("0", "0"))), "");
  EXPECT_THAT(told(rounds("a[1]", launch("0", "0")) + "- " + launch("0", "0") + "\n"), HasSubstr("w.yaml:7:"))
      << "and what comes behind it is not";
}

TEST_F(HostRehearsal, ALoopThatKernelsEndHasOneRound) {
  const auto loop = [](const std::string& statement, const std::string& at_most) {
    return "- while: {buffer: a, index: 0, less: 1, as: k, at_most: " + at_most + ", launches: [" +
           statement + "]}\n";
  };
  EXPECT_EQ(told(loop(launch("1 - k", "0"), "9")), "");
  EXPECT_THAT(told(loop(launch("k", "0"), "9")), HasSubstr("w.yaml:6:"));
  EXPECT_THAT(told(loop(launch("1", "0"), "0")), HasSubstr("at_most"));
}

TEST_F(HostRehearsal, EveryStreamIsLookedAt) {
  HostProgram program(
      workload("ptx: k.ptx\nbuffers:\n  a: {type: u32, count: 8}\nstreams:\n- name: one\n  launches:\n"
               "  - {kernel: put, grid: 1, block: 1, args: [a, 0]}\n- name: two\n  launches:\n"
               "  - {kernel: put, grid: 1, block: 1, arrival_cycles: -1, args: [a, 0]}\n"));
  try {
    program.rehearse();
    FAIL() << "the second one has no such arrival";
  } catch (const WorkloadError& error) {
    EXPECT_THAT(error.what(), HasSubstr("arrival_cycles"));
  }
}

TEST_F(HostRehearsal, EndsWhereARunWouldNot) {
  EXPECT_EQ(told(rounds("4000000000", "{set: {buffer: b, index: 0, value: 1}}")), "");
}

}  // namespace
}  // namespace heddle
