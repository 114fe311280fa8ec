#include "top/pairs/alone_cache.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "top/support/project_files.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class AloneCacheTest : public ::testing::Test {
 protected:
  AloneCacheTest() {
    folder_ =
        fs::path(::testing::TempDir()) /
        (std::string("heddle-alone-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
  }
  ~AloneCacheTest() override { fs::remove_all(folder_); }

  static std::string key(const std::vector<std::string>& assignments, const RunOptions& run) {
    return alone_key(load_config("", assignments), run);
  }

  fs::path folder_;
  AloneRun run_{{{1000, {400, 500}}, {70, {70}}}};
};

TEST_F(AloneCacheTest, FindsWhatWasStored) {
  const AloneCache cache(folder_.string());
  EXPECT_FALSE(cache.find("k"));
  ASSERT_TRUE(cache.store("k", run_));
  const auto found = AloneCache(folder_.string()).find("k");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->streams.size(), 2U);
  EXPECT_EQ(found->streams[0].cycles, 1000U);
  EXPECT_EQ(found->streams[0].launches, (std::vector<std::uint64_t>{400, 500}));
  EXPECT_FALSE(cache.find("other"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()),
            1);  // nothing temporary
}

TEST_F(AloneCacheTest, WhatIsDamagedIsAsGoodAsAbsent) {
  const AloneCache cache(folder_.string());
  ASSERT_TRUE(cache.store("k", run_));
  const std::string good = to_json(run_, "k");
  for (const std::string& bad : {std::string(), good.substr(0, good.size() / 2), std::string("[]"),
                                 std::string("{\"format\": 1}"), to_json(run_, "another key"),
                                 std::string("{\"format\":1,\"key\":\"k\",\"streams\":[{\"cycles\":-1}]}"),
                                 std::string("{\"format\":1,\"key\":\"k\",\"streams\":[]}")}) {
    std::ofstream(cache.file_of("k")) << bad;
    EXPECT_FALSE(cache.find("k")) << bad;
  }
  ASSERT_TRUE(cache.store("k", run_));
  EXPECT_TRUE(cache.find("k"));
}

TEST_F(AloneCacheTest, AFolderThatCantBeWrittenIsNoCache) {
  std::ofstream(folder_.string()) << "a file";
  EXPECT_FALSE(AloneCache(folder_.string()).store("k", run_));
  EXPECT_FALSE(AloneCache(folder_.string()).find("k"));
}

TEST_F(AloneCacheTest, TheUsersFolderIsThatOfXdg) {
  setenv("XDG_CACHE_HOME", "/x/cache", 1);
  EXPECT_EQ(AloneCache("").folder(), "/x/cache/heddle/alone");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/h", 1);
  EXPECT_EQ(AloneCache("").folder(), "/h/.cache/heddle/alone");
  unsetenv("HOME");
  EXPECT_EQ(AloneCache("").folder(), "");
}

TEST_F(AloneCacheTest, TheKeyIsThatOfConfigurationAndWorkload) {
  RunOptions run;
  run.workload = "vector_add";
  run.arrivals = {0};
  const std::string base = key({}, run);
  EXPECT_EQ(base.size(), 32U);
  EXPECT_EQ(key({}, run), base);
  EXPECT_NE(key({"core.sms=4"}, run), base);
  RunOptions other = run;
  other.on.parameters["n"] = 4096;
  EXPECT_NE(key({}, other), base);
  other = run;
  other.workload = "vector_add:large";
  EXPECT_NE(key({}, other), base);
  other = run;
  other.on.max_cycles = 1000000;  // no part of what takes how long
  EXPECT_EQ(key({}, other), base);
}

}  // namespace
}  // namespace heddle
