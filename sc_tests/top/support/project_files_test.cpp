#include "top/support/project_files.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(ProjectFiles, EmptyHomeHasNoNames) {
  EXPECT_TRUE(ProjectFiles("/nonexistent").workload_names().empty());
  EXPECT_THROW(ProjectFiles("/nonexistent").config("gtx480"), FileNotFound);
}

}  // namespace
}  // namespace heddle
