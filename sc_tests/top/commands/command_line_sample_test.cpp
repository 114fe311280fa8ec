// Sampled runs of the built program, beside the whole ones.
#include <cmath>

#include "sc_tests/top/commands/sampled_program.h"

namespace heddle {
namespace {

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
