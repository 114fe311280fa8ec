// Sampled runs of kernels made for it: a TB that takes far longer than the others, and launches that repeat.
#include <string>
#include <vector>

#include "sc_tests/top/commands/sampled_program.h"

namespace heddle {
namespace {

/// 60 rounds of TBs of which one has more work than the others. With 8,000 iterations, not 20, it runs on for
/// long after all others.
class SampledLongTb : public SampledProgram {
 protected:
  std::string workload(const std::string& tb, const std::string& iterations) {
    write("long.ptx",
          ".version 6.0\n.target sm_30\n.address_size 64\n"
          ".visible .entry work(.param .u64 a) {\n"
          "  .reg .pred %p; .reg .u32 %r<6>; .reg .u64 %d<4>;\n"
          "  ld.param.u64 %d1, [a];\n  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n"
          "  mad.lo.u32 %r3, %r1, 64, %r2;\n  mul.wide.u32 %d2, %r3, 4; add.u64 %d3, %d1, %d2;\n"
          "  setp.eq.u32 %p, %r1, " +
              tb + ";\n  selp.u32 %r4, " + iterations +
              ", 20, %p;\n  mov.u32 %r5, 1;\n"
              "L:\n  mul.lo.u32 %r5, %r5, 3;\n  sub.u32 %r4, %r4, 1;\n"
              "  setp.ne.u32 %p, %r4, 0;\n  @%p bra L;\n"
              "  st.global.u32 [%d3], %r5;\n  ret;\n}\n");
    write("long.yaml",
          "ptx: long.ptx\nbuffers: {a: {type: u32, count: 122880}}\nlaunches:\n"
          "- {kernel: work, grid: 1920, block: 64, args: [a]}\n");
    return (folder_ / "long.yaml").string();
  }
};

TEST_F(SampledLongTb, ThatIsExecutedWithoutTimingIsInTheInterval) {
  const std::string file = workload("940", "8000");
  const double full = cycles(run_of("full", {file}, false));
  const nlohmann::json sampled = run_of("sampled", {file}, true);
  ASSERT_EQ(sampled.at("sampling").at("sampled"), true);
  ASSERT_LT(cycles(sampled), 0.8 * full) << "the TB was simulated, or made no difference";
  EXPECT_GE(sampled.at("sampling").at("half_intervals").at("cycles").get<double>(), full - cycles(sampled));
}

/// Before the first section, between two, and after the last one. Sections pass beside it.
TEST_F(SampledLongTb, ThatIsSimulatedHasItsTimeOnce) {
  for (const std::string tb : {"100", "980", "1900"}) {
    for (const std::string iterations : {"2000", "8000"}) {
      const std::string file = workload(tb, iterations);
      const nlohmann::json whole = run_of("full", {file}, false);
      const nlohmann::json sampled = run_of("sampled", {file}, true);
      const double full = cycles(whole);
      ASSERT_GT(sampled.at("sampling").at("fast_forwarded_tbs").get<double>(), 1000);
      const double half = sampled.at("sampling").at("half_intervals").at("cycles");
      EXPECT_NEAR(cycles(sampled), full, half) << tb << ", " << iterations;
      EXPECT_NEAR(cycles(sampled), full, 0.1 * full) << tb << ", " << iterations;
      EXPECT_LT(half, 0.2 * full) << tb << ", " << iterations;
      for (const std::string count : {"issued", "idle"}) {
        const auto of = [&count](const nlohmann::json& of_run) {
          return of_run.at("sm.scheduler").at(count).get<double>();
        };
        const double truth = of(whole.at("metrics"));
        EXPECT_NEAR(of(sampled.at("metrics")), truth,
                    of(sampled.at("sampling").at("half_intervals")) + 0.001 * truth)
            << count << ": " << tb << ", " << iterations;
      }
    }
  }
}

TEST_F(SampledLongTb, ThatIsSimulatedGivesEqualBytes) {
  const std::string file = workload("980", "8000");
  run_of("first", {file}, true);
  const std::string bytes = read("first/stats.json");
  for (const std::string option : {"--no-sleep", "--reverse-construction"}) {
    run_of("other", {file, option}, true);
    EXPECT_EQ(read("other/stats.json"), bytes) << option;
  }
  run_of("other", {file, "--threads", "2", "--oversubscribe"}, true);
  EXPECT_EQ(read("other/stats.json"), bytes);
}

/// 40 multiplications for each thread. An SM holds eight TBs of 64 threads, or one when each takes 48 KB.
class SampledLaunchesOfOneKernel : public SampledProgram {
 protected:
  nlohmann::json run_of_launches(const std::string& launches, bool sample,
                                 const std::string& scheduler = "gto") {
    std::string text = ".version 6.0\n.target sm_30\n.address_size 64\n";
    text += ".visible .entry work(.param .u64 a) {\n  .reg .u32 %r<5>; .reg .u64 %d<4>;\n";
    text += "  ld.param.u64 %d1, [a];\n  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n";
    text += "  mad.lo.u32 %r3, %r1, 64, %r2;\n  mul.wide.u32 %d2, %r3, 4; add.u64 %d3, %d1, %d2;\n";
    text += "  ld.global.u32 %r4, [%d3];\n";
    for (unsigned i = 0; i < 40; ++i) text += "  mul.lo.u32 %r4, %r4, %r4;\n";
    text += "  st.global.u32 [%d3], %r4;\n  ret;\n}\n";
    write("work.ptx", text);
    write("work.yaml", "ptx: work.ptx\nbuffers: {a: {type: u32, count: 8192}}\nlaunches:\n" + launches);
    return run_of(sample ? "sampled" : "full", {(folder_ / "work.yaml").string(), "--scheduler", scheduler},
                  sample);
  }
  const std::string small_ = "{kernel: work, grid: 96, block: 64, args: [a]}";
  const std::string large_ = "{kernel: work, grid: 96, block: 64, shared_bytes: 49152, args: [a]}";
};

/// One TB an SM, 24 rounds and more: all TBs of a round end together, and one that is left over takes a
/// round.
TEST_F(SampledLaunchesOfOneKernel, EndAsWholeOnesDo) {
  for (const std::string scheduler : {"gto", "lrr", "pro", "oaws_dynamic"}) {
    for (const unsigned grid : {96U, 97U, 115U}) {
      const std::string launch =
          "- {kernel: work, grid: " + std::to_string(grid) + ", block: 64, shared_bytes: 49152, args: [a]}\n";
      const double full = cycles(run_of_launches(launch, false, scheduler));
      const nlohmann::json sampled = run_of_launches(launch, true, scheduler);
      ASSERT_EQ(sampled.at("sampling").at("sampled"), true);
      const double half = sampled.at("sampling").at("half_intervals").at("cycles");
      EXPECT_NEAR(cycles(sampled), full, half) << scheduler << ", " << grid << " TBs";
      EXPECT_LT(half, 0.03 * full) << scheduler << ", " << grid << " TBs";
    }
  }
}

/// They do the same, but fewer of their TBs run side by side.
TEST_F(SampledLaunchesOfOneKernel, OfOtherResourcesDontStandForEachOther) {
  const std::string launches =
      "- repeat: {count: 3, launches: [" + small_ + "]}\n- repeat: {count: 2, launches: [" + large_ + "]}\n";
  const nlohmann::json full = run_of_launches(launches, false);
  const nlohmann::json sampled = run_of_launches(launches, true);
  for (std::size_t launch = 0; launch < 5; ++launch) {
    const double truth = cycles(full.at("launches").at(launch));
    EXPECT_NEAR(cycles(sampled.at("launches").at(launch)), truth, 0.1 * truth) << launch;
  }
}

/// 24 rounds each: the launches that stand for others are estimates themselves.
TEST_F(SampledLaunchesOfOneKernel, ThatAreSkippedAreOffAsThoseThatStandForThem) {
  const nlohmann::json run = run_of_launches("- repeat: {count: 5, launches: [" + large_ + "]}\n", true);
  const auto half = [](const nlohmann::json& of) {
    return of.at("sampling").at("half_intervals").at("cycles").get<double>();
  };
  std::vector<double> simulated;
  std::vector<double> skipped;
  for (const auto& launch : run.at("launches")) {
    (launch.at("sampling").at("simulated_cycles") == 0U ? skipped : simulated).push_back(half(launch));
  }
  ASSERT_FALSE(simulated.empty());
  ASSERT_FALSE(skipped.empty());
  for (const double of_launch : skipped) EXPECT_GE(of_launch, simulated.back() / 2);
  EXPECT_GE(half(run), static_cast<double>(simulated.size() + skipped.size()) * simulated.back() / 2);
}

/// Three rounds each, which take the same to the cycle: those that are skipped need not.
TEST_F(SampledLaunchesOfOneKernel, ThatAreSkippedAreNotCertain) {
  const nlohmann::json run = run_of_launches("- repeat: {count: 4, launches: [" + small_ + "]}\n", true);
  double skipped = 0;
  for (const auto& launch : run.at("launches")) {
    if (launch.at("sampling").at("simulated_cycles") != 0U) continue;
    const double half = launch.at("sampling").at("half_intervals").at("cycles");
    EXPECT_NEAR(half, 0.01 * cycles(launch), 1);
    skipped += cycles(launch);
  }
  ASSERT_GT(skipped, 0);
  EXPECT_NEAR(run.at("sampling").at("half_intervals").at("cycles").get<double>(), 0.01 * skipped, 1);
  EXPECT_NEAR(run.at("sampling").at("half_intervals").at("sm").at("tbs").get<double>(), 0, 1e-6);
}

}  // namespace
}  // namespace heddle
