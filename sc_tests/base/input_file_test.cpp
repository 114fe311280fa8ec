#include "base/input_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "base/stop.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class InputFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("heddle-input-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    clear_stop();
    fs::remove_all(folder_);
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  fs::path folder_;
};

std::string error_of(const std::string& path, std::uint64_t most_bytes = 100) {
  try {
    return "read " + std::to_string(read_input_file(path, most_bytes).size());
  } catch (const InputFileError& error) {
    EXPECT_EQ(error.what(), path + ": " + error.problem());
    return error.problem();
  }
}

TEST_F(InputFiles, AFileIsReadWhole) {
  const std::string text("a\0b\n", 4);
  EXPECT_EQ(read_input_file(write("text", text), 4), text);
  EXPECT_EQ(read_input_file(write("empty", ""), 4), "");
  const std::string large(3'000'000, 'x');
  EXPECT_EQ(read_input_file(write("large", large), 3'000'000), large);
}

TEST_F(InputFiles, AFileThatIsTooLargeIsRefused) {
  EXPECT_EQ(error_of(write("text", "12345"), 5), "read 5");
  EXPECT_EQ(error_of(write("text", "12345"), 4), "expected at most 4 bytes, found 5");
  EXPECT_EQ(error_of("/proc/self/status", 4), "expected at most 4 bytes, found more") << "says that it has 0";
}

TEST_F(InputFiles, WhatIsNoRegularFileIsNeitherOpenedNorWaitedFor) {
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error_of(pipe), "expected a regular file, found a pipe");
  EXPECT_EQ(error_of("/dev/zero"), "expected a regular file, found a device");
  EXPECT_EQ(error_of(folder_.string()), "expected a regular file, found a folder");
  EXPECT_EQ(error_of((folder_ / "none").string()), "can't be read: No such file or directory");
  fs::create_symlink("/dev/zero", folder_ / "link");
  EXPECT_EQ(error_of((folder_ / "link").string()), "expected a regular file, found a device");
}

TEST_F(InputFiles, PartsAreReadInTurn) {
  InputFile file(write("text", "12345"));
  EXPECT_EQ(file.bytes(), 5U);
  std::uint8_t part[3] = {};
  file.read(part, 2);
  EXPECT_EQ(part[1], '2');
  file.read(part, 3);
  EXPECT_EQ(part[2], '5');
  EXPECT_THROW(file.read(part, 1), InputFileError);
}

TEST_F(InputFiles, ReadingEndsWhenAsked) {
  const std::string path = write("text", "12345");
  request_stop(StopCause::kInterrupt);
  EXPECT_THROW(read_input_file(path, 5), Stopped);
}

}  // namespace
}  // namespace heddle
