#include "top/support/output/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace heddle {
namespace {

class AtomicFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(::testing::TempDir()) /
        (std::string("heddle-atomic-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  static std::string read(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
  }
  std::filesystem::path folder_;
};

TEST_F(AtomicFile, ReplacesTheFileAndLeavesNothingElse) {
  const auto path = folder_ / "stats.json";
  write_file_atomically(path.string(), "first");
  write_file_atomically(path.string(), "second");
  EXPECT_EQ(read(path), "second");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, FolderThatIsMissingIsAnErrorThatNamesThePath) {
  const auto path = folder_ / "none" / "stats.json";
  try {
    write_file_atomically(path.string(), "text");
    FAIL();
  } catch (const OutputError& error) {
    EXPECT_EQ(std::string(error.what()), path.string() + ": can't write: No such file or directory");
  }
}

TEST_F(AtomicFile, TargetThatCannotBeReplacedStaysAndNothingIsLeft) {
  const auto path = folder_ / "stats.json";
  std::filesystem::create_directories(path / "inside");
  EXPECT_THROW(write_file_atomically(path.string(), "text"), OutputError);
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, IsThereWhenItIsFinishedAndNotBefore) {
  const auto path = folder_ / "waves.vcd";
  {
    WholeFile file(path.string());
    file.write("half");
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_FALSE(file.failed());
  }
  EXPECT_EQ(files(), 0);
  WholeFile file(path.string());
  file.write("half ");
  file.write("and half");
  EXPECT_TRUE(file.finish());
  EXPECT_EQ(read(path), "half and half");
}

TEST_F(AtomicFile, FollowsNoLinkThatLiesInItsWay) {
  const auto elsewhere = folder_ / "elsewhere";
  std::ofstream(elsewhere) << "precious";
  std::filesystem::create_symlink(elsewhere, folder_ / "stats.json");
  std::filesystem::create_symlink(elsewhere, folder_ / "stats.json.tmp");
  write_file_atomically((folder_ / "stats.json").string(), "text");
  EXPECT_EQ(read(elsewhere), "precious");
  EXPECT_EQ(read(folder_ / "stats.json"), "text");
}

// Two reports into one file, say.
TEST_F(AtomicFile, TwoAtOnceAreWholeEach) {
  const auto path = folder_ / "report.html";
  WholeFile first(path.string());
  first.write("first ");
  WholeFile second(path.string());
  second.write("second ");
  first.write("first");
  EXPECT_TRUE(first.finish()) << first.problem();
  EXPECT_EQ(read(path), "first first");
  second.write("second");
  EXPECT_TRUE(second.finish()) << second.problem();
  EXPECT_EQ(read(path), "second second");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, TakesTheNameOfOneThatAKilledProcessHasLeft) {
  const auto path = folder_ / "stats.json";
  std::ofstream(path.string() + ".tmp") << "cut o";
  write_file_atomically(path.string(), "text");
  EXPECT_EQ(read(path), "text");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, AFolderInItsWayIsAnError) {
  const auto path = folder_ / "stats.json";
  std::filesystem::create_directories(path.string() + ".tmp");
  EXPECT_THROW(write_file_atomically(path.string(), "text"), OutputError);
}

TEST_F(AtomicFile, FullDeviceIsAnError) {
  if (!std::filesystem::exists("/dev/full")) {
    GTEST_SKIP();
  }
  EXPECT_THROW(write_file_atomically("/dev/full/x", "text"), OutputError);
}

TEST_F(AtomicFile, OpenFilesOfAProcessAreWrittenAndStay) {
  const auto path = folder_ / "there.txt";
  std::FILE* const there = std::fopen(path.c_str(), "w");
  const std::string open_file = "/proc/self/fd/" + std::to_string(fileno(there));
  write_file_atomically(open_file, "text");
  EXPECT_EQ(read(path), "text");
  std::fclose(there);
  EXPECT_EQ(files(), 1);
  std::FILE* const full = std::fopen("/dev/full", "w");
  if (full == nullptr) GTEST_SKIP();
  EXPECT_THROW(write_file_atomically("/proc/self/fd/" + std::to_string(fileno(full)), "text"), OutputError);
  std::fclose(full);
}

// Root could put a file in its place. A device of the test's own: nobody misses it.
TEST_F(AtomicFile, ADeviceIsWrittenAndStays) {
  const auto path = folder_ / "null";
  if (mknod(path.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0) GTEST_SKIP() << "only root makes devices";
  write_file_atomically(path.string(), "text");
  EXPECT_TRUE(std::filesystem::is_character_file(path));
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace heddle
