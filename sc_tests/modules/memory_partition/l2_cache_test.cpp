#include "modules/memory_partition/l2_cache.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "modules/memory_partition/sectors.h"

namespace heddle {
namespace {

constexpr unsigned kPlenty = 8;
constexpr std::uint64_t kSetStride = std::uint64_t{64} * kLineBytes;  // next line of the same set

class L2CacheTest : public ::testing::Test {
 protected:
  L2Outcome read(std::uint64_t address, SectorMask sectors, unsigned room = kPlenty) {
    return cache_.access({address, sectors, 0, true, false}, address, room, payload_);
  }
  L2Outcome write(std::uint64_t address, SectorMask sectors, SectorMask covered, unsigned room = kPlenty) {
    return cache_.access({address, sectors, covered, false, true}, address, room, payload_);
  }
  L2Outcome atomic(std::uint64_t address, SectorMask sectors) {
    return cache_.access({address, sectors, 0, true, true}, address, kPlenty, payload_);
  }
  unsigned take_completed() {
    unsigned count = 0;
    for (; cache_.completed() != nullptr; cache_.pop_completed()) ++count;
    return count;
  }
  void rebuild(const L2Config& config) { cache_ = L2Cache(config); }

  tlm::tlm_generic_payload payload_;
  L2Cache cache_{L2Config()};
};

TEST_F(L2CacheTest, FetchesOnlyTheSectorsAskedForAndNotThere) {
  EXPECT_EQ(read(0, 0b0011).fetch, 0b0011);
  const L2Outcome second = read(0, 0b0110);
  EXPECT_EQ(second.result, L2Result::kWait);
  EXPECT_EQ(second.fetch, 0b0100);  // sector 1 is on its way
  cache_.fill(second.line, 0b0011);
  EXPECT_EQ(take_completed(), 1U);  // the second still misses sector 2
  cache_.fill(second.line, 0b0100);
  EXPECT_EQ(take_completed(), 1U);
  EXPECT_EQ(read(0, 0b0111).result, L2Result::kHit);
  EXPECT_EQ(read(0, 0b1000).fetch, 0b1000);
}

TEST_F(L2CacheTest, WritesNeverFetch) {
  const L2Outcome outcome = write(0, 0b1111, 0b1111);
  EXPECT_EQ(outcome.result, L2Result::kHit);
  EXPECT_EQ(outcome.fetch, 0);
  EXPECT_EQ(read(0, 0b1111).result, L2Result::kHit);
}

TEST_F(L2CacheTest, ASectorWrittenInPartIsFetchedByTheNextRead) {
  write(0, 0b0011, 0b0001);
  EXPECT_EQ(read(0, 0b0001).result, L2Result::kHit);
  const L2Outcome outcome = read(0, 0b0011);
  EXPECT_EQ(outcome.result, L2Result::kWait);
  EXPECT_EQ(outcome.fetch, 0b0010);
  cache_.fill(outcome.line, 0b0010);
  EXPECT_EQ(read(0, 0b0011).result, L2Result::kHit);
}

TEST_F(L2CacheTest, APartialWriteToAReadableSectorKeepsItReadable) {
  write(0, 0b0001, 0b0001);
  write(0, 0b0001, 0);
  EXPECT_EQ(read(0, 0b0001).result, L2Result::kHit);
}

TEST_F(L2CacheTest, WritesBackTheDirtySectorsOfTheLeastRecentlyUsedLine) {
  write(0, 0b0101, 0b0101);
  for (unsigned way = 1; way < 8; ++way) write(way * kSetStride, 0b0001, 0b0001);
  read(0, 0b0001);  // line 0 is the most recently used
  const L2Outcome outcome = read(8 * kSetStride, 0b1111);
  EXPECT_EQ(outcome.writeback_address, kSetStride);
  EXPECT_EQ(outcome.writeback, 0b0001);
  for (unsigned way = 2; way < 8; ++way) read(way * kSetStride, 0b0001);
  const L2Outcome last = write(9 * kSetStride, 0b0001, 0b0001);
  EXPECT_EQ(last.writeback_address, 0U);
  EXPECT_EQ(last.writeback, 0b0101);
}

TEST_F(L2CacheTest, CleanLinesLeaveWithoutWriteBack) {
  for (unsigned way = 0; way < 8; ++way) cache_.install(way * kSetStride, way * kSetStride);
  EXPECT_EQ(read(0, 0b1111).result, L2Result::kHit);
  EXPECT_EQ(read(8 * kSetStride, 0b1111).writeback, 0);
}

TEST_F(L2CacheTest, RefusesWhenEveryWayWaitsForAFill) {
  for (unsigned way = 0; way < 8; ++way) {
    EXPECT_EQ(read(way * kSetStride, 0b0001).result, L2Result::kWait);
  }
  EXPECT_EQ(read(8 * kSetStride, 0b0001).result, L2Result::kLineReserved);
  EXPECT_EQ(write(8 * kSetStride, 0b0001, 0b0001).result, L2Result::kLineReserved);
  cache_.fill(read(0, 0b0001).line, 0b0001);
  EXPECT_EQ(read(8 * kSetStride, 0b0001).result, L2Result::kWait);
}

TEST_F(L2CacheTest, RefusesTheFifthRequestForASector) {
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(read(0, 0b0001).result, L2Result::kWait);
  EXPECT_EQ(read(0, 0b0001).result, L2Result::kMshrMerges);
  EXPECT_EQ(read(0, 0b0010).result, L2Result::kWait);  // another sector has its own entry
}

TEST_F(L2CacheTest, RefusesWhenNoEntryIsFree) {
  L2Config config;
  config.mshr_entries = 5;
  rebuild(config);
  EXPECT_EQ(read(0, 0b1111).result, L2Result::kWait);
  EXPECT_EQ(read(kLineBytes, 0b0011).result, L2Result::kMshrEntries);
  EXPECT_EQ(read(kLineBytes, 0b0001).result, L2Result::kWait);
  EXPECT_EQ(cache_.mshr_entries_used(), 5U);
}

TEST_F(L2CacheTest, RefusesWithoutRoomForFetchAndWriteBack) {
  for (unsigned way = 0; way < 8; ++way) write(way * kSetStride, 0b0001, 0b0001);
  EXPECT_EQ(read(8 * kSetStride, 0b0001, 1).result, L2Result::kMissQueue);
  EXPECT_EQ(write(8 * kSetStride, 0b0001, 0b0001, 0).result, L2Result::kMissQueue);
  EXPECT_EQ(read(8 * kSetStride, 0b0001, 2).result, L2Result::kWait);
  EXPECT_EQ(read(kLineBytes, 0b0001, 0).result, L2Result::kMissQueue);
}

TEST_F(L2CacheTest, AnAtomicReadsAndDirties) {
  const L2Outcome outcome = atomic(0, 0b0001);
  EXPECT_EQ(outcome.fetch, 0b0001);
  cache_.fill(outcome.line, 0b0001);
  EXPECT_EQ(take_completed(), 1U);
  EXPECT_EQ(atomic(0, 0b0001).result, L2Result::kHit);
  for (unsigned way = 1; way < 8; ++way) cache_.install(way * kSetStride, way * kSetStride);
  EXPECT_EQ(read(8 * kSetStride, 0b0001).writeback, 0b0001);
}

TEST_F(L2CacheTest, WarmingLeavesWhatAccessesWouldHave) {
  cache_.warm(0, 0, 0b0011, false);
  EXPECT_EQ(read(0, 0b0011).result, L2Result::kHit);
  EXPECT_EQ(read(0, 0b0100).fetch, 0b0100);
  cache_.warm(kSetStride, kSetStride, 0b0110, true);
  EXPECT_EQ(read(kSetStride, 0b0110).result, L2Result::kHit);
  for (unsigned way = 2; way < 8; ++way) cache_.warm(way * kSetStride, way * kSetStride, 0b1111, false);
  // The line that waits keeps its way, the next oldest leaves, and what was written goes to DRAM.
  const L2Outcome outcome = read(8 * kSetStride, 0b0001);
  EXPECT_EQ(outcome.writeback_address, kSetStride);
  EXPECT_EQ(outcome.writeback, 0b0110);
}

TEST_F(L2CacheTest, WarmingUsesALineAndLeavesOneThatWaits) {
  for (unsigned way = 0; way < 8; ++way) cache_.warm(way * kSetStride, way * kSetStride, 0b1111, true);
  cache_.warm(0, 0, 0b0001, false);
  EXPECT_EQ(read(8 * kSetStride, 0b0001).writeback_address, kSetStride);
  EXPECT_EQ(cache_.warm(8 * kSetStride, 8 * kSetStride, 0b1111, true), TagArray::kNoLine);
  EXPECT_NE(read(8 * kSetStride, 0b0010).result, L2Result::kHit);
}

TEST_F(L2CacheTest, WarmingDropsWhatItReplaces) {
  for (unsigned way = 0; way < 9; ++way) cache_.warm(way * kSetStride, way * kSetStride, 0b1111, true);
  EXPECT_EQ(read(0, 0b0001).result, L2Result::kWait);
  EXPECT_EQ(read(8 * kSetStride, 0b1111).result, L2Result::kHit);
}

TEST(L2CacheConfig, NamesTheKeyThatDoesNotWork) {
  L2Config config;
  config.cache.line_bytes = 64;
  EXPECT_THROW(L2Cache{config}, std::invalid_argument);
  config = L2Config();
  config.mshr_entries = 3;
  EXPECT_THROW(L2Cache{config}, std::invalid_argument);
  config = L2Config();
  config.mshr_merges = 0;
  EXPECT_THROW(L2Cache{config}, std::invalid_argument);
}

TEST(Sectors, FollowTheBytes) {
  EXPECT_EQ(touched_sectors(0, 128), 0b1111);
  EXPECT_EQ(touched_sectors(128 + 31, 2), 0b0011);
  EXPECT_EQ(touched_sectors(64, 32), 0b0100);
  EXPECT_EQ(touched_sectors(64, 5000), 0b1100);
  EXPECT_EQ(touched_sectors(33, ~0U), 0b1110);
  EXPECT_EQ(touched_sectors(128, 0), 0b0001);
  EXPECT_EQ(covered_sectors(64, 32), 0b0100);
  EXPECT_EQ(covered_sectors(65, 32), 0);
  EXPECT_EQ(covered_sectors(31, 66), 0b0110);
  EXPECT_EQ(covered_sectors(0, 128), 0b1111);
  EXPECT_EQ(lowest_run(0b1011), 0b0011);
  EXPECT_EQ(lowest_run(0b1000), 0b1000);
  EXPECT_EQ(lowest_run(0b1111), 0b1111);
}

}  // namespace
}  // namespace heddle
