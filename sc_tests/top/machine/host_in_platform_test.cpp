// The GPU as a device of somebody's platform: programs begin and end while the simulation goes on.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sc_tests/support/apart.h"
#include "sc_tests/support/correct_output.h"
#include "sc_tests/support/paths.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

using sc_core::sc_time;

/// The platform's own process.
class PlatformProcess : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(PlatformProcess);
  PlatformProcess(const sc_core::sc_module_name& name, std::function<void()> work)
      : sc_module(name), work_(std::move(work)) {
    SC_THREAD(run);
  }

 private:
  void run() { work_(); }
  std::function<void()> work_;
};

/// One clock for all blocks: how its edges lie does not depend on when a program begins.
LoadedConfig one_clock_config() {
  return load_config("", {"core.sms=2", "clock.core_mhz=500", "clock.interconnect_mhz=500",
                          "clock.l2_mhz=500", "clock.dram_mhz=500"});
}

sc_time core_cycles(double count) { return count * sc_time(2, sc_core::SC_NS); }

HostProgram added_vectors(std::int64_t elements) {
  return HostProgram(load_workload(test::source_dir() + "/workloads/kernels/vector_add/vector_add.yaml"),
                     {{"n", elements}});
}

std::uint64_t total_of(const Host& host, const RunResult& result, const std::string& name) {
  return TotalView(host.registry(), result.values).count(name);
}

/// All that was counted, a line each.
std::string all_counts(const Host& host, const RunResult& result) {
  std::string text = std::to_string(result.cycles) + " cycles\n";
  const StatValues totals = host.registry().totals(result.values);
  for (const Metric& metric : host.registry().total_metrics()) {
    if (metric.is_count) {
      text += metric.full_name() + " " + std::to_string(totals.counts[metric.index]) + "\n";
    }
  }
  return text;
}

std::string run_alone(std::int64_t elements) {
  return test::apart([elements] {
    const auto gpu = build_gpu(one_clock_config());
    HostProgram program = added_vectors(elements);
    Host host("host", *gpu, program, {});
    const RunResult result = host.run();
    EXPECT_EQ(result.end, RunEnd::kComplete);
    return all_counts(host, result);
  });
}

/// `begin_at`: when the platform's process begins the program.
std::string run_begun(const sc_time& begin_at, const GpuBuild& build = {}) {
  return test::apart([&] {
    const auto gpu = build_gpu(one_clock_config(), build);
    HostProgram program = added_vectors(8192);
    Host host("host", *gpu);
    std::string text;
    const PlatformProcess processor("processor", [&] {
      sc_core::wait(begin_at);
      host.begin(program);
      EXPECT_TRUE(host.running());
      const std::uint64_t edge = sc_core::sc_time_stamp().value() / core_cycles(1).value() + 1;
      const sc_time from = core_cycles(static_cast<double>(edge));
      sc_core::wait(host.ended());
      EXPECT_FALSE(host.running());
      const std::uint64_t ended_at = sc_core::sc_time_stamp().value();
      sc_core::wait(core_cycles(5000));  // what the GPU counts in these is not the program's
      const RunResult result = host.result();
      EXPECT_EQ(result.end, RunEnd::kComplete);
      EXPECT_EQ(ended_at, (from + core_cycles(static_cast<double>(result.cycles))).value());
      EXPECT_EQ(core_cycles(static_cast<double>(result.launches[0].first_cycle)), from + core_cycles(1));
      EXPECT_TRUE(test::correct(program));
      text = all_counts(host, result);
      sc_core::sc_stop();
    });
    sc_core::sc_start();
    return text;
  });
}

TEST(HostInPlatform, AProgramCountsTheSameWheneverItBegins) {
  const std::string expected = run_alone(8192);
  ASSERT_NE(expected.find("warp_instructions"), std::string::npos);
  EXPECT_EQ(run_begun(core_cycles(1000.5)), expected);  // between two edges
  EXPECT_EQ(run_begun(core_cycles(70000)), expected);   // at one
  GpuBuild by_processes;
  by_processes.processes = true;
  EXPECT_EQ(run_begun(core_cycles(1000.5), by_processes), expected);
}

TEST(HostInPlatform, ItBeginsAtTimeZeroWhenItWasGivenBefore) {
  const std::string expected = run_alone(4096);
  const std::string text = test::apart([] {
    const auto gpu = build_gpu(one_clock_config());
    HostProgram program = added_vectors(4096);
    Host host("host", *gpu);
    host.begin(program);
    while (host.running()) sc_core::sc_start(sc_time(1, sc_core::SC_US));
    return all_counts(host, host.result());
  });
  EXPECT_EQ(text, expected);
}

/// Nothing of the GPU keeps the simulation going, or ends it, when its program is over.
TEST(HostInPlatform, TheSimulationGoesOnAfterTheEnd) {
  test::apart([] {
    const auto gpu = build_gpu(one_clock_config());
    HostProgram program = added_vectors(4096);
    Host host("host", *gpu);
    unsigned alarms = 0;
    const PlatformProcess timer("timer", [&alarms] {
      for (; alarms < 1000; ++alarms) {
        sc_core::wait(sc_time(7, sc_core::SC_US));
        EXPECT_EQ(sc_core::sc_time_stamp(), (alarms + 1) * sc_time(7, sc_core::SC_US));
      }
    });
    host.begin(program);
    sc_core::sc_start();
    EXPECT_FALSE(host.running());
    EXPECT_EQ(alarms, 1000U);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(7000, sc_core::SC_US));
    EXPECT_EQ(host.result().end, RunEnd::kComplete);
    return std::string();
  });
}

/// The causes of the schedulers' cycles of a program that begins when others have ended add up to its cycles.
TEST(HostInPlatform, EachProgramHasItsOwnCounts) {
  test::apart([] {
    const auto gpu = build_gpu(one_clock_config());
    HostProgram small = added_vectors(4096);
    HostProgram large = added_vectors(8192);
    Host host("host", *gpu);
    std::vector<RunResult> results;
    const PlatformProcess processor("processor", [&] {
      HostProgram again = added_vectors(8192);
      for (HostProgram* program : {&small, &large, &again}) {
        host.begin(*program);
        sc_core::wait(host.ended());
        sc_core::wait(core_cycles(333.3));
        results.push_back(host.result());
        EXPECT_TRUE(test::correct(*program));
      }
      sc_core::sc_stop();
    });
    sc_core::sc_start();
    EXPECT_EQ(results.size(), 3U);
    if (results.size() != 3) return std::string();
    const auto instructions = [&](std::size_t i) {
      return total_of(host, results[i], "sm.scheduler.issued");
    };
    EXPECT_GT(instructions(0), 0U);
    EXPECT_EQ(2 * instructions(0), instructions(1));
    EXPECT_EQ(instructions(1), instructions(2));
    for (const RunResult& result : results) {
      EXPECT_EQ(result.end, RunEnd::kComplete);
      EXPECT_EQ(result.launches[0].id, 0U);
      std::uint64_t charged = 0;
      for (const char* cause : {"issued", "idle", "scoreboard", "pipeline"}) {
        charged += total_of(host, result, std::string("sm.scheduler.") + cause);
      }
      EXPECT_EQ(charged, result.cycles * 2 * 2);  // two SMs of two schedulers
    }
    return std::string();
  });
}

TEST(HostInPlatform, OneProgramAtATime) {
  test::apart([] {
    const auto gpu = build_gpu(one_clock_config());
    HostProgram program = added_vectors(4096);
    Host host("host", *gpu);
    EXPECT_THROW(host.result(), std::logic_error);
    host.begin(program);
    EXPECT_THROW(host.begin(program), std::logic_error);
    sc_core::sc_start(core_cycles(100));
    EXPECT_TRUE(host.running());
    EXPECT_THROW(host.begin(program), std::logic_error);
    EXPECT_THROW(host.result(), std::logic_error);
    sc_core::sc_start();
    EXPECT_EQ(host.result().end, RunEnd::kComplete);
    EXPECT_THROW(host.result(), std::logic_error);
    return std::string();
  });
}

/// Both would number their launches from 0 on.
TEST(HostInPlatform, AGpuHasOneHost) {
  test::apart([] {
    const auto gpu = build_gpu(one_clock_config());
    const Host host("host", *gpu);
    EXPECT_THROW(Host("second_host", *gpu), std::logic_error);
    return std::string();
  });
}

/// Its statements are done: there would be nothing left to run.
TEST(HostInPlatform, AProgramRunsOnce) {
  test::apart([] {
    const auto gpu = build_gpu(one_clock_config());
    HostProgram program = added_vectors(1024);
    HostProgram again = added_vectors(1024);
    Host host("host", *gpu);
    host.begin(program);
    sc_core::sc_start();
    EXPECT_EQ(host.result().launches.size(), 1U);
    EXPECT_THROW(host.begin(program), std::logic_error);
    EXPECT_FALSE(host.running());
    host.begin(again);
    sc_core::sc_start();
    EXPECT_EQ(host.result().launches.size(), 1U);
    return std::string();
  });
}

/// What was left running must be gone before the next one.
TEST(HostInPlatform, AnotherOneMayFollowOneThatReachedItsLimit) {
  test::apart([] {
    const auto gpu = build_gpu(one_clock_config());
    HostProgram long_one = added_vectors(65536);
    HostProgram next = added_vectors(4096);
    Host host("host", *gpu);
    sc_core::sc_start(core_cycles(5000));
    HostOptions options;
    options.max_cycles = 3000;
    host.begin(long_one, options);
    sc_core::sc_start(core_cycles(4000));
    EXPECT_FALSE(host.running());
    const RunResult ended = host.result();
    EXPECT_EQ(ended.end, RunEnd::kCycleLimit);
    EXPECT_EQ(ended.cycles, 3000U);
    EXPECT_THROW(host.begin(next), std::logic_error);
    sc_core::sc_start();
    EXPECT_TRUE(gpu->idle());
    host.begin(next);
    sc_core::sc_start();
    EXPECT_EQ(host.result().end, RunEnd::kComplete);
    EXPECT_TRUE(test::correct(next));
    return std::string();
  });
}

TEST(HostInPlatform, AProgramThatThePlatformStopsIsNotComplete) {
  for (const bool has_run : {false, true}) {
    test::apart([has_run] {
      const auto gpu = build_gpu(one_clock_config());
      HostProgram program = added_vectors(65536);
      const std::unique_ptr<Host> host = has_run
                                             ? std::make_unique<Host>("host", *gpu, program, HostOptions{})
                                             : std::make_unique<Host>("host", *gpu);
      const PlatformProcess processor("processor", [] {
        sc_core::wait(core_cycles(1500));
        sc_core::sc_stop();
      });
      RunResult result;
      if (has_run) {
        result = host->run();
      } else {
        host->begin(program);
        sc_core::sc_start();
        result = host->result();
      }
      EXPECT_EQ(result.end, RunEnd::kInterrupted);
      EXPECT_EQ(result.reason, "the simulation was stopped at core cycle 1500");
      EXPECT_EQ(result.cycles, 1500U);
      EXPECT_FALSE(result.launches[0].complete);
      return std::string();
    });
  }
}

TEST(HostInPlatform, AFaultStopsTheSimulationAndIsTold) {
  test::apart([] {
    const auto gpu = build_gpu(one_clock_config());
    HostProgram program(load_workload_text(
        "ptx: workloads/kernels/vector_add/vector_add.ptx\nbuffers:\n  a: {type: f32, count: 64, init: 1}\n"
        "launches:\n  - {kernel: vector_add, grid: 1, block: 64, args: [a, a, {u64: 8}, 64]}\n",
        test::source_dir() + "/w.yaml"));
    Host host("host", *gpu);
    bool told = false;
    const PlatformProcess processor("processor", [&] {
      host.begin(program);
      sc_core::wait(host.ended());
      told = true;
    });
    sc_core::sc_start();
    EXPECT_FALSE(told);
    EXPECT_EQ(sc_core::sc_get_status(), sc_core::SC_STOPPED);
    const RunResult result = host.result();
    EXPECT_EQ(result.end, RunEnd::kFault);
    EXPECT_NE(result.reason.find("vector_add"), std::string::npos) << result.reason;
    return std::string();
  });
}

/// Two GPUs of one platform know nothing of each other.
TEST(HostInPlatform, TwoGpusCountAsEachAlone) {
  const std::string text = test::apart([] {
    const auto first = build_gpu(one_clock_config());
    const auto second = build_gpu(one_clock_config(), {}, "other");
    EXPECT_STREQ(first->name(), "gpu");
    EXPECT_STREQ(second->name(), "other");
    HostProgram small = added_vectors(4096);
    HostProgram large = added_vectors(8192);
    Host first_host("first_host", *first);
    Host second_host("second_host", *second);
    first_host.begin(small);
    sc_core::sc_start(core_cycles(700));
    second_host.begin(large);
    sc_core::sc_start();
    return all_counts(first_host, first_host.result()) + all_counts(second_host, second_host.result());
  });
  EXPECT_EQ(text, run_alone(4096) + run_alone(8192));
}

}  // namespace
}  // namespace heddle
