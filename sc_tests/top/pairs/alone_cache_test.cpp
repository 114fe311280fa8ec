#include "top/pairs/alone_cache.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

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

  fs::path folder_;
  AloneRun run_{{{1000, {400, 500}}, {70, {70}, 30}}};
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
  EXPECT_EQ(found->streams[0].arrival, 0U);
  EXPECT_EQ(found->streams[1].arrival, 30U);
  EXPECT_FALSE(cache.find("other"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()),
            1);  // nothing temporary
}

TEST_F(AloneCacheTest, WhatIsDamagedIsAsGoodAsAbsent) {
  const AloneCache cache(folder_.string());
  ASSERT_TRUE(cache.store("k", run_));
  const std::string good = to_json(run_, "k");
  for (const std::string& bad :
       {std::string(), good.substr(0, good.size() / 2), std::string("[]"), std::string(R"({"format": 1})"),
        to_json(run_, "another key"), std::string(R"({"format":3,"key":"k","streams":[]})")}) {
    std::ofstream(cache.file_of("k")) << bad;
    EXPECT_FALSE(cache.find("k")) << bad;
  }
  ASSERT_TRUE(cache.store("k", run_));
  EXPECT_TRUE(cache.find("k"));
}

/// The file of a run as the program writes it, with one figure changed, and the fingerprint that belongs to
/// it.
TEST_F(AloneCacheTest, NumbersThatNoRunCanHaveAreNotBelieved) {
  const auto reads = [this](std::uint64_t cycles, const std::string& shown) {
    std::string text = to_json({{{cycles, {1}}}}, "k");
    const std::string written = "\"cycles\": " + std::to_string(cycles);
    text.replace(text.find(written), written.size(), "\"cycles\": " + shown);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "file.json") << text;
    return read_alone_run((folder_ / "file.json").string(), "k").has_value();
  };
  EXPECT_TRUE(reads(7, "7"));
  EXPECT_FALSE(reads(7, "8")) << "another figure than the one written";
  EXPECT_FALSE(reads(7, "-7"));
  EXPECT_FALSE(reads(7, "7.0"));
  EXPECT_FALSE(reads(7, "\"7\""));
  EXPECT_FALSE(reads(7, "18446744073709551609")) << "-7 without its sign";
  for (const AloneRun& bad :
       {AloneRun{}, AloneRun{{{0, {}}}}, AloneRun{{{7, {}}}}, AloneRun{{{7, {0}}}}, AloneRun{{{7, {8}}}},
        AloneRun{{{AloneRun::kMostCycles + 1, {1}}}}, AloneRun{{{7, {1}, AloneRun::kMostCycles + 1}}}}) {
    EXPECT_FALSE(bad.valid());
    EXPECT_THROW(to_json(bad, "k"), std::invalid_argument);
    EXPECT_FALSE(AloneCache(folder_.string()).store("k", bad));
  }
}

/// It is there from its first stream's arrival to its last stream's end, whichever these are.
TEST(AloneRunTest, AProgramLastsFromItsFirstArrivalToItsLastEnd) {
  const std::vector<StreamFigures> streams{
      {1000, {1000}, 50}, {70, {70}, 20}, {300, {300}, 900}, {9, {9}, 0}};
  EXPECT_EQ(turnaround_of(streams, 0, 1), 1000U);
  EXPECT_EQ(turnaround_of(streams, 0, 2), 1030U);
  EXPECT_EQ(turnaround_of(streams, 0, 3), 1180U);
  EXPECT_EQ(turnaround_of(streams, 0, 9), 1200U);
  EXPECT_EQ(turnaround_of(streams, 2, 4), 1200U);
  EXPECT_EQ(turnaround_of(streams, 4, 9), 0U);
  EXPECT_EQ((AloneRun{{streams[0], streams[1]}}.turnaround()), 1030U);
}

TEST_F(AloneCacheTest, ARunThatDidNotEndOrHasNoCyclesIsNotTaken) {
  RunFigures figures;
  figures.complete = true;
  figures.streams = {{10, {4, 5}}};
  EXPECT_TRUE(alone_run_of(figures));
  figures.streams = {{10, {4, 0}}};
  EXPECT_FALSE(alone_run_of(figures));
  figures.streams = {{10, {4, 5}}};
  figures.complete = false;
  EXPECT_FALSE(alone_run_of(figures));
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

}  // namespace
}  // namespace heddle
