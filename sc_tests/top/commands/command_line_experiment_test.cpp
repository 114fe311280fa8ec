// heddle sweep EXPERIMENT and heddle results, on the built program.
#include <gmock/gmock.h>

#include "sc_tests/top/commands/swept_experiment.h"

namespace heddle {
namespace {

using testing::HasSubstr;

TEST_F(SweptExperiment, GivesTheFiguresOfRunsAndKeepsThem) {
  const ProgramOutcome outcome = run_sweep();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto table = rows(outcome.out);
  ASSERT_EQ(table.size(), 6U);
  EXPECT_EQ(table[1].at("scheduler"), "gto");
  EXPECT_EQ(table[1].at("core.tb_slots"), "2");
  ASSERT_EQ(run({"run", "vector_add", "--param", "n=64", "--set", "core.sms=1", "--set", "core.tb_slots=2",
                 "--scheduler", "gto", "--quiet", "--out", "o"})
                .code,
            0);
  EXPECT_EQ(table[1].at("cycles"), stats("o").at("metrics").at("cycles").dump());
  const auto before = stored();
  ASSERT_EQ(before.size(), 6U);
  EXPECT_TRUE(!fs::exists(folder_ / "r.sqlite.work") || fs::is_empty(folder_ / "r.sqlite.work"));
  const ProgramOutcome again = run_sweep();
  EXPECT_EQ(again.out, outcome.out);
  EXPECT_EQ(stored(), before) << "nothing ran again";
}

TEST_F(SweptExperiment, IsCheckedWithAllOfItsPointsWithoutARun) {
  const ProgramOutcome right = run({"check", "e.yaml", "--format", "csv"});
  EXPECT_EQ(right.code, 0) << right.err;
  ASSERT_EQ(rows(right.out).size(), 1U);
  EXPECT_EQ(rows(right.out)[0].at("kind"), "experiment");
  EXPECT_EQ(rows(right.out)[0].at("name"), "e");
  EXPECT_EQ(rows(right.out)[0].at("found"), "6 point(s)");
  write("named.yaml", "name: blocks\nworkloads: [vector_add]\n");
  EXPECT_EQ(rows(run({"check", "named.yaml", "--format", "csv"}).out)[0].at("name"), "blocks");
  write("wrong.yaml", "workloads: [vector_add]\naxes: {l1d.cache.sets: [64, 3]}\n");
  const ProgramOutcome machine = run({"check", "wrong.yaml"});
  EXPECT_EQ(machine.code, 3);
  EXPECT_THAT(machine.err, HasSubstr("l1d.cache.sets"));
  write("wrong.yaml", "workloads: [vector_add]\nschedulers: [gto]\nmetrics: [cycels]\n");
  EXPECT_THAT(run({"check", "wrong.yaml"}).err,
              HasSubstr("wrong.yaml:3:11: metrics: cycels: no point has such a "
                        "figure; did you mean"));
  write("wrong.yaml", "workloads: [vector_add]\nshedulers: [gto]\n");
  EXPECT_THAT(run({"check", "wrong.yaml"}).err,
              HasSubstr("wrong.yaml:2:1: experiment: unknown key 'shedulers'"));
}

TEST_F(SweptExperiment, RunsWhatAnotherExperimentHasNotRun) {
  ASSERT_EQ(run_sweep().code, 0);
  const auto before = stored();
  write("other.yaml",
        "workloads: [{workload: vector_add, params: {n: 64}, label: the_same}]\n"
        "schedulers: [lrr]\n"
        "axes: {core.tb_slots: [2, 3], core.sms: [1]}\n");
  ASSERT_EQ(run_sweep("other.yaml").code, 0);
  const auto after = stored();
  EXPECT_EQ(after.size(), 7U);
  for (const auto& [id, row] : before) EXPECT_EQ(after.at(id), row);
  EXPECT_EQ(rows(results({"list", "--experiment", "other", "--format", "csv"})).size(), 2U);
  EXPECT_EQ(rows(results({"list", "--where", "core.tb_slots=[24]", "--format", "csv"})).size(), 4U);
}

TEST_F(SweptExperiment, APointOfTwoExperimentsHasTheLabelsOfEach) {
  write("a.yaml",
        "workloads: [{workload: vector_add, params: {n: 64}, label: of_a}]\n"
        "set: {core.sms: 1}\naxes: {core.tb_slots: [1, 2]}\n");
  write("b.yaml",
        "workloads: [{workload: vector_add, label: of_b}]\n"
        "set: {core.sms: 1}\naxes: {param.n: [64], core.tb_slots: [2, 1]}\n");
  ASSERT_EQ(run_sweep("a.yaml").code, 0);
  ASSERT_EQ(run_sweep("b.yaml").code, 0);
  EXPECT_EQ(stored().size(), 2U) << "all are shared";
  const auto listed = rows(results({"list", "--experiment", "b", "--format", "csv"}));
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].at("workload"), "of_b");
  EXPECT_EQ(listed[0].at("labels"), "core.tb_slots=2 param.n=64");
  const auto exported = rows(results({"export", "--experiment", "b", "--metric", "cycles"}));
  ASSERT_EQ(exported.size(), 2U);
  EXPECT_EQ(exported[0].at("id"), listed[0].at("id")) << "in the order of the experiment";
  EXPECT_EQ(exported[1].at("workload"), "of_b");
  EXPECT_EQ(rows(results({"list", "--experiment", "a", "--format", "csv"}))[0].at("workload"), "of_a");
  const ProgramOutcome unknown = run({"results", "list", "--experiment", "c", "--db", "r.sqlite"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err,
              HasSubstr("--experiment c: there is none of that name in r.sqlite (experiments: a, b)"));
  results({"forget", "--experiment", "a"});
  EXPECT_THAT(run({"results", "list", "--experiment", "a", "--db", "r.sqlite"}).err,
              HasSubstr("--experiment a: none of its points in r.sqlite has ended yet"));
}

TEST_F(SweptExperiment, IsThereByNameWhileItRuns) {
  write("long.yaml",
        "workloads: [{workload: vector_add, params: {n: 64}}, {workload: matrix_multiply, size: large}]\n"
        "set: {core.sms: 1}\n");
  const pid_t child = start({"sweep", "long.yaml", "--db", "r.sqlite", "--jobs", "1"});
  while (stored().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto listed = rows(results({"list", "--experiment", "long", "--format", "csv"}));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].at("workload"), "vector_add");
}

TEST_F(SweptExperiment, MetricsThatNoPointHasAreSlips) {
  write("slip.yaml",
        "workloads: [{workload: vector_add, params: {n: 64}}]\nset: {core.sms: 1}\n"
        "metrics: [cycles, ipc_wrap]\n");
  const ProgramOutcome slip = run_sweep("slip.yaml");
  EXPECT_EQ(slip.code, 3);
  EXPECT_EQ(
      slip.err.find("heddle: slip.yaml:3:19: metrics: ipc_wrap: no point has such a figure; did you mean "
                    "'ipc_warp'?"),
      0U)
      << slip.err;
  EXPECT_FALSE(fs::exists(folder_ / "r.sqlite"));
  const ProgramOutcome option = run_sweep("e.yaml", {"--metric", "cycle"});
  EXPECT_EQ(option.code, 2);
  EXPECT_EQ(
      option.err.find("heddle sweep: --metric cycle: no point has such a figure; did you mean 'cycles'?"), 0U)
      << option.err;
}

TEST_F(SweptExperiment, WhatIsNoExperimentIsTold) {
  const auto error = [this](const std::string& text) {
    write("x.yaml", text);
    const ProgramOutcome outcome = run_sweep("x.yaml");
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(error("workload: [vector_add]\n"),
              HasSubstr("heddle: x.yaml:1:1: experiment: unknown key 'workload'; "
                        "did you mean 'workloads'?"));
  EXPECT_THAT(error("workloads: [vector_add\nset: {core.sms: 1}\n"), HasSubstr("heddle: x.yaml:2:"));
  EXPECT_THAT(error("- vector_add\n"), HasSubstr("heddle: x.yaml:1:1: experiment: expected a map"));
  EXPECT_THAT(run_sweep("nosuch.yaml").err, HasSubstr("there is no file 'nosuch.yaml'"));
  write("w.yaml", "ptx: w.ptx\nlaunches: []\n");
  EXPECT_THAT(run_sweep("w.yaml").err, HasSubstr("expected a key with several values"));
}

TEST_F(SweptExperiment, AnOutputThatDiffersIsTheReason) {
  write("w.yaml",
        "ptx: w.ptx\nbuffers: {a: {type: f32, count: 64, init: 1}, c: {type: f32, count: 64}}\n"
        "launches: [{kernel: vector_add, grid: 1, block: 64, args: [a, a, c, 64]}]\n"
        "checks: [{buffer: c, sum: 128}, {buffer: c, sum: 127}]\n");
  fs::copy_file(test::source_dir() + "/workloads/kernels/vector_add/vector_add.ptx", folder_ / "w.ptx");
  const std::string reason =
      "an output differs from its reference: c: sum is 128, expected 127 (absolute 0, relative 0): FAILED";
  for (const char* const timing : {"--no-sleep", "--functional"}) {
    const ProgramOutcome quiet = run({"run", "w.yaml", "--quiet", timing});
    EXPECT_EQ(quiet.code, 1);
    EXPECT_EQ(quiet.out, "");
    EXPECT_EQ(quiet.err, "heddle: " + reason + "\n");
  }
  write("e.yaml", "workloads: [./w.yaml]\nset: {core.sms: 1}\n");
  EXPECT_EQ(run_sweep().code, 1);
  EXPECT_EQ(rows(results({"failed", "--format", "csv"})).at(0).at("message"), reason);
}

TEST_F(SweptExperiment, AKeyOfItsListsIsNotSetBeside) {
  for (const char* const assignment : {"core.tb_slots=2", "scheduler.name=pro"}) {
    const ProgramOutcome outcome = run_sweep("e.yaml", {"--set", assignment});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err,
                HasSubstr(std::string("--set ") + assignment + ": its points have this key from "));
  }
  EXPECT_EQ(run_sweep("e.yaml", {"--set", "core.sms=2", "--dry-run"}).code, 0);
  const ProgramOutcome twice =
      run({"sweep", "vector_add", "--scheduler", "gto,lrr", "--set", "scheduler.name=pro,swl"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_THAT(twice.err, HasSubstr("--set scheduler.name=pro,swl: the key has several values already"));
}

/// Of points of all kinds.
TEST_F(SweptExperiment, AllFiguresOfItsPointsMayBeMetrics) {
  const std::string points =
      "workloads:\n"
      "  - {workload: vector_add, params: {n: 122880}}\n"
      "  - {at_once: [vector_add, scalar_product]}\n"
      "  - {timed: ercbench}\n"
      "configs: [srtf]\nset: {core.sms: 2}\nsample: true\n";
  write("all.yaml", points);
  ASSERT_EQ(run_sweep("all.yaml").code, 0);
  std::set<std::string> names;
  for (const CsvRow& row : rows(results({"export"}))) names.insert(row.at("metric"));
  EXPECT_EQ(names.count("multiprogram.stp") + names.count("sampling.half.cycles"), 2U);
  std::string metrics;
  for (const std::string& name : names) metrics += (metrics.empty() ? "" : ", ") + name;
  write("metrics.yaml", points + "metrics: [" + metrics + "]\n");
  const ProgramOutcome outcome = run_sweep("metrics.yaml", {"--dry-run"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(SweptExperiment, ValuesOfTheCommandLineAreTheSamePoints) {
  ASSERT_EQ(run_sweep().code, 0);
  const auto before = stored();
  const std::vector<std::string> values{
      "sweep",    "vector_add",           "--param",     "n=64",    "--set", "core.sms=1",
      "--set",    "core.tb_slots=2,8",    "--scheduler", "gto,lrr", "--db",  "r.sqlite",
      "--metric", "sm.warp_instructions", "--format",    "csv"};
  const ProgramOutcome outcome = run(values);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto table = rows(outcome.out);
  ASSERT_EQ(table.size(), 4U);
  EXPECT_EQ(table[2].at("scheduler"), "lrr");
  EXPECT_EQ(table[2].at("core.tb_slots"), "2");
  EXPECT_EQ(table[2].at("cycles"), rows(run_sweep().out)[4].at("cycles"));
  EXPECT_EQ(table[2].at("sm.warp_instructions"), table[0].at("sm.warp_instructions"));
  auto after = stored();
  EXPECT_EQ(after.size(), 8U) << "those with 8 slots are new";
  for (const auto& [id, row] : before) EXPECT_EQ(after.at(id), row);
  EXPECT_EQ(run(values).out, outcome.out);
  EXPECT_EQ(stored(), after);
}

TEST_F(SweptExperiment, ADatabaseTakesSchedulersWithoutAKeyOfSeveralValues) {
  const ProgramOutcome outcome =
      run({"sweep", "vector_add", "--param", "n=64", "--config", "gtx480", "--set", "core.sms=1",
           "--scheduler", "gto,lrr", "--db", "r.sqlite", "--dry-run", "--format", "csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto table = rows(outcome.out);
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[1].at("scheduler"), "lrr");
  EXPECT_EQ(table[1].at("status"), "not run");
  const auto error_of = [this](std::vector<std::string> more) {
    std::vector<std::string> words{"sweep", "vector_add", "--scheduler", "gto,lrr", "--db", "r.sqlite"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramOutcome refused = run(words);
    EXPECT_NE(refused.code, 0);
    return refused.err;
  };
  EXPECT_THAT(error_of({"--out", "o"}), HasSubstr("--out is for runs that leave folders"));
  EXPECT_THAT(error_of({"--metric", "cycle"}), HasSubstr("did you mean 'cycles'?"));
  EXPECT_THAT(error_of({"--set", "core.sm=1,2"}), HasSubstr("did you mean 'core.sms'?"));
}

TEST_F(SweptExperiment, AFailedPointKeepsItsReasonAndDoesNotStopTheOthers) {
  write("trap.ptx", ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry k(){ trap; ret; }\n");
  write("trap.yaml", "ptx: trap.ptx\nlaunches: [{kernel: k, grid: 1, block: 32, args: []}]\n");
  write("wrong.yaml", "ptx: " + test::source_dir() +
                          "/workloads/kernels/vector_add/vector_add.ptx\n"
                          "buffers: {a: {type: f32, count: 32, init: 1}, b: {type: f32, count: 32}, c: "
                          "{type: f32, count: 32}}\n"
                          "launches: [{kernel: vector_add, grid: 1, block: 32, args: [a, b, c, 32]}]\n"
                          "checks: [{buffer: c, equals: 5}]\n");
  write("failing.yaml",
        "workloads:\n"
        "  - trap.yaml\n"
        "  - {workload: vector_add, params: {n: 64}}\n"
        "  - {workload: vector_add, params: {n: 100000}, label: long}\n"
        "  - {workload: vector_add, params: {n: 64, block: 4096}, label: wide}\n"
        "  - {workload: matrix_multiply, size: large, label: slow}\n"
        "set: {core.sms: 1}\n"
        "exceptions:\n"
        "  - {match: {workload: long}, limits: {cycles: 500}}\n"
        "  - {match: {workload: slow}, limits: {seconds: 1}}\n");
  const ProgramOutcome outcome = run_sweep("failing.yaml", {"--allow-outside"});
  std::map<std::string, std::string> status;
  for (const auto& row : rows(outcome.out)) status[row.at("workload")] = row.at("status");
  EXPECT_EQ(status["vector_add"], "complete") << outcome.err;
  EXPECT_EQ(status["trap"], "fault");
  EXPECT_EQ(status["long"], "cycle limit");
  EXPECT_EQ(status["wide"], "bad input");
  EXPECT_EQ(status["slow"], "time limit");
  EXPECT_EQ(outcome.code, 4) << "of the first that failed";
  EXPECT_THAT(outcome.err, HasSubstr("heddle sweep: trap: fault: "));
  const auto before = stored();
  run_sweep("failing.yaml", {"--allow-outside"});
  EXPECT_EQ(stored(), before) << "a failed point does not run again by itself";
  EXPECT_EQ(rows(results({"failed", "--format", "csv"})).size(), 4U);
  EXPECT_THAT(results({"failed", "--where", "workload=trap"}), HasSubstr("fault"));

  ASSERT_EQ(run_sweep("failing.yaml", {"--allow-outside", "--retry-failed"}).code, 4);
  for (auto& [id, row] : stored())
    EXPECT_EQ(row["attempts"], row["status"] == "complete" ? "1" : "2") << row["workload"];
}

TEST_F(SweptExperiment, APointThatTimeEndedRunsAgainWithMoreOfIt) {
  const std::string text =
      "workloads: [{workload: matrix_multiply, size: large}]\nset: {core.sms: 1}\nlimits: {seconds: ";
  write("t.yaml", text + "1}\n");
  EXPECT_EQ(run_sweep("t.yaml").code, 11);
  EXPECT_EQ(run_sweep("t.yaml").code, 11);
  EXPECT_EQ(stored().begin()->second.at("attempts"), "1");
  write("t.yaml", text + "2}\n");
  run_sweep("t.yaml");
  EXPECT_EQ(stored().begin()->second.at("attempts"), "2");
}

TEST_F(SweptExperiment, UntilACycleIsDoneThere) {
  write("u.yaml",
        "workloads: [{workload: vector_add, params: {n: 100000}}]\nset: {core.sms: 1}\nuntil_cycle: 700\n");
  const ProgramOutcome outcome = run_sweep("u.yaml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(rows(outcome.out)[0].at("cycles"), "700");
}

// What each takes alone is known when both take longer than that.
TEST_F(SweptExperiment, UntilACyclePairsAreDoneThere) {
  write("u.yaml",
        "workloads: [{at_once: [vector_add, scalar_product]}]\nconfigs: [srtf]\nset: {core.sms: 1}\n"
        "arrivals: [\"0\"]\nuntil_cycle: 700\n");
  const ProgramOutcome outcome = run_sweep("u.yaml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(rows(outcome.out)[0].at("cycles"), "700");
  unsigned whole = 0;
  for (const auto& [id, row] : stored()) whole += row.at("status") == "complete" ? 1 : 0;
  EXPECT_EQ(whole, 2U) << "each alone";
}

TEST_F(SweptExperiment, RunsWorkloadsAtTheSameTimeWithWhatTheyTakeAlone) {
  write("p.yaml",
        "workloads:\n"
        "  - {at_once: [vector_add, scalar_product], arrivals: [50%, 0-100]}\n"
        "configs: [srtf]\n"
        "tb_policies: [fifo, srtf]\n"
        "set: {core.sms: 2}\n"
        "metrics: [multiprogram.stp, multiprogram.antt]\n");
  const ProgramOutcome outcome = run_sweep("p.yaml");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto table = rows(outcome.out);
  ASSERT_EQ(table.size(), 4U);
  for (const auto& row : table) {
    EXPECT_GT(std::stod(row.at("multiprogram.stp")), 0.9);
    EXPECT_GE(std::stod(row.at("multiprogram.antt")), 1.0);
  }
  EXPECT_EQ(stored().size(), 6U) << "two of them each alone, under fifo";
  EXPECT_EQ(run_sweep("p.yaml").out, outcome.out);
  // As `heddle pairs` has it.
  const ProgramOutcome pairs =
      run({"pairs", "vector_add", "scalar_product", "--policy", "fifo", "--arrival", "50%", "--set",
           "core.sms=2", "--cache", "cache", "--format", "csv", "--out", "p"});
  ASSERT_EQ(pairs.code, 0) << pairs.err;
  EXPECT_EQ(rows(pairs.out)[0].at("stp"), table[0].at("multiprogram.stp"));
}

TEST_F(SweptExperiment, ParametersOfWorkloadsAtTheSameTimeGoToThoseThatHaveThem) {
  write("p.yaml",
        "workloads:\n"
        "  - {at_once: [vector_add, black_scholes, vector_add], label: set,\n"
        "     params: {options: 512, n: 4096, block: 64, \"vector_add#2.n\": 1024}}\n"
        "configs: [srtf]\n"
        "arrivals: [0]\n"
        "set: {core.sms: 2}\n"
        "metrics: [sm.thread_instructions]\n");
  const ProgramOutcome outcome = run_sweep("p.yaml");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto instructions = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    words.insert(words.end(),
                 {"--config", "srtf", "--set", "core.sms=2", "--param", "block=64", "--quiet", "--out", "o"});
    const ProgramOutcome alone = run(words);
    EXPECT_EQ(alone.code, 0) << alone.err;
    return stats("o").at("metrics").at("sm").at("thread_instructions").get<double>();
  };
  const double sum = instructions({"vector_add", "--param", "n=4096"}) +
                     instructions({"vector_add", "--param", "n=1024"}) +
                     instructions({"black_scholes", "--param", "options=512"});
  EXPECT_EQ(std::stod(rows(outcome.out)[0].at("sm.thread_instructions")), sum);
  EXPECT_EQ(stored().size(), 4U) << "each alone at its size";
}

TEST_F(SweptExperiment, APartThatDoesNotRunAloneFailsThoseThatNeedIt) {
  write("trap.ptx", ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry k(){ trap; ret; }\n");
  write("trap.yaml", "ptx: trap.ptx\nlaunches: [{kernel: k, grid: 1, block: 32, args: []}]\n");
  write("p.yaml",
        "workloads:\n  - {at_once: [vector_add, trap.yaml]}\nconfigs: [srtf]\nset: {core.sms: 1}\n");
  const ProgramOutcome outcome = run_sweep("p.yaml");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err,
              HasSubstr("vector_add+trap config=srtf arrival=100: no run alone: trap did not run alone: "));
}

TEST_F(SweptExperiment, RunsWorkloadsOfKindTimed) {
  write("t.yaml",
        "workloads: [{timed: ercbench}]\n"
        "tb_policies: [fifo, sjf]\n"
        "metrics: [multiprogram.stp]\n");
  const ProgramOutcome outcome = run_sweep("t.yaml");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto table = rows(outcome.out);
  ASSERT_EQ(table.size(), 2U);
  const ProgramOutcome pairs = run({"pairs", "ercbench", "--policy", "fifo", "--format", "json"});
  const auto json = nlohmann::json::parse(pairs.out);
  EXPECT_EQ(std::stod(table[0].at("multiprogram.stp")), json.at("results")[0].at("geometric_mean").at("stp"));
}

TEST_F(SweptExperiment, KeepsTheRecordsThatAreWanted) {
  write("r.yaml",
        "workloads: [{workload: vector_add, params: {n: 64}}]\nset: {core.sms: 1}\n"
        "record: {tb_log: true, interval: 100, profile: true}\n");
  write("less.yaml", "workloads: [{workload: vector_add, params: {n: 64}}]\nset: {core.sms: 1}\n");
  ASSERT_EQ(run_sweep("less.yaml").code, 0);
  ASSERT_EQ(run_sweep("r.yaml").code, 0);
  const auto points = stored();
  ASSERT_EQ(points.size(), 1U) << "records are no part of a point's name";
  EXPECT_EQ(points.begin()->second.at("attempts"), "2");
  const fs::path folder = folder_ / "r.sqlite.records" / points.begin()->first;
  for (const char* const file : {"thread_blocks.json", "predictions.csv", "intervals.sqlite", "profile.json"})
    EXPECT_TRUE(fs::exists(folder / file)) << file;
  ASSERT_EQ(run_sweep("r.yaml").code, 0);
  EXPECT_EQ(stored(), points);
  fs::resize_file(folder / "profile.json", 0);  // as a loss of power may leave it
  ASSERT_EQ(run_sweep("r.yaml").code, 0);
  EXPECT_GT(fs::file_size(folder / "profile.json"), 0U);
  EXPECT_EQ(stored().begin()->second.at("attempts"), "3");
  const auto intervals = fs::file_size(folder / "intervals.sqlite");
  write("finer.yaml",
        "workloads: [{workload: vector_add, params: {n: 64}}]\nset: {core.sms: 1}\nrecord: {interval: 5}\n");
  ASSERT_EQ(run_sweep("finer.yaml").code, 0);
  EXPECT_GT(fs::file_size(folder / "intervals.sqlite"), intervals) << "those of another interval are no such";
  EXPECT_EQ(stored().begin()->second.at("attempts"), "4");
  ASSERT_EQ(run_sweep("finer.yaml").code, 0);
  EXPECT_EQ(stored().begin()->second.at("attempts"), "4");
  results({"forget", "--where", "workload=vector_add"});
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_TRUE(stored().empty());
}

TEST_F(SweptExperiment, ADryRunRunsNothing) {
  const ProgramOutcome dry = run_sweep("e.yaml", {"--dry-run"});
  EXPECT_EQ(dry.code, 0);
  EXPECT_EQ(rows(dry.out).size(), 6U);
  EXPECT_EQ(rows(dry.out)[0].at("status"), "not run");
  EXPECT_EQ(dry.err, "heddle sweep: r.sqlite: there is no such database of results yet: no point has run\n");
  EXPECT_FALSE(fs::exists(folder_ / "r.sqlite"));
  ASSERT_EQ(run_sweep("e.yaml").code, 0);
  const ProgramOutcome later = run_sweep("e.yaml", {"--dry-run"});
  EXPECT_EQ(rows(later.out)[0].at("status"), "complete");
  EXPECT_EQ(later.err, "");
}

TEST_F(SweptExperiment, ErrorsOfFilesAreOneMessageBeforeAnythingRuns) {
  write("bad.yaml", "workloads: [vector_add]\nschedulers: [gto, lr]\n");
  const ProgramOutcome bad = run_sweep("bad.yaml");
  EXPECT_EQ(bad.code, 3);
  EXPECT_EQ(bad.err.find("heddle: bad.yaml:2:19: schedulers: warp scheduler 'lr'"), 0U) << bad.err;
  EXPECT_FALSE(fs::exists(folder_ / "r.sqlite"));
  EXPECT_EQ(run_sweep("no_such").code, 2);
  write("none.yaml", "workloads: [vector_add]\nexceptions: [{match: {workload: x}, skip: true}]\n");
  const ProgramOutcome none = run_sweep("none.yaml");
  EXPECT_EQ(none.code, 3);
  EXPECT_THAT(none.err, HasSubstr("none.yaml:2:14: no point of the experiment matches this exception"));
  write("all.yaml", "workloads: [vector_add]\nexceptions: [{match: {workload: vector_add}, skip: true}]\n");
  const ProgramOutcome all = run_sweep("all.yaml");
  EXPECT_EQ(all.code, 3);
  EXPECT_THAT(all.err, HasSubstr("all.yaml:2:14: exceptions skip every point of the experiment"));
}

TEST_F(SweptExperiment, ADamagedDatabaseIsToldAndNotTouched) {
  write("r.sqlite", "this is no database, and whoever wrote it may want to keep it as it is");
  const std::string before = read("r.sqlite");
  const ProgramOutcome outcome = run_sweep();
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err.find("heddle: r.sqlite: damaged, or no database of results: "), 0U) << outcome.err;
  EXPECT_EQ(read("r.sqlite"), before);
}

TEST_F(SweptExperiment, ADatabaseThatCantBeMadeIsTold) {
  write("file", "");
  const ProgramOutcome outcome = run({"sweep", "e.yaml", "--db", "file/r.sqlite"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_EQ(outcome.err.find("heddle: file/r.sqlite: can't"), 0U) << outcome.err;
}

}  // namespace
}  // namespace heddle
