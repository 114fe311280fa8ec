// Runs that do not end: whether the program is stuck, or a policy holds back what could go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "sc_tests/support/paths.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::uint64_t kIssues = 20;  ///< of a scheduler, before the policies below stop

class StoppingQualifier final : public Qualifier {
 public:
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask issuable) override {
    return issued_ < kIssues ? issuable : 0;
  }
  void on_issue(const IssueEvent& /*event*/) override { ++issued_; }

 private:
  std::uint64_t issued_ = 0;
};

class StoppingPrioritizer final : public Prioritizer {
 public:
  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override {
    return issued_ < kIssues ? lowest_warp(issuable) : kNoWarp;
  }
  void on_issue(const IssueEvent& /*event*/) override { ++issued_; }

 private:
  std::uint64_t issued_ = 0;
};

const QualifierEntry kStoppingQualifier{"holds", "test: lets none issue after a while",
                                        [](const PolicyContext& /*context*/) -> std::unique_ptr<Qualifier> {
                                          return std::make_unique<StoppingQualifier>();
                                        }};
const PrioritizerEntry kStoppingPrioritizer{
    "passes", "test: chooses none after a while",
    [](const PolicyContext& /*context*/) -> std::unique_ptr<Prioritizer> {
      return std::make_unique<StoppingPrioritizer>();
    }};
std::string vector_add(const std::string& launches) {
  return "ptx: workloads/kernels/vector_add/vector_add.ptx\n"
         "buffers:\n  a: {type: f32, count: 4096, init: 1}\n  b: {type: f32, count: 4096, init: 2}\n"
         "  c: {type: f32, count: 4096}\n  d: {type: f32, count: 4096}\n" +
         launches;
}

class WatchdogTest : public ::testing::Test {
 protected:
  WatchdogTest() {
    static const bool kAdded = (add_policy(kStoppingQualifier), add_policy(kStoppingPrioritizer), true);
    static_cast<void>(kAdded);
  }
  RunResult run(const std::string& workload, std::vector<std::string> assignments) {
    assignments.insert(assignments.begin(), {"core.sms=2", "core.watchdog_cycles=5000"});
    HostProgram program(load_workload_text(workload, test::source_dir() + "/w.yaml"));
    const std::unique_ptr<Gpu> gpu = build_gpu(load_config("", assignments));
    Host host("host", *gpu, program, {});
    return host.run();
  }
  RunResult run_under(const std::string& scheduler) {
    return run(
        vector_add("launches:\n  - {kernel: vector_add, grid: 16, block: 256, args: [a, b, c, 4096]}\n"),
        {"scheduler.name=" + scheduler});
  }
};

TEST_F(WatchdogTest, AQualifierThatHoldsAllBackIsNamedWithTheWarps) {
  const RunResult result = run_under("holds+lrr");
  EXPECT_EQ(result.end, RunEnd::kPolicyDeadlock);
  EXPECT_THAT(result.reason, StartsWith("policy deadlock: no warp has issued and nothing has returned for "));
  EXPECT_THAT(result.reason, HasSubstr("\nSM 0 scheduler 0: 'holds' holds back the warps in slots 0, 2, "));
  EXPECT_THAT(result.reason, HasSubstr("\nSM 1 scheduler 1: 'holds' holds back the warps in slots 1, 3, "));
  EXPECT_THAT(result.reason, HasSubstr("warp 0: could issue; next: "));
}

TEST_F(WatchdogTest, APrioritizerThatChoosesNoneIsNamedWithTheWarps) {
  const RunResult result = run_under("passes");
  EXPECT_EQ(result.end, RunEnd::kPolicyDeadlock);
  EXPECT_THAT(result.reason, HasSubstr("\nSM 0 scheduler 1: 'passes' passes over the warps in slots 1, 3, "));
}

TEST_F(WatchdogTest, ADispatchPolicyThatLeavesEmptySmsEmptyIsNamed) {
  const std::string streams = vector_add(
      "streams:\n"
      "  - {name: long, launches: [{kernel: vector_add, grid: 16, block: 256, args: [a, b, c, 4096]}]}\n"
      "  - {name: short, launches: [{kernel: vector_add, grid: 16, block: 256, args: [a, b, d, 4096]}]}\n");
  HostProgram program(load_workload_text(streams, test::source_dir() + "/w.yaml"));
  const std::unique_ptr<Gpu> gpu = build_gpu(
      load_config("", {"core.sms=2", "core.watchdog_cycles=5000", "tb_dispatcher.policy=sjf",
                       "tb_dispatcher.mixed_sms=true", "tb_dispatcher.oracle_lookahead_cycles=1000000"}));
  // The oracle believes that the short stream has another launch, and waits for it.
  const std::vector<HostStream> both{{&program, 0, "long", 0, {90000}, 90000},
                                     {&program, 1, "short", 0, {10, 10}, 20}};
  Host host("host", *gpu, both, {});
  const RunResult result = host.run();
  EXPECT_EQ(result.end, RunEnd::kPolicyDeadlock);
  EXPECT_THAT(result.reason,
              HasSubstr("\ntb_dispatcher.policy 'sjf': holds back kernel 'vector_add', of which "));
  EXPECT_THAT(result.reason, HasSubstr(" thread blocks wait, from SM 0, 1\n"));
}

/// PTX of a kernel without parameters but `out`, of one thread block.
std::string kernel_text(const std::string& body) {
  return ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
         "  .reg .pred %p<4>;\n  .reg .u32 %r<40>;\n  .reg .u64 %rd<4>;\n  .shared .u32 flag;\n"
         "  mov.u32 %r1, %tid.x;\n  shr.u32 %r1, %r1, 5;\n" +
         body + "  ret;\n}\n";
}

class StuckProgram : public WatchdogTest {
 protected:
  RunResult run_kernel(const std::string& body, unsigned warps, std::uint64_t max_cycles,
                       const std::vector<std::string>& assignments) {
    const std::string name = "heddle-watchdog-" + std::to_string(getpid()) + ".ptx";
    const std::string ptx = ::testing::TempDir() + name;
    std::ofstream(ptx) << kernel_text(body);
    HostProgram program(load_workload_text("ptx: " + name +
                                               "\nbuffers:\n  out: {type: u32, count: 64}\n"
                                               "launches:\n  - {kernel: k, grid: 1, block: " +
                                               std::to_string(32 * warps) + ", args: [out]}\n",
                                           ::testing::TempDir() + "w.yaml"));
    std::vector<std::string> all{"core.sms=2", "core.schedulers=1", "core.watchdog_cycles=5000"};
    all.insert(all.end(), assignments.begin(), assignments.end());
    const std::unique_ptr<Gpu> gpu = build_gpu(load_config("", all));
    HostOptions options;
    options.max_cycles = max_cycles;
    Host host("host", *gpu, program, options);
    RunResult result = host.run();
    std::remove(ptx.c_str());
    return result;
  }
  /// Warps but the last spin, with work of their own, until the last one, which loads first, has set a flag.
  static std::string spin() {
    std::string work;
    for (unsigned i = 0; i < 24; ++i) {
      const std::string reg = "%r" + std::to_string(10 + i);
      work += "  add.u32 " + reg + ", " + reg + ", 1;\n";
    }
    return "  ld.param.u64 %rd1, [out];\n  setp.eq.u32 %p1, %r1, 15;\n  @%p1 bra LAST;\nAGAIN:\n" + work +
           "  ld.volatile.shared.u32 %r2, [flag];\n  setp.eq.u32 %p2, %r2, 0;\n  @%p2 bra AGAIN;\n  ret;\n"
           "LAST:\n  ld.global.u32 %r3, [%rd1];\n  cvt.u64.u32 %rd2, %r3;\n  add.u64 %rd1, %rd1, %rd2;\n"
           "  ld.global.u32 %r4, [%rd1];\n  add.u32 %r4, %r4, 1;\n  st.volatile.shared.u32 [flag], %r4;\n";
  }
};

TEST_F(StuckProgram, BarriersThatAreNeverMetAreTheProgramsUnderAThrottlingPolicyToo) {
  for (const char* scheduler : {"gto"}) {
    const RunResult result = run_kernel(
        "  setp.eq.u32 %p1, %r1, 0;\n  @%p1 bra FIRST;\n  bar.sync 1, 64;\n  ret;\nFIRST:\n  bar.sync 0, "
        "64;\n",
        2, 0, {std::string("scheduler.name=") + scheduler, "scheduler.swl.warps=1"});
    EXPECT_EQ(result.end, RunEnd::kDeadlock);
    EXPECT_THAT(result.reason, StartsWith("deadlock: no warp has issued"));
    EXPECT_THAT(result.reason, HasSubstr("waits at barrier 1, which 1 of 2 warps have reached"));
  }
}

TEST_F(StuckProgram, AFairSchedulerEndsASpin) {
  const RunResult result = run_kernel(spin(), 16, 200000, {"scheduler.name=lrr"});
  EXPECT_EQ(result.end, RunEnd::kComplete) << result.reason;
}

TEST_F(StuckProgram, TheWarpThatGtoStarvesInASpinIsTold) {
  const RunResult result = run_kernel(spin(), 16, 60000, {"scheduler.name=gto"});
  EXPECT_EQ(result.end, RunEnd::kCycleLimit);
  EXPECT_THAT(result.reason, StartsWith("stopped at core cycle 60000, the limit of --max-cycles\n"));
  EXPECT_THAT(result.reason,
              HasSubstr("warp(s) on 1 SM(s) could issue and have not for more than 5000 core cycles"));
  EXPECT_THAT(result.reason, HasSubstr(", 15, the longest "
                                       "since cycle "));
}

TEST_F(StuckProgram, TheWarpsThatAThrottleStarvesInASpinAreTold) {
  const RunResult result =
      run_kernel(spin(), 16, 60000, {"scheduler.name=swl+lrr", "scheduler.swl.warps=14"});
  EXPECT_EQ(result.end, RunEnd::kCycleLimit);
  EXPECT_THAT(result.reason,
              HasSubstr("\nSM 0 scheduler 0: 'swl' holds back the warps in slots 14, 15, the longest "
                        "since cycle "));
}

TEST_F(StuckProgram, WarpsThatTakeTurnsAreNotCalledStarved) {
  const RunResult result = run_kernel(
      "  mov.u32 %r2, 0;\nAGAIN:\n  add.u32 %r2, %r2, 1;\n"
      "  setp.lt.u32 %p1, %r2, 100000000;\n  @%p1 bra AGAIN;\n",
      16, 60000, {"scheduler.name=lrr"});
  EXPECT_EQ(result.end, RunEnd::kCycleLimit);
  EXPECT_EQ(result.reason, "stopped at core cycle 60000, the limit of --max-cycles");
}

}  // namespace
}  // namespace heddle
