// The built program, run as users run it: exit codes, files, determinism, interruption.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;  ///< exit code, or 128 + the signal that ended the program
  std::string out;
  std::string err;
};

class CommandLine : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              (std::string("heddle-cli-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Starts the program in the test's folder, with its output in files.
  pid_t start(const std::vector<std::string>& arguments) {
    const pid_t child = fork();
    if (child != 0) return child;
    std::vector<char*> argv;
    std::string program = HEDDLE_PROGRAM;
    argv.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string& argument : copies) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (chdir(folder_.c_str()) != 0 || std::freopen("stdout.txt", "w", stdout) == nullptr ||
        std::freopen("stderr.txt", "w", stderr) == nullptr) {
      _exit(99);
    }
    execv(HEDDLE_PROGRAM, argv.data());
    _exit(99);
  }
  Outcome finish(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("stdout.txt"),
            read("stderr.txt")};
  }
  Outcome run(const std::vector<std::string>& arguments) { return finish(start(arguments)); }

  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  nlohmann::json stats(const std::string& out) const {
    return nlohmann::json::parse(read(out + "/stats.json"));
  }

  fs::path folder_;
};

TEST_F(CommandLine, RunsAWorkloadAndLeavesItsResults) {
  const Outcome outcome = run({"run", "vector_add", "--param", "n=4096", "--out", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("vector_add on gtx480, scheduler gto"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\n  c: 4096 of 4096 elements agree"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("Results in out: stats.json, cost.json, speed.json"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(stats("out").at("status"), "complete");
  EXPECT_EQ(stats("out").at("parameters"), nlohmann::json({{"n", 4096}, {"block", 256}}));
  EXPECT_TRUE(fs::exists(folder_ / "out" / "speed.json"));
  const auto cost = nlohmann::json::parse(read("out/cost.json"));
  EXPECT_EQ(cost.at("scheduler"), "gto");
  EXPECT_EQ(cost.at("status"), "complete");
  EXPECT_EQ(cost.at("command"), stats("out").at("command"));
  EXPECT_EQ(cost.at("run_cycles"), stats("out").at("metrics").at(0).at("value"));
  EXPECT_FALSE(fs::exists(folder_ / "out" / "waves.vcd"));
}

TEST_F(CommandLine, DefaultOutputFolderIsNamedAfterTheWorkload) {
  EXPECT_EQ(run({"run", "vector_add", "--param", "n=512", "--quiet"}).code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "heddle-out" / "vector_add" / "stats.json"));
}

TEST_F(CommandLine, QuietPrintsNothing) {
  const Outcome outcome = run({"run", "vector_add", "--param", "n=512", "--quiet", "--out", "out"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(CommandLine, FunctionalRunChecksOutputsWithoutTime) {
  const Outcome outcome = run({"run", "vector_add", "--param", "n=512", "--functional", "--out", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\n  c: 512 of 512 elements agree"), std::string::npos) << outcome.out;
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(CommandLine, SchedulerAndOverridesReachTheModel) {
  ASSERT_EQ(run({"run", "vector_add", "--param", "n=512", "--scheduler", "lrr", "--set", "core.sms=2",
                 "--quiet", "--out", "out"})
                .code,
            0);
  EXPECT_EQ(stats("out").at("scheduler"), "lrr");
  EXPECT_EQ(stats("out").at("config").at("values").at("core.sms"), 2);
}

// Every shared resource, sleeping paths, barriers, atomics, several launches and host loops: equal bytes.
class Determinism : public CommandLine, public ::testing::WithParamInterface<const char*> {};

TEST_P(Determinism, SameBytesAgainReversedAndWithoutSleep) {
  std::vector<std::string> arguments{"run",        GetParam(),     "--quiet", "--set",
                                     "core.sms=4", "--max-cycles", "12000",   "--out"};
  std::string first;
  for (const char* variant :
       {"", "--quiet", "--reverse-construction", "--no-sleep", "--vcd-scope=sm1.l1d.*"}) {
    auto with = arguments;
    with.emplace_back("out");
    if (std::string(variant) != "" && std::string(variant) != "--quiet") with.emplace_back(variant);
    const int code = run(with).code;
    EXPECT_TRUE(code == 0 || code == 7) << GetParam() << " " << variant << ": " << code << read("stderr.txt");
    const std::string text = read("out/stats.json") + read("out/cost.json");
    if (first.empty()) first = text;
    EXPECT_EQ(text == first, true) << GetParam() << " " << variant << ": other statistics";
  }
  EXPECT_FALSE(first.empty());
}

INSTANTIATE_TEST_SUITE_P(Workloads, Determinism,
                         ::testing::Values("vector_add", "atax", "bfs", "histogram", "hotspot",
                                           "black_scholes"));

TEST_F(CommandLine, WaveformsCoverTheWindowAndDoNotChangeResults) {
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
}

TEST_F(CommandLine, WaveformsAreTheSameWithoutSleep) {
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

TEST_F(CommandLine, WrongUsageExitsWith2) {
  EXPECT_EQ(run({}).code, 2);
  EXPECT_EQ(run({"run"}).code, 2);
  EXPECT_EQ(run({"run", "vector_add", "--bogus"}).code, 2);
  const Outcome outcome =
      run({"run", "vector_add", "--param", "n=512", "--vcd-scope", "nothing", "--out", "out"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(
      outcome.err,
      "heddle run: --vcd-scope: no signal matches 'nothing'; names are such as 'sm0.scheduler0.ready'\n");
}

TEST_F(CommandLine, HelpAndVersionExitWith0) {
  EXPECT_EQ(run({"--help"}).code, 0);
  EXPECT_EQ(run({"run", "--help"}).code, 0);
  EXPECT_EQ(run({"--version"}).out.substr(0, 7), "heddle ");
}

TEST_F(CommandLine, BadInputExitsWith3AndOneMessage) {
  const auto expect = [this](const std::vector<std::string>& arguments, const std::string& message) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 3) << outcome.out;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  expect({"run", "vectoradd"}, "did you mean 'vector_add'?");
  expect({"run", "vector_add", "--config", "gtx48"}, "did you mean 'gtx480'?");
  expect({"run", "vector_add", "--scheduler", "gtoo"}, "--set scheduler.name=gtoo: scheduler.name: ");
  expect({"run", "vector_add", "--set", "core.smss=4"}, "did you mean 'core.sms'?");
  expect({"run", "vector_add", "--param", "m=4"}, "has no parameter 'm'");
  expect({"run", "vector_add", "--size", "huge"}, "has no size 'huge'");
  expect({"run", "vector_add", "--set", "core.registers=64"}, "no thread block fits on an SM");
  expect({"run", "vector_add", "--set", "interconnect.input_buffer_flits=1"},
         "--set interconnect.input_buffer_flits=1: interconnect.input_buffer_flits is 1");
  const std::string config = write("gpu.yaml", "core:\n  sms: 0\n");
  expect({"run", "vector_add", "--config", config}, config + ":2:8: core.sms: expected a whole number");
}

TEST_F(CommandLine, FaultOfTheProgramExitsWith4AndKeepsResults) {
  write("oob.ptx",
        ".version 3.2\n.target sm_20\n.address_size 64\n"
        ".visible .entry oob(.param .u64 a)\n{\n  .reg .u64 %rd<3>;\n  .reg .f32 %f<2>;\n"
        "  ld.param.u64 %rd1, [a];\n  ld.global.f32 %f1, [%rd1+4096];\n  st.global.f32 [%rd1], %f1;\n  "
        "ret;\n}\n");
  const std::string workload = write("oob.yaml",
                                     "name: oob\ndescription: out of bounds\nptx: oob.ptx\n"
                                     "buffers:\n  a: {type: f32, count: 16, init: 0}\n"
                                     "launches:\n  - {kernel: oob, grid: 1, block: 32, args: [a]}\n");
  const Outcome outcome = run({"run", workload, "--out", "out", "--quiet"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("oob.ptx"), std::string::npos) << outcome.err;
  EXPECT_EQ(stats("out").at("status"), "partial");
  EXPECT_EQ(stats("out").at("end"), "fault");
}

TEST_F(CommandLine, DivergentBarrierExitsWith5AndNamesTheWarps) {
  // Warp 0 waits at barrier 0 for two warps, warp 1 at barrier 1.
  write("stuck.ptx",
        ".version 3.2\n.target sm_20\n.address_size 64\n"
        ".visible .entry stuck()\n{\n  .reg .pred %p<2>;\n  .reg .u32 %r<2>;\n"
        "  mov.u32 %r1, %tid.x;\n  setp.lt.u32 %p1, %r1, 32;\n  @%p1 bra FIRST;\n"
        "  bar.sync 1, 64;\n  ret;\nFIRST:\n  bar.sync 0, 64;\n  ret;\n}\n");
  const std::string workload = write("stuck.yaml",
                                     "name: stuck\ndescription: deadlock\nptx: stuck.ptx\nbuffers: {}\n"
                                     "launches:\n  - {kernel: stuck, grid: 1, block: 64, args: []}\n");
  const Outcome outcome = run({"run", workload, "--out", "out", "--quiet"});
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("deadlock: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("waits at barrier 0"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("waits at barrier 1"), std::string::npos) << outcome.err;
  EXPECT_EQ(stats("out").at("end"), "deadlock");
}

TEST_F(CommandLine, LaunchLatencyLongerThanTheWatchdogIsNoDeadlock) {
  const Outcome outcome = run({"run", "vector_add", "--param", "n=512", "--out", "out", "--quiet", "--set",
                               "core.launch_latency_cycles=300000"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GT(stats("out").at("metrics").at(0).at("value"), 300000);
}

TEST_F(CommandLine, OutputThatCannotBeWrittenExitsWith6BeforeSimulating) {
  write("file", "x");
  const Outcome outcome = run({"run", "vector_add", "--size", "large", "--out", "file"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_EQ(outcome.err.find("heddle: file: "), 0U) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST_F(CommandLine, CycleLimitExitsWith7AtThatCycle) {
  const Outcome outcome = run({"run", "vector_add", "--max-cycles", "777", "--out", "out", "--quiet"});
  EXPECT_EQ(outcome.code, 7);
  EXPECT_EQ(outcome.err, "heddle: stopped at core cycle 777, the limit of --max-cycles\n");
  const auto json = stats("out");
  EXPECT_EQ(json.at("status"), "partial");
  EXPECT_EQ(json.at("metrics").at(0).at("value"), 777);
  EXPECT_EQ(json.at("launches").at(0).at("complete"), false);
}

TEST_F(CommandLine, FailedCheckExitsWith1) {
  const std::string ptx = std::string(HEDDLE_SOURCE_DIR) + "/workloads/kernels/vector_add/vector_add.ptx";
  const std::string workload =
      write("wrong.yaml",
            "name: wrong\ndescription: sum that can't be\nptx: " + ptx +
                "\nbuffers:\n  a: {type: f32, count: 64, init: 1}\n  b: {type: f32, count: 64, init: 2}\n"
                "  c: {type: f32, count: 64, init: 0}\n"
                "launches:\n  - {kernel: vector_add, grid: 1, block: 64, args: [a, b, c, {i32: 64}]}\n"
                "checks:\n  - {buffer: c, sum: 193}\n");
  const Outcome outcome = run({"run", workload, "--out", "out"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("\n  c: "), std::string::npos) << outcome.out;
  EXPECT_EQ(stats("out").at("status"), "complete");
}

TEST_F(CommandLine, InterruptWritesPartialResults) {
  const pid_t child = start({"run", "matrix_multiply", "--size", "large", "--out", "out", "--quiet"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(child, SIGINT);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(outcome.err.find("heddle: interrupted at core cycle "), 0U) << outcome.err;
  EXPECT_EQ(stats("out").at("status"), "partial");
  EXPECT_EQ(stats("out").at("end"), "interrupted");
}

TEST_F(CommandLine, InterruptWritesPartialResultsOfSeveralStreams) {
  const pid_t child = start({"run", "matrix_multiply:large", "black_scholes", "--config", "srtf", "--arrival",
                             "0", "--arrival", "1000000000", "--tb-log", "--out", "out", "--quiet"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(child, SIGINT);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  const auto json = stats("out");
  EXPECT_EQ(json.at("status"), "partial");
  EXPECT_EQ(json.at("end"), "interrupted");
  EXPECT_FALSE(json.at("metrics").empty());
  const auto has = [](const nlohmann::json& metrics, const std::string& name) {
    return std::any_of(metrics.begin(), metrics.end(), [&](const auto& m) { return m.at("name") == name; });
  };
  ASSERT_EQ(json.at("launches").size(), 2U);
  for (const auto& launch : json.at("launches")) {
    EXPECT_EQ(launch.at("complete"), false);
    EXPECT_TRUE(has(launch.at("metrics"), "sm.warp_instructions"));
    EXPECT_FALSE(has(launch.at("metrics"), "start_delay_cycles")) << "not known of all that did not end";
  }
  for (const auto& stream : json.at("streams")) EXPECT_EQ(stream.at("complete"), false);
  const auto log = nlohmann::json::parse(read("out/thread_blocks.json"));
  EXPECT_EQ(log.at("status"), "partial");
  ASSERT_EQ(log.at("launches").size(), 1U);
  EXPECT_GT(log.at("launches")[0].at("tbs_running"), 0);
  EXPECT_EQ(nlohmann::json::parse(read("out/cost.json")).at("status"), "partial");
}

TEST_F(CommandLine, InterruptEndsPairsBeforeTheirRunsAloneAreKnown) {
  const pid_t child = start({"pairs", "vector_add", "matrix_multiply:large", "--policy", "fifo", "--policy",
                             "srtf", "--cache", "cache", "--out", "p"});
  for (int n = 0; n < 500 && !fs::exists(folder_ / "p/alone/01-vector_add-alone/stats.json"); ++n)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));  // until that run has ended
  kill(child, SIGINT);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("matrix_multiply:large alone: interrupted at core cycle "), std::string::npos)
      << outcome.err;
  EXPECT_EQ(stats("p/alone/02-matrix_multiply-large-alone").at("status"), "partial");
  EXPECT_FALSE(fs::exists(folder_ / "p" / "01-vector_add-+-matrix_multiply-large-fifo-100"));
  unsigned kept = 0;
  for (const auto& file : fs::directory_iterator(folder_ / "cache")) kept += file.is_regular_file() ? 1 : 0;
  EXPECT_EQ(kept, 1U) << "of vector_add alone, which is complete";
}

TEST_F(CommandLine, InterruptEndsASweepAndItsTableSaysSo) {
  fs::create_directories(folder_ / "s" / "03-core.sms=3");
  write("s/03-core.sms=3/messages.txt", "heddle: left by a run of yesterday\n");
  const pid_t child = start({"sweep", "matrix_multiply", "--size", "large", "--set", "core.sms=1,2,3",
                             "--metric", "rtru", "--format", "csv", "--out", "s"});
  std::this_thread::sleep_for(std::chrono::milliseconds(2000));
  kill(child, SIGINT);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(stats("s/01-core.sms=1").at("status"), "partial");
  EXPECT_FALSE(fs::exists(folder_ / "s" / "03-core.sms=3" / "stats.json"));
  EXPECT_EQ(outcome.err.find("yesterday"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find(",3,interrupted,"), std::string::npos) << outcome.out;
}

TEST_F(CommandLine, CheckTellsFilesApartAndNamesTheFirstError) {
  const std::string source = HEDDLE_SOURCE_DIR;
  const Outcome good =
      run({"check", source + "/configs/gtx480.yaml", source + "/workloads/kernels/atax/atax.yaml",
           source + "/workloads/kernels/atax/atax.ptx"});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.err, "");
  EXPECT_NE(good.out.find("gtx480.yaml: configuration 'gtx480'\n"), std::string::npos) << good.out;
  EXPECT_NE(good.out.find("atax.yaml: workload 'atax'"), std::string::npos) << good.out;
  EXPECT_NE(good.out.find("atax.ptx: PTX, 2 kernel(s)"), std::string::npos) << good.out;

  const std::string config = write("bad.yaml", "l2: {queue: 1}\n");
  const std::string ptx =
      write("bad.ptx", ".version 3.2\n.target sm_20\n.visible .entry k()\n{\n  frob;\n}\n");
  const Outcome bad = run({"check", config, ptx, "missing.yaml"});
  EXPECT_EQ(bad.code, 3);
  EXPECT_NE(bad.err.find("heddle: " + config + ":1:13: l2.queue must hold the 4 sectors"), std::string::npos)
      << bad.err;
  EXPECT_NE(bad.err.find("heddle: " + ptx + ":5:"), std::string::npos) << bad.err;
  EXPECT_NE(bad.err.find("heddle: missing.yaml: there is no such file"), std::string::npos) << bad.err;
}

TEST_F(CommandLine, ShownConfigurationIsReadBack) {
  const Outcome shown = run({"config", "show", "--config", "gtx480", "--set", "core.sms=4", "--describe"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("sms: 4  # default: 15"), std::string::npos);
  const std::string file = write("shown.yaml", shown.out);
  EXPECT_EQ(run({"config", "show", "--config", file, "--describe"}).out, shown.out);
}

TEST_F(CommandLine, CostIsPrintedInThreeFormats) {
  const Outcome markdown = run({"cost", "--scheduler", "lrr", "--set", "core.sms=4"});
  EXPECT_EQ(markdown.code, 0) << markdown.err;
  EXPECT_EQ(markdown.err, "");
  EXPECT_EQ(markdown.out.find("# Cost\n\n- scheduler: lrr\n- timing: ideal\n"), 0U) << markdown.out;
  EXPECT_NE(markdown.out.find("Technology scaled40"), std::string::npos) << markdown.out;
  const Outcome json = run({"cost", "--format", "json", "--technology", "osu018", "--config", "gtx480"});
  const auto table = nlohmann::json::parse(json.out);
  EXPECT_EQ(table.at("scheduler"), "gto");
  EXPECT_EQ(table.at("sms"), 15);
  EXPECT_EQ(table.at("technology").at("nand2_area_um2").at("value"), 24);
  EXPECT_EQ(run({"cost", "--format", "csv"}).out.find("block,structure,kind,"), 0U);
}

TEST_F(CommandLine, CostNamesWhatIsWrong) {
  EXPECT_EQ(run({"cost", "--format", "pdf"}).code, 2);
  const Outcome scheduler = run({"cost", "--scheduler", "gtoo"});
  EXPECT_EQ(scheduler.code, 3);
  EXPECT_NE(scheduler.err.find("did you mean 'gto'?"), std::string::npos) << scheduler.err;
  const Outcome name = run({"cost", "--technology", "n7"});
  EXPECT_EQ(name.code, 3);
  EXPECT_NE(name.err.find("found no technology 'n7', expected one of"), std::string::npos) << name.err;
  const std::string file = write("cells.yaml", "technologies: {a: {fo4_ps: {value: 9, source: test}}}");
  const Outcome lacking = run({"cost", "--technology", file});
  EXPECT_EQ(lacking.code, 0);
  EXPECT_NE(lacking.err.find("'a' has no nand2_area_um2: area is left out\n"), std::string::npos)
      << lacking.err;
}

TEST_F(CommandLine, ComparesSchedulersSideBySide) {
  const std::vector<std::string> arguments{
      "compare", "vector_add", "atax",       "--scheduler",  "gto",    "--scheduler",
      "lrr",     "--set",      "core.sms=2", "--max-cycles", "100000", "--param",
      "n=64",    "--format",   "json",       "--out",        "c"};
  const Outcome outcome = run(arguments);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0].at("speedup"), 1);
  EXPECT_EQ(rows[3].at("workload"), "atax");
  EXPECT_EQ(rows[3].at("scheduler"), "lrr");
  EXPECT_EQ(rows[4].at("workload"), "geometric mean");
  const auto single = stats("c/04-atax-lrr");
  EXPECT_EQ(rows[3].at("cycles"), single.at("metrics").at(0).at("value"));
  EXPECT_EQ(single.at("config").at("values").at("core.sms"), 2);
  EXPECT_EQ(run(arguments).out, outcome.out);
}

TEST_F(CommandLine, ComparesTimings) {
  const Outcome outcome = run({"compare", "vector_add", "--timing", "--param", "n=512", "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out).at("runs");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("scheduler"), "gto");
  EXPECT_EQ(rows[0].at("ipc_ratio"), 1);  // gto waits for no part
  const std::string folder = "heddle-out/compare/02-vector_add-gto-hardware";
  EXPECT_EQ(stats(folder).at("config").at("values").at("scheduler.timing"), "hardware");
}

TEST_F(CommandLine, SweepsOverAllCombinations) {
  const Outcome outcome =
      run({"sweep", "vector_add", "--param", "n=2048", "--set", "core.sms=1,2", "--set", "core.tb_slots=1,4",
           "--set", "core.watchdog_cycles=5000", "--format", "csv", "--out", "s"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::vector<std::string> starts;
  for (std::string line; std::getline(lines, line);) starts.push_back(line.substr(0, line.find(",complete")));
  EXPECT_EQ(starts[0],
            "scheduler,core.sms,core.tb_slots,status,cycles,ipc_warp,speedup,bits_per_sm,nand2_per_sm");
  EXPECT_EQ(std::vector<std::string>(starts.begin() + 1, starts.end()),
            (std::vector<std::string>{"gto,1,1", "gto,1,4", "gto,2,1", "gto,2,4"}));
  EXPECT_EQ(stats("s/03-core.sms=2-core.tb_slots=1").at("config").at("values").at("core.watchdog_cycles"),
            5000);
}

TEST_F(CommandLine, AFailedRunOfAComparisonIsToldAndHasNoRatio) {
  const Outcome outcome = run({"compare", "vector_add", "--scheduler", "gto", "--scheduler", "lrr",
                               "--max-cycles", "50", "--format", "csv", "--out", "c"});
  EXPECT_EQ(outcome.code, 7);
  EXPECT_NE(outcome.err.find("heddle compare: vector_add lrr: stopped at core cycle 50"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("vector_add,lrr,cycle limit,50,"), std::string::npos) << outcome.out;
}

TEST_F(CommandLine, AWrongComparisonStartsNoRun) {
  const Outcome outcome = run({"sweep", "vector_add", "--set", "core.sms=2,no", "--out", "s"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("--set core.sms=no"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(folder_ / "s"));
  EXPECT_EQ(run({"compare", "vectoradd", "--timing"}).code, 3);
}

TEST_F(CommandLine, InterruptEndsTheRunsOfAComparison) {
  const pid_t child = start({"compare", "matrix_multiply", "--size", "large", "--scheduler", "gto",
                             "--scheduler", "lrr", "--scheduler", "oldest", "--out", "c"});
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  kill(child, SIGTERM);
  const Outcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(stats("c/01-matrix_multiply-gto").at("end"), "interrupted");
  EXPECT_FALSE(fs::exists(folder_ / "c" / "03-matrix_multiply-oldest" / "stats.json"));
}

TEST_F(CommandLine, ListsWhatThereIs) {
  EXPECT_NE(run({"list", "schedulers"}).out.find("  gto "), std::string::npos);
  EXPECT_NE(run({"list", "dispatch_policies"}).out.find("fifo "), std::string::npos);
  EXPECT_NE(run({"list", "resource_managements"}).out.find("warp_temporal_spatial "), std::string::npos);
  EXPECT_NE(run({"list", "contention_controls"}).out.find("dueling "), std::string::npos);
  EXPECT_NE(run({"list", "configs"}).out.find("gtx480 "), std::string::npos);
  EXPECT_NE(run({"list", "workloads"}).out.find("atax "), std::string::npos);
}

TEST_F(CommandLine, RunsSeveralWorkloadsAtOnceAndChecksAll) {
  const Outcome outcome =
      run({"run", "vector_add", "scalar_product", "vector_add", "--config", "srtf", "--param", "n=4096",
           "--arrival", "0", "--arrival", "500", "--tb-log", "--out", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("vector_add+scalar_product+vector_add#2"), std::string::npos) << outcome.out;
  const auto json = stats("out");
  ASSERT_EQ(json.at("streams").size(), 3U);
  EXPECT_EQ(json.at("streams").at(1).at("arrival_cycle"), 500);
  EXPECT_EQ(json.at("parameters").at("vector_add#2.n"), 4096);
  ASSERT_EQ(json.at("checks").size(), 3U);
  for (const auto& check : json.at("checks")) EXPECT_TRUE(check.at("passed").get<bool>()) << check;
  EXPECT_EQ(json.at("checks").at(2).at("buffer"), "vector_add#2.c");
  EXPECT_EQ(read("out/predictions.csv"), "cycle,launch,kernel,sm,tb_cycles,predicted_cycles,actual_cycles\n");
}

TEST_F(CommandLine, PairsOfWorkloadsRunAloneOnceAndGiveTheirThroughput) {
  const std::vector<std::string> command{"pairs",      "vector_add", "scalar_product", "--policy", "fifo",
                                         "--policy",   "sjf",        "--arrival",      "25%",      "--set",
                                         "core.sms=4", "--cache",    "cache",          "--format", "json",
                                         "--out",      "out"};
  const Outcome outcome = run(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "cache"), fs::directory_iterator()), 2);
  const auto alone = json.at("alone_cycles");
  ASSERT_EQ(json.at("results").size(), 2U);
  for (const auto& result : json.at("results")) {
    const auto& pair = result.at("pairs").at(0);
    const double first = alone.at("vector_add").get<double>() / pair.at("shared_cycles").at(0).get<double>();
    const double second =
        alone.at("scalar_product").get<double>() / pair.at("shared_cycles").at(1).get<double>();
    EXPECT_NEAR(pair.at("stp").get<double>(), first + second, 1e-9);
    EXPECT_LE(first, 1.02);
  }
  // Again, from the cache; a damaged entry is run again.
  fs::remove_all(folder_ / "out");
  EXPECT_EQ(run(command).out, outcome.out);
  EXPECT_FALSE(fs::exists(folder_ / "out" / "alone"));
  for (const auto& entry : fs::directory_iterator(folder_ / "cache")) std::ofstream(entry.path()) << "{";
  EXPECT_EQ(run(command).out, outcome.out);
  EXPECT_TRUE(fs::exists(folder_ / "out" / "alone"));
}

TEST_F(CommandLine, APairWhoseRunAloneFailsCostsNoOtherPair) {
  const std::string bad =
      write("bad.yaml", "ptx: " HEDDLE_SOURCE_DIR
                        "/workloads/kernels/vector_add/vector_add.ptx\n"
                        "buffers: {a: {type: f32, count: 64}}\n"
                        "launches: [{kernel: vector_add, grid: 10, block: 64, args: [a, a, a, 640]}]\n");
  const Outcome outcome = run({"pairs", "vector_add", bad, "scalar_product", "--policy", "fifo", "--set",
                               "core.sms=4", "--cache", "cache", "--format", "json", "--out", "out"});
  EXPECT_NE(outcome.code, 0);
  const auto pairs = nlohmann::json::parse(outcome.out).at("results").at(0).at("pairs");
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs.at(0).at("failure").get<std::string>().find("bad did not run alone: "), 0U);
  EXPECT_TRUE(pairs.at(1).contains("stp"));
  EXPECT_TRUE(pairs.at(2).contains("failure"));
  EXPECT_NE(outcome.err.find("heddle pairs: bad alone: "), std::string::npos) << outcome.err;
}

TEST_F(CommandLine, ListsDispatchPoliciesAndPricesThem) {
  const Outcome list = run({"list", "dispatch_policies"});
  EXPECT_EQ(list.code, 0);
  for (const char* name : {"fifo", "srtf_adaptive", "spatial", "even_share"}) {
    EXPECT_NE(list.out.find(std::string(name) + " "), std::string::npos) << list.out;
  }
  const Outcome cost =
      run({"cost", "--config", "srtf", "--set", "tb_dispatcher.policy=srtf", "--format", "json"});
  ASSERT_EQ(cost.code, 0) << cost.err;
  const auto json = nlohmann::json::parse(cost.out);
  std::uint64_t bits = 0;
  std::uint64_t papers = 0;
  for (const auto& row : json.at("structures")) {
    if (row.at("block") != "simple_slicing") continue;
    bits += row.at("bits").get<std::uint64_t>();
    papers += row.at("paper_bits").get<std::uint64_t>();
  }
  EXPECT_EQ(papers, 1480U);  // docs/thread-blocks.md
  EXPECT_EQ(bits, 1842U);
}

}  // namespace
}  // namespace heddle
