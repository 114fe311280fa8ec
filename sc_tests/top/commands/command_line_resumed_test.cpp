// Runs of compare, sweep and pairs whose folders are there already, from the same command or another one.
#include <gmock/gmock.h>

#include <map>

#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/support/processes/exit_code.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

class Resumed : public BuiltProgram {
 protected:
  /// When the runs in `out` were written that have been seen to their end, by folder.
  std::map<std::string, fs::file_time_type> finished(const std::string& out = "o") const {
    std::map<std::string, fs::file_time_type> times;
    if (!fs::exists(folder_ / out)) return times;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / out)) {
      if (entry.path().filename() != "point.json") continue;
      const fs::path run = entry.path().parent_path();
      times[fs::relative(run, folder_ / out).string()] = fs::last_write_time(run / "stats.json");
    }
    return times;
  }
  ProgramOutcome run_in(const std::string& out, Words words, const Words& more = {}) {
    words.insert(words.end(), {"--out", out, "--format", "csv"});
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  /// Kills the command when `runs` of its runs have ended.
  void kill_in_the_middle(Words words, std::size_t runs) {
    words.insert(words.end(), {"--out", "o", "--format", "csv"});
    const pid_t child = start(words);
    while (finished().size() < runs && kill(child, 0) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(child, SIGKILL);
    EXPECT_EQ(finish(child).code, 128 + SIGKILL);
  }
  void expect_to_go_on(const Words& words) {
    kill_in_the_middle(words, 2);
    const auto before = finished();
    ASSERT_GE(before.size(), 2U);
    const ProgramOutcome outcome = run_in("o", words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(" runs are in o already\n"));
    const auto after = finished();
    for (const auto& [folder, time] : before) EXPECT_EQ(after.at(folder), time) << folder << " ran twice";
    EXPECT_LT(before.size(), after.size());
    EXPECT_EQ(outcome.out, run_in("whole", words).out);
  }
  /// One SM, so that a run takes little time.
  static Words compare(const std::string& schedulers) {
    return {"compare", "vector_add", "--param", "n=512", "--set", "core.sms=1", "--scheduler", schedulers};
  }
};

TEST_F(Resumed, AComparisonThatIsKilledGoesOn) {
  Words words = compare("gto,lrr,oldest,pro,two_level,swl");
  words.insert(words.end(), {"--jobs", "1"});
  expect_to_go_on(words);
}

TEST_F(Resumed, ASweepThatIsKilledGoesOn) {
  expect_to_go_on({"sweep", "vector_add", "--param", "n=512", "--set", "core.sms=1", "--set",
                   "core.tb_slots=1,2,3,4,5,6", "--jobs", "1"});
}

TEST_F(Resumed, PairsThatAreKilledGoOn) {
  const Words words{"pairs",  "vector_add", "scalar_product", "--policy", "fifo,srtf,sjf,mpmax",
                    "--set",  "core.sms=4", "--both-orders",  "--jobs",   "1",
                    "--cache"};
  Words cached = words;
  cached.emplace_back("cache");
  kill_in_the_middle(cached, 4);
  const auto before = finished();
  ASSERT_EQ(before.count("alone/01-vector_add-alone"), 1U);
  const ProgramOutcome outcome = run_in("o", cached);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto after = finished();
  EXPECT_EQ(after.size(), 10U) << "two alone, four policies in two orders";
  for (const auto& [folder, time] : before) EXPECT_EQ(after.at(folder), time) << folder << " ran twice";
  Words anew = words;
  anew.emplace_back("other");
  EXPECT_EQ(outcome.out, run_in("whole", anew).out);
}

TEST_F(Resumed, TheSameCommandPrintsWhatIsThere) {
  const ProgramOutcome first = run_in("o", compare("gto,lrr"));
  const auto before = finished();
  ASSERT_EQ(before.size(), 2U) << first.err;
  const ProgramOutcome second = run_in("o", compare("gto,lrr"));
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(second.err, "heddle compare: 2 of 2 runs are in o already\n");
  EXPECT_EQ(finished(), before);
  EXPECT_EQ(run_in("o", compare("gto,lrr"), {"--quiet"}).err, "");
}

TEST_F(Resumed, OnlyWhatAnotherCommandHasInCommonStays) {
  ASSERT_EQ(run_in("o", compare("gto,lrr,oldest")).code, 0);
  const auto before = finished();
  ASSERT_EQ(run_in("o", compare("gto,oldest")).code, 0);
  const auto after = finished();
  EXPECT_EQ(after.size(), 2U);
  EXPECT_EQ(after.at("01-vector_add-gto"), before.at("01-vector_add-gto"));
  EXPECT_EQ(after.count("02-vector_add-oldest"), 1U);
  EXPECT_FALSE(fs::exists(folder_ / "o/02-vector_add-lrr"));
  EXPECT_FALSE(fs::exists(folder_ / "o/03-vector_add-oldest"));
}

TEST_F(Resumed, AChangedWorkloadRunsAgain) {
  const auto change = [this](const std::string& name, const std::string& comment) {
    write(name,
          "ptx: " + test::source_dir() +
              "/workloads/kernels/vector_add/vector_add.ptx\n"
              "buffers: {a: {type: f32, count: 64}, b: {type: f32, count: 64}, c: {type: f32, count: 64}}\n"
              "launches: [{kernel: vector_add, grid: 2, block: 32, args: [a, b, c, 64]}]\n# " +
              comment + "\n");
  };
  change("a.yaml", "old");
  change("b.yaml", "old");
  const Words words{"compare",    "a.yaml",      "b.yaml",  "--set",
                    "core.sms=1", "--scheduler", "gto,lrr", "--allow-outside"};
  ASSERT_EQ(run_in("o", words).code, 0);
  const auto before = finished();
  ASSERT_EQ(before.size(), 4U);
  change("b.yaml", "new");
  ASSERT_EQ(run_in("o", words).code, 0);
  const auto after = finished();
  EXPECT_EQ(after.at("01-a-gto"), before.at("01-a-gto"));
  EXPECT_NE(after.at("03-b-gto"), before.at("03-b-gto"));
}

// cost.json is made of it.
TEST_F(Resumed, AChangedTechnologyRunsAgain) {
  const auto change = [this](double area) {
    write("cells.yaml",
          "technologies: {mine: {nand2_area_um2: {value: " + std::to_string(area) + ", source: x}}}\n");
  };
  change(0.5);
  Words words = compare("gto,lrr");
  words.insert(words.end(), {"--technology", "cells.yaml:mine"});
  ASSERT_EQ(run_in("o", words).code, 0);
  const std::string folder = "o/01-vector_add-gto/";
  const auto before = finished();
  const std::string cost = read(folder + "cost.json");
  ASSERT_EQ(run_in("o", words).code, 0);
  EXPECT_EQ(finished(), before);
  change(0.75);
  ASSERT_EQ(run_in("o", words).code, 0);
  EXPECT_NE(finished(), before);
  EXPECT_NE(read(folder + "cost.json"), cost);
}

TEST_F(Resumed, WhatIsMissingRunsAgain) {
  const auto rerun = [this](const Words& more) {
    const auto before = finished();
    EXPECT_EQ(run_in("o", compare("gto,lrr"), more).code, 0) << read("stderr.txt");
    const auto after = finished();
    unsigned again = 0;
    for (const auto& [folder, time] : after) again += before.count(folder) == 0 || before.at(folder) != time;
    return again;
  };
  EXPECT_EQ(rerun({"--profile"}), 2U);
  fs::remove_all(folder_ / "o/02-vector_add-lrr");
  EXPECT_EQ(rerun({"--profile"}), 1U);
  fs::remove(folder_ / "o/01-vector_add-gto/profile.json");
  EXPECT_EQ(rerun({"--profile"}), 1U);
  fs::remove(folder_ / "o/01-vector_add-gto/run.json");
  EXPECT_EQ(rerun({"--profile"}), 1U);
  EXPECT_EQ(rerun({"--profile", "--interval", "100"}), 2U);
  EXPECT_EQ(rerun({"--profile", "--interval", "200"}), 2U) << "a record of another kind";
  EXPECT_EQ(rerun({"--profile", "--interval", "200"}), 0U);
}

TEST_F(Resumed, AnotherRunInTheFolderIsNotTaken) {
  ASSERT_EQ(run_in("o", compare("gto,lrr")).code, 0);
  ASSERT_EQ(run({"run", "vector_add", "--param", "n=64", "--quiet", "--out", "o/02-vector_add-lrr"}).code, 0);
  const ProgramOutcome outcome = run_in("o", compare("gto,lrr"));
  EXPECT_EQ(outcome.err, "heddle compare: 1 of 2 runs are in o already\n");
  EXPECT_EQ(stats("o/02-vector_add-lrr").at("parameters").at("n"), 512);
}

TEST_F(Resumed, AFailureIsToldAgainUnlessItMayEndOtherwise) {
  const ProgramOutcome first = run_in("o", compare("gto,lrr"), {"--max-cycles", "50"});
  EXPECT_EQ(first.code, 7);
  const auto before = finished();
  ASSERT_EQ(before.size(), 2U);
  const ProgramOutcome second = run_in("o", compare("gto,lrr"), {"--max-cycles", "50"});
  EXPECT_EQ(second.code, 7);
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(second.err, "heddle compare: 2 of 2 runs are in o already\n" + first.err);
  EXPECT_EQ(finished(), before);
  const Words large{"compare", "vector_add",  "--param", "n=8000000", "--max-cycles",
                    "100",     "--scheduler", "gto,lrr", "--jobs",    "1"};
  EXPECT_EQ(run_in("m", large, {"--max-memory", "64M"}).code, static_cast<int>(ExitCode::kMemoryLimit));
  EXPECT_EQ(run_in("m", large).code, static_cast<int>(ExitCode::kCycleLimit));
}

TEST_F(Resumed, AfterCtrlCTheSameCommandGoesOn) {
  const Words words{"sweep",
                    "vector_add",
                    "matrix_multiply:large",
                    "--set",
                    "core.sms=2",
                    "--set",
                    "core.tb_slots=1,2",
                    "--jobs",
                    "1",
                    "--out",
                    "o"};
  const pid_t child = start(words);
  while (finished().empty() && kill(child, 0) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));  // in the second, or the large one
  kill(child, SIGINT);
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130);
  const std::size_t done = finished().size();
  EXPECT_THAT(outcome.err, HasSubstr("heddle sweep: interrupted: " + std::to_string(done) +
                                     " of 4 points are done; the same command goes on with the others\n"));
  const pid_t next = start(words);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(next, SIGINT);
  EXPECT_THAT(finish(next).err, HasSubstr(std::to_string(done) + " of 4 runs are in o already\n"));
}

}  // namespace
}  // namespace heddle
