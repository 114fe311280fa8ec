#include "top/support/output/durable_file.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <sstream>

#include "sc_tests/support/failing_call.h"
#include "top/support/output/atomic_file.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class DurableFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(::testing::TempDir()) /
        (std::string("heddle-durable-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "from") << "text";
  }
  void TearDown() override { fs::remove_all(folder_); }
  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  fs::path folder_;
};

TEST_F(DurableFile, IsMovedIntoFoldersThatAreMade) {
  move_durably(folder_ / "from", folder_ / "a/b/to");
  EXPECT_EQ(read(folder_ / "a/b/to"), "text");
  EXPECT_FALSE(fs::exists(folder_ / "from"));
}

TEST_F(DurableFile, ReplacesWhatIsThereAlsoFromAnotherFileSystem) {
  const fs::path elsewhere = "/dev/shm/heddle-durable-test";
  std::ofstream(elsewhere) << "new";
  if (!fs::exists(elsewhere)) GTEST_SKIP() << "there is no other file system";
  move_durably(elsewhere, folder_ / "from");
  fs::remove(elsewhere);
  EXPECT_EQ(read(folder_ / "from"), "new");
  EXPECT_FALSE(fs::exists(folder_ / "from.tmp"));
}

TEST_F(DurableFile, IsOnTheDiskBeforeItHasItsPlace) {
  const auto well =
      test::goes_well_where_fails(SYS_fsync, EIO, [&] { move_durably(folder_ / "from", folder_ / "to"); });
  if (!well) GTEST_SKIP() << "the system does not let a process change its calls";
  EXPECT_FALSE(*well);
  EXPECT_TRUE(fs::exists(folder_ / "from"));
  EXPECT_FALSE(fs::exists(folder_ / "to"));
}

TEST_F(DurableFile, WhatCantBeMovedIsTold) {
  EXPECT_THROW(move_durably(folder_ / "none", folder_ / "to"), OutputError);
  EXPECT_THROW(move_durably(folder_ / "from", folder_ / "from/below"), OutputError);
}

TEST_F(DurableFile, AnEmptyFileHasNoContents) {
  EXPECT_TRUE(has_contents(folder_ / "from"));
  EXPECT_FALSE(has_contents(folder_ / "none"));
  fs::resize_file(folder_ / "from", 0);
  EXPECT_FALSE(has_contents(folder_ / "from"));
}

TEST_F(DurableFile, OneOfBeforeTheMachinesStartIsKnown) {
  EXPECT_TRUE(written_since_start(folder_ / "from"));
  fs::last_write_time(folder_ / "from", fs::file_time_type::clock::now() - std::chrono::hours(24 * 365 * 20));
  EXPECT_FALSE(written_since_start(folder_ / "from"));
  EXPECT_FALSE(written_since_start(folder_ / "none"));
}

}  // namespace
}  // namespace heddle
