#include "top/support/project_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "sc_tests/support/paths.h"

namespace heddle {
namespace {

TEST(ProjectFiles, FindsByNameAndByPath) {
  const ProjectFiles files(test::source_dir());
  const std::string path = test::source_dir() + "/workloads/kernels/vector_add/vector_add.yaml";
  EXPECT_EQ(files.workload("vector_add"), path);
  EXPECT_EQ(files.workload(path), path);
  EXPECT_EQ(files.config("gtx480"), test::source_dir() + "/configs/gtx480.yaml");
}

TEST(ProjectFiles, ExperimentsAreCalledByTheirPlace) {
  const ProjectFiles files(test::source_dir());
  const std::string pro = files.experiment("pro/quick/schedulers");
  EXPECT_EQ(files.experiment_name(pro), "pro/quick/schedulers");
  EXPECT_EQ(files.experiment_name(test::source_dir() + "/configs/../experiments/verification.yaml"),
            "verification");
  EXPECT_EQ(files.experiment_name(std::filesystem::relative(pro).string()), "pro/quick/schedulers");
  EXPECT_EQ(files.experiment_name("/elsewhere/pro/study.yaml"), "study");
  EXPECT_EQ(files.experiment_name("study.2.yaml"), "study.2");
}

TEST(ProjectFiles, ListsNamesInOrder) {
  const ProjectFiles files(test::source_dir());
  const std::vector<std::string> names = files.workload_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::count(names.begin(), names.end(), "atax"), 1);
  const std::vector<std::string> configs = files.config_names();
  EXPECT_EQ(std::count(configs.begin(), configs.end(), "gtx480"), 1);
}

TEST(ProjectFiles, MissingNameSuggestsTheNearest) {
  try {
    ProjectFiles(test::source_dir()).workload("vectoradd");
    FAIL();
  } catch (const FileNotFound& error) {
    EXPECT_EQ(std::string(error.what())
                  .find("there is no workload file 'vectoradd', and no workload of that name; "
                        "did you mean 'vector_add'? (workloads: "),
              0U)
        << error.what();
  }
}

TEST(ProjectFiles, AFolderIsToldFromNothing) {
  const ProjectFiles files(test::source_dir());
  const auto message = [](auto look_up) {
    try {
      look_up();
    } catch (const FileNotFound& error) {
      return std::string(error.what());
    }
    return std::string("found");
  };
  using ::testing::StartsWith;
  EXPECT_THAT(message([&] { files.workload("."); }),
              StartsWith("'.' is a folder and no workload file, and no workload of that name"));
  EXPECT_THAT(message([&] { files.timed_workload("."); }),
              StartsWith("'.' is a folder and no workload file, "));
  EXPECT_THAT(message([&] { files.config("."); }), StartsWith("'.' is a folder and no configuration file, "));
  EXPECT_THAT(message([&] { files.energy_table("."); }), StartsWith("'.' is a folder and no energy table, "));
}

TEST(ProjectFiles, MissingHomeHasNoNamesAndIsNamed) {
  EXPECT_TRUE(ProjectFiles("/nonexistent").workload_names().empty());
  try {
    ProjectFiles("/nonexistent").config("gtx480");
    FAIL();
  } catch (const FileNotFound& error) {
    EXPECT_NE(std::string(error.what()).find("looked up in /nonexistent, which is not there"),
              std::string::npos)
        << error.what();
  }
}

/// The environment has no HEDDLE_HOME meanwhile; the default home of the process is unknown before and after.
class DefaultHome : public ::testing::Test {
 protected:
  void SetUp() override { unsetenv("HEDDLE_HOME"); }
  void TearDown() override {
    unsetenv("HEDDLE_HOME");
    ProjectFiles::set_default_home("");
  }
  static std::string home() {
    const std::string path = ProjectFiles().technologies();
    return path.substr(0, path.find("/configs/technology/"));
  }
};

TEST_F(DefaultHome, IsTheSourcesBesideABuiltProgram) {
  EXPECT_EQ(home(), std::filesystem::canonical(test::source_dir()).string());
}

TEST_F(DefaultHome, IsWhatTheProgramWasToldWhereItLiesElsewhere) {
  ProjectFiles::set_default_home("/told");
  EXPECT_EQ(home(), "/told");
}

TEST_F(DefaultHome, OfTheEnvironmentGoesBeforeWhatTheProgramWasTold) {
  ProjectFiles::set_default_home("/told");
  setenv("HEDDLE_HOME", "/environment", 1);
  EXPECT_EQ(home(), "/environment");
}

}  // namespace
}  // namespace heddle
