// Runs without timing of programs that deadlock, wait for each other or never end, and where a put-off fault
// lies.
#include "sc_tests/support/paths.h"
#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

class FunctionalProgram : public BuiltProgram {
 protected:
  /// A workload of a kernel k(a) with the body, whose first line is line 6 of the PTX file.
  std::string workload(const std::string& body, const std::string& launch, const std::string& checks = "") {
    write("k.ptx",
          ".version 6.0\n.target sm_70\n.address_size 64\n"
          ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
          ".visible .entry k(.param .u64 a) { .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n" +
              body + "ret;\n}\n");
    return write("k.yaml", "ptx: k.ptx\nbuffers:\n  a: {type: u32, count: 16}\nlaunches:\n  - {kernel: k, " +
                               launch + ", args: [a]}\n" + checks);
  }

  /// Block 0 waits for block 1.
  std::string waiting(const std::string& launch) {
    return workload(
        "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %ctaid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra SET;\n"
        "WAIT: ld.volatile.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra WAIT;\n"
        "st.global.u32 [%rd1+4], %r2;\nret;\nSET: st.global.u32 [%rd1], %r1;\n",
        launch, "checks: [{buffer: a, sum: 2}]\n");
  }
};

TEST_F(FunctionalProgram, ADeadlockExitsWith5WithAndWithoutTiming) {
  const std::string path =
      workload("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bar.sync 1;\n@!%p1 bar.sync 2;\n",
               "grid: 1, block: 64");
  const ProgramOutcome functional = run({"run", path, "--functional"});
  EXPECT_EQ(functional.code, 5) << functional.err;
  EXPECT_NE(functional.err.find("deadlocked at barriers"), std::string::npos) << functional.err;
  EXPECT_EQ(run({"run", path, "--set", "core.sms=1", "--quiet"}).code, 5);
}

TEST_F(FunctionalProgram, ABlockThatWaitsForALaterOneEndsAsWithTiming) {
  const std::string path = waiting("grid: 2, block: 32");
  const ProgramOutcome functional = run({"run", path, "--functional"});
  EXPECT_EQ(functional.code, 0) << functional.out << functional.err;
  EXPECT_EQ(run({"run", path, "--set", "core.sms=1", "--quiet"}).code, 0);
}

TEST_F(FunctionalProgram, ARunWithoutEndStopsAtItsLimitWith7) {
  const std::string path = waiting("grid: 1, block: 32");
  const ProgramOutcome functional = run({"run", path, "--functional", "--max-cycles", "50000"});
  EXPECT_EQ(functional.code, 7) << functional.out << functional.err;
  EXPECT_NE(functional.err.find("stopped after 50000 warp instructions (--max-cycles)"), std::string::npos)
      << functional.err;
  EXPECT_EQ(run({"run", path, "--set", "core.sms=1", "--quiet", "--max-cycles", "50000"}).code, 7);
}

TEST_F(FunctionalProgram, APrintfFaultNamesItsOwnInstructionWithAndWithoutTiming) {
  const std::string path = workload(
      "mov.u64 %rd2, 64;\n{ .param .b64 p; st.param.b64 [p], %rd2; .param .b64 q; st.param.b64 [q], %rd2;\n"
      ".param .b32 r; call.uni (r), vprintf, (p, q); }\nmov.u32 %r1, 7;\n",
      "grid: 1, block: 1");
  for (const char* const mode : {"--functional", "--quiet"}) {
    const ProgramOutcome outcome = run({"run", path, mode, "--set", "core.sms=1"});
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_NE((outcome.err + outcome.out).find("k.ptx:8: kernel 'k': 'call.uni (r), vprintf, (p, q)'"),
              std::string::npos)
        << mode << outcome.err << outcome.out;
  }
}

TEST_F(FunctionalProgram, WhatKernelsPrintIsNotAmongResultsForPrograms) {
  const std::string path = workload(
      "{ .local .b32 f[2]; .reg .b64 %f; mov.u64 %f, f; cvta.local.u64 %f, %f; mov.u32 %r1, 0x0a216948;\n"
      "st.u32 [%f], %r1; mov.u32 %r1, 0; st.u32 [%f+4], %r1; mov.u64 %rd2, 0;\n"
      ".param .b64 p; st.param.b64 [p], %f; .param .b64 q; st.param.b64 [q], %rd2;\n"
      ".param .b32 r; call.uni (r), vprintf, (p, q); }\n",
      "grid: 1, block: 1");
  for (const char* const mode : {"--functional", "--max-cycles=100000"}) {
    const ProgramOutcome json = run({"run", path, mode, "--set", "core.sms=1", "--format", "json"});
    EXPECT_EQ(json.code, 0) << json.err;
    EXPECT_TRUE(nlohmann::json::accept(json.out)) << json.out;
    EXPECT_NE(json.err.find("Hi!\n"), std::string::npos) << json.err;
    const ProgramOutcome text = run({"run", path, mode, "--set", "core.sms=1"});
    EXPECT_NE(text.out.find("Hi!\n"), std::string::npos) << text.out;
  }
}

TEST_F(FunctionalProgram, WhatOutputsAreHeldAgainstIsLookedForBeforeTheRun) {
  const std::string path = workload("", "grid: 1, block: 1", "checks: [{buffer: a, file: e.bin}]\n");
  const auto refused = [&](const std::vector<std::string>& words, const std::string& problem) {
    const ProgramOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.err,
              "heddle: " + path + ":6:10: the file '" + (folder_ / "e.bin").string() + "'" + problem + "\n");
  };
  for (const std::string problem :
       {": can't be read: No such file or directory", " has 3 bytes, expected 64"}) {
    refused({"check", path}, problem);
    refused({"run", path, "--set", "core.sms=1", "--out", "o"}, problem);
    refused({"compare", path, "--set", "core.sms=1", "--scheduler", "gto,lrr", "--out", "c", "--quiet"},
            problem);
    EXPECT_FALSE(fs::exists(folder_ / "o")) << "nothing was simulated";
    write("e.bin", "abc");
  }
  write("e.bin", std::string(64, '\0'));
  EXPECT_EQ(run({"check", path}).code, 0);
  EXPECT_EQ(run({"run", path, "--set", "core.sms=1", "--quiet"}).code, 0);
}

TEST_F(FunctionalProgram, ARunWhoseOutputsCanNotBeCheckedKeepsItsResults) {
  const std::string path =
      workload("", "grid: 1, block: 1", "checks: [{buffer: a, reference: vector_add}]\n");
  const ProgramOutcome outcome = run({"run", path, "--set", "core.sms=1", "--quiet", "--out", "o"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err,
            "heddle: " + path +
                ":6:10: reference 'vector_add': the reference reads buffer 'a' as f32, but it is "
                "u32\n");
  EXPECT_EQ(stats("o").at("status"), "partial");
}

TEST_F(FunctionalProgram, CheckLooksAtLaunchesThatAreKnown) {
  const std::string known = workload("", "grid: 1, block: 2560");
  EXPECT_EQ(run({"check", known}).err, "heddle: " + known + ":5:33: block x is 2560, expected 1..1024\n");
  const std::string by_data = workload("", "grid: \"7 / a[0]\", block: \"2560 * a[1]\"");
  EXPECT_EQ(run({"check", by_data}).code, 0) << "what a kernel may have written";
}

TEST_F(FunctionalProgram, BuffersAreDumpedWithAndWithoutTiming) {
  const std::string path =
      workload("ld.param.u64 %rd1, [a];\nmov.u32 %r1, 7;\nst.global.u32 [%rd1+8], %r1;\n",
               "grid: 1, block: 1", "dump: [{buffer: a, first: 2, count: 1}]\n");
  fs::create_directories(folder_ / "timed");
  write("timed/buffer-old.bin", "of an earlier run");
  for (const char* const mode : {"--functional", "--no-sleep"}) {
    const ProgramOutcome part = run({"run", path, mode, "--set", "core.sms=1", "--out", "timed"});
    EXPECT_EQ(part.code, 0) << part.err;
    EXPECT_EQ(read("timed/buffer-a.bin"), std::string("\x07\0\0\0", 4));
    EXPECT_FALSE(fs::exists(folder_ / "timed/buffer-old.bin"));
    EXPECT_EQ(run({"run", path, mode, "--set", "core.sms=1", "--out", "timed", "--dump", "a"}).code, 0);
    EXPECT_EQ(read("timed/buffer-a.bin").size(), 64U);
  }
  const ProgramOutcome timed = run({"run", path, "--set", "core.sms=1", "--out", "timed"});
  EXPECT_NE(timed.out.find("run.json, buffer-a.bin"), std::string::npos) << timed.out;
  const ProgramOutcome unknown = run({"run", path, "--functional", "--dump", "b"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_EQ(unknown.err, "heddle: unknown buffer 'b' (buffers: a)\n");
}

TEST_F(FunctionalProgram, BuffersOfSeveralWorkloadsAreDumpedByBothNames) {
  const std::string path = workload("", "grid: 1, block: 1");
  const ProgramOutcome outcome = run({"run", path, path, "--functional", "--dump", "k#2.a", "--out", "both"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read("both/buffer-k-2.a.bin"), std::string(64, '\0'));
  const ProgramOutcome unknown = run({"run", path, path, "--functional", "--dump", "a"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_EQ(unknown.err, "heddle: unknown buffer 'a', expected WORKLOAD.BUFFER of one of k+k#2\n");
}

}  // namespace
}  // namespace heddle
