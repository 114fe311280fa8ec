#include "base/input_scope.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/input_file.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// A folder with wl/w.yaml, wl/sub/data, other/data, and links between them.
class InputScope : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("heddle-scope-" + std::to_string(getpid()));
    fs::create_directories(folder_ / "wl" / "sub");
    fs::create_directories(folder_ / "wl2");
    fs::create_directories(folder_ / "other");
    std::ofstream(folder_ / "other" / "data") << "x";
    std::ofstream(folder_ / "wl" / "sub" / "data") << "x";
    std::ofstream(folder_ / "wl2" / "data") << "x";
  }
  void TearDown() override {
    allow_files_outside(false);
    fs::remove_all(folder_);
  }
  /// What wl/w.yaml gets for `named`: a path relative to the folder, or "refused".
  std::string resolved(const std::string& named) const {
    try {
      const fs::path path = resolve_input((folder_ / "wl" / "w.yaml").string(), named);
      return path.lexically_relative(folder_).string();
    } catch (const InputFileError& error) {
      EXPECT_NE(error.problem().find("lies outside of"), std::string::npos) << error.what();
      EXPECT_NE(error.problem().find("--allow-outside"), std::string::npos) << error.what();
      return "refused";
    }
  }

  fs::path folder_;
};

TEST_F(InputScope, FilesBesideAndBelowMayBeNamed) {
  EXPECT_EQ(resolved("data"), "wl/data");
  EXPECT_EQ(resolved("./sub/data"), "wl/sub/data");
  EXPECT_EQ(resolved("sub/../data"), "wl/data");
  EXPECT_EQ(resolved((folder_ / "wl" / "sub" / "data").string()), "wl/sub/data");
  EXPECT_EQ(resolved("../wl/data"), "wl/data");
}

TEST_F(InputScope, FilesOutsideMayNot) {
  EXPECT_EQ(resolved("../other/data"), "refused");
  EXPECT_EQ(resolved("../wl2/data"), "refused") << "its name begins as the folder's does";
  EXPECT_EQ(resolved("sub/../../other/data"), "refused");
  EXPECT_EQ(resolved((folder_ / "other" / "data").string()), "refused");
  EXPECT_EQ(resolved("/etc/passwd"), "refused");
  EXPECT_EQ(resolved(".."), "refused");
  EXPECT_EQ(resolved("../nowhere/data"), "refused") << "nor is told whether it is there";
}

TEST_F(InputScope, LinksAreFollowedBeforeItIsJudged) {
  fs::create_symlink("../other", folder_ / "wl" / "out");
  fs::create_symlink("/etc/passwd", folder_ / "wl" / "passwd");
  fs::create_symlink("sub/data", folder_ / "wl" / "in");
  EXPECT_EQ(resolved("out/data"), "refused");
  EXPECT_EQ(resolved("out/../sub/data"), "wl/sub/data") << "the path that is opened is the one judged";
  EXPECT_EQ(resolved("passwd"), "refused");
  EXPECT_EQ(resolved("in"), "wl/in");
  fs::create_directory_symlink(folder_ / "wl", folder_ / "link");
  EXPECT_EQ(resolve_input((folder_ / "link" / "w.yaml").string(), "sub/data"),
            (folder_ / "link" / "sub" / "data").string());
}

TEST_F(InputScope, TheUserMayAllowAll) {
  allow_files_outside(true);
  EXPECT_EQ(resolved("../other/data"), "other/data");
  EXPECT_TRUE(files_outside_allowed());
}

TEST_F(InputScope, TrustedFoldersMayBeNamedByAll) {
  fs::create_directories(folder_ / "installed");
  trust_folder((folder_ / "installed").string());
  EXPECT_EQ(resolved("../installed/k.ptx"), "installed/k.ptx");
  EXPECT_EQ(resolved("../other/data"), "refused");
}

TEST_F(InputScope, ARootCountsForAllFilesThatItNames) {
  const std::string root = (folder_ / "wl" / "w.yaml").string();
  const std::string below = (folder_ / "wl" / "sub" / "b.yaml").string();
  EXPECT_EQ(resolve_input(below, "../c.yaml", root), (folder_ / "wl" / "c.yaml").string());
  EXPECT_THROW(resolve_input(below, "../c.yaml"), InputFileError);
  EXPECT_THROW(resolve_input(below, "../../c.yaml", root), InputFileError);
}

TEST_F(InputScope, AFileInTheWorkingFolderHasThatFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "wl");
  EXPECT_EQ(resolve_input("w.yaml", "sub/data"), "sub/data");
  EXPECT_THROW(resolve_input("w.yaml", "../other/data"), InputFileError);
  fs::current_path(before);
}

}  // namespace
}  // namespace heddle
