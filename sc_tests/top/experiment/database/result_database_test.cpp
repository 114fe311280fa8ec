#include "top/experiment/database/result_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "top/experiment/database/result_export.h"
#include "top/intervals/sqlite_database.h"
#include "top/support/output/atomic_file.h"
#include "top/support/results.h"

namespace {

/// A folder that is said to be on NFS; "": none.
std::string nfs_folder;

}  // namespace

/// In this program instead of the C library's.
extern "C" int statfs(const char* path, struct statfs* system) noexcept {
  const long result = syscall(SYS_statfs, path, system);
  if (result == 0 && !nfs_folder.empty() && std::string(path).rfind(nfs_folder, 0) == 0)
    system->f_type = 0x6969;
  return static_cast<int>(result);
}

namespace heddle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class ResultDatabaseTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("heddle-results-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = (folder_ / "r.sqlite").string();
    point_.labels = {{"workload", "a, b"}, {"core.sms", "2"}};
    point_.run.workload = "a";
  }
  void TearDown() override { fs::remove_all(folder_); }

  ResultDatabase::Entry entry(const std::string& name, int code = 0) const {
    ResultDatabase::Entry entry;
    entry.point = &point_;
    entry.identity.run = {"program", "configuration", name};
    entry.machine = {"", "gto", "fifo"};
    entry.result.code = code;
    entry.result.figures = {{"cycles", "cycles", "core cycles", 1200}, {"ipc_warp", "1", "", 0.5}};
    entry.result.details = {
        {"launches", {{{"id", 0}, {"kernel", "k"}, {"metrics", {{"cycles", 7}, {"sm.l1d", {{"hits", 3}}}}}}}},
        {"energy", {{"table", "t"}}}};
    return entry;
  }
  template <class Error>
  std::string problem(ResultDatabase::Access access = ResultDatabase::Access::kWrite) {
    try {
      ResultDatabase database(path_, access);
      database.points();
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  fs::path folder_;
  std::string path_;
  Point point_;
};

TEST_F(ResultDatabaseTest, GivesBackWhatIsStored) {
  const ResultDatabase::Entry one = entry("w");
  { ResultDatabase(path_, ResultDatabase::Access::kWrite).store({one}); }
  ResultDatabase database(path_, ResultDatabase::Access::kRead);
  const auto found = database.find(one.identity.id());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->workload, "a, b");
  EXPECT_EQ(found->scheduler, "gto");
  EXPECT_EQ(found->status, "complete");
  EXPECT_EQ(found->attempts, 1U);
  EXPECT_EQ(database.values("cycles").at(one.identity.id()), 1200);
  EXPECT_EQ(database.detail(one.identity.id(), "launches")[0].at("metrics"),
            (json{{"cycles", 7}, {"sm.l1d", {{"hits", 3}}}}));
  EXPECT_EQ(database.detail(one.identity.id(), "energy").at("table"), "t");
  EXPECT_TRUE(database.detail(one.identity.id(), "streams").is_null());
  EXPECT_FALSE(database.find("0123"));
}

TEST_F(ResultDatabaseTest, ALaterEndReplacesAnEarlierOne) {
  ResultDatabase database(path_, ResultDatabase::Access::kWrite);
  ResultDatabase::Entry failed = entry("w", 5);
  failed.result.figures.push_back({"of_the_failure", "1", "", 1});
  database.store({failed});
  EXPECT_EQ(database.find(failed.identity.id())->status, "deadlock");
  database.store({entry("w")});
  const auto found = database.find(failed.identity.id());
  EXPECT_EQ(found->status, "complete");
  EXPECT_EQ(found->attempts, 2U);
  EXPECT_TRUE(database.values("of_the_failure").empty());
  EXPECT_EQ(database.points().size(), 1U);
}

TEST_F(ResultDatabaseTest, ViewsHaveFiguresOneByOne) {
  { ResultDatabase(path_, ResultDatabase::Access::kWrite).store({entry("w")}); }
  const SqliteDatabase database(path_, SqliteDatabase::Access::kSharedRead);
  SqliteStatement whole(database, "SELECT metric, value FROM long ORDER BY metric");
  ASSERT_TRUE(whole.step());
  EXPECT_EQ(whole.text(0), "cycles");
  EXPECT_EQ(whole.number(1), 1200U);
  SqliteStatement launches(database, "SELECT kernel, metric, value FROM launch_figures ORDER BY metric");
  ASSERT_TRUE(launches.step());
  ASSERT_TRUE(launches.step());
  EXPECT_EQ(launches.text(0), "k");
  EXPECT_EQ(launches.text(1), "sm.l1d.hits");
  EXPECT_EQ(launches.number(2), 3U);
}

TEST_F(ResultDatabaseTest, AnExperimentHasItsPointsInItsOrder) {
  ResultDatabase database(path_, ResultDatabase::Access::kWrite);
  const ResultDatabase::Entry one = entry("1");
  const ResultDatabase::Entry two = entry("2");
  const ResultDatabase::Entry three = entry("3");
  database.store({one, two, three});
  Experiment experiment;
  experiment.name = "e";
  database.store_experiment(experiment, {point_}, {one.identity.id()});
  database.store_experiment(experiment, {point_, point_}, {three.identity.id(), one.identity.id()});
  const std::vector<StoredPoint> points = database.points_of("e");
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].id, three.identity.id());
  EXPECT_EQ(database.points().size(), 3U);
  EXPECT_EQ(database.forget({one.identity.id(), "no such"}), 1U);
  EXPECT_EQ(database.points_of("e").size(), 1U);
  EXPECT_EQ(database.values("cycles").size(), 2U);
}

TEST_F(ResultDatabaseTest, AnExperimentHasItsOwnLabelsForPointsOfAnother) {
  ResultDatabase database(path_, ResultDatabase::Access::kWrite);
  const ResultDatabase::Entry one = entry("1");
  const ResultDatabase::Entry two = entry("2");
  database.store({one, two});
  Experiment experiment;
  experiment.name = "b";
  std::vector<Point> own(2);
  own[0].labels = {{"workload", "other"}, {"config", "m"}, {"l1d.mshr.entries", "16"}};
  own[1].labels = {{"workload", "first"}};
  database.store_experiment(experiment, own, {two.identity.id(), one.identity.id()});
  const std::vector<StoredPoint> points = database.points_of("b");
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].workload, "other");
  EXPECT_EQ(points[0].config, "m");
  EXPECT_EQ(json::parse(points[0].labels),
            (json{{"workload", "other"}, {"config", "m"}, {"l1d.mshr.entries", "16"}}));
  EXPECT_EQ(points[1].workload, "first");
  EXPECT_EQ(database.points()[0].workload, "a, b") << "who ran it is as before";
  // Both exports go by the experiment.
  for (const auto print : {&export_long, &export_wide}) {
    std::string text;
    print(
        database, points, [](const std::string& metric) { return metric == "cycles"; },
        [&text](const std::string& line) { text += line; });
    const std::size_t first = text.find(two.identity.id() + ",other,m,");
    const std::size_t second = text.find(one.identity.id() + ",first,,");
    ASSERT_NE(second, std::string::npos) << text;
    EXPECT_LT(first, second) << text;
  }
}

TEST_F(ResultDatabaseTest, APointWithEstimatesSaysSo) {
  ResultDatabase database(path_, ResultDatabase::Access::kWrite);
  ResultDatabase::Entry estimated = entry("1");
  point_.run.sample = true;
  estimated.result.figures.push_back({"sampling.half.cycles", "cycles", "", 30.5});
  ResultDatabase::Entry failed = entry("2", 1);
  failed.result.figures = estimated.result.figures;
  database.store({estimated, failed, entry("3")});
  EXPECT_EQ(database.points()[0].status, "sampled");
  EXPECT_TRUE(database.points()[0].done());
  EXPECT_EQ(database.points()[1].status, "check failed");
  EXPECT_EQ(database.points()[2].status, "complete");
  std::vector<std::string> lines;
  export_wide(
      database, database.points(), [](const std::string& /*metric*/) { return true; },
      [&lines](const std::string& line) { lines.push_back(line); });
  EXPECT_THAT(lines[0], HasSubstr(",message,command,host,"));
  EXPECT_THAT(lines[0], HasSubstr(",cycles,ipc_warp,sampling.half.cycles\n"));
  EXPECT_THAT(lines[1], HasSubstr(",sampled,0,,heddle run a --sample,"));
  EXPECT_THAT(lines[1], HasSubstr(",1200,0.5,30.5\n"));
}

TEST_F(ResultDatabaseTest, ExportsHaveARowAFigureOrARowAPoint) {
  ResultDatabase database(path_, ResultDatabase::Access::kWrite);
  const ResultDatabase::Entry one = entry("1");
  ResultDatabase::Entry two = entry("2", 11);
  two.result.figures = {{"late", "1", "", 2.25}};
  database.store({one, two});
  std::vector<std::string> lines;
  const auto take = [&lines](const std::string& line) { lines.push_back(line); };
  const auto all = [](const std::string& /*metric*/) { return true; };
  export_long(database, database.points(), all, take);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[1],
            one.identity.id() +
                ",\"a, b\",,gto,fifo,\"{\"\"core.sms\"\":\"\"2\"\",\"\"workload\"\":\"\"a, b\"\"}\","
                "complete,cycles,1200,cycles\n");
  EXPECT_THAT(lines[3], HasSubstr(",time limit,late,2.25,1\n"));
  lines.clear();
  export_wide(database, database.points(), all, take);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[0], HasSubstr("tb_policy,label.core.sms,status,code,"));
  EXPECT_THAT(lines[0], HasSubstr(",attempts,cycles,ipc_warp,late\n"));
  EXPECT_THAT(lines[1], HasSubstr(",1,1200,0.5,\n"));
  EXPECT_THAT(lines[2], HasSubstr(",1,,,2.25\n"));
}

TEST_F(ResultDatabaseTest, WhatIsNoneIsRefused) {
  std::ofstream(path_) << "no database at all, but a text that is long enough to be read as one\n";
  EXPECT_THAT(problem<ResultsError>(), HasSubstr("r.sqlite: damaged, or no database of results: "));
  fs::remove(path_);
  EXPECT_THAT(problem<ResultsError>(ResultDatabase::Access::kRead), HasSubstr("there is no such database"));
  { SqliteDatabase(path_, SqliteDatabase::Access::kShared).execute("SELECT 1"); }
  EXPECT_THAT(problem<ResultsError>(ResultDatabase::Access::kRead), HasSubstr("has no results yet"));
  EXPECT_EQ(problem<ResultsError>(), "") << "who writes makes the tables";
  fs::remove(path_);
  { SqliteDatabase(path_, SqliteDatabase::Access::kShared).execute("CREATE TABLE t(a)"); }
  EXPECT_THAT(problem<ResultsError>(), HasSubstr("a database, but none of results of Heddle"));
  fs::remove(path_);
  { ResultDatabase database(path_, ResultDatabase::Access::kWrite); }
  { SqliteDatabase(path_, SqliteDatabase::Access::kShared).execute("PRAGMA user_version = 99"); }
  EXPECT_THAT(problem<ResultsError>(), HasSubstr("has version 99, written by another version"));
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_THAT(problem<OutputError>(), HasSubstr("expected a database, found a folder"));
  path_ = (folder_ / "none/").string();
  EXPECT_THAT(problem<OutputError>(), HasSubstr("expected the name of a database, found that of a folder"));
  EXPECT_FALSE(fs::exists(path_));
}

// SQLite would keep the first in memory, and open another file than the second names.
TEST_F(ResultDatabaseTest, IsTheFileThatIsNamed) {
  const fs::path here = fs::current_path();
  fs::current_path(folder_);
  for (const std::string name : {":memory:", "file:r.sqlite?mode=memory", "a'b \"c\"#d?e=f%41.sqlite"}) {
    { ResultDatabase(name, ResultDatabase::Access::kWrite).store({entry("x")}); }
    EXPECT_TRUE(fs::is_regular_file(name)) << name;
    EXPECT_EQ(ResultDatabase(name, ResultDatabase::Access::kRead).points().size(), 1U) << name;
  }
  fs::current_path(here);
}

TEST_F(ResultDatabaseTest, IsNotWrittenOnANetworkFileSystem) {
  nfs_folder = folder_.string();
  EXPECT_EQ(problem<OutputError>(),
            path_ +
                ": is on a network file system (NFS), where a database can be damaged; expected a disk of "
                "this machine: name a file on one with --db");
  EXPECT_FALSE(fs::exists(path_));
  nfs_folder.clear();
  EXPECT_EQ(problem<OutputError>(), "");
}

TEST_F(ResultDatabaseTest, OneThatIsCutOffIsTold) {
  {
    ResultDatabase database(path_, ResultDatabase::Access::kWrite);
    for (int i = 0; i < 50; ++i) database.store({entry(std::to_string(i))});
  }
  fs::resize_file(path_, fs::file_size(path_) / 2);
  EXPECT_THAT(problem<ResultsError>(), HasSubstr("damaged"));
}

// As on a disk that others only read. Who may write anything takes the rights of nobody meanwhile.
TEST_F(ResultDatabaseTest, IsReadWhereNothingMayBeWritten) {
  constexpr uid_t kNobody = 65534;
  path_ = (folder_ / "of 50%?#.sqlite").string();
  ResultDatabase(path_, ResultDatabase::Access::kWrite).store({entry("1"), entry("2")});
  ASSERT_FALSE(fs::exists(path_ + "-wal"));
  chmod(path_.c_str(), 0444);
  chmod(folder_.c_str(), 0555);
  const bool root = geteuid() == 0;
  if (root) ASSERT_EQ(seteuid(kNobody), 0);
  std::string error;
  std::size_t points = 0;
  try {
    points = ResultDatabase(path_, ResultDatabase::Access::kRead).points().size();
  } catch (const std::exception& failed) {
    error = failed.what();
  }
  if (root) ASSERT_EQ(seteuid(0), 0);
  chmod(folder_.c_str(), 0755);
  EXPECT_EQ(error, "");
  EXPECT_EQ(points, 2U);
}

TEST_F(ResultDatabaseTest, OneThatCantBeMadeIsToldWithTheReason) {
  constexpr uid_t kNobody = 65534;
  chmod(folder_.c_str(), 0555);
  const bool root = geteuid() == 0;
  if (root) ASSERT_EQ(seteuid(kNobody), 0);
  const std::string told = problem<OutputError>();
  if (root) ASSERT_EQ(seteuid(0), 0);
  chmod(folder_.c_str(), 0755);
  EXPECT_EQ(told, path_ + ": can't be used: Permission denied");
}

TEST_F(ResultDatabaseTest, OneThatCantBeWrittenIsTold) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may write anything";
  { ResultDatabase database(path_, ResultDatabase::Access::kWrite); }
  chmod(path_.c_str(), 0444);
  EXPECT_THAT(problem<OutputError>(), HasSubstr("r.sqlite: can't be used: "));
}

}  // namespace
}  // namespace heddle
