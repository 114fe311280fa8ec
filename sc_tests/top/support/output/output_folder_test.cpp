#include "top/support/output/output_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include "sc_tests/support/failing_call.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class OutputFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    base_ = fs::path(::testing::TempDir()) /
            (std::string("heddle-folder-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(base_);
    fs::create_directories(base_);
  }
  void TearDown() override { fs::remove_all(base_); }

  std::string path(const std::string& name) const { return (base_ / name).string(); }
  void put(const std::string& name) const {
    fs::create_directories((base_ / name).parent_path());
    std::ofstream(base_ / name) << "earlier";
  }
  bool there(const std::string& name) const { return fs::exists(base_ / name); }
  static std::string message_of(const std::string& path) {
    try {
      const OutputFolder folder(path);
    } catch (const OutputError& error) {
      return error.what();
    }
    return "";
  }
  fs::path base_;
};

TEST_F(OutputFolderTest, IsCreatedWithItsParentsAndLeftWithoutALock) {
  { const OutputFolder folder(path("a/b")); }
  EXPECT_TRUE(fs::is_empty(base_ / "a/b"));
}

TEST_F(OutputFolderTest, ThatIsAFileIsAnError) {
  put("file");
  EXPECT_NE(message_of(path("file")), "");
  EXPECT_NE(message_of(path("file/below")), "");
}

TEST_F(OutputFolderTest, BelongsToOneAtATimeAndTheOtherIsToldWhoHasIt) {
  std::optional<OutputFolder> first(path("out"));
  EXPECT_EQ(message_of(path("out")), path("out") + ": another process of heddle (process " +
                                         std::to_string(getpid()) + ") has this folder for its results");
  first.reset();
  EXPECT_EQ(message_of(path("out")), "");
}

// A process that is killed while it starts another leaves its lock to that one until the new program runs.
TEST_F(OutputFolderTest, IsWaitedForWhenItsProcessHasEndedAndItsLockHasNot) {
  const pid_t ended = fork();
  if (ended == 0) _exit(0);
  waitpid(ended, nullptr, 0);
  fs::create_directories(base_ / "out");
  const std::string lock = path("out/.heddle.lock");
  std::ofstream(lock) << ended << '\n';
  const int descriptor = open(lock.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(descriptor, LOCK_EX), 0);
  std::thread starting([descriptor] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    close(descriptor);
  });
  EXPECT_EQ(message_of(path("out")), "");
  starting.join();
}

TEST_F(OutputFolderTest, IsFreeWhenItsProcessIsKilled) {
  const pid_t child = fork();
  if (child == 0) {
    const OutputFolder folder(path("out"));
    std::ofstream(path("ready")) << "ready";
    pause();
    _exit(0);
  }
  while (!there("ready")) usleep(1000);
  EXPECT_NE(message_of(path("out")), "");
  kill(child, SIGKILL);
  const OutputFolder next(path("out"), OutputFolder::Wait::kShort);
  waitpid(child, nullptr, 0);
  next.write("stats.json", "{}");
  EXPECT_TRUE(there("out/stats.json"));
}

TEST_F(OutputFolderTest, IsTakenWithoutALockWhereTheFileSystemHasNone) {
  for (const int error : {ENOLCK, ENOSYS, EOPNOTSUPP}) {
    const std::string out = "out" + std::to_string(error);
    const auto well = test::goes_well_where_fails(SYS_flock, error, [&] {
      const OutputFolder folder(path(out));
      folder.write("stats.json", "{}");
    });
    if (!well) GTEST_SKIP() << "the system does not let a process change its calls";
    EXPECT_TRUE(*well) << std::strerror(error);
    EXPECT_TRUE(there(out + "/stats.json"));
    EXPECT_FALSE(there(out + "/.heddle.lock"));
  }
}

TEST_F(OutputFolderTest, ThatCannotBeLockedForAnotherReasonIsAnError) {
  const auto well =
      test::goes_well_where_fails(SYS_flock, EIO, [&] { const OutputFolder folder(path("out")); });
  if (!well) GTEST_SKIP() << "the system does not let a process change its calls";
  EXPECT_FALSE(*well);
}

TEST_F(OutputFolderTest, OneThatTheUserDidNotNameHasAnotherNameWhenItIsInUse) {
  const OutputFolder first = OutputFolder::open("run", "", path("atax"));
  const OutputFolder second = OutputFolder::open("run", "", path("atax"));
  const OutputFolder third = OutputFolder::open("run", "", path("atax"));
  EXPECT_EQ(first.path(), path("atax"));
  EXPECT_EQ(second.path(), path("atax#2"));
  EXPECT_EQ(third.path(), path("atax#3"));
  EXPECT_THROW(OutputFolder::open("run", path("atax"), path("other")), OutputError);
}

TEST_F(OutputFolderTest, IsClearedOfResultsAndNothingElse) {
  for (const char* const file : {"stats.json", "run.json", "waves.fst.tmp", "notes.txt"}) put(file);
  OutputFolder(base_.string()).clear();
  EXPECT_FALSE(there("stats.json"));
  EXPECT_FALSE(there("run.json"));
  EXPECT_FALSE(there("waves.fst.tmp"));
  EXPECT_TRUE(there("notes.txt"));
}

TEST_F(OutputFolderTest, IsClearedOfAnEarlierCommandsRunsAndNoOtherFolders) {
  for (const char* const file : {"01-atax-gto/stats.json", "01-atax-gto/messages.txt", "7/predictions.csv",
                                 "02-mine/notes.txt", "02-mine/cost.json", "data/stats.json"}) {
    put(file);
  }
  fs::create_directories(base_ / "elsewhere");
  put("elsewhere/stats.json");
  fs::create_directory_symlink(base_ / "elsewhere", base_ / "03-link");
  OutputFolder(base_.string()).clear_runs();
  EXPECT_FALSE(there("01-atax-gto"));
  EXPECT_FALSE(there("7"));
  EXPECT_FALSE(there("02-mine/cost.json"));
  EXPECT_TRUE(there("02-mine/notes.txt"));
  EXPECT_TRUE(there("data/stats.json"));
  EXPECT_TRUE(there("elsewhere/stats.json"));
}

TEST_F(OutputFolderTest, RunsThatAreKeptAreNotCleared) {
  for (const char* const run : {"01-a", "02-b", "03-c"}) put(std::string(run) + "/stats.json");
  put("03-c/point.json");
  OutputFolder(base_.string()).clear_runs({path("01-a"), path("04-d")});
  EXPECT_TRUE(there("01-a/stats.json"));
  EXPECT_FALSE(there("02-b"));
  EXPECT_FALSE(there("03-c"));
  OutputFolder::clear_run(path("01-a"));
  OutputFolder::clear_run(path("04-d"));
  EXPECT_FALSE(there("01-a"));
  EXPECT_FALSE(there("04-d"));
}

TEST_F(OutputFolderTest, FoldersOfRunsAreBelowItWhateverTheirLabel) {
  const OutputFolder folder(base_.string());
  EXPECT_EQ(folder.folder_of_run(2, "atax gto"), path("03-atax-gto"));
  EXPECT_EQ(folder.folder_of_run(0, "../../etc/x"), path("01-..-..-etc-x"));
  EXPECT_EQ(folder.folder_of_run(0, "\xff"), path("01--"));
  EXPECT_LT(fs::path(folder.folder_of_run(99, std::string(1000, 'x'))).filename().string().size(), 200U);
  fs::create_directory_symlink("/tmp", base_ / "01-x");
  EXPECT_THROW(static_cast<void>(folder.folder_of_run(0, "x")), OutputError);
}

}  // namespace
}  // namespace heddle
