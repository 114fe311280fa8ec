// What is written where, and by whom: folders that two processes want, output that can't be written.
#include "sc_tests/support/paths.h"
#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

/// As start(), with stdout and stderr in `name`.out and `name`.err.
class TwoPrograms : public BuiltProgram {
 protected:
  pid_t start_as(const std::string& name, const std::string& words) {
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder_.c_str()) != 0) _exit(99);
    const std::string line = test::program() + " >" + name + ".out 2>" + name + ".err " + words;
    execl("/bin/sh", "sh", "-c", ("exec " + line).c_str(), nullptr);
    _exit(99);
  }
  ProgramOutcome finish_as(const std::string& name, pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(name + ".out"),
            read(name + ".err")};
  }
  ProgramOutcome run_line(const std::string& words) { return finish_as("line", start_as("line", words)); }
  /// As run_line(), after the shell's `before`, with descriptor 8 a pipe that nobody reads.
  ProgramOutcome run_line_after(const std::string& before, const std::string& words) {
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder_.c_str()) != 0) _exit(99);
      const std::string line = "rm -f pipe && mkfifo pipe && exec 9<>pipe 8>pipe 9<&- && " + before +
                               " && exec " + test::program() + " >after.out 2>after.err " + words;
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(99);
    }
    return finish_as("after", child);
  }
  /// What is printed, without the folder, which another process may have.
  static std::string results(const ProgramOutcome& outcome) {
    return outcome.out.substr(0, outcome.out.find("\nResults of each run in"));
  }
  /// Both at once: each gives what it gives alone.
  void expect_undisturbed(const std::string& first, const std::string& second) {
    const std::string alone[] = {results(run_line(first)), results(run_line(second))};
    for (unsigned round = 0; round < 2; ++round) {
      for (const char* const name : {"heddle-out", "cache"}) fs::remove_all(folder_ / name);
      const pid_t one = start_as("one", first);
      const pid_t two = start_as("two", second);
      const ProgramOutcome outcomes[] = {finish_as("one", one), finish_as("two", two)};
      for (unsigned i = 0; i < 2; ++i) {
        EXPECT_EQ(outcomes[i].code, 0) << outcomes[i].err;
        EXPECT_EQ(results(outcomes[i]), alone[i]);
      }
      EXPECT_EQ(results(run_line(first)), alone[0]) << "afterwards, from the cache";
      EXPECT_EQ(results(run_line(second)), alone[1]) << "afterwards, from the cache";
    }
  }
};

TEST_F(TwoPrograms, PairsAtOnceDoNotExchangeResults) {
  const std::string ptx = test::source_dir() + "/workloads/kernels/vector_add/vector_add.ptx";
  for (const char* const name : {"a", "b"}) {
    write(std::string(name) + ".yaml",
          "ptx: " + ptx +
              "\nparameters: {n: 8192}\nbuffers: {a: {type: f32, count: n}, b: {type: f32, count: n}, " +
              "c: {type: f32, count: n}}\nlaunches: [{kernel: vector_add, grid: n / 64, block: 64, " +
              "args: [a, b, c, n]}]\n# " + name + "\n");
  }
  const std::string pairs = "pairs a.yaml b.yaml --policy fifo --cache cache --set core.sms=";
  expect_undisturbed(pairs + "15", pairs + "4");
}

TEST_F(TwoPrograms, ComparisonsAtOnceDoNotExchangeResults) {
  const std::string compare = "compare vector_add --scheduler gto,lrr --set core.sms=2 --param n=";
  expect_undisturbed(compare + "512", compare + "4096");
}

TEST_F(TwoPrograms, OneFolderThatIsNamedIsRefusedToTheSecond) {
  const pid_t one = start_as("one", "run matrix_multiply --size large --out out --quiet");
  while (!fs::exists(folder_ / "out/.heddle.lock")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const ProgramOutcome two = run_line("run vector_add --out out");
  EXPECT_EQ(two.code, 6);
  EXPECT_EQ(two.err, "heddle: out: another process of heddle (process " + std::to_string(one) +
                         ") has this folder for its results\n");
  EXPECT_EQ(two.out, "");
  kill(one, SIGKILL);
  finish_as("one", one);
  EXPECT_EQ(run_line("run vector_add --param n=64 --out out").code, 0);
}

TEST_F(TwoPrograms, ResultsOfAnotherWorkloadThanWasAskedForAreRefused) {
  std::ostringstream all;
  all << std::ifstream(test::source_dir() + "/workloads/kernels/matrix_multiply/matrix_multiply.yaml")
             .rdbuf();
  const std::string text = all.str();
  fs::copy(test::source_dir() + "/workloads/kernels/matrix_multiply/matrix_multiply.ptx",
           folder_ / "matrix_multiply.ptx");
  write("mm.yaml", text);
  const pid_t sweep =
      start_as("sweep", "sweep mm.yaml --set core.sms=15,14,13,12,11,10,9,1 --format csv --out s");
  while (!fs::exists(folder_ / "s/01-core.sms=15/stats.json"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  write("mm.yaml", text + "# changed\n");  // while others of its runs are still to come
  const ProgramOutcome outcome = finish_as("sweep", sweep);
  EXPECT_EQ(outcome.code, 6) << outcome.err;
  EXPECT_NE(
      outcome.err.find("core.sms=1: s/08-core.sms=1: the results are not of the run that was asked for: "
                       "another workload\n"),
      std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find(",1,no results,,,"), std::string::npos) << outcome.out;
}

TEST_F(TwoPrograms, ResultsOfAnEarlierCommandDoNotStandBesideNewOnes) {
  const std::string sweep = "sweep vector_add --param n=64 --out s --set core.sms=";
  ASSERT_EQ(run_line(sweep + "1,2,3").code, 0);
  ASSERT_EQ(run_line(sweep + "4,5").code, 0);
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator(folder_ / "s")) folders.push_back(entry.path().filename());
  std::sort(folders.begin(), folders.end());
  EXPECT_EQ(folders, (std::vector<std::string>{"01-core.sms=4", "02-core.sms=5"}));
  ASSERT_EQ(run_line("run vector_add --param n=64 --out o --tb-log").code, 0);
  ASSERT_EQ(run_line("run vector_add --param n=64 --out o").code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "o/thread_blocks.json"));
}

TEST_F(TwoPrograms, OutputThatCannotBeWrittenIsAnError) {
  for (const char* const words : {"list schedulers", "cost", "run vector_add --param n=64", "--help"}) {
    const ProgramOutcome full = run_line(std::string(words) + " >/dev/full");
    EXPECT_EQ(full.code, 6) << words;
    EXPECT_EQ(full.err, "heddle: standard output: can't write: No space left on device\n") << words;
    EXPECT_EQ(run_line(std::string(words) + " >&-").code, 6) << words << ", with stdout closed";
  }
  EXPECT_EQ(run_line("run nope 2>/dev/full").code, 3);
  EXPECT_EQ(run_line("run nope 2>&-").code, 3);
}

TEST_F(TwoPrograms, WhatIsPrintedIntoAPipeThatNobodyReadsIsLostAndNothingElse) {
  for (const char* const words :
       {"config show >&8", "list workloads >&8", "run vector_add --param n=64 --out o >&8"}) {
    const ProgramOutcome unread = run_line_after(":", words);
    EXPECT_EQ(unread.code, 6) << words;
    EXPECT_EQ(unread.err, "") << words;
  }
  EXPECT_TRUE(fs::exists(folder_ / "o/stats.json"));
  const ProgramOutcome untold =
      run_line_after(":", "run vector_add --max-cycles 3000 --timeline-events 1000 --quiet --out t 2>&8");
  EXPECT_EQ(untold.code, 7);
  EXPECT_EQ(stats("t")["end"], "cycle limit");
  const ProgramOutcome compared = run_line_after(
      ":", "compare vector_add --param n=64 --scheduler gto,lrr --max-cycles 500 --out c 2>&8");
  EXPECT_EQ(compared.code, 7);
  EXPECT_TRUE(fs::exists(folder_ / "c/02-vector_add-lrr/stats.json"));
}

TEST_F(TwoPrograms, AFileBeyondTheShellsLimitOfItsSizeIsAnError) {
  const ProgramOutcome outcome =
      run_line_after("ulimit -f 64", "run vector_add --param n=64 --quiet --out o");
  EXPECT_EQ(outcome.code, 6);
  EXPECT_EQ(outcome.err, "heddle: o/stats.json: can't write: File too large\n");
  EXPECT_FALSE(fs::exists(folder_ / "o/stats.json"));
  EXPECT_EQ(run_line_after("ulimit -f 64", "run vector_add --param n=64 --vcd --quiet --out o").err,
            "heddle: o/waves.vcd: can't write: File too large\n");
}

TEST_F(TwoPrograms, TheSummaryAndTheCostReportRoundAlike) {
  EXPECT_NE(run_line("run vector_add --param n=64").out.find("Per SM 612 bits, 6,410 NAND2-equivalents"),
            std::string::npos);
  EXPECT_NE(run_line("cost").out.find(" 6,410 "), std::string::npos);
}

TEST_F(TwoPrograms, ListsOfFilesThatAreLookedForInTheWrongPlaceAreAnError) {
  for (const char* const what : {"workloads", "configs", "papers"}) {
    const ProgramOutcome outcome =
        run_line_after("HEDDLE_HOME=nowhere && export HEDDLE_HOME", std::string("list ") + what);
    EXPECT_EQ(outcome.code, 3) << what;
    EXPECT_EQ(outcome.out, "") << what;
    EXPECT_NE(outcome.err.find("nowhere/workloads: there is no such folder"), std::string::npos)
        << outcome.err;
  }
}

}  // namespace
}  // namespace heddle
