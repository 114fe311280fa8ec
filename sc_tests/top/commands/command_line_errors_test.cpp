// What the program says and leaves behind when something is wrong: exit codes, messages, partial results.
#include "sc_tests/support/paths.h"
#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

TEST_F(BuiltProgram, WrongUsageExitsWith2) {
  EXPECT_EQ(run({}).code, 2);
  EXPECT_EQ(run({"run"}).code, 2);
  EXPECT_EQ(run({"run", "vector_add", "--bogus"}).code, 2);
  const ProgramOutcome outcome =
      run({"run", "vector_add", "--param", "n=512", "--vcd-scope", "nothing", "--out", "out"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(
      outcome.err,
      "heddle run: --vcd-scope: no signal matches 'nothing'; names are such as 'sm0.scheduler0.ready'\n");
}

TEST_F(BuiltProgram, HelpAndVersionExitWith0) {
  EXPECT_EQ(run({"--help"}).code, 0);
  EXPECT_EQ(run({"run", "--help"}).code, 0);
  EXPECT_EQ(run({"--version"}).out.substr(0, 7), "heddle ");
}

TEST_F(BuiltProgram, BadInputExitsWith3AndOneMessage) {
  const auto expect = [this](const std::vector<std::string>& arguments, const std::string& message) {
    const ProgramOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 3) << outcome.out;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  expect({"run", "vectoradd"}, "did you mean 'vector_add'?");
  expect({"run", "vector_add", "--config", "gtx48"}, "did you mean 'gtx480'?");
  expect({"run", "vector_add", "--scheduler", "gtoo"}, "--set scheduler.name=gtoo: scheduler.name: ");
  expect({"run", "vector_add", "--set", "core.smss=4"}, "did you mean 'core.sms'?");
  expect({"run", "vector_add", "--set", "tb_dispatcher.policy=srft"},
         "fixed_residency, found 'srft'; did you mean 'srtf'?");
  expect({"run", "vector_add", "--set", "core.resources.management=warp_temporl"},
         "did you mean 'warp_temporal'?");
  expect({"run", "vector_add", "--set", "core.resources.contention=duelling"}, "did you mean 'dueling'?");
  expect({"cost", "--technology", "osu18"}, "did you mean 'osu018'?");
  expect({"run", "vector_add", "--param", "m=4"}, "has no parameter 'm'");
  expect({"run", "vector_add", "--size", "huge"}, "has no size 'huge'");
  expect({"run", "vector_add", "--set", "core.registers=64"}, "vector_add.yaml:");
  expect({"run", "vector_add", "--set", "core.registers=64"}, "no thread block fits on an SM");
  expect({"run", "vector_add", "--set", "interconnect.flit_bytes=16", "--set",
          "interconnect.input_buffer_flits=4"},
         "--set interconnect.input_buffer_flits=4: interconnect.input_buffer_flits: expected at least 12");
  const std::string config = write("gpu.yaml", "core:\n  sms: 0\n");
  expect({"run", "vector_add", "--config", config}, config + ":2:8: core.sms: expected a whole number");
}

TEST_F(BuiltProgram, NamesAreCheckedWhetherTheyAreUsedOrNot) {
  const auto expect = [this](const std::vector<std::string>& arguments, const std::string& message) {
    const ProgramOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 3) << outcome.out;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  };
  expect({"check", write("gpu.yaml", "scheduler: {ipaws: {greedy: nope}}\n")},
         "gpu.yaml:1:29: scheduler.ipaws.greedy: warp scheduler 'nope': 'nope' is unknown");
  expect({"config", "show", "--set", "scheduler.adapt_local.fair=gtoo"}, "did you mean 'gto'?");
  expect({"config", "show", "--set", "tb_dispatcher.policy=srft"}, "did you mean 'srtf'?");
  expect({"cost", "--set", "core.resources.contention=nope"},
         "core.resources.contention: expected one of none, dueling, threshold, found 'nope'");
}

TEST_F(BuiltProgram, FaultOfTheProgramExitsWith4AndKeepsResults) {
  write("oob.ptx",
        ".version 3.2\n.target sm_20\n.address_size 64\n"
        ".visible .entry oob(.param .u64 a)\n{\n  .reg .u64 %rd<3>;\n  .reg .f32 %f<2>;\n"
        "  ld.param.u64 %rd1, [a];\n  ld.global.f32 %f1, [%rd1+4096];\n  st.global.f32 [%rd1], %f1;\n  "
        "ret;\n}\n");
  const std::string workload = write("oob.yaml",
                                     "name: oob\ndescription: out of bounds\nptx: oob.ptx\n"
                                     "buffers:\n  a: {type: f32, count: 16, init: 0}\n"
                                     "launches:\n  - {kernel: oob, grid: 1, block: 32, args: [a]}\n");
  const ProgramOutcome outcome = run({"run", workload, "--out", "out", "--quiet"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("oob.ptx"), std::string::npos) << outcome.err;
  EXPECT_EQ(stats("out").at("status"), "partial");
  EXPECT_EQ(stats("out").at("end"), "fault");
}

TEST_F(BuiltProgram, DivergentBarrierExitsWith5AndNamesTheWarps) {
  // Warp 0 waits at barrier 0 for two warps, warp 1 at barrier 1.
  write("stuck.ptx",
        ".version 3.2\n.target sm_20\n.address_size 64\n"
        ".visible .entry stuck()\n{\n  .reg .pred %p<2>;\n  .reg .u32 %r<2>;\n"
        "  mov.u32 %r1, %tid.x;\n  setp.lt.u32 %p1, %r1, 32;\n  @%p1 bra FIRST;\n"
        "  bar.sync 1, 64;\n  ret;\nFIRST:\n  bar.sync 0, 64;\n  ret;\n}\n");
  const std::string workload = write("stuck.yaml",
                                     "name: stuck\ndescription: deadlock\nptx: stuck.ptx\nbuffers: {}\n"
                                     "launches:\n  - {kernel: stuck, grid: 1, block: 64, args: []}\n");
  const ProgramOutcome outcome = run({"run", workload, "--out", "out", "--quiet"});
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("deadlock: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("waits at barrier 0"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("waits at barrier 1"), std::string::npos) << outcome.err;
  EXPECT_EQ(stats("out").at("end"), "deadlock");
}

TEST_F(BuiltProgram, LaunchLatencyLongerThanTheWatchdogIsNoDeadlock) {
  const ProgramOutcome outcome = run({"run", "vector_add", "--param", "n=512", "--out", "out", "--quiet",
                                      "--set", "core.launch_latency_cycles=300000"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GT(stats("out").at("metrics").at("cycles"), 300000);
}

TEST_F(BuiltProgram, OutputThatCannotBeWrittenExitsWith6BeforeSimulating) {
  write("file", "x");
  const ProgramOutcome outcome = run({"run", "vector_add", "--size", "large", "--out", "file"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_EQ(outcome.err.find("heddle: file: "), 0U) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST_F(BuiltProgram, CycleLimitExitsWith7AtThatCycle) {
  const ProgramOutcome outcome = run({"run", "vector_add", "--max-cycles", "777", "--out", "out", "--quiet"});
  EXPECT_EQ(outcome.code, 7);
  EXPECT_EQ(outcome.err, "heddle: stopped at core cycle 777, the limit of --max-cycles\n");
  const auto json = stats("out");
  EXPECT_EQ(json.at("status"), "partial");
  EXPECT_EQ(json.at("metrics").at("cycles"), 777);
  EXPECT_EQ(json.at("launches").at(0).at("complete"), false);
}

TEST_F(BuiltProgram, AFileOfKernelsIsNoConfiguration) {
  const std::string kernels = write("k.cu", "__global__ void k() { int a[2] = {1, 2}; }\n");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", kernels},
                                                {"run", "vector_add", "--config", kernels, "--out", "out"}}) {
    const ProgramOutcome outcome = run(words);
    EXPECT_NE(outcome.code, 0);
    EXPECT_NE(outcome.err.find("k.cu: found a file of kernels, expected YAML"), std::string::npos)
        << outcome.err;
  }
}

TEST_F(BuiltProgram, FailedCheckExitsWith1) {
  const std::string ptx = test::source_dir() + "/workloads/kernels/vector_add/vector_add.ptx";
  const std::string workload =
      write("wrong.yaml",
            "name: wrong\ndescription: sum that can't be\nptx: " + ptx +
                "\nbuffers:\n  a: {type: f32, count: 64, init: 1}\n  b: {type: f32, count: 64, init: 2}\n"
                "  c: {type: f32, count: 64, init: 0}\n"
                "launches:\n  - {kernel: vector_add, grid: 1, block: 64, args: [a, b, c, {i32: 64}]}\n"
                "checks:\n  - {buffer: c, sum: 193}\n");
  const ProgramOutcome outcome = run({"run", workload, "--out", "out"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("\n- c: "), std::string::npos) << outcome.out;
  EXPECT_EQ(stats("out").at("status"), "complete");
}

TEST_F(BuiltProgram, OneUnsupportedKernelRefusesItsLaunchAlone) {
  const std::string ptx = write("two.ptx",
                                ".version 3.2\n.target sm_20\n.address_size 64\n"
                                ".visible .entry odd()\n{\n  frob;\n}\n"
                                ".visible .entry even()\n{\n  ret;\n}\n");
  const ProgramOutcome check = run({"check", ptx});
  EXPECT_EQ(check.code, 3);
  EXPECT_NE(check.out.find("  even  yes    1 instructions, "), std::string::npos) << check.out;
  EXPECT_NE(check.out.find("  odd   no     can't be launched: " + ptx + ":6:3: in 'frob': "),
            std::string::npos)
      << check.out;
  const auto launch = [this](const std::string& kernel) {
    return run({"run",
                write(kernel + ".yaml", "ptx: two.ptx\nbuffers: {}\nlaunches: [{kernel: " + kernel +
                                            ", grid: 1, block: 32, args: []}]\n"),
                "--out", "out", "--quiet"});
  };
  EXPECT_EQ(launch("even").code, 0);
  const ProgramOutcome odd = launch("odd");
  EXPECT_EQ(odd.code, 3);
  EXPECT_NE(odd.err.find("kernel 'odd' can't be launched: "), std::string::npos) << odd.err;
  EXPECT_NE(odd.err.find("two.ptx:6:3: in 'frob': "), std::string::npos) << odd.err;
}

TEST_F(BuiltProgram, CheckTellsFilesApartAndNamesTheFirstError) {
  const std::string source = test::source_dir();
  const ProgramOutcome good =
      run({"check", source + "/configs/gtx480.yaml", source + "/workloads/kernels/atax/atax.yaml",
           source + "/workloads/kernels/atax/atax.ptx", source + "/experiments/pro/figures.yaml", "--format",
           "json"});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.err, "");
  const auto rows = nlohmann::json::parse(good.out);
  ASSERT_EQ(rows.size(), 5U);
  const auto check_row = [&rows](std::size_t row, const char* kind, const char* name) {
    EXPECT_EQ(rows[row].at("kind"), kind);
    EXPECT_EQ(rows[row].at("name"), name);
    EXPECT_EQ(rows[row].at("valid"), true);
  };
  check_row(0, "configuration", "gtx480");
  check_row(1, "workload", "atax");
  check_row(2, "PTX kernel", "atax_rows");
  check_row(3, "PTX kernel", "atax_columns");
  check_row(4, "figures of a paper", "PRO");

  const std::string config = write("bad.yaml", "interconnect: {flit_bytes: 16, input_buffer_flits: 4}\n");
  const std::string ptx =
      write("bad.ptx", ".version 3.2\n.target sm_20\n.visible .entry k()\n{\n  frob;\n}\n");
  const ProgramOutcome bad = run({"check", config, ptx, "missing.yaml"});
  EXPECT_EQ(bad.code, 3);
  EXPECT_NE(
      bad.err.find("heddle: " + config + ":1:52: interconnect.input_buffer_flits: expected at least 12"),
      std::string::npos)
      << bad.err;
  EXPECT_NE(bad.err.find("heddle: " + ptx + ":5:"), std::string::npos) << bad.err;
  EXPECT_NE(bad.err.find("heddle: missing.yaml: there is no such file"), std::string::npos) << bad.err;
  const std::string figures = write("f.yaml", "paper: X\ntitle: T\nauthors: A\nconfig: c\nfigures: 7\n");
  EXPECT_EQ(run({"check", figures}).err,
            "heddle: " + figures + ":5:10: figures: expected a list, found a value\n");
}

TEST_F(BuiltProgram, AWorkloadOfAnotherKindIsToldAsThat) {
  write("bed.yaml", "kind: timed\nkernels:\n  - {name: a, tbs: 4, threads: 64, mean_cycles: 500}\n");
  const char* const expected =
      "heddle: bed.yaml:1:7: found a workload of kind timed, expected one that launches kernels of a PTX "
      "file "
      "and has no kind; `heddle pairs` takes one of kind timed, by itself\n";
  const std::vector<std::vector<std::string>> commands{
      {"pairs", "vector_add", "bed.yaml", "--policy", "fifo"}, {"run", "bed.yaml"}};
  for (const std::vector<std::string>& command : commands) {
    const ProgramOutcome outcome = run(command);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.err, expected);
  }
  const ProgramOutcome named = run({"pairs", "ercbench", "vector_add", "--policy", "fifo"});
  EXPECT_EQ(named.code, 3);
  EXPECT_EQ(
      named.err,
      "heddle: 'ercbench' is a workload of kind timed, which `heddle pairs` takes by itself; expected one "
      "that launches kernels\n");
}

TEST_F(BuiltProgram, NamesThatLeadElsewhereAreRefused) {
  const std::string ptx = test::source_dir() + "/workloads/kernels/vector_add/vector_add.ptx";
  const auto run_named = [&](const std::string& name) {
    write("w.yaml", "name: " + name + "\nptx: " + ptx + "\nbuffers: {}\nlaunches: []\n");
    return run({"run", "w.yaml"});
  };
  for (const char* const name :
       {"../../X", "/tmp/x", "..", ".hidden", "-x", R"("a\nb")", "a#2", "''", R"(a\b)"}) {
    const ProgramOutcome outcome = run_named(name);
    EXPECT_EQ(outcome.code, 3) << name;
    EXPECT_EQ(outcome.err.find("heddle: w.yaml:1:7: name: found '"), 0U) << outcome.err;
    EXPECT_FALSE(fs::exists(folder_ / "heddle-out")) << name;
  }
  EXPECT_EQ(run_named("x\xff").code, 3);
  EXPECT_EQ(run_named("Matrix 2 × 2").code, 0);
}

TEST_F(BuiltProgram, PathsNeedNotBeUtf8) {
  const std::string name = "\xff";
  fs::create_directories(folder_ / name);
  fs::copy(test::source_dir() + "/workloads/kernels/vector_add", folder_ / name);
  const std::string path = name + "/vector_add.yaml";
  EXPECT_EQ(run({"run", path, "--param", "n=64", "--out", "out"}).code, 0) << read("stderr.txt");
  EXPECT_NE(stats("out").at("command").get<std::string>().find("run \\xff/vector_add.yaml"),
            std::string::npos);
  fs::rename(folder_ / path, folder_ / name / "\xfe.yaml");
  const ProgramOutcome table = run({"compare", name + "/\xfe.yaml", "--scheduler", "gto,lrr", "--param",
                                    "n=64", "--format", "json", "--out", "c"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_EQ(nlohmann::json::parse(table.out)[0].at("workload"), "\\xfe");
}

}  // namespace
}  // namespace heddle
