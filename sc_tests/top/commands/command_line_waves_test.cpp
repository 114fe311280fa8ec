// Waveforms of the built program.
#include "sc_tests/support/vcd_reader.h"
#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

TEST_F(BuiltProgram, WaveformsCoverTheWindowAndDoNotChangeResults) {
  ASSERT_EQ(run({"run", "vector_add", "--param", "n=4096", "--quiet", "--out", "plain"}).code, 0);
  ASSERT_EQ(run({"run", "vector_add", "--param", "n=4096", "--quiet", "--out", "waves", "--vcd-window",
                 "100:110", "--vcd-scope", "sm0.scheduler0.*"})
                .code,
            0);
  EXPECT_EQ(read("plain/stats.json") == read("waves/stats.json"), true);
  const std::string vcd = read("waves/waves.vcd");
  // 700 MHz: 1428571 fs a cycle. Time is in thousandths of one.
  EXPECT_NE(vcd.find("one core cycle, of 1428571 fs"), std::string::npos) << vcd;
  EXPECT_NE(vcd.find("\n#100000\n$dumpvars\n1!\n"), std::string::npos) << vcd;
  EXPECT_NE(vcd.find("\n#109000\n1!\n"), std::string::npos) << vcd;
  EXPECT_EQ(vcd.substr(vcd.size() - 9), "\n#110000\n") << vcd;
  EXPECT_NE(vcd.find("$scope module scheduler0 $end"), std::string::npos);
  EXPECT_EQ(vcd.find("$scope module scheduler1 $end"), std::string::npos);
  EXPECT_NE(read("waves/waves.gtkw").find("-sm0.scheduler0\n"), std::string::npos);
}

TEST_F(BuiltProgram, WaveformsOfAWindowAfterTheRunAreNotThereAndThatIsSaid) {
  const std::vector<std::string> words{"run", "vector_add", "--param", "n=64", "--quiet", "--out", "o"};
  const ProgramOutcome plain = run(words);
  const std::string cycles = std::to_string(
      nlohmann::json::parse(read("o/stats.json")).at("metrics").at("cycles").get<std::uint64_t>());
  const auto of_window = [&](const std::string& window) {
    std::vector<std::string> with = words;
    with.insert(with.end(), {"--vcd-window", window});
    return run(with);
  };
  const ProgramOutcome after = of_window("1000000:");
  EXPECT_EQ(after.code, 0);
  EXPECT_EQ(after.err, "heddle: no waves: the run ended at core cycle " + cycles +
                           ", before the window's first one (1000000)\n");
  EXPECT_FALSE(fs::exists(folder_ / "o/waves.vcd"));
  EXPECT_EQ(of_window("10:1000000").err, plain.err);
  EXPECT_TRUE(fs::exists(folder_ / "o/waves.vcd"));
}

TEST_F(BuiltProgram, WaveformsAsFstNeedAConverterBeforeAnythingIsSimulated) {
  const std::vector<std::string> arguments{"run",     "vector_add", "--param", "n=64",
                                           "--quiet", "--out",      "waves",   "--fst"};
  const std::string before = std::getenv("PATH");
  setenv("PATH", folder_.c_str(), 1);
  const ProgramOutcome without = run(arguments);
  // The fewest blocks that a whole file has.
  const std::string blocks = R"(\003\0\0\0\0\0\0\0\010\004\0\0\0\0\0\0\0\010)";
  write("vcd2fst", "#!/bin/sh\nprintf '" + blocks + "' > \"$2\"\n");
  fs::permissions(folder_ / "vcd2fst", fs::perms::owner_all);
  const ProgramOutcome with = run(arguments);
  const std::string fst = read("waves/waves.fst");
  const std::string gtkw = read("waves/waves.gtkw");
  const bool vcd = fs::exists(folder_ / "waves" / "waves.vcd");
  write("vcd2fst", "#!/bin/sh\nprintf '" + blocks.substr(0, blocks.size() - 4) + "' > \"$2\"\n");
  const ProgramOutcome cut_off = run(arguments);
  setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(without.code, 2);
  EXPECT_NE(without.err.find("vcd2fst is not on the PATH; it comes with GTKWave (Debian package gtkwave)"),
            std::string::npos)
      << without.err;
  ASSERT_EQ(with.code, 0) << with.err;
  EXPECT_EQ(fst.size(), 18U);
  EXPECT_FALSE(vcd);
  EXPECT_NE(gtkw.find("/waves.fst\"\n"), std::string::npos);
  EXPECT_EQ(cut_off.code, 6);
  EXPECT_NE(cut_off.err.find("waves.fst: can't write: "), std::string::npos) << cut_off.err;
  EXPECT_FALSE(fs::exists(folder_ / "waves/waves.fst"));
  EXPECT_FALSE(fs::exists(folder_ / "waves/stats.json"));
}

/// Without sleep every signal is looked at after every edge; otherwise only those of blocks that ticked.
TEST_F(BuiltProgram, WaveformsAreTheSameWithoutSleepAndByProcesses) {
  const std::vector<std::vector<std::string>> runs{
      {"atax", "--param", "n=64"},
      {"bfs", "--param", "nodes=512", "--scheduler", "mascar"},
      {"histogram", "--param", "words=4096", "--param", "blocks=5"},
      {"kmeans", "--scheduler", "ipaws"},
      {"long_warp", "--config", "warpman", "--set", "core.resources.management=warp_temporal_spatial"},
      {"vector_add", "scalar_product", "--set", "tb_dispatcher.policy=srtf_adaptive", "--set",
       "tb_dispatcher.mixed_sms=true"}};
  for (const std::vector<std::string>& words : runs) {
    std::vector<std::string> arguments{"run"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    for (const char* word : {"--quiet", "--vcd-window", "100:4000", "--set", "core.sms=2", "--max-cycles",
                             "4100", "--vcd-scope", "sm*", "--vcd-scope", "tb_dispatcher.*", "--vcd-scope",
                             "interconnect.*", "--vcd-scope", "partition?.slice*", "--out", "waves"}) {
      arguments.emplace_back(word);
    }
    const auto changes = [&] {
      const int code = run(arguments).code;
      EXPECT_TRUE(code == 0 || code == 7) << code;
      const std::string vcd = read("waves/waves.vcd");
      const std::size_t end = vcd.find("$enddefinitions");
      return end == std::string::npos ? std::string() : vcd.substr(end);
    };
    const std::string asleep = changes();
    EXPECT_GT(asleep.size(), 10000U) << words.front();
    for (const char* way : {"--no-sleep", "--processes"}) {
      arguments.emplace_back(way);
      EXPECT_EQ(asleep == changes(), true) << words.front() << way;
      arguments.pop_back();
    }
  }
}

TEST_F(BuiltProgram, WaveformsBeginWithAnSmOnWhichNothingIs) {
  ASSERT_EQ(run({"run", "vector_add", "--param", "n=256", "--quiet", "--set", "core.sms=2", "--vcd-window",
                 "0:1", "--out", "waves"})
                .code,
            0);
  test::VcdReader waves(read("waves/waves.vcd"));
  ASSERT_TRUE(waves.next());
  EXPECT_EQ(waves.cycle(), 0U);
  for (const std::string sm : {"sm0.", "sm1."}) {
    for (const std::string scheduler : {"scheduler0.", "scheduler1."}) {
      EXPECT_EQ(waves.name(waves.find(sm + scheduler + "cause")), "idle_no_warp");
      EXPECT_EQ(waves.value(waves.find(sm + scheduler + "open_units")), 7U);
    }
    EXPECT_EQ(waves.value(waves.find(sm + "free_registers")), 32768U);
    EXPECT_EQ(waves.value(waves.find(sm + "free_warp_slots")), 48U);
    EXPECT_EQ(waves.value(waves.find(sm + "free_shared_bytes")), 49152U);
  }
}

/// The changes of one signal, "sm0 resident", each with its time.
std::vector<std::string> changes_of(const std::string& vcd, const std::string& scope,
                                    const std::string& name) {
  const std::size_t declared = vcd.find(" " + name + " ", vcd.find("$scope module " + scope + " "));
  const std::size_t code_at = vcd.rfind(' ', declared - 1) + 1;
  const std::string code = " " + vcd.substr(code_at, declared - code_at);
  std::istringstream lines(vcd.substr(vcd.find("$enddefinitions")));
  std::vector<std::string> changes;
  std::string time;
  for (std::string line; std::getline(lines, line);) {
    if (line[0] == '#') time = line;
    const bool ours = line.size() > code.size() && line.substr(line.size() - code.size()) == code;
    if (ours) changes.push_back(time + " " + line.substr(0, line.size() - code.size()));
  }
  return changes;
}

TEST_F(BuiltProgram, WaveformsOfAnSmDoNotDependOnWhatElseIsShown) {
  const std::vector<std::string> alone{"run",      "atax",        "--param", "n=64",  "--quiet",
                                       "--set",    "core.sms=2",  "--out",   "waves", "--vcd-window",
                                       "100:3000", "--vcd-scope", "sm0.*"};
  std::vector<std::string> beside = alone;
  beside.insert(beside.end(), {"--vcd-scope", "partition0.dram.*"});
  ASSERT_EQ(run(alone).code, 0);
  const std::string vcd = read("waves/waves.vcd");
  EXPECT_NE(vcd.find(" core $end"), std::string::npos);
  EXPECT_EQ(vcd.find(" dram $end"), std::string::npos) << "the clocks of what is shown";
  ASSERT_EQ(run(beside).code, 0);
  const std::string more = read("waves/waves.vcd");
  EXPECT_NE(more.find(" dram $end"), std::string::npos);
  for (const char* name : {"ibuffer_valid", "scoreboard_blocked", "next_ldst"}) {
    const std::vector<std::string> changes = changes_of(vcd, "sm0", name);
    EXPECT_GT(changes.size(), 1U) << name;
    EXPECT_EQ(changes, changes_of(more, "sm0", name)) << name;
  }
}

TEST_F(BuiltProgram, WaveformsShowTheEdgeAtWhichAFaultStopsTheRun) {
  write("oob.ptx",
        ".version 3.2\n.target sm_20\n.address_size 64\n"
        ".visible .entry oob(.param .u64 a)\n{\n  .reg .u64 %rd<3>;\n  .reg .f32 %f<2>;\n"
        "  ld.param.u64 %rd1, [a];\n  ld.global.f32 %f1, [%rd1+4096];\n  ret;\n}\n");
  const std::string workload = write("oob.yaml",
                                     "name: oob\ndescription: out of bounds\nptx: oob.ptx\n"
                                     "buffers:\n  a: {type: f32, count: 16, init: 0}\n"
                                     "launches:\n  - {kernel: oob, grid: 1, block: 32, args: [a]}\n");
  for (const std::string& other : {std::string("sm0.*"), std::string("partition0.*")}) {
    ASSERT_EQ(run({"run", workload, "--out", "out", "--quiet", "--vcd", "--vcd-scope", "sm0.*", "--vcd-scope",
                   other})
                  .code,
              4);
    const std::string vcd = read("out/waves.vcd");
    // The last cycle, and a change at it.
    const auto cycles = stats("out").at("metrics").at("cycles").get<std::uint64_t>();
    EXPECT_NE(vcd.find("\n#" + std::to_string(cycles) + "000\n1!\nb"), std::string::npos) << other;
  }
}

}  // namespace
}  // namespace heddle
