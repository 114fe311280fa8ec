// heddle sweep EXPERIMENT that is interrupted, shared or found half done, on the built program.
#include <gmock/gmock.h>

#include "sc_tests/top/commands/swept_experiment.h"

namespace heddle {
namespace {

using testing::HasSubstr;

TEST_F(SweptExperiment, CtrlCEndsItAndTheSameCommandGoesOn) {
  write("long.yaml",
        "workloads: [{workload: vector_add, params: {n: 64}}, {workload: matrix_multiply, size: large}]\n"
        "set: {core.sms: 2}\naxes: {core.tb_slots: [1, 2, 3, 4]}\n");
  std::vector<std::string> words = sweep("long.yaml");
  words.insert(words.end(), {"--jobs", "2"});
  const pid_t child = start(words);
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  kill(child, SIGINT);
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  const std::size_t done = stored().size();
  EXPECT_GT(done, 0U);
  EXPECT_LT(done, 8U) << "what was interrupted is no result";
  EXPECT_THAT(outcome.err, HasSubstr("heddle sweep: interrupted: " + std::to_string(done) +
                                     " of 8 points are done; the same command goes on"));
  EXPECT_THAT(outcome.out, HasSubstr("not run"));
}

TEST_F(SweptExperiment, TwoAtOnceShareTheWork) {
  write("many.yaml",
        "workloads: [{workload: vector_add, params: {n: 64}}]\nset: {core.sms: 1}\n"
        "axes: {core.tb_slots: [1, 2, 3, 4, 5, 6, 7, 8], l1d.mshr.entries: [16, 32, 64]}\n");
  const pid_t first = start(sweep("many.yaml"));
  const pid_t second = start({"sweep", "many.yaml", "--db", "r.sqlite", "--format", "json"});
  int status = 0;
  waitpid(first, &status, 0);
  EXPECT_EQ(status, 0) << read("stderr.txt");
  waitpid(second, &status, 0);
  EXPECT_EQ(status, 0) << read("stderr.txt");
  const auto points = stored();
  EXPECT_EQ(points.size(), 24U);
  for (const auto& [id, row] : points) {
    EXPECT_EQ(row.at("status"), "complete");
    EXPECT_EQ(row.at("attempts"), "1") << "run by one of them only";
  }
}

TEST_F(SweptExperiment, WhatWasSeenToItsEndButNotStoredIsTaken) {
  ASSERT_EQ(run_sweep().code, 0);
  const auto before = stored();
  // As if the sweep had been killed before it stored the point: its folder has the results.
  const std::string id = before.begin()->first;
  const auto& row = before.begin()->second;
  results({"forget", id});
  ASSERT_EQ(run({"run", "vector_add", "--scheduler", row.at("scheduler"), "--set", "core.sms=1", "--set",
                 "core.tb_slots=" + row.at("label.core.tb_slots"), "--param", "n=64", "--quiet", "--out",
                 "r.sqlite.work/" + id + "/run"})
                .code,
            0);
  const std::string cycles = row.at("cycles");
  ASSERT_EQ(run_sweep().code, 0);
  const auto after = stored();
  EXPECT_EQ(after.at(id).at("cycles"), cycles);
  EXPECT_EQ(after.at(id).at("began"), "0.000") << "it was not run, so that nobody knows";
}

// As if the sweep had been killed before it stored the point.
TEST_F(SweptExperiment, WhatFailedAndWasNotStoredKeepsItsReason) {
  write("short.yaml", "workloads: [vector_add]\nset: {core.sms: 1}\nlimits: {cycles: 100}\n");
  ASSERT_EQ(run_sweep("short.yaml").code, 7);
  const auto row = stored().begin()->second;
  const std::string id = row.at("id");
  const std::string left = "r.sqlite.work/" + id;
  const auto leave = [&](const std::string& messages) {
    results({"forget", id});
    ASSERT_EQ(run({"run", "vector_add", "--set", "core.sms=1", "--max-cycles", "100", "--quiet", "--out",
                   left + "/run"})
                  .code,
              7);
    write(left + "/messages.txt", messages);
    ASSERT_EQ(run_sweep("short.yaml").code, 7);
  };
  leave("heddle: stopped, as it was told\n");
  EXPECT_EQ(stored().at(id).at("message"), "stopped, as it was told");
  leave("");  // killed before it could say why
  EXPECT_EQ(stored().at(id).at("message"), row.at("message"));
}

TEST_F(SweptExperiment, AConfigurationThatIsWrongInAnotherWayIsToldAnew) {
  write("c.yaml", "core: {sms: 1000}\n");
  write("own.yaml", "workloads: [{workload: vector_add, params: {n: 64}}]\nconfigs: ./c.yaml\n");
  const ProgramOutcome first = run_sweep("own.yaml");
  EXPECT_EQ(first.code, 3);
  EXPECT_THAT(first.err, HasSubstr("expected a whole number from 1 to 256"));
  write("c.yaml", "core: {smz: 1}\n");
  const ProgramOutcome second = run_sweep("own.yaml");
  EXPECT_EQ(second.code, 3);
  EXPECT_THAT(second.err, HasSubstr("unknown key 'core.smz'"));
  EXPECT_EQ(stored().size(), 1U);
  write("c.yaml", "core: {sms: 1}\n");
  EXPECT_EQ(run_sweep("own.yaml").code, 0);
}

TEST_F(SweptExperiment, WhatIsDoneStaysSoWhenARunForItsRecordsFails) {
  const std::string points = "workloads: [{workload: long_warp, size: large}]\nset: {core.sms: 1}\n";
  write("plain.yaml", points);
  ASSERT_EQ(run_sweep("plain.yaml").code, 0);
  const auto before = stored();
  write("logged.yaml", points + "record: {tb_log: true}\nlimits: {memory: 64M, seconds: 1}\n");
  const ProgramOutcome logged = run_sweep("logged.yaml");
  EXPECT_NE(logged.code, 0);
  EXPECT_THAT(rows(logged.out).at(0).at("status"), HasSubstr("limit")) << "its record is missing";
  EXPECT_EQ(stored(), before);
  EXPECT_EQ(rows(run_sweep("plain.yaml").out).at(0).at("status"), "complete");
}

// Of its files the last writes may be lost.
TEST_F(SweptExperiment, WhatWasLeftBeforeTheMachineStartedIsNotTaken) {
  ASSERT_EQ(run_sweep().code, 0);
  const auto row = stored().begin()->second;
  const std::string id = row.at("id");
  results({"forget", id});
  const std::string left = "r.sqlite.work/" + id + "/run";
  ASSERT_EQ(
      run({"run", "vector_add", "--scheduler", row.at("scheduler"), "--set", "core.sms=1", "--set",
           "core.tb_slots=" + row.at("label.core.tb_slots"), "--param", "n=64", "--quiet", "--out", left})
          .code,
      0);
  fs::last_write_time(folder_ / left / "stats.json",
                      fs::file_time_type::clock::now() - std::chrono::hours(24 * 365 * 20));
  ASSERT_EQ(run_sweep().code, 0);
  EXPECT_NE(stored().at(id).at("began"), "0.000") << "it was run";
}

TEST_F(SweptExperiment, WhatIsNotOfThePointIsNotTaken) {
  ASSERT_EQ(run_sweep().code, 0);
  const std::string id = stored().begin()->first;
  const std::string cycles = stored().begin()->second.at("cycles");
  results({"forget", id});
  ASSERT_EQ(
      run({"run", "vector_add", "--param", "n=4096", "--quiet", "--out", "r.sqlite.work/" + id + "/run"})
          .code,
      0);
  ASSERT_EQ(run_sweep().code, 0);
  EXPECT_EQ(stored().at(id).at("cycles"), cycles);
}

}  // namespace
}  // namespace heddle
