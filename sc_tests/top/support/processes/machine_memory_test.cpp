#include "top/support/processes/machine_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

namespace fs = std::filesystem;

class ControlGroups : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("heddle-cgroup-" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text << '\n';
  }
  std::uint64_t limit(const std::string& groups) const {
    return cgroup_memory_bytes(groups, folder_.string());
  }

  fs::path folder_;
};

TEST_F(ControlGroups, OfVersion2TheLeastLimitOnTheWayCounts) {
  write("a/b/memory.max", "max");
  write("a/memory.max", "5000");
  write("memory.max", "9000");
  EXPECT_EQ(limit("0::/a/b\n"), 5000U);
  write("a/b/memory.max", "4000");
  EXPECT_EQ(limit("0::/a/b\n"), 4000U);
  EXPECT_EQ(limit("0::/c\n"), 9000U) << "in a container the group may not be there under its name";
}

TEST_F(ControlGroups, OfVersion1TheMemoryControllerCounts) {
  write("memory/a/memory.limit_in_bytes", "7000");
  write("memory/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(limit("5:cpu,cpuacct:/b\n4:memory:/a\n"), 7000U);
  EXPECT_EQ(limit("4:hugetlb,memory:/a\n"), 7000U);
  EXPECT_EQ(limit("4:cpu:/a\n"), 0U);
}

TEST_F(ControlGroups, WithoutAnyThereIsNoLimit) {
  EXPECT_EQ(limit(""), 0U);
  EXPECT_EQ(limit("nonsense\n:\n"), 0U);
  EXPECT_EQ(limit("0::/\n"), 0U);
}

TEST(MachineMemory, IsKnown) { EXPECT_GT(machine_memory_bytes(), std::uint64_t{64} << 20U); }

}  // namespace
}  // namespace heddle
