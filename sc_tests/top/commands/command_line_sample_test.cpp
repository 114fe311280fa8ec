// Sampled runs of the built program, beside the whole ones.
#include <algorithm>
#include <cmath>

#include "sc_tests/support/swept_program.h"

namespace heddle {
namespace {

class SampledProgram : public BuiltProgram {
 protected:
  /// A run on four SMs: 24 TBs of 256 threads a round.
  nlohmann::json run_of(const std::string& out, std::vector<std::string> arguments, bool sample) {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(),
                     {"--set", "core.sms=4", "--set", "dram.channels=2", "--quiet", "--out", out});
    if (sample) arguments.emplace_back("--sample");
    const ProgramOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return stats(out);
  }
  static double cycles(const nlohmann::json& run) { return run.at("metrics").at("cycles"); }
  static bool all_passed(const nlohmann::json& run) {
    const auto& checks = run.at("checks");
    return !checks.empty() && std::all_of(checks.begin(), checks.end(),
                                          [](const auto& check) { return check.at("passed") == true; });
  }
  const std::vector<std::string> vectors_{"vector_add", "--param", "n=737280"};  // 120 rounds
};

TEST_F(SampledProgram, ComesNearTheWholeRunAndLeavesItsOutputs) {
  double difference = 0;  // in the mean
  for (const std::string scheduler : {"gto", "lrr", "pro", "oaws_dynamic"}) {
    std::vector<std::string> arguments = vectors_;
    arguments.insert(arguments.end(), {"--scheduler", scheduler});
    const nlohmann::json full = run_of("full", arguments, false);
    const nlohmann::json sampled = run_of("sampled", arguments, true);
    EXPECT_TRUE(all_passed(sampled));
    EXPECT_EQ(full.count("sampling"), 0U);
    const auto& sampling = sampled.at("sampling");
    EXPECT_EQ(sampling.at("sampled"), true);
    EXPECT_LT(sampling.at("simulated_cycles").get<double>(), cycles(full) / 3) << scheduler;
    const double half = sampling.at("half_intervals").at("cycles");
    EXPECT_NEAR(cycles(sampled), cycles(full), half) << scheduler;
    difference += std::abs(cycles(sampled) / cycles(full) - 1) / 4;
    EXPECT_GT(sampling.at("half_intervals").at("ipc_warp").get<double>(), 0);
    EXPECT_GT(sampling.at("half_intervals").at("partition.dram").at("reads").get<double>(), 0);
    // What is known is exact, and certain.
    for (const std::string count : {"warp_instructions", "thread_instructions", "tbs", "warps"}) {
      EXPECT_EQ(sampled.at("metrics").at("sm").at(count), full.at("metrics").at("sm").at(count)) << count;
      EXPECT_NEAR(sampling.at("half_intervals").at("sm").at(count).get<double>(), 0, 1e-6) << count;
    }
    const double loads = full.at("metrics").at("sm.l1d").at("loads");
    EXPECT_NEAR(sampled.at("metrics").at("sm.l1d").at("loads").get<double>(), loads,
                sampling.at("half_intervals").at("sm.l1d").at("loads").get<double>())
        << scheduler;
    const double launch = sampled.at("launches").at(0).at("metrics").at("cycles");
    EXPECT_NEAR(launch, cycles(sampled), 0.01 * launch);
  }
  EXPECT_LT(difference, 0.03);
}

TEST_F(SampledProgram, EqualRunsGiveEqualBytes) {
  run_of("first", vectors_, true);
  const std::string bytes = read("first/stats.json");
  for (const std::string option : {"--no-sleep", "--reverse-construction", "--processes", "--quiet"}) {
    std::vector<std::string> arguments = vectors_;
    if (option != "--quiet") arguments.push_back(option);
    run_of("other", arguments, true);
    EXPECT_EQ(read("other/stats.json"), bytes) << option;
  }
  std::vector<std::string> arguments = vectors_;
  arguments.insert(arguments.end(), {"--threads", "2", "--oversubscribe"});
  run_of("other", arguments, true);
  EXPECT_EQ(read("other/stats.json"), bytes);
}

/// Counts of a run that is cut short are of what was executed by then, not of the whole grid.
TEST_F(SampledProgram, ARunThatIsCutShortCountsWhatItHasDone) {
  std::vector<std::string> words{"run", "--set", "core.sms=4", "--set", "dram.channels=2"};
  words.insert(words.end(), vectors_.begin(), vectors_.end());
  words.insert(words.end(), {"--sample", "--quiet", "--out", "short", "--max-cycles"});
  const auto cut_at = [&](const std::string& cycle) {
    std::vector<std::string> all = words;
    all.push_back(cycle);
    EXPECT_EQ(run(all).code, 7);
    return stats("short");
  };
  const nlohmann::json late = cut_at("20000");
  const std::uint64_t skipped = late.at("sampling").at("fast_forwarded_tbs");
  ASSERT_GT(skipped, 0U);
  const auto& sm = late.at("metrics").at("sm");
  const std::uint64_t tbs = sm.at("tbs");
  const std::uint64_t instructions = sm.at("warp_instructions");
  EXPECT_GT(tbs, skipped);
  EXPECT_LE(tbs * 8 * 22, instructions);  // each of its eight warps has 22
  EXPECT_GE((tbs + 24) * 8 * 22, instructions);
  EXPECT_NEAR(sm.at("warps").get<double>(), static_cast<double>(tbs) * 8, 24 * 8);
  const std::uint64_t dispatched = late.at("metrics").at("tb_dispatcher").at("tbs_dispatched");
  EXPECT_LE(dispatched, tbs + 24);
  EXPECT_EQ(cut_at("500").at("launches").at(0).at("sampling").at("in_full"),
            "the run ended before its rate had settled");
}

/// Atomics on the same words from TBs of both kinds.
TEST_F(SampledProgram, TbsOfBothKindsShareMemory) {
  const nlohmann::json run =
      run_of("atomics", {"histogram256", "--size", "paper", "--set", "core.tb_slots=1"}, true);
  EXPECT_TRUE(all_passed(run));
  EXPECT_EQ(run.at("sampling").at("sampled"), true);
}

/// 24 launches of 2.5 rounds, which read what the one before has written.
TEST_F(SampledProgram, LaunchesThatRepeatOthersAreNotSimulated) {
  const std::vector<std::string> arguments{"fdtd_2d",    "--param", "rows=96", "--param",
                                           "columns=96", "--param", "steps=8"};
  const nlohmann::json full = run_of("full", arguments, false);
  const nlohmann::json sampled = run_of("sampled", arguments, true);
  EXPECT_TRUE(all_passed(sampled));
  EXPECT_GE(sampled.at("sampling").at("sampled_launches"), 3U * 2);
  EXPECT_NEAR(cycles(sampled), cycles(full), 0.03 * cycles(full));
  EXPECT_GT(sampled.at("sampling").at("half_intervals").at("cycles").get<double>(), 0);
  for (const std::string count : {"warp_instructions", "thread_instructions", "tbs", "warps"})
    EXPECT_EQ(sampled.at("metrics").at("sm").at(count), full.at("metrics").at("sm").at(count)) << count;
  double sum = 0;
  double begin = 0;
  for (const auto& launch : sampled.at("launches")) {
    EXPECT_GE(launch.at("first_cycle").get<double>(), begin);
    begin = launch.at("first_cycle").get<double>() + launch.at("metrics").at("cycles").get<double>() - 1;
    sum += launch.at("metrics").at("cycles").get<double>();
    EXPECT_EQ(launch.at("complete"), true);
  }
  EXPECT_NEAR(sum, cycles(sampled), 0.01 * sum);
  // Of a launch that was not simulated causes add up as ever.
  const auto& launches = sampled.at("launches");
  const auto skipped = std::find_if(launches.begin(), launches.end(), [](const auto& launch) {
    return launch.at("sampling").at("simulated_cycles") == 0U;
  });
  ASSERT_NE(skipped, launches.end());
  const auto& schedulers = skipped->at("metrics").at("sm.scheduler");
  const auto of = [&schedulers](const char* name) { return schedulers.at(name).get<double>(); };
  EXPECT_NEAR(of("issued") + of("idle") + of("scoreboard") + of("pipeline"), of("cycles"), 4);
}

TEST_F(SampledProgram, RepeatedLaunchesGiveEqualBytes) {
  const std::vector<std::string> arguments{"hotspot", "--param", "passes=8"};
  run_of("first", arguments, true);
  const std::string bytes = read("first/stats.json");
  for (const std::string option : {"--no-sleep", "--reverse-construction", "--quiet"}) {
    std::vector<std::string> more = arguments;
    if (option != "--quiet") more.push_back(option);
    EXPECT_GT(run_of("other", more, true).at("sampling").at("sampled_launches"), 0U);
    EXPECT_EQ(read("other/stats.json"), bytes) << option;
  }
}

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

/// The third launch counts before it faults: what it has counted without timing is taken back.
TEST_F(SampledProgram, AFaultInARepeatedLaunchIsThatOfTheWholeRun) {
  write("count.ptx",
        ".version 6.0\n.target sm_30\n.address_size 64\n"
        ".visible .entry count(.param .u64 total, .param .u32 faults) {\n"
        "  .reg .pred %p; .reg .u32 %r<3>; .reg .u64 %d;\n"
        "  ld.param.u64 %d, [total]; ld.param.u32 %r1, [faults];\n"
        "  atom.global.add.u32 %r2, [%d], 1;\n"
        "  setp.ne.u32 %p, %r1, 0;\n"
        "  @%p trap;\n"
        "  ret;\n}\n");
  write("count.yaml",
        "ptx: count.ptx\nbuffers: {total: {type: u32, count: 1, init: 0}}\nlaunches:\n"
        "- {kernel: count, grid: 4, block: 64, args: [total, {u32: 0}]}\n"
        "- {kernel: count, grid: 4, block: 64, args: [total, {u32: 0}]}\n"
        "- {kernel: count, grid: 4, block: 64, args: [total, {u32: 1}]}\n");
  std::vector<std::string> messages;
  for (const bool sample : {false, true}) {
    std::vector<std::string> words{"run", "count.yaml", "--set", "core.sms=2", "--quiet", "--out", "fault"};
    if (sample) words.emplace_back("--sample");
    const ProgramOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    messages.push_back(outcome.err);
  }
  EXPECT_EQ(messages[0], messages[1]);
}

TEST_F(SampledProgram, ALaunchThatTheGpuRefusesLeavesThoseBeforeIt) {
  write("two.ptx", ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry nothing() { ret; }\n");
  write("two.yaml",
        "ptx: two.ptx\nlaunches:\n- {kernel: nothing, grid: 4, block: 64, args: []}\n"
        "- {kernel: nothing, grid: 4, block: 64, shared_bytes: 65536, args: []}\n");
  std::vector<std::string> messages;
  for (const bool sample : {false, true}) {
    std::vector<std::string> words{"run", "two.yaml", "--set", "core.sms=2", "--quiet", "--out", "two"};
    if (sample) words.emplace_back("--sample");
    const ProgramOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    messages.push_back(outcome.err);
  }
  EXPECT_EQ(messages[0], messages[1]);
  EXPECT_EQ(stats("two").at("launches").size(), 1U);
}

TEST_F(SampledProgram, SaysWhyItRunsInFull) {
  const std::vector<std::string> few{"vector_add", "--param", "n=24576"};
  const nlohmann::json full = run_of("full", few, false);
  nlohmann::json sampled = run_of("few", few, true);
  EXPECT_EQ(sampled.at("sampling").at("sampled"), false);
  EXPECT_EQ(sampled.at("launches").at(0).at("sampling").at("in_full"),
            "it has 4.0 rounds of thread blocks, and sampling takes 20");
  EXPECT_EQ(sampled.at("metrics"), full.at("metrics"));
  EXPECT_EQ(sampled.at("instances"), full.at("instances"));

  std::vector<std::string> ipaws = vectors_;
  ipaws.insert(ipaws.end(), {"--scheduler", "ipaws"});
  EXPECT_EQ(run_of("ipaws", ipaws, true).at("sampling").at("in_full"),
            "the scheduler ipaws learns over the whole kernel");
  EXPECT_EQ(run_of("streams", {"vector_add", "--arrival", "0"}, true).at("sampling").at("in_full"),
            "kernels run at the same time");
  EXPECT_EQ(run_of("srtf", {"vector_add", "--config", "srtf", "--set", "tb_dispatcher.policy=srtf"}, true)
                .at("sampling")
                .at("in_full"),
            "tb_dispatcher.policy srtf goes by how long thread blocks take");

  const ProgramOutcome shown =
      run({"run", "vector_add", "--set", "core.sms=2", "--param", "n=12288", "--sample"});
  EXPECT_NE(shown.out.find("runs in full: it has 4.0 rounds"), std::string::npos) << shown.out;
}

TEST_F(SampledProgram, SaysThatFiguresAreEstimates) {
  std::vector<std::string> arguments{"run", "--set", "core.sms=2", "--sample"};
  arguments.insert(arguments.end(), vectors_.begin(), vectors_.end());
  const ProgramOutcome text = run(arguments);
  EXPECT_NE(text.out.find("Sampled: figures are estimates"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("Sampled: "), std::string::npos);
  // The scheduler's parts did not do the rest.
  EXPECT_NE(text.out.find("Energy of what was simulated in detail, all SMs: "), std::string::npos)
      << text.out;
  arguments.insert(arguments.end(), {"--format", "json"});
  const nlohmann::json json = nlohmann::json::parse(run(arguments).out);
  EXPECT_EQ(json.at("sampled"), true);
  EXPECT_EQ(json.at("sampling").at(0).at("figure"), "cycles");
  arguments.back() = "csv";
  EXPECT_NE(run(arguments).out.find("\nhalf_intervals,energy_delay_product,"), std::string::npos);
  const std::string folder = json.at("folder");
  const nlohmann::json halves = stats(folder).at("launches").at(0).at("sampling").at("half_intervals");
  EXPECT_GT(halves.at("energy").get<double>(), 0);
  for (const auto& row : json.at("sampling")) {
    if (row.at("figure") != "energy") continue;
    EXPECT_EQ(row.at("unit"), "nJ");
    EXPECT_EQ(row.at("estimate"), json.at("energy").at("total_nj"));
    EXPECT_GT(row.at("half_interval").get<double>(), 0);
    return;
  }
  ADD_FAILURE() << "no energy among the estimates";
}

TEST_F(SampledProgram, WhatIsOfAllCyclesDoesNotGoWithIt) {
  for (const std::string option : {"--vcd", "--profile", "--tb-log", "--timeline", "--functional"}) {
    const ProgramOutcome outcome = run({"run", "vector_add", "--sample", option});
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_NE(outcome.err.find(option), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(run({"run", "vector_add", "--sample", "--interval", "1000"}).code, 2);
  EXPECT_EQ(run({"run", "vector_add", "--sample", "--impl", "lockstep"}).code, 2);
  EXPECT_EQ(run({"compare", "vector_add", "--sample", "--profile"}).code, 2);
}

TEST_F(SampledProgram, ComparisonsAndSweepsPassItOn) {
  const std::vector<std::string> shape{"--param",  "n=122880", "--set",    "core.sms=2",
                                       "--sample", "--quiet",  "--format", "csv"};
  const auto rows_of = [&](std::vector<std::string> words) {
    words.insert(words.end(), shape.begin(), shape.end());
    const ProgramOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return csv_rows(outcome.out);
  };
  const auto compared = rows_of({"compare", "vector_add", "--scheduler", "gto,lrr", "--out", "compare"});
  const std::vector<std::string> sweep{"sweep",    "vector_add",  "--set", "l1d.mshr.entries=16,32",
                                       "--metric", "sm.l1d.loads"};
  std::vector<std::string> in_folders = sweep;
  in_folders.insert(in_folders.end(), {"--out", "sweep"});
  std::vector<std::string> in_database = sweep;
  in_database.insert(in_database.end(), {"--db", "r.sqlite"});
  const auto swept = rows_of(in_folders);
  const auto stored = rows_of(in_database);
  unsigned files = 0;
  for (const char* const folder : {"compare", "sweep"}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / folder)) {
      if (entry.path().filename() != "stats.json") continue;
      ++files;
      EXPECT_EQ(nlohmann::json::parse(std::ifstream(entry.path())).at("sampling").at("sampled"), true);
    }
  }
  EXPECT_EQ(files, 4U);
  for (const auto& rows : {compared, swept, stored}) {
    ASSERT_EQ(rows.size(), 2U);
    for (const CsvRow& row : rows) {
      EXPECT_EQ(row.at("status"), "sampled");
      EXPECT_GT(std::stod(row.at("sampling.half.cycles")), 0);
      EXPECT_GT(std::stod(row.at("sampling.half.ipc_warp")), 0);
    }
  }
  EXPECT_EQ(swept[1].at("sampling.half.sm.l1d.loads"), stored[1].at("sampling.half.sm.l1d.loads"));
}

/// The whole runs are the other way round.
TEST_F(SampledProgram, AComparisonNamesNobodyWhoseIntervalOverlaps) {
  const std::vector<std::string> words{"compare",     "vector_add", "--param",  "n=147456",
                                       "--set",       "core.sms=1", "--set",    "dram.channels=1",
                                       "--scheduler", "gto,lrr",    "--sample", "--quiet"};
  const ProgramOutcome outcome = run(words);
  EXPECT_NE(outcome.out.find("can't be told apart from"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("is ahead"), std::string::npos) << outcome.out;
}

TEST_F(SampledProgram, ADatabaseTellsEstimatesFromWholeRuns) {
  const std::string text =
      "workloads: [{workload: vector_add, params: {n: 122880}}]\nset: {core.sms: 2}\n"
      "metrics: [cycles, sm.l1d.loads]\n";
  write("whole.yaml", text);
  write("sampled.yaml", text + "sample: true\n");
  for (const std::string name : {"whole", "sampled"}) {
    const ProgramOutcome outcome = run({"sweep", name + ".yaml", "--db", "r.sqlite", "--format", "csv"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const CsvRow row = csv_rows(outcome.out).at(0);
    EXPECT_EQ(row.at("status"), name == "whole" ? "complete" : "sampled");
    EXPECT_EQ(row.count("sampling.half.sm.l1d.loads"), name == "whole" ? 0U : 1U);
  }
  const auto results = [this](const std::vector<std::string>& more) {
    std::vector<std::string> words{"results"};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--db", "r.sqlite", "--metric", "cycles,sampling.half.*"});
    const ProgramOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return csv_rows(outcome.out);
  };
  const auto wide = results({"export", "--wide"});
  ASSERT_EQ(wide.size(), 2U);
  EXPECT_EQ(wide[0].at("status"), "complete");
  EXPECT_EQ(wide[0].count("sampling.half.cycles"), 0U);
  EXPECT_EQ(wide[1].at("status"), "sampled");
  EXPECT_NE(wide[1].at("command").find("--sample"), std::string::npos);
  EXPECT_GT(std::stod(wide[1].at("sampling.half.cycles")), 0);
  EXPECT_GT(std::stod(wide[1].at("sampling.half.ipc_warp")), 0);
  for (const CsvRow& row : results({"export", "--experiment", "sampled"}))
    EXPECT_EQ(row.at("status"), "sampled");
  EXPECT_EQ(results({"list", "--where", "status=sampled", "--format", "csv"}).size(), 1U);
}

}  // namespace
}  // namespace heddle
