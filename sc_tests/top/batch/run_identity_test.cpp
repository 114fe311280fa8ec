#include "top/batch/run_identity.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sc_tests/support/paths.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class RunIdentityTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(::testing::TempDir()) /
        (std::string("heddle-identity-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    const fs::path kernels = fs::path(test::source_dir()) / "workloads/kernels/vector_add";
    fs::copy(kernels / "vector_add.ptx", folder_ / "vector_add.ptx");
    write("w.yaml",
          "ptx: vector_add.ptx\nbuffers: {a: {type: f32, count: 4, init: {file: data.bin}}}\nlaunches: []\n");
    write("data.bin", std::string(16, 'x'));
    options_.workload = (folder_ / "w.yaml").string();
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  static RunIdentity of(const RunOptions& options, const std::vector<std::string>& assignments = {}) {
    return RunIdentity::of(options, load_config("", assignments));
  }
  /// What a change makes of the identity.
  template <typename Change>
  std::string difference(const Change& change) const {
    RunOptions other = options_;
    const RunIdentity before = of(other);
    change(other);
    return before.differences(of(other));
  }

  fs::path folder_;
  RunOptions options_;
};

TEST_F(RunIdentityTest, IsReadBackAndADamagedOneIsNone) {
  const RunIdentity identity = of(options_);
  write("run.json", identity.json());
  const auto read = RunIdentity::read(folder_.string());
  ASSERT_TRUE(read);
  EXPECT_EQ(identity.differences(*read), "");
  EXPECT_EQ(identity.program.size(), 32U);
  for (const std::string& bad : {std::string(), identity.json().substr(0, 40), std::string("[]"),
                                 std::string("{\"format\": 1, \"program\": 3}")}) {
    write("run.json", bad);
    EXPECT_FALSE(RunIdentity::read(folder_.string())) << bad;
  }
}

TEST_F(RunIdentityTest, IsThatOfTheConfigurationAndTheWorkloadWithAllItsFiles) {
  EXPECT_EQ(of(options_).differences(of(options_, {"core.sms=4"})), "configuration");
  EXPECT_EQ(difference([](RunOptions&) {}), "");
  EXPECT_EQ(difference([](RunOptions& o) { o.out = "elsewhere"; }), "");
  EXPECT_EQ(difference([](RunOptions& o) { o.on.max_cycles = 9; }), "workload");
  EXPECT_EQ(difference([](RunOptions& o) { o.on.size = "large"; }), "workload");
  EXPECT_EQ(difference([](RunOptions& o) { o.on.parameters["n"] = 1; }), "workload");
  EXPECT_EQ(difference([](RunOptions& o) { o.arrivals = {3}; }), "workload");
  EXPECT_EQ(difference([](RunOptions& o) { o.beside = {o.workload}; }), "workload");
  EXPECT_EQ(difference([this](RunOptions&) { write("data.bin", std::string(16, 'y')); }), "workload");
  EXPECT_EQ(difference([this](RunOptions&) {
              std::ofstream(folder_ / "vector_add.ptx", std::ios::app) << "// another\n";
            }),
            "workload");
}

TEST(FingerprintTest, BordersOfPartsAndMissingFilesCount) {
  EXPECT_EQ(Fingerprint().add("ab").text(), Fingerprint().add("ab").text());
  EXPECT_NE(Fingerprint().add("a").add("b").text(), Fingerprint().add("ab").text());
  EXPECT_NE(Fingerprint().add("").text(), Fingerprint().text());
  EXPECT_NE(Fingerprint().add_file("/nowhere").text(), Fingerprint().add_file("/dev/null").add("").text());
  EXPECT_EQ(Fingerprint().add_file("/dev/zero").text(), Fingerprint().add_file("/nowhere").text());
}

}  // namespace
}  // namespace heddle
