// Sweeps as jobs of a real Slurm of two nodes on this machine (cluster.sh). Skipped where Slurm is not
// installed: `make slurm-check` installs it.
#include <gmock/gmock.h>

#include <cstdlib>

#include "sc_tests/support/slurm_sweep.h"

namespace heddle {
namespace {

unsigned campaign_number(const char* variable, unsigned otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::stoul(text));
}

class RealSlurm : public SlurmSweep {
 protected:
  void SetUp() override {
    if (std::getenv("HEDDLE_SLURM_KILLS") == nullptr)
      GTEST_SKIP() << "a cluster is started by make slurm-check alone";
    if (geteuid() != 0) GTEST_SKIP() << "slurmd wants to be root";
    if (std::system(
            "PATH=$PATH:/usr/sbin; for p in slurmctld slurmd munged sbatch; do command -v $p || exit 1; done "
            ">/dev/null 2>&1") != 0)
      GTEST_SKIP() << "Slurm is not installed: make slurm-check installs it";
    SlurmSweep::SetUp();
    cluster_ = folder_ / "cluster";
    const unsigned port = 20000 + static_cast<unsigned>(getpid()) % 10000 * 3;
    ASSERT_EQ(cluster("start", std::to_string(port)), 0) << read("cluster/log/ctld.log");
    setenv("SLURM_CONF", (cluster_ / "slurm.conf").c_str(), 1);
  }
  void TearDown() override {
    if (cluster_.empty()) return;
    cluster("stop", "");
    SlurmSweep::TearDown();
  }
  int cluster(const std::string& action, const std::string& argument) const {
    const std::string command = test::source_dir() + "/sc_tests/slurm/cluster.sh " + action + " " +
                                cluster_.string() + " " + argument + " >/dev/null 2>&1";
    return std::system(command.c_str());
  }
  /// Until a job begins there: one that has ended by the time of what follows would lose nothing.
  bool wait_for_new_job_on(const std::string& node) const {
    const std::string command = "squeue --noheader --states=running --format=%i --nodelist=" + node + " > " +
                                (folder_ / "squeue.txt").string();
    std::string first;
    for (int n = 0; n < 300; ++n) {
      if (std::system(command.c_str()) != 0) return false;
      const std::string jobs = read("squeue.txt");
      if (first.empty()) first = jobs;
      if (!jobs.empty() && jobs != first) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
  }
  /// Arrays that the controller has been given.
  std::size_t submissions() const {
    const std::string log = read("cluster/log/ctld.log");
    std::size_t count = 0;
    for (std::size_t at = log.find("_slurm_rpc_submit_batch_job: JobId="); at != std::string::npos;
         at = log.find("_slurm_rpc_submit_batch_job: JobId=", at + 1))
      ++count;
    return count;
  }

  fs::path cluster_;
};

TEST_F(RealSlurm, RunsPointsAsArraysOfJobs) {
  runs_points_as_jobs();
  EXPECT_EQ(submissions(), 1U);
}

TEST_F(RealSlurm, KeepsReasonsAndRecords) { keeps_reasons_and_records(); }

TEST_F(RealSlurm, ANodeThatDiesInTheMidstOfAnArrayCostsOnlyItsJob) {
  const pid_t child = start(sweep("slow.yaml", "30"));  // a point a job
  ASSERT_TRUE(wait_for(1));
  ASSERT_TRUE(wait_for_new_job_on("n1"));
  ASSERT_EQ(cluster("kill_node", "n1"), 0);
  ASSERT_TRUE(wait_for(5)) << "the other node goes on";
  ASSERT_EQ(cluster("start_node", "n1"), 0);
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GE(submissions(), 2U) << "the point that was lost is submitted anew";
  expect_all_done("slow.yaml");
}

TEST_F(RealSlurm, ADaemonThatDiesAloneCostsNothing) {
  const pid_t child = start(sweep("slow.yaml", "30"));
  ASSERT_TRUE(wait_for(1));
  const std::string kill_daemon = "kill -KILL $(cat " + (cluster_ / "slurmd-n2.pid").string() + ")";
  ASSERT_EQ(std::system(kill_daemon.c_str()), 0);
  std::this_thread::sleep_for(std::chrono::seconds(2));
  ASSERT_EQ(cluster("start_node", "n2"), 0);
  const ProgramOutcome outcome = finish(child);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_all_done("slow.yaml");
}

TEST_F(RealSlurm, ASweepThatIsKilledFindsItsJobs) {
  const pid_t child = start(sweep("slow.yaml", "30"));
  ASSERT_TRUE(wait_for(2));
  kill(child, SIGKILL);
  finish(child);
  const auto before = stored();
  ASSERT_EQ(run(sweep("slow.yaml", "30")).code, 0) << read("stderr.txt");
  expect_kept(before, stored(), "after the kill");
  EXPECT_EQ(submissions(), 1U) << "the jobs went on";
  expect_all_done("slow.yaml");
}

TEST_F(RealSlurm, ASweepIsKilledAtDrawnMoments) {
  goes_on_after_kills(campaign_number("HEDDLE_SLURM_KILLS", 2), campaign_number("HEDDLE_KILLS_SEED", 1));
}

TEST_F(RealSlurm, WhatItRefusesIsTold) {
  std::vector<std::string> words = sweep("e.yaml");
  words.insert(words.end(), {"--partition", "none"});
  const ProgramOutcome outcome = run(words);
  EXPECT_EQ(outcome.code, 6);
  EXPECT_THAT(outcome.err, testing::HasSubstr("heddle: sbatch: "));
  EXPECT_THAT(outcome.err, testing::HasSubstr("partition"));
}

}  // namespace
}  // namespace heddle
