// Waveforms of the built program.
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
  // 700 MHz: 1428571 fs a cycle.
  EXPECT_NE(vcd.find("= 142857100 timescale units"), std::string::npos) << vcd;
  EXPECT_NE(vcd.find("\n#155714239\n"), std::string::npos) << "cycle 109\n" << vcd;
  EXPECT_EQ(vcd.find("\n#158571381"), std::string::npos) << "cycle 111\n" << vcd;
  EXPECT_NE(vcd.find("$scope module scheduler0 $end"), std::string::npos);
  EXPECT_EQ(vcd.find("$scope module scheduler1 $end"), std::string::npos);
  EXPECT_NE(read("waves/waves.gtkw").find("-sm0.scheduler0\n"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder_ / "waves" / "waves-cause-0.txt"));
  // A run of fewer signals into the same folder leaves no names of values behind that it does not use.
  ASSERT_EQ(run({"run", "vector_add", "--param", "n=4096", "--quiet", "--out", "waves", "--vcd-window",
                 "100:110", "--vcd-scope", "sm0.scheduler0.ready"})
                .code,
            0);
  EXPECT_FALSE(fs::exists(folder_ / "waves" / "waves-cause-0.txt"));
}

TEST_F(BuiltProgram, WaveformsAreTheSameWithoutSleep) {
  std::vector<std::string> arguments{"run",          "atax",     "--param",     "n=64",  "--quiet",
                                     "--vcd-window", "100:3000", "--vcd-scope", "sm0.*", "--vcd-scope",
                                     "partition0.*", "--set",    "core.sms=2",  "--out", "waves"};
  const auto changes = [this] {
    const std::string vcd = read("waves/waves.vcd");
    const std::size_t end = vcd.find("$enddefinitions");
    return end == std::string::npos ? std::string() : vcd.substr(end);
  };
  ASSERT_EQ(run(arguments).code, 0);
  const std::string asleep = changes();
  arguments.emplace_back("--no-sleep");
  ASSERT_EQ(run(arguments).code, 0);
  EXPECT_GT(asleep.size(), 10000U);
  EXPECT_EQ(asleep == changes(), true);
}

/// The changes of the first `signals` signals in the text of a VCD, each with its time. Signals are named
/// aaaaa, aaaab, .. in their order; the first, core_cycle, is left out: it shows how often the file is
/// written.
std::string changes_of_first(const std::string& vcd, unsigned signals) {
  std::istringstream lines(vcd.substr(vcd.find("$enddefinitions")));
  std::string changes;
  std::string time;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '$') continue;
    if (line[0] == '#') {
      time = line;
      continue;
    }
    const std::string name = line.substr(line.size() - 5);
    unsigned number = 0;
    for (const char letter : name) number = number * 26 + static_cast<unsigned>(letter - 'a');
    if (number != 0 && number < signals) changes += time + ' ' + line + '\n';
  }
  return changes;
}

TEST_F(BuiltProgram, WaveformsOfAnSmDoNotDependOnWhatElseIsShown) {
  // Alone, its edges are handled without the SystemC kernel in between; beside signals of the DRAM's clock
  // not.
  const std::vector<std::string> alone{"run",      "atax",        "--param", "n=64",  "--quiet",
                                       "--set",    "core.sms=2",  "--out",   "waves", "--vcd-window",
                                       "100:3000", "--vcd-scope", "sm0.*"};
  std::vector<std::string> beside = alone;
  beside.insert(beside.end(), {"--vcd-scope", "partition0.dram.*"});
  ASSERT_EQ(run(alone).code, 0);
  const std::string vcd = read("waves/waves.vcd");
  unsigned signals = 0;
  for (std::size_t at = vcd.find("$var"); at != std::string::npos; at = vcd.find("$var", at + 1)) ++signals;
  const std::string changes = changes_of_first(vcd, signals);
  ASSERT_EQ(run(beside).code, 0);
  EXPECT_GT(changes.size(), 10000U);
  EXPECT_EQ(changes == changes_of_first(read("waves/waves.vcd"), signals), true);
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
    // The time of the last cycle, and a change at it. 700 MHz: 1428571 fs a cycle.
    const auto cycles = stats("out").at("metrics").at(0).at("value").get<std::uint64_t>();
    EXPECT_NE(vcd.find("\n#" + std::to_string(cycles * 1428571) + "\nb"), std::string::npos) << other;
  }
}

}  // namespace
}  // namespace heddle
