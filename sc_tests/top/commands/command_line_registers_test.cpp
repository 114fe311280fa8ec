// Who counts the registers of a thread, and what happens when there are too many.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

constexpr const char* kPtx =
    ".version 3.2\n.target sm_20\n.address_size 64\n"
    ".visible .entry first(.param .u64 p)\n{\n  ret;\n}\n"
    ".visible .entry second(.param .u64 p)\n{\n  ret;\n}\n";

class Registers : public BuiltProgram {
 protected:
  void SetUp() override {
    BuiltProgram::SetUp();
    write("two.ptx", kPtx);
    const std::string launch = ", grid: 1, block: 32, args: [b]";
    workload_ =
        write("two.yaml", "ptx: two.ptx\nbuffers: {b: {type: u32, count: 1}}\nlaunches:\n- {kernel: first" +
                              launch + "}\n- {kernel: second" + launch + ", registers: 24}\n");
    path_ = std::getenv("PATH");
    setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    BuiltProgram::TearDown();
  }

  /// A `ptxas` that is found before any other.
  void install(const std::string& script) {
    const std::string file = write("ptxas", "#!/bin/sh\n" + script);
    ASSERT_EQ(chmod(file.c_str(), 0755), 0);
  }

  ProgramOutcome run_two(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"run", workload_, "--out", "out", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  unsigned registers_of(std::size_t launch) const {
    return stats("out").at("launches").at(launch).at("metrics").at("registers_per_thread");
  }

  std::string workload_;
  std::string path_;
};

constexpr const char* kFakePtxas =
    "if [ \"$1\" = --version ]; then echo 'release 9.0'; exit; fi\n"
    "echo \"$@\" > arguments.txt\n"
    "cat >&2 <<END\n"
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'second' for 'sm_35'\n"
    "ptxas info    : Function properties for second\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 40 registers, 328 bytes cmem[0]\n"
    "ptxas info    : Compiling entry function 'first' for 'sm_35'\n"
    "ptxas info    : Function properties for first\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 36 registers, 328 bytes cmem[0]\n"
    "END\n";

TEST_F(Registers, ComeFromPtxasOnRequestUnlessTheWorkloadGivesThem) {
  install(kFakePtxas);
  ASSERT_EQ(run_two().code, 0);
  EXPECT_LT(registers_of(0), 36U);
  EXPECT_EQ(registers_of(1), 24U);
  const ProgramOutcome asked = run_two({"--registers", "ptxas:sm_35"});
  ASSERT_EQ(asked.code, 0) << asked.err;
  EXPECT_EQ(registers_of(0), 36U);
  EXPECT_EQ(registers_of(1), 24U);
  EXPECT_EQ(read("arguments.txt"),
            "-v -o /dev/null --gpu-name sm_35 " + (folder_ / "two.ptx").string() + "\n");
  EXPECT_NE(stats("out").dump().find("--registers ptxas:sm_35"), std::string::npos);
}

// Another ptxas counts otherwise: what is in the database is not what is asked for.
TEST_F(Registers, OfAnotherPtxasAreAnotherPoint) {
  const auto sweep = [this](const char* registers) {
    return run({"sweep", workload_, "--set", "core.sms=1,2", "--registers", registers, "--db", "r.sqlite",
                "--quiet"});
  };
  const auto points = [this] {
    const std::string lines = run({"results", "list", "--db", "r.sqlite", "--format", "csv"}).out;
    return std::count(lines.begin(), lines.end(), '\n') - 1;
  };
  install(kFakePtxas);
  ASSERT_EQ(sweep("ptxas").code, 0);
  ASSERT_EQ(sweep("ptxas").code, 0);
  EXPECT_EQ(points(), 2);
  std::string other = kFakePtxas;
  other.replace(other.find("9.0"), 3, "9.1");
  install(other);
  ASSERT_EQ(sweep("ptxas").code, 0);
  EXPECT_EQ(points(), 4);
}

TEST_F(Registers, OfPtxasReachEveryRunOfASweep) {
  install(kFakePtxas);
  const ProgramOutcome swept = run({"sweep", workload_, "--set", "core.sms=1,2", "--registers", "ptxas",
                                    "--metric", "cycles", "--out", "sweep", "--format", "csv"});
  ASSERT_EQ(swept.code, 0) << swept.err;
  const std::string all = read("sweep/01-core.sms=1/stats.json");
  EXPECT_NE(all.find("--registers ptxas"), std::string::npos) << swept.out;
}

TEST_F(Registers, OfPtxasHaveRunTimesAloneOfTheirOwn) {
  install(kFakePtxas);
  const auto kept_after = [this](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"pairs", workload_, "--policy", "fifo",   "--cache",
                                       "cache", "--out",   "pairs",    "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return std::distance(fs::directory_iterator(folder_ / "cache"), fs::directory_iterator());
  };
  EXPECT_EQ(kept_after({}), 1);
  EXPECT_EQ(kept_after({"--registers", "ptxas"}), 2);
  EXPECT_EQ(kept_after({"--registers", "ptxas"}), 2);
}

TEST_F(Registers, OfPtxasNeedAPtxasThatWorks) {
  EXPECT_EQ(run_two({"--registers", "nvcc"}).code, 2);
  install("echo 'ptxas fatal   : Unresolved extern function' >&2\nexit 255\n");
  const ProgramOutcome failed = run_two({"--registers", "ptxas"});
  EXPECT_EQ(failed.code, 3);
  EXPECT_NE(failed.err.find("ptxas fatal   : Unresolved extern function"), std::string::npos) << failed.err;
  setenv("PATH", "/nonexistent", 1);
  const ProgramOutcome missing = run_two({"--registers", "ptxas"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_NE(missing.err.find("ptxas can't be started"), std::string::npos) << missing.err;
}

TEST_F(Registers, BeyondTheMachinesLimitAreRefusedWhenTheWorkloadGivesThem) {
  const ProgramOutcome refused = run_two({"--set", "core.max_registers_per_thread=23"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find(
                "kernel 'second': 24 registers per thread, but a thread of this machine has at most 23"),
            std::string::npos)
      << refused.err;
  EXPECT_EQ(run_two({"--set", "core.max_registers_per_thread=24"}).code, 0);
}

/// Thirty loaded words are there at once, and their sums are right all the same.
TEST_F(Registers, BeyondTheMachinesLimitAreSpilledWhenHeddleCountsThem) {
  std::string ptx =
      ".version 3.2\n.target sm_20\n.address_size 64\n"
      ".visible .entry sum(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<40>;\n.reg .b64 %rd<8>;\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, "
      "4;\n"
      "add.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n";
  for (int i = 2; i < 32; ++i) ptx += fmt::format("ld.global.u32 %r{}, [%rd4+{}];\n", i, 4 * i);
  for (int i = 3; i < 32; ++i) ptx += fmt::format("add.u32 %r2, %r2, %r{};\n", i);
  write("sum.ptx", ptx + "st.global.u32 [%rd5], %r2;\nret;\n}\n");
  const std::string workload = write(
      "sum.yaml",
      "ptx: sum.ptx\nbuffers:\n  in: {type: u32, count: 64, init: 3}\n  out: {type: u32, count: 32}\n"
      "launches: [{kernel: sum, grid: 1, block: 32, args: [in, out]}]\nchecks: [{buffer: out, sum: 2880}]\n");
  const auto run_with = [&](const std::string& limit) {
    return run({"run", workload, "--set", "core.max_registers_per_thread=" + limit, "--out", "spilled"});
  };
  const char* const kSpills = "bytes per thread in local memory for want of registers";
  const ProgramOutcome spilled = run_with("16");
  ASSERT_EQ(spilled.code, 0) << spilled.out << spilled.err;
  EXPECT_NE(spilled.out.find(kSpills), std::string::npos) << spilled.out;
  const ProgramOutcome plain = run_with("63");
  ASSERT_EQ(plain.code, 0) << plain.out << plain.err;
  EXPECT_EQ(plain.out.find(kSpills), std::string::npos) << plain.out;
}

}  // namespace
}  // namespace heddle
