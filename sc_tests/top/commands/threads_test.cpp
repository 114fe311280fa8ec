// Runs on several threads: the same bytes as on one.
#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

/// A run: workload, scheduler, further options.
struct ThreadsCase {
  const char* name;
  std::vector<std::string> arguments;
};
void PrintTo(const ThreadsCase& run, std::ostream* out) { *out << run.name; }

class Threads : public BuiltProgram, public ::testing::WithParamInterface<ThreadsCase> {};

TEST_P(Threads, SameBytesOnOneTwoAndThree) {
  const auto results = [this](std::vector<std::string> more) {
    std::vector<std::string> arguments{"run", "--quiet", "--out", "out", "--max-cycles", "12000"};
    arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const int code = run(arguments).code;
    EXPECT_TRUE(code == 0 || code == 7) << code << read("stderr.txt");
    std::string all;
    for (const char* file : {"stats.json", "cost.json", "thread_blocks.json", "predictions.csv"}) {
      const bool is_there = fs::exists(folder_ / "out" / file);
      all += std::string(file) + (is_there ? read(std::string("out/") + file) : "");
    }
    return all;
  };
  const std::string one = results({});
  EXPECT_FALSE(one.empty());
  for (const std::vector<std::string>& variant : {std::vector<std::string>{"--threads", "2"},
                                                  {"--threads", "3", "--no-sleep", "--oversubscribe"},
                                                  {"--threads", "2", "--reverse-construction"},
                                                  {"--threads", "2", "--vcd-scope=sm1.l1d.*"}}) {
    EXPECT_EQ(results(variant) == one, true) << variant[1] << " " << variant.back();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, Threads,
    ::testing::Values(
        ThreadsCase{"vector_add", {"vector_add"}}, ThreadsCase{"bfs", {"bfs", "--param", "nodes=4096"}},
        ThreadsCase{"histogram", {"histogram", "--scheduler", "lrr"}},
        ThreadsCase{"ipaws", {"black_scholes", "--scheduler", "ipaws"}},
        ThreadsCase{"pro_oaws", {"atax", "--scheduler", "oaws_dynamic+pro"}},
        ThreadsCase{"two_level", {"matrix_multiply", "--scheduler", "two_level_active"}},
        ThreadsCase{"warp_resources",
                    {"scalar_product", "--set", "core.resources.management=warp_temporal_spatial"}},
        ThreadsCase{"tb_log", {"bfs", "--param", "nodes=4096", "--tb-log"}},
        ThreadsCase{"two_programs", {"vector_add", "atax", "--arrival", "0", "--arrival", "500", "--tb-log"}},
        ThreadsCase{"srtf_mixed",
                    {"scalar_product", "black_scholes", "--set", "tb_dispatcher.policy=srtf_adaptive",
                     "--set", "tb_dispatcher.mixed_sms=true", "--tb-log"}},
        ThreadsCase{"own_l2_clock",
                    {"spmv", "--set", "clock.l2_mhz=500", "--set", "clock.interconnect_mhz=600"}}),
    [](const auto& test) { return std::string(test.param.name); });

class ThreadsOf : public BuiltProgram {
 protected:
  /// A kernel of many TBs, of which that with index 70 reads out of bounds.
  std::string faulty_workload() {
    write("oob.ptx",
          ".version 3.2\n.target sm_20\n.address_size 64\n"
          ".visible .entry oob(.param .u64 a)\n{\n  .reg .u64 %rd<4>;\n  .reg .u32 %r<6>;\n  .reg .pred "
          "%p<2>;\n"
          "  ld.param.u64 %rd1, [a];\n  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, 0;\n"
          "again:\n  add.u32 %r2, %r2, 1;\n  setp.lt.u32 %p1, %r2, 60;\n  @%p1 bra again;\n"
          "  setp.eq.u32 %p1, %r1, 70;\n  @%p1 add.u64 %rd1, %rd1, 1048576;\n"
          "  st.global.u32 [%rd1], %r2;\n  ret;\n}\n");
    return write("oob.yaml",
                 "name: oob\ndescription: out of bounds\nptx: oob.ptx\n"
                 "buffers:\n  a: {type: u32, count: 64, init: 0}\n"
                 "launches:\n  - {kernel: oob, grid: 120, block: 256, args: [a]}\n");
  }
};

TEST_F(ThreadsOf, AFaultLeavesTheSameResults) {
  const std::string workload = faulty_workload();
  std::string one;
  for (const char* threads : {"1", "2", "3"}) {
    const ProgramOutcome outcome =
        run({"run", workload, "--quiet", "--out", "out", "--threads", threads, "--oversubscribe"});
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_EQ(stats("out").at("status"), "partial");
    const std::string text = outcome.err + read("out/stats.json");
    if (one.empty()) one = text;
    EXPECT_EQ(text == one, true) << threads << " threads: " << outcome.err;
  }
}

TEST_F(ThreadsOf, SpeedTellsThemAndAtMostOnePerSmAndProcessorIsUsed) {
  const unsigned processors = std::max(std::thread::hardware_concurrency(), 1U);
  ASSERT_EQ(
      run({"run", "vector_add", "--quiet", "--out", "out", "--set", "core.sms=2", "--threads", "9"}).code, 0);
  EXPECT_EQ(nlohmann::json::parse(read("out/speed.json")).at("threads"), std::min(2U, processors));
  const ProgramOutcome told = run({"run", "vector_add", "--param", "n=512", "--threads", "2"});
  EXPECT_EQ(told.out.find(" s on 2 threads: ") != std::string::npos, processors > 1) << told.out;
}

TEST_F(ThreadsOf, MoreThanProcessorsAreTakenWhenAskedFor) {
  const std::string wanted = std::to_string(2 * std::max(std::thread::hardware_concurrency(), 1U) + 1);
  std::vector<std::string> arguments{"run",   "vector_add",         "--quiet",   "--out", "out",
                                     "--set", "core.sms=" + wanted, "--threads", wanted,  "--param",
                                     "n=8192"};
  ASSERT_EQ(run(arguments).code, 0);
  const std::string capped = read("out/stats.json");
  EXPECT_LT(nlohmann::json::parse(read("out/speed.json")).at("threads"), std::stoul(wanted));
  arguments.emplace_back("--oversubscribe");
  ASSERT_EQ(run(arguments).code, 0);
  EXPECT_EQ(nlohmann::json::parse(read("out/speed.json")).at("threads"), std::stoul(wanted));
  EXPECT_EQ(read("out/stats.json") == capped, true);
}

TEST_F(ThreadsOf, AWrongNumberIsRefused) {
  for (const char* number : {"0", "65", "two", "-1"}) {
    const ProgramOutcome outcome = run({"run", "vector_add", "--threads", number});
    EXPECT_EQ(outcome.code, 2) << number;
    EXPECT_NE(outcome.err.find("expected a number, 1 to 64"), std::string::npos) << outcome.err;
  }
}

TEST_F(ThreadsOf, WavesAreTheSame) {
  const auto waves = [this](const char* threads) {
    EXPECT_EQ(run({"run", "atax", "--quiet", "--out", "out", "--max-cycles", "6000", "--vcd", "--threads",
                   threads, "--oversubscribe"})
                  .code,
              7);
    return read("out/waves.vcd");
  };
  const std::string one = waves("1");
  EXPECT_GT(one.size(), 100000U);
  EXPECT_EQ(waves("2") == one, true);
}

}  // namespace
}  // namespace heddle
