// Streams of real kernels on the whole GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sc_tests/support/paths.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "top/report/logs/prediction_log.h"
#include "top/report/metrics/derived_metrics.h"
#include "top/report/stats/stats_json.h"
#include "top/support/stats_file.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

constexpr const char* kBuffers =
    "ptx: workloads/kernels/vector_add/vector_add.ptx\n"
    "parameters: {n: 8192, block: 128}\n"
    "buffers:\n"
    "  a: {type: f32, count: n, init: {lcg: {seed: 1}}}\n"
    "  b: {type: f32, count: n, init: {lcg: {seed: 2}}}\n"
    "  c: {type: f32, count: n}\n"
    "  d: {type: f32, count: n}\n";
constexpr const char* kFirst =
    "{kernel: vector_add, grid: \"ceil_div(n, block)\", block: block, args: [a, b, c, n]}";
constexpr const char* kSecond =
    "{kernel: vector_add, grid: \"ceil_div(n, block)\", block: block, args: [a, b, d, n]}";

/// Two streams of one launch each; the second arrives at `arrival`.
std::string two_streams(const std::string& arrival) {
  return std::string(kBuffers) + "streams:\n  - {name: one, launches: [" + kFirst + "]}\n" +
         "  - {name: two, arrival_cycles: " + arrival + ", launches: [" + kSecond + "]}\n";
}

class ConcurrentRunTest : public ::testing::Test {
 protected:
  void make(const std::string& text, std::vector<std::string> assignments = {}, const GpuBuild& build = {}) {
    assignments.insert(assignments.begin(), {"core.sms=4", "tb_dispatcher.mixed_sms=true"});
    program_ = std::make_unique<HostProgram>(load_workload_text(text, test::source_dir() + "/w.yaml"));
    gpu_ = build_gpu(load_config("", assignments), build);
    host_ = std::make_unique<Host>("host", *gpu_, *program_, HostOptions{});
  }
  void run() { result_ = host_->run(); }
  void make_and_run(const std::string& text, std::vector<std::string> assignments = {},
                    const GpuBuild& build = {}) {
    make(text, std::move(assignments), build);
    run();
  }
  std::uint64_t of_launches(const std::string& name) const {
    std::uint64_t sum = 0;
    for (const LaunchResult& launch : result_.launches) {
      sum += TotalView(*result_.launch_registry, launch.values).count(name);
    }
    return sum;
  }
  std::uint64_t of_machine(const std::string& name) const {
    return TotalView(host_->registry(), result_.values).count(name);
  }
  bool outputs_agree() const {
    const auto at = [this](const char* name) {
      return reinterpret_cast<const float*>(program_->memory().host(program_->memory().find(name)->address));
    };
    for (unsigned i = 0; i < 8192; ++i) {
      if (at("c")[i] != at("a")[i] + at("b")[i] || at("d")[i] != at("a")[i] + at("b")[i]) return false;
    }
    return true;
  }

  std::unique_ptr<HostProgram> program_;
  std::unique_ptr<Gpu> gpu_;
  std::unique_ptr<Host> host_;
  RunResult result_;
};

TEST_F(ConcurrentRunTest, TheSecondStreamBeginsWhenItArrivesBesideTheFirst) {
  make_and_run(two_streams("200"));
  ASSERT_EQ(result_.end, RunEnd::kComplete) << result_.reason;
  ASSERT_EQ(result_.launches.size(), 2U);
  EXPECT_EQ(result_.launches[1].first_cycle, 200U);
  EXPECT_EQ(result_.streams[1].arrival_cycle, 200U);
  EXPECT_LT(result_.launches[1].first_cycle, result_.launches[0].first_cycle + result_.launches[0].cycles);
  EXPECT_EQ(result_.streams[1].cycles, result_.launches[1].cycles);
  EXPECT_TRUE(outputs_agree());
}

TEST_F(ConcurrentRunTest, WhatIsCountedForTheLaunchesAddsUpToTheMachines) {
  make_and_run(two_streams("300"), {"scheduler.name=lrr"});
  ASSERT_EQ(result_.end, RunEnd::kComplete) << result_.reason;
  ASSERT_NE(result_.launch_registry, nullptr);
  for (const Metric& metric : result_.launch_registry->total_metrics()) {
    const std::string name = metric.full_name();
    if (name.find("scheduler.idle") != std::string::npos || name == "sm.scheduler.cycles") continue;
    EXPECT_EQ(of_launches(name), of_machine(name)) << name;
  }
  // Cycles without a warp that could issue are nobody's.
  EXPECT_EQ(of_launches("sm.scheduler.cycles") + of_machine("sm.scheduler.idle_no_warp") +
                of_machine("sm.scheduler.idle_drain"),
            of_machine("sm.scheduler.cycles"));
  EXPECT_EQ(of_launches("sm.tbs"), 128U);
  EXPECT_GT(of_launches("partition.slice.instruction_reads"), 0U);
}

TEST_F(ConcurrentRunTest, BarriersAndTurnsOfTheLaunchesAddUpToTheMachines) {
  const std::string launch =
      "{kernel: scalar_product, grid: pairs, block: block, args: [out, a, b, {i32: pairs}, {i32: length}]}";
  make_and_run(
      "ptx: workloads/kernels/scalar_product/scalar_product.ptx\n"
      "parameters: {pairs: 8, length: 512, block: 128}\n"
      "buffers:\n"
      "  out: {type: f32, count: pairs, init: 0}\n"
      "  a: {type: f32, count: pairs * length, init: {lcg: {seed: 1}}}\n"
      "  b: {type: f32, count: pairs * length, init: {lcg: {seed: 2}}}\n"
      "streams:\n  - {name: one, launches: [" +
      launch + "]}\n  - {name: two, launches: [" + launch + "]}\n");
  ASSERT_EQ(result_.end, RunEnd::kComplete) << result_.reason;
  for (const char* name : {"sm.barriers", "sm.barrier_wait_cycles", "sm.redirects"}) {
    EXPECT_GT(of_launches(name), 0U) << name;
    EXPECT_EQ(of_launches(name), of_machine(name)) << name;
  }
}

/// Launches of one warp that counts to a number.
class CountingStreamsTest : public ConcurrentRunTest {
 protected:
  void run_counting(unsigned streams, unsigned launches) {
    const std::filesystem::path ptx = std::filesystem::path(::testing::TempDir()) / "heddle-count.ptx";
    std::ofstream(ptx)
        << ".version 3.2\n.target sm_20\n.address_size 64\n"
           ".visible .entry count(.param .u32 n) {\n"
           "  .reg .pred %p1; .reg .u32 %r<3>;\n"
           "  ld.param.u32 %r1, [n];\n  mov.u32 %r2, 0;\n"
           "L:\n  add.u32 %r2, %r2, 1;\n  setp.lt.u32 %p1, %r2, %r1;\n  @%p1 bra L;\n  ret;\n}\n";
    std::string text = "ptx: heddle-count.ptx\nbuffers: {a: {type: u32, count: 1}}\nstreams:\n";
    for (unsigned s = 0; s < streams; ++s) {
      text += "  - launches:\n";
      for (unsigned l = 0; l < launches; ++l) {
        const std::string number = std::to_string(1 + (5 * s + 3 * l) % 12);
        text += "      - {kernel: count, grid: 1, block: 32, args: [" + number + "]}\n";
      }
    }
    program_ = std::make_unique<HostProgram>(load_workload_text(text, ::testing::TempDir() + "/w.yaml"));
    gpu_ = build_gpu(load_config("", {"core.sms=4", "tb_dispatcher.mixed_sms=true"}));
    host_ = std::make_unique<Host>("host", *gpu_, *program_, HostOptions{});
    run();
  }
};

// Also when a launch of another stream ends in that cycle.
TEST_F(CountingStreamsTest, TheNextLaunchOfAStreamComesInTheCycleAfterTheEnd) {
  run_counting(4, 6);
  ASSERT_EQ(result_.end, RunEnd::kComplete) << result_.reason;
  std::map<std::size_t, Cycle> end_of_stream;
  std::vector<Cycle> ends;
  for (const LaunchResult& launch : result_.launches) {
    const auto before = end_of_stream.find(launch.stream);
    if (before != end_of_stream.end()) EXPECT_EQ(launch.first_cycle, before->second + 1) << launch.id;
    ends.push_back(launch.first_cycle + launch.cycles);
    end_of_stream[launch.stream] = ends.back();
  }
  std::sort(ends.begin(), ends.end());
  EXPECT_NE(std::adjacent_find(ends.begin(), ends.end(), [](Cycle a, Cycle b) { return b == a + 1; }),
            ends.end())
      << "no two end in cycles that follow each other";
}

TEST_F(ConcurrentRunTest, LaunchesOfAStreamRunInOrder) {
  make(std::string(kBuffers) + "streams:\n  - {launches: [" + kFirst + ", " + kSecond + "]}\n");
  PredictionLog log(gpu_->dispatcher());
  run();
  ASSERT_EQ(result_.end, RunEnd::kComplete) << result_.reason;
  const LaunchResult& first = result_.launches[0];
  // The end is seen at t; the host gives the next launch at t + 1.
  EXPECT_EQ(result_.launches[1].first_cycle, first.first_cycle + first.cycles + 1);
  EXPECT_TRUE(outputs_agree());
  EXPECT_EQ(log.csv(), "cycle,launch,kernel,sm,tb_cycles,predicted_cycles,actual_cycles\n");  // fifo
}

TEST_F(ConcurrentRunTest, PredictionsAreLoggedBesideTheTruth) {
  make(two_streams("200"), {"tb_dispatcher.policy=srtf"});
  PredictionLog log(gpu_->dispatcher());
  run();
  ASSERT_EQ(result_.end, RunEnd::kComplete) << result_.reason;
  std::istringstream lines(log.csv());
  std::string line;
  std::getline(lines, line);
  unsigned count = 0;
  for (; std::getline(lines, line); ++count) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 6) << line;
    EXPECT_NE(line.back(), ',') << line;  // both launches have ended
    EXPECT_GT(std::stoul(line.substr(line.rfind(',') + 1)), 0U) << line;
  }
  EXPECT_GE(count, 128U);  // one per TB
}

TEST_F(ConcurrentRunTest, ALaunchThatArrivesInThePastIsOneMessage) {
  std::string late = kSecond;
  late.replace(late.find("args"), 0, "arrival_cycles: 5, ");
  make_and_run(std::string(kBuffers) + "streams:\n  - {launches: [" + kFirst + ", " + late + "]}\n");
  EXPECT_EQ(result_.end, RunEnd::kBadInput);
  EXPECT_THAT(result_.reason, HasSubstr("kernel 'vector_add': arrives at cycle 5, expected "));
  ASSERT_EQ(result_.launches.size(), 1U);
  EXPECT_TRUE(result_.launches[0].complete);  // what was done is kept
  EXPECT_EQ(of_launches("sm.tbs"), 64U);
}

class ConcurrentFallBack : public ConcurrentRunTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(ConcurrentFallBack, KernelsThatCanNotShareAnSmRunOneAfterTheOther) {
  make_and_run(two_streams("100"), {std::string("tb_dispatcher.policy=") + GetParam(), "core.tb_slots=1"});
  ASSERT_EQ(result_.end, RunEnd::kComplete) << result_.reason;
  EXPECT_TRUE(outputs_agree());
  // The second has its first block when the first has none that waits.
  EXPECT_GT(result_.launches[1].start_delay_cycles, result_.launches[0].cycles / 2);
}

INSTANTIATE_TEST_SUITE_P(Policies, ConcurrentFallBack, ::testing::Values("mpmax", "even_share"));

TEST_F(ConcurrentRunTest, AKernelThatNoSmHoldsIsOneMessage) {
  std::string large = two_streams("100");
  large.replace(large.rfind("block: block"), 12, "block: 1024");
  make_and_run(large, {"core.threads=512"});
  EXPECT_EQ(result_.end, RunEnd::kBadInput);
  EXPECT_THAT(result_.reason, HasSubstr("no thread block fits on an SM"));
}

TEST_F(ConcurrentRunTest, OraclesAreToldWhatTheProgramHasLeft) {
  const std::string text = std::string(kBuffers) + "streams:\n  - {launches: [" + kFirst + ", " + kSecond +
                           "]}\n  - {launches: [" + kSecond + "]}\n";
  program_ = std::make_unique<HostProgram>(load_workload_text(text, test::source_dir() + "/w.yaml"));
  HostProgram other(load_workload_text(two_streams("0"), test::source_dir() + "/w.yaml"));
  gpu_ = build_gpu(load_config("", {"core.sms=4", "tb_dispatcher.policy=sjf"}), {});
  host_ = std::make_unique<Host>("host", *gpu_,
                                 std::vector<HostStream>{{program_.get(), 0, "a0", 0, {300, 400}, 701},
                                                         {program_.get(), 1, "a1", 0, {1000}, 1000},
                                                         {&other, 1, "b", 0, {50}, 50}},
                                 HostOptions{});
  std::map<std::uint64_t, LaunchRecord> records;
  gpu_->dispatcher().launch_ended.bind(
      [&records](const LaunchRecord& record) { records.emplace(record.launch_id, record); });
  run();
  ASSERT_EQ(result_.end, RunEnd::kComplete) << result_.reason;
  ASSERT_EQ(records.size(), 4U);
  const auto times = [&records](std::uint64_t launch) {
    const AloneTimes& alone = records.at(launch).alone;
    return std::vector<std::uint64_t>{records.at(launch).program, alone.launch_cycles, alone.following_cycles,
                                      alone.stream_cycles, alone.program_cycles};
  };
  EXPECT_EQ(times(0), (std::vector<std::uint64_t>{0, 300, 400, 700, 1000}));
  EXPECT_EQ(times(1), (std::vector<std::uint64_t>{0, 1000, 0, 1000, 1000}));
  EXPECT_EQ(times(2), (std::vector<std::uint64_t>{2, 50, 0, 50, 50}));
  EXPECT_EQ(times(3), (std::vector<std::uint64_t>{0, 400, 0, 700, 1000}));
}

TEST_F(ConcurrentRunTest, OraclesSayThatTheyNeedTheRunTimesAlone) {
  make(two_streams("100"), {"tb_dispatcher.policy=sjf"});
  EXPECT_THROW(run(), DispatchError);
}

TEST_F(ConcurrentRunTest, AWaitForAnArrivalOrALaunchLatencyIsNoDeadlock) {
  make_and_run(two_streams("60000"), {"core.watchdog_cycles=1100", "core.launch_latency_cycles=5000"});
  EXPECT_EQ(result_.end, RunEnd::kComplete) << result_.reason;
  EXPECT_EQ(result_.launches[1].first_cycle, 60000U);
  EXPECT_GE(result_.launches[1].start_delay_cycles, 5000U);
}

class ConcurrentBytes : public ConcurrentRunTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(ConcurrentBytes, DoNotDependOnSleepOrConstruction) {
  // One elaboration per process: children write, the parent compares.
  const auto stats = [this](const GpuBuild& build) {
    make_and_run(two_streams("700"), {std::string("tb_dispatcher.policy=") + GetParam()}, build);
    RunDescription description;
    description.config = gpu_->config();
    return stats_json(description, result_, host_->registry(), {});
  };
  const std::filesystem::path folder(::testing::TempDir());
  std::vector<std::string> texts;
  for (const GpuBuild& build : {GpuBuild{true, false}, GpuBuild{false, false}, GpuBuild{true, true}}) {
    const std::string path =
        (folder / ("concurrent_bytes_" + std::string(GetParam()) + std::to_string(texts.size()))).string();
    const pid_t child = fork();
    if (child == 0) {
      std::ofstream(path) << stats(build);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    texts.push_back(text.str());
    std::filesystem::remove(path);
  }
  EXPECT_GT(texts[0].size(), 10000U);
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
}

INSTANTIATE_TEST_SUITE_P(Policies, ConcurrentBytes,
                         ::testing::Values("fifo", "mpmax", "srtf", "srtf_adaptive", "spatial",
                                           "even_share"));

TEST_F(ConcurrentRunTest, StatisticsNameStreamsAndLeaveOutWhatIsNobodys) {
  make_and_run(two_streams("200"));
  result_.streams[0].alone_cycles = result_.streams[0].cycles / 2;
  result_.streams[1].alone_cycles = result_.streams[1].cycles / 2;
  RunDescription description;
  description.config = gpu_->config();
  const auto json = nlohmann::json::parse(stats_json(description, result_, host_->registry(), {}));
  EXPECT_EQ(json.at("streams").at(1).at("name"), "two");
  EXPECT_EQ(json.at("streams").at(1).at("arrival_cycle"), 200);
  EXPECT_NEAR(json.at("multiprogram").at("stp").get<double>(), 1, 0.01);
  EXPECT_EQ(json.at("launches").at(1).at("stream"), "two");
  std::vector<std::string> names;
  for_each_metric(json.at("launches").at(1).at("metrics"),
                  [&](const std::string& name, const auto&) { names.push_back(name); });
  EXPECT_THAT(names, ::testing::IsSupersetOf({"cycles", "start_delay_cycles", "ipc_warp", "l1d_hit_rate",
                                              "l2_miss_rate", "sm.warp_instructions", "sm.l1d.misses",
                                              "scheduler_share_scoreboard_memory", "partition.slice.hits"}));
  for (const char* machine : {"dram_utilization", "mshr_mean_entries", "sm_active_share", "sm.active_cycles",
                              "achieved_occupancy", "scheduler_share_idle_no_warp"}) {
    EXPECT_THAT(names, ::testing::Not(::testing::Contains(machine)));
  }
}

}  // namespace
}  // namespace heddle
