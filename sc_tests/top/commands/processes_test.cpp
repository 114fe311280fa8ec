// Runs whose blocks tick in SystemC processes of their own: the same bytes as of called blocks.
#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

/// A run: workload, scheduler, further options.
struct ProcessesCase {
  const char* name;
  std::vector<std::string> arguments;
};
void PrintTo(const ProcessesCase& run, std::ostream* out) { *out << run.name; }

class Processes : public BuiltProgram, public ::testing::WithParamInterface<ProcessesCase> {};

TEST_P(Processes, SameBytesAsByCalls) {
  const auto results = [this](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", "--quiet", "--out", "out", "--max-cycles", "5000"};
    arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const int code = run(arguments).code;
    EXPECT_TRUE(code == 0 || code == 7) << code << read("stderr.txt");
    return read("out/stats.json") + read("out/cost.json") + read("out/thread_blocks.json") +
           read("out/predictions.csv");
  };
  const std::string by_calls = results({"--tb-log"});
  EXPECT_FALSE(by_calls.empty());
  for (const std::vector<std::string>& variant :
       {std::vector<std::string>{}, {"--no-sleep"}, {"--reverse-construction"}}) {
    std::vector<std::string> arguments{"--tb-log", "--processes"};
    arguments.insert(arguments.end(), variant.begin(), variant.end());
    EXPECT_EQ(results(arguments) == by_calls, true) << arguments.back();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, Processes,
    ::testing::Values(
        ProcessesCase{"vector_add", {"vector_add"}},
        ProcessesCase{"bfs", {"bfs", "--param", "nodes=4096", "--scheduler", "pro"}},
        ProcessesCase{"histogram", {"histogram", "--scheduler", "lrr"}},
        // Its units contend for the result bus.
        ProcessesCase{"result_bus", {"black_scholes", "--scheduler", "adapt_local"}},
        ProcessesCase{"ipaws", {"black_scholes", "--scheduler", "ipaws"}},
        ProcessesCase{"oaws", {"atax", "--scheduler", "oaws_dynamic+pro"}},
        ProcessesCase{"warp_resources",
                      {"scalar_product", "--set", "core.resources.management=warp_temporal_spatial"}},
        ProcessesCase{"own_clocks",
                      {"spmv", "--set", "clock.l2_mhz=500", "--set", "clock.interconnect_mhz=600",
                       "--scheduler", "ccws+gto"}},
        // Every other edge of the memory side is one of the core too.
        ProcessesCase{"coinciding_clocks",
                      {"kmeans", "--set", "clock.core_mhz=700", "--set", "clock.l2_mhz=350", "--set",
                       "clock.dram_mhz=1400", "--scheduler", "two_level"}},
        ProcessesCase{"streams",
                      {"vector_add", "scalar_product", "--scheduler", "gto", "--set",
                       "tb_dispatcher.policy=srtf_adaptive", "--set", "tb_dispatcher.mixed_sms=true"}},
        // Blocks wait all the time, so that kernels could be compared in every cycle.
        ProcessesCase{"waiting_streams",
                      {"scalar_product", "vector_add", "--param", "pairs=8", "--param", "length=256",
                       "--param", "n=8192", "--set", "core.sms=2", "--set", "core.tb_slots=1", "--set",
                       "tb_dispatcher.policy=srtf"}}),
    [](const auto& test) { return std::string(test.param.name); });

class ProcessesOf : public BuiltProgram {
 protected:
  /// The signals' definitions and changes of waves.vcd, without its date.
  std::string waves(const std::string& folder) const {
    const std::string vcd = read(folder + "/waves.vcd");
    const std::size_t begin = vcd.find("$timescale");
    return begin == std::string::npos ? "" : vcd.substr(begin);
  }
};

TEST_F(ProcessesOf, WaveformsAreTheSame) {
  // Signals of SMs alone, for which called blocks run ahead of the kernel, and beside signals of another
  // clock.
  for (const std::string& beside : {"sm1.*", "partition0.*"}) {
    const std::vector<std::string> arguments{
        "run",   "atax",        "--param", "n=64",  "--quiet",    "--vcd-window", "100:3000", "--vcd-scope",
        "sm0.*", "--vcd-scope", beside,    "--set", "core.sms=2", "--out",        "waves"};
    ASSERT_EQ(run(arguments).code, 0);
    const std::string by_calls = waves("waves");
    auto by_processes = arguments;
    by_processes.emplace_back("--processes");
    ASSERT_EQ(run(by_processes).code, 0);
    EXPECT_GT(by_calls.size(), 10000U);
    EXPECT_EQ(by_calls == waves("waves"), true) << beside;
  }
}

TEST_F(ProcessesOf, AFaultLeavesTheSameResultsAndWaves) {
  write(
      "oob.ptx",
      ".version 3.2\n.target sm_20\n.address_size 64\n"
      ".visible .entry oob(.param .u64 a)\n{\n  .reg .u64 %rd<4>;\n  .reg .u32 %r<6>;\n  .reg .pred %p<2>;\n"
      "  ld.param.u64 %rd1, [a];\n  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, 0;\n"
      "again:\n  add.u32 %r2, %r2, 1;\n  st.global.u32 [%rd1], %r2;\n  setp.lt.u32 %p1, %r2, 30;\n"
      "  @%p1 bra again;\n"
      "  setp.eq.u32 %p1, %r1, 70;\n  @%p1 add.u64 %rd1, %rd1, 1048576;\n"
      "  ld.global.u32 %r3, [%rd1];\n  ret;\n}\n");
  const std::string workload = write("oob.yaml",
                                     "name: oob\ndescription: out of bounds\nptx: oob.ptx\n"
                                     "buffers:\n  a: {type: u32, count: 64, init: 0}\n"
                                     "launches:\n  - {kernel: oob, grid: 120, block: 256, args: [a]}\n");
  std::string by_calls;
  for (const bool processes : {false, true}) {
    std::vector<std::string> arguments{"run", workload, "--quiet", "--out", "out", "--vcd-scope", "sm*"};
    if (processes) arguments.emplace_back("--processes");
    const ProgramOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_EQ(stats("out").at("status"), "partial");
    const std::string text = outcome.err + read("out/stats.json") + read("out/cost.json") + waves("out");
    if (by_calls.empty()) by_calls = text;
    EXPECT_EQ(text == by_calls, true) << outcome.err;
  }
}

TEST_F(ProcessesOf, AsManyActivationsAsTicksWithoutSleepAndFewerWithIt) {
  const auto ticks = [this](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", "vector_add",   "--quiet", "--out",
                                       "out", "--max-cycles", "3000"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    run(arguments);
    return nlohmann::json::parse(read("out/speed.json")).at("block_ticks").get<std::uint64_t>();
  };
  const std::uint64_t awake = ticks({"--processes", "--no-sleep"});
  EXPECT_EQ(awake, ticks({"--no-sleep"}));
  EXPECT_LT(ticks({"--processes"}), awake / 2);
}

TEST_F(ProcessesOf, TheSummaryAndSpeedJsonSayHowBlocksTicked) {
  for (const bool processes : {false, true}) {
    std::vector<std::string> arguments{"run", "vector_add", "--param", "n=512", "--out", "out"};
    if (processes) arguments.emplace_back("--processes");
    const ProgramOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.out.find(" s, each block in a SystemC process of its own: ") != std::string::npos,
              processes);
    EXPECT_EQ(nlohmann::json::parse(read("out/speed.json")).at("processes"), processes);
  }
}

TEST_F(ProcessesOf, ThreadsAreRefusedByOneMessage) {
  const ProgramOutcome outcome = run({"run", "vector_add", "--processes", "--threads", "2"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(
      outcome.err,
      "heddle run: --processes has the SystemC kernel tick each block, on one thread: expected --threads 1 "
      "with it\n");
  EXPECT_EQ(run({"run", "vector_add", "--param", "n=512", "--processes", "--threads", "1", "--quiet"}).code,
            0);
}

}  // namespace
}  // namespace heddle
