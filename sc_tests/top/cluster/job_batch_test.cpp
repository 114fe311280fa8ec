#include "top/cluster/job_batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "top/cluster/job_packing.h"
#include "top/support/results.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(JobPacking, FillsJobsByPredictedTimeInOrder) {
  EXPECT_THAT(pack_jobs({}, 10, 5), IsEmpty());
  EXPECT_THAT(pack_jobs({4, 6, 1, 20, 3}, 10, 5),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2), ElementsAre(3), ElementsAre(4)));
  EXPECT_THAT(pack_jobs({0, 0, 0}, 10, 2), ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
}

class JobBatchTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("heddle-batch-" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  static PointJob job(const std::string& id) {
    PointJob job;
    job.id = id;
    job.identity = {"p", "c", "w"};
    job.arguments = {"run", "a b", "--quiet"};
    job.memory_bytes = 5;
    job.records = {"profile.json"};
    return job;
  }
  static PointResult result(const std::string& id) {
    PointResult result;
    result.id = id;
    result.code = 11;
    result.message = "too \"late\"";
    result.began = 12.5;
    result.figures = {{"cycles", "cycles", "core cycles", 12}, {"ipc", "1", "", 0.5}};
    result.details = {{"energy", {{"table", "t"}}}};
    return result;
  }

  fs::path folder_;
};

TEST_F(JobBatchTest, JobsReadWhatWasWrittenForThem) {
  const JobBatch batch((folder_ / "b").string());
  batch.write({{job("1"), job("2")}, {job("3")}});
  EXPECT_EQ(batch.jobs(), 2U);
  const std::vector<PointJob> tasks = batch.tasks(0);
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(to_json(tasks[1]), to_json(job("2")));
  EXPECT_THROW(batch.tasks(2), ResultsError);
  EXPECT_EQ(batch.name(), "b");
}

TEST_F(JobBatchTest, WhoGathersReadsWhatJobsWrote) {
  const JobBatch batch((folder_ / "b").string());
  batch.write({{job("1")}});
  EXPECT_THAT(batch.parts(), IsEmpty());
  batch.write_results(7, 0, {result("1"), result("2")});
  std::ofstream(folder_ / "b/results/7-1.json") << "[{\"id\": ";  // of a file system that lost a part
  std::ofstream(folder_ / "b/results/7-2.json.tmp") << "[]";
  std::size_t results = 0;
  for (const JobBatch::Part& part : batch.parts()) {
    EXPECT_EQ(part.job, 7U);
    for (const PointResult& one : part.results) EXPECT_EQ(to_json(one), to_json(result(one.id)));
    results += part.results.size();
  }
  EXPECT_EQ(results, 2U);
  EXPECT_FALSE(batch.has_ended(7));
  batch.write_end(7);
  EXPECT_TRUE(batch.has_ended(7));
}

TEST_F(JobBatchTest, ThePointThatWasBegunLastHasAFolder) {
  const JobBatch batch((folder_ / "b").string());
  batch.write({{job("1"), job("2"), job("3")}});
  EXPECT_EQ(batch.last_begun(0, {"1", "2", "3"}), std::nullopt);
  fs::create_directories(batch.point_folder(0, "1"));
  fs::create_directories(batch.point_folder(0, "2"));
  EXPECT_EQ(batch.last_begun(0, {"1", "2", "3"}), "2");
  EXPECT_EQ(batch.last_begun(0, {"3"}), std::nullopt);
}

/// A process that is killed while it removes a batch: the next one finds what it has left.
TEST_F(JobBatchTest, ARemovalThatWasKilledIsFinished) {
  constexpr int kKills = 20;
  const std::vector<std::vector<PointJob>> jobs(200, {job("1")});
  for (int kill_number = 0; kill_number < kKills; ++kill_number) {
    const JobBatch batch((folder_ / "batch").string());
    batch.write(jobs);
    for (std::size_t number = 0; number < jobs.size(); ++number) batch.write_end(number);
    const pid_t remover = fork();
    if (remover == 0) {
      batch.remove();
      _exit(0);
    }
    usleep(200 * static_cast<useconds_t>(kill_number));
    kill(remover, SIGKILL);
    waitpid(remover, nullptr, 0);
    for (const JobBatch& left : JobBatch::in(folder_.string())) left.remove();
    std::error_code is_gone;
    EXPECT_EQ(fs::directory_iterator(folder_ / "batch", is_gone), fs::directory_iterator()) << kill_number;
  }
}

TEST_F(JobBatchTest, ABatchThatWasNotWrittenToItsEndIsNone) {
  JobBatch((folder_ / "whole").string()).write({{job("1")}});
  const JobBatch torn((folder_ / "torn").string());
  torn.write({{job("1")}});
  fs::remove(torn.script());
  fs::create_directories(folder_ / "alone");
  const std::vector<JobBatch> batches = JobBatch::in(folder_.string());
  ASSERT_EQ(batches.size(), 1U);
  EXPECT_EQ(batches[0].name(), "whole");
  EXPECT_FALSE(fs::exists(folder_ / "torn"));
  EXPECT_TRUE(fs::exists(folder_ / "alone"));
  EXPECT_THAT(JobBatch::in("/no/such/folder"), IsEmpty());
}

}  // namespace
}  // namespace heddle
