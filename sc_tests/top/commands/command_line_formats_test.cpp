// What commands print for people and for programs.
#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/support/stats_file.h"

namespace heddle {
namespace {

using nlohmann::json;

json metric(const json& stats, const std::string& name) {
  const json* const found = find_metric(stats.at("metrics"), name);
  return found == nullptr ? json() : *found;
}

TEST_F(BuiltProgram, ARunIsSummedUpAsJsonWithTheFiguresOfItsStatistics) {
  const ProgramOutcome outcome =
      run({"run", "vector_add", "--param", "n=4096", "--out", "o", "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json summary = json::parse(outcome.out);
  const json written = stats("o");
  EXPECT_EQ(summary.at("status"), "complete");
  EXPECT_EQ(summary.at("run").at("cycles"), metric(written, "cycles"));
  EXPECT_EQ(summary.at("run").at("warp_instructions"), metric(written, "sm.warp_instructions"));
  EXPECT_EQ(summary.at("memory").at("l1d_miss_rate"), metric(written, "l1d_miss_rate"));
  EXPECT_EQ(summary.at("scheduler_cycles").at("scheduler_share_issued"),
            metric(written, "scheduler_share_issued"));
  EXPECT_EQ(summary.at("kernels").at(0).at("kernel"), "vector_add");
  EXPECT_EQ(summary.at("kernels").at(0).at("grid"), "16");
  EXPECT_EQ(summary.at("checks").at(0).at("passed"), true);
  EXPECT_EQ(summary.at("folder"), "o");
  EXPECT_EQ(summary.at("files").at(0), "stats.json");
}

TEST_F(BuiltProgram, ARunIsSummedUpInTheOtherFormats) {
  const std::vector<std::string> command{"run", "vector_add", "--param", "n=64", "--out", "o", "--format"};
  const auto printed = [&](const char* format) {
    std::vector<std::string> words = command;
    words.emplace_back(format);
    return run(words).out;
  };
  const std::string csv = printed("csv");
  const auto cycles = metric(stats("o"), "cycles").get<std::uint64_t>();
  EXPECT_EQ(csv.find("section,name,value,unit\nrun,cycles," + std::to_string(cycles) + ",cycles\n"), 0U)
      << csv;
  EXPECT_EQ(printed("markdown").find("# vector_add on gtx480, scheduler gto\n\n| kernel | launches |"), 0U);
  EXPECT_EQ(printed("md").find("# vector_add on gtx480"), 0U);
  EXPECT_EQ(printed("text").find("vector_add on gtx480, scheduler gto\nkernel "), 0U);
  std::vector<std::string> quiet = command;
  quiet.insert(quiet.end(), {"json", "--quiet"});
  EXPECT_EQ(run(quiet).out, "");
  EXPECT_EQ(run({"run", "vector_add", "--format", "yaml"}).code, 2);
}

TEST_F(BuiltProgram, ARunWithoutTimingIsSummedUpAsJson) {
  const ProgramOutcome outcome =
      run({"run", "vector_add", "--param", "n=64", "--functional", "--format", "json"});
  const json summary = json::parse(outcome.out);
  EXPECT_EQ(summary.at("thread_blocks"), 1);
  EXPECT_EQ(summary.at("checks").at(0).at("elements"), 64);
}

TEST_F(BuiltProgram, AConfigurationIsShownAsATableOfKeys) {
  const json keys = json::parse(
      run({"config", "show", "--set", "core.sms=4", "--set", "scheduler.name=pro", "--format", "json"}).out);
  std::map<std::string, json> by_name;
  for (const json& key : keys) by_name[key.at("key")] = key;
  EXPECT_EQ(by_name.at("core.sms").at("value"), 4);
  EXPECT_EQ(by_name.at("core.sms").at("default"), 15);
  EXPECT_EQ(by_name.at("scheduler.name").at("value"), "pro");
  EXPECT_EQ(by_name.at("clock.core_mhz").at("unit"), "MHz");
  // In a table for people values are what `--set` takes.
  const std::string markdown = run({"config", "show", "--format", "markdown"}).out;
  for (const char* const row : {"| clock.core_mhz | 700 | MHz | 700 |",
                                "| scheduler.ipaws.recover | true |  | true | true, false |"}) {
    EXPECT_NE(markdown.find(row), std::string::npos) << row;
  }
  const std::string csv = run({"config", "show", "--set", "core.sms=4", "--format", "csv"}).out;
  EXPECT_NE(csv.find("\ncore.sms,4,"), std::string::npos) << csv;
}

TEST_F(BuiltProgram, WhatThereIsIsListedForPrograms) {
  const json workloads = json::parse(run({"list", "workloads", "--format", "json"}).out);
  bool found = false;
  for (const json& workload : workloads) {
    if (workload.at("name") != "atax") continue;
    found = true;
    EXPECT_EQ(workload.at("sizes"), "large paper wide");
  }
  EXPECT_TRUE(found);
  EXPECT_NE(run({"list", "schedulers", "--format", "csv"}).out.find("\npro,prioritizer,"), std::string::npos);
}

TEST_F(BuiltProgram, AnErrorThatACheckFindsIsALineForPrograms) {
  const ProgramOutcome outcome = run({"check", "there_is_none.yaml", "--format", "json"});
  EXPECT_EQ(outcome.code, 3);
  const json rows = json::parse(outcome.out);
  EXPECT_EQ(rows.at(0).at("valid"), false);
  EXPECT_EQ(rows.at(0).at("found"), "there_is_none.yaml: there is no such file");
  const ProgramOutcome text = run({"check", "there_is_none.yaml"});
  EXPECT_EQ(text.out, "");
  EXPECT_EQ(text.err, "heddle: there_is_none.yaml: there is no such file\n");
}

TEST_F(BuiltProgram, HelpOfACommandIsWhatItsOwnOptionSays) {
  const std::string help = run({"help", "sweep"}).out;
  EXPECT_EQ(help, run({"sweep", "--help"}).out);
  EXPECT_EQ(help.find("Usage: heddle sweep WORKLOAD..."), 0U);
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help", "swep"}).err.find("heddle: unknown command 'swep'; did you mean 'sweep'?"), 0U);
}

TEST_F(BuiltProgram, RunsOfAComparisonRecordWhatIsAskedFor) {
  const ProgramOutcome outcome =
      run({"compare", "vector_add", "--param", "n=512", "--scheduler", "gto,lrr", "--tb-log", "--interval",
           "500", "--vcd-window", "0:200", "--vcd-scope", "sm0.scheduler0.*", "--out", "c"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* const file : {"thread_blocks.json", "intervals.sqlite", "waves.vcd", "waves.gtkw"}) {
    EXPECT_TRUE(fs::exists(folder_ / "c/01-vector_add-gto" / file)) << file;
    EXPECT_TRUE(fs::exists(folder_ / "c/02-vector_add-lrr" / file)) << file;
  }
}

TEST_F(BuiltProgram, PairsRecordWhatIsAskedForAndNothingOfDrawnTimes) {
  const ProgramOutcome outcome =
      run({"pairs", "vector_add", "--policy", "fifo", "--set", "core.sms=4", "--interval", "1000", "--cache",
           "cache", "--out", "p", "--quiet", "--format", "csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  unsigned found = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "p")) {
    const bool alone = entry.path().string().find("/alone/") != std::string::npos;
    if (entry.path().filename() != "intervals.sqlite") continue;
    EXPECT_FALSE(alone) << entry.path();
    ++found;
  }
  EXPECT_EQ(found, 1U);
  const ProgramOutcome timed = run({"pairs", "ercbench", "--interval", "1000"});
  EXPECT_EQ(timed.code, 2);
  EXPECT_NE(timed.err.find("are for workloads that execute instructions"), std::string::npos) << timed.err;
}

}  // namespace
}  // namespace heddle
