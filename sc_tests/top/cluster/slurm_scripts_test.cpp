// Sweeps as jobs, with scripts that stand for sbatch and squeue and run the jobs here, one after the other.
#include <gmock/gmock.h>

#include "sc_tests/support/sanitized.h"
#include "sc_tests/support/slurm_sweep.h"

namespace heddle {
namespace {

using testing::HasSubstr;

class SlurmScripts : public SlurmSweep {
 protected:
  void SetUp() override {
    SlurmSweep::SetUp();
    const fs::path bin = folder_ / "bin";
    queue_ = folder_ / "queue";
    fs::create_directories(bin);
    fs::create_directories(queue_);
    script("bin/sbatch",
           "for word; do\n"
           "  case $word in\n"
           "    --array=0-*) last=${word#--array=0-} ;;\n"
           "    --job-name=*) name=${word#--job-name=} ;;\n"
           "    --output=*) log=${word#--output=} ;;\n"
           "    --partition=none) echo 'sbatch: error: invalid partition specified: none'; exit 1 ;;\n"
           "    -*) ;;\n"
           "    *) script=$word ;;\n"
           "  esac\n"
           "done\n"
           "if [ -e $QUEUE/submitted ] && [ -e $QUEUE/refuse ]; then\n"
           "  rm $QUEUE/refuse; echo 'sbatch: error: Socket timed out'; exit 1; fi\n"
           "echo \"$name $*\" >>$QUEUE/submitted\n"
           "for job in $(seq 0 $last); do echo PENDING >$QUEUE/$name.$job; done\n"
           "export name last log script\n"
           "setsid sh -c '\n"
           "  for job in $(seq 0 $last); do\n"
           "    echo RUNNING >$QUEUE/$name.$job\n"
           "    if [ -e $QUEUE/lose ]; then rm $QUEUE/lose; else\n"
           "      SLURM_ARRAY_TASK_ID=$job $(cat $QUEUE/under 2>/dev/null) sh $script >$(echo $log | sed "
           "s/%a/$job/) 2>&1; fi\n"
           "    rm $QUEUE/$name.$job\n"
           "  done' >/dev/null 2>&1 </dev/null &\n"
           "echo 1\n");
    script("bin/squeue",
           "[ -e $QUEUE/away ] && { echo 'slurm_load_jobs error: Unable to contact slurm controller'; exit "
           "1; }\n"
           "for word; do case $word in --name=*) names=$(echo ${word#--name=} | tr , ' ') ;; esac; done\n"
           "for name in $names; do for file in $QUEUE/$name.*; do\n"
           "  state=$(cat $file 2>/dev/null) && echo \"$name|${file##*.}|$state\"\n"
           "done; done\n"
           "exit 0\n");
    // Kills as many points as the file to_kill says, of all jobs together.
    script("bin/kill_points",
           "\"$@\" &\n"
           "killed=\n"
           "while kill -0 $! 2>/dev/null && [ \"$(cat $QUEUE/to_kill)\" != 0 ]; do\n"
           "  point=\n"
           "  read -r point others 2>/dev/null </proc/$!/task/$!/children\n"
           "  [ -n \"$point\" ] && [ \"$point\" != \"$killed\" ] || { sleep 0.02; continue; }\n"
           "  killed=$point\n"
           "  (flock 9; left=$(cat $QUEUE/to_kill)\n"
           "   [ $left -gt 0 ] && kill -KILL $point && echo $((left - 1)) >$QUEUE/to_kill\n"
           "  ) 9>$QUEUE/kill_lock\n"
           "done\n"
           "wait $!\n");
    // As Slurm does with one whose time is up.
    script("bin/cut_off",
           "timeout \"$@\"\n"
           "[ $? != 124 ] || echo 'slurmstepd: error: JOB 1 CANCELLED DUE TO TIME LIMIT'\n");
    setenv("QUEUE", queue_.c_str(), 1);
    path_ = std::getenv("PATH");
    setenv("PATH", (bin.string() + ":" + path_).c_str(), 1);
  }
  void TearDown() override {
    // Jobs that a killed sweep has left go on: until none is queued.
    for (int n = 0; n < 100 && queued() != 0; ++n)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    setenv("PATH", path_.c_str(), 1);
    SlurmSweep::TearDown();
  }
  void script(const std::string& name, const std::string& text) const {
    write(name, "#!/bin/sh\n" + text);
    chmod((folder_ / name).c_str(), 0755);
  }
  std::size_t submissions() const {
    const std::string submitted = read("queue/submitted");
    return static_cast<std::size_t>(std::count(submitted.begin(), submitted.end(), '\n'));
  }
  std::size_t queued() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(queue_))
      count += entry.path().filename().string().rfind("heddle-", 0) == 0 ? 1 : 0;
    return count;
  }

  fs::path queue_;
  std::string path_;
};

TEST_F(SlurmScripts, RunPointsAsJobs) {
  runs_points_as_jobs();
  const std::string submitted = read("queue/submitted");
  EXPECT_EQ(std::count(submitted.begin(), submitted.end(), '\n'), 1) << submitted;
  EXPECT_THAT(submitted, HasSubstr("--array=0-3 ")) << "eight points, two a job";
}

TEST_F(SlurmScripts, RunAPapersPointsAsJobs) {
  const ProgramOutcome outcome =
      run({"reproduce", "pro", "--quick", "--figure", "2", "--db", "r.sqlite", "--out", "out", "--executor",
           "slurm", "--poll", "1", "--shared", "r.sqlite.slurm"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string submitted = read("queue/submitted");
  EXPECT_EQ(std::count(submitted.begin(), submitted.end(), '\n'), 1) << submitted;
  EXPECT_EQ(stored().size(), 2U);
  EXPECT_THAT(read(std::string("out/pro") + ".md"), HasSubstr("| blocks | quick | 2 | 2 |"));
  EXPECT_EQ(batches(), 0U);
}

TEST_F(SlurmScripts, ReasonsAndRecordsAreKept) { keeps_reasons_and_records(); }

TEST_F(SlurmScripts, GetWhatTheUserAsksFor) {
  std::vector<std::string> words = sweep("e.yaml");
  words.insert(words.end(), {"--account", "me", "--time", "10:00", "--mem", "2G"});
  ASSERT_EQ(run(words).code, 0) << read("stderr.txt");
  EXPECT_THAT(read("queue/submitted"), HasSubstr("--account=me --time=10:00 --mem=2G "));
  words.insert(words.end(), {"--partition", "none"});
  write("other.yaml", "workloads: [{workload: vector_add, params: {n: 128}}]\n");
  words[1] = "other.yaml";
  const ProgramOutcome refused = run(words);
  EXPECT_EQ(refused.code, 6);
  EXPECT_EQ(refused.err, "heddle: sbatch: sbatch: error: invalid partition specified: none\n");
  EXPECT_EQ(batches(), 0U);
}

TEST_F(SlurmScripts, PointsOfAJobThatIsLostAreSubmittedAnew) {
  write("queue/lose", "");
  ASSERT_EQ(run(sweep("e.yaml")).code, 0) << read("stderr.txt");
  const std::string submitted = read("queue/submitted");
  EXPECT_EQ(std::count(submitted.begin(), submitted.end(), '\n'), 2) << submitted;
  expect_all_done("e.yaml");
}

TEST_F(SlurmScripts, OnlyThePointThatRanIsBlamedForALostJob) {
  constexpr std::size_t kShort = 16;
  write("cut.yaml",
        "workloads: [{workload: matrix_multiply, size: large}, {workload: vector_add, params: {n: 150000}}]\n"
        "set: {core.sms: 1}\n"
        "axes: {core.tb_slots: [1, 2, 3, 4, 5, 6, 7, 8], l1d.mshr.entries: [16, 32]}\n"
        "exceptions:\n"
        "  - {match: {workload: 'matrix*', core.tb_slots: [2, 3, 4, 5, 6, 7, 8]}, skip: true}\n"
        "  - {match: {workload: 'matrix*', l1d.mshr.entries: 32}, skip: true}\n");
  write("queue/under", test::kSanitized ? "cut_off 20" : "cut_off 2");
  const ProgramOutcome outcome = run(sweep("cut.yaml", "600"));
  EXPECT_EQ(outcome.code, 6) << outcome.err;
  std::size_t done = 0;
  for (const CsvRow& row : csv_rows(outcome.out)) done += row.at("status") == "complete" ? 1 : 0;
  EXPECT_EQ(done, kShort) << outcome.out;
  EXPECT_THAT(outcome.err,
              HasSubstr("its job was lost 3 times: slurmstepd: error: JOB 1 CANCELLED DUE TO TIME "
                        "LIMIT; its time limit seems too short: give more with --time"));
}

TEST_F(SlurmScripts, JobsHaveNoMorePointsThanTheirTimeLimitHasRoomFor) {
  std::vector<std::string> words = sweep("e.yaml", "600");
  words.insert(words.end(), {"--time", "2:00"});
  ASSERT_EQ(run(words).code, 0) << read("stderr.txt");
  EXPECT_THAT(read("queue/submitted"), HasSubstr("--array=0-3 ")) << "two of half a minute each";
}

TEST_F(SlurmScripts, APointThatASignalEndsRunsAgain) {
  write("queue/under", "kill_points");
  write("queue/to_kill", "2");
  const ProgramOutcome outcome = run(sweep("slow.yaml"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read("queue/to_kill"), "0\n");
  EXPECT_GE(submissions(), 2U);
  expect_all_done("slow.yaml");
}

TEST_F(SlurmScripts, APointThatSignalsEndAlwaysHasFailed) {
  write("one.yaml", "workloads: [{workload: matrix_multiply, size: large}]\nset: {core.sms: 1}\n");
  write("queue/under", "kill_points");
  write("queue/to_kill", "9");
  const ProgramOutcome outcome = run(sweep("one.yaml"));
  EXPECT_EQ(outcome.code, 137) << outcome.err;
  EXPECT_EQ(submissions(), 3U);
  EXPECT_THAT(outcome.out, HasSubstr("crash (signal 9)"));
}

TEST_F(SlurmScripts, JobsAreSubmittedAgainWhenThatFailsLater) {
  write("queue/lose", "");
  write("queue/refuse", "");
  const ProgramOutcome outcome = run(sweep("e.yaml"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err,
            "heddle sweep: sbatch: sbatch: error: Socket timed out; it is tried again every 1 s\n");
  EXPECT_EQ(submissions(), 2U);
  expect_all_done("e.yaml");
}

TEST_F(SlurmScripts, AControllerThatIsAwayIsWaitedFor) {
  write("queue/away", "");
  const pid_t child = start(sweep("e.yaml"));
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  fs::remove(queue_ / "away");
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_all_done("e.yaml");
}

TEST_F(SlurmScripts, ASweepThatIsKilledGoesOn) { goes_on_after_kills(3, 1); }

TEST_F(SlurmScripts, AfterCtrlCJobsGoOnAndAreGathered) {
  const pid_t child = start(sweep("slow.yaml"));
  ASSERT_TRUE(wait_for(2));
  kill(child, SIGINT);
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  // A script that takes longer than a second to answer is not waited for.
  EXPECT_THAT(outcome.err, testing::AnyOf(HasSubstr("and jobs that are submitted go on by themselves"),
                                          testing::StrEq("heddle: interrupted\n")));
  ASSERT_EQ(run(sweep("slow.yaml")).code, 0) << read("stderr.txt");
  const std::string submitted = read("queue/submitted");
  EXPECT_EQ(std::count(submitted.begin(), submitted.end(), '\n'), 1) << "nothing was submitted anew";
  expect_all_done("slow.yaml");
}

TEST_F(BuiltProgram, SlurmThatIsNotThereIsTold) {
  write("e.yaml", "workloads: [{workload: vector_add, params: {n: 64}}]\n");
  const char* const path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  setenv("PATH", folder_.c_str(), 1);
  const ProgramOutcome outcome =
      run({"sweep", "e.yaml", "--db", "r.sqlite", "--executor", "slurm", "--shared", "s"});
  setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(outcome.code, 6);
  EXPECT_THAT(outcome.err, HasSubstr("sbatch: can't be started: No such file or directory"));
}

}  // namespace
}  // namespace heddle
